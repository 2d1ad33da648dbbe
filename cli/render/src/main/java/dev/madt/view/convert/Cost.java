package dev.madt.view.convert;

import dev.madt.view.Place;

/**
 * Holds what one source line of a function did, to the memory of one object. Unknown files are
 * {@code ???}, unknown lines 0.
 */
final class Cost {
    final String object;
    final String function;
    final String functionFile;
    final String file;
    final int line;
    long loads;
    long stores;
    long bytes;
    long blocks;
    long blockBytes;

    Cost(String object, Place place) {
        this.object = object;
        this.function = place.function();
        this.functionFile = named(place.functionFile());
        this.file = named(place.file());
        this.line = place.line();
    }

    /** A cost of a whole function. */
    Cost(String object, String function) {
        this.object = object;
        this.function = function;
        this.functionFile = named("");
        this.file = named("");
        this.line = 0;
    }

    /** A file's name as profiles have it. */
    static String named(String file) {
        return file.isEmpty() ? "???" : file;
    }

    void add(int size, boolean store) {
        loads += store ? 0 : 1;
        stores += store ? 1 : 0;
        bytes += size;
    }

    /** Adds what another one counts. */
    void add(Cost other) {
        loads += other.loads;
        stores += other.stores;
        bytes += other.bytes;
        blocks += other.blocks;
        blockBytes += other.blockBytes;
    }

    long accesses() {
        return loads + stores;
    }
}
