package dev.madt.cli.convert;

/** What a function did, to the memory of one object. */
final class Cost {
    final String object;
    final String function;
    long loads;
    long stores;
    long bytes;
    long blocks;
    long blockBytes;

    Cost(String object, String function) {
        this.object = object;
        this.function = function;
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
