package dev.madt.view.report;

import dev.madt.view.DataObject;
import dev.madt.view.Place;

/** Holds what one row of a report counts. */
final class Tally {
    /** The type of blocks of several types, which one function has others allocate. */
    private static final String SEVERAL = "(several)";

    private final String[] names;
    private TouchedLines touched = new TouchedLines();
    /** Of processes that have ended: equal addresses of two processes are not the same memory. */
    private long linesBefore;

    private long pagesBefore;
    private long loads;
    private long stores;
    private long bytes;
    private long blocks;
    private long blockBytes;
    private Pattern pattern;
    private String source;
    private String callers;
    private String type;

    /**
     * @param names what the row is called; what comes behind the keys tells rows of one name apart:
     *     the region, module or function; or null
     */
    Tally(String... names) {
        this.names = names;
    }

    void access(long address, int size, boolean store) {
        if (store) {
            stores++;
        } else {
            loads++;
        }
        bytes += size;
        touched.touch(address, size);
    }

    /** So many accesses of so many bytes in all, the lines of which have been touched. */
    void add(long moreLoads, long moreStores, long moreBytes) {
        loads += moreLoads;
        stores += moreStores;
        bytes += moreBytes;
    }

    void touch(long address, int size) {
        touched.touch(address, size);
    }

    /**
     * A bulk transfer, or the side of one that is in this row: so many bytes were asked for, so
     * many can have been touched.
     */
    void block(long address, long length, long reach) {
        blocks++;
        blockBytes += length;
        touchBlock(address, reach);
    }

    /** The other side of a bulk transfer that the row has counted. */
    void touchBlock(long address, long reach) {
        if (reach > 0) {
            touched.touch(address, reach);
        }
    }

    /**
     * Notes that what comes is of another process; {@code all} gets the memory that was touched in
     * this one.
     */
    void endProcess(TouchedLines all) {
        all.touchAll(touched);
        linesBefore = lines();
        pagesBefore = pages();
        touched = new TouchedLines();
    }

    String name() {
        return names[0];
    }

    String region() {
        return names.length > 1 ? names[1] : null;
    }

    /** One of the names, from 0. */
    String name(int index) {
        return names[index];
    }

    /** All names, to put rows in order. */
    String label() {
        return names.length == 1 || names[1] == null ? names[0] : String.join("\n", names);
    }

    /**
     * File and line of the call that allocated what the row counts; null if unknown or none did.
     */
    String source() {
        return source;
    }

    /**
     * The functions that led to the call that allocated the first of the blocks, the innermost
     * first; null if they are not known.
     */
    String callers() {
        return callers;
    }

    /** The type of what the row counts, with {@code ?} where it is a guess; null if unknown. */
    String type() {
        return type;
    }

    /**
     * Keeps where the memory was allocated and what it holds, if that is known now and was not
     * before.
     */
    void describe(DataObject object) {
        source(object);
        callers = callers == null ? object.callers() : callers;
        if (object.type() == null) {
            return;
        }
        String told = object.guessed() ? object.type() + '?' : object.type();
        if (type == null) {
            type = told;
        } else if (!type.equals(told)) {
            type = SEVERAL;
        }
    }

    void source(DataObject object) {
        Place call = object.shownCall();
        if (source == null && call != null && !call.ownLine().isEmpty()) {
            source = call.ownLine();
        }
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    long accesses() {
        return loads + stores;
    }

    /** Bytes of loads and stores. */
    long bytes() {
        return bytes;
    }

    /** Bulk transfers; a copy with both its sides in this row is one. */
    long blocks() {
        return blocks;
    }

    long blockBytes() {
        return blockBytes;
    }

    long lines() {
        return linesBefore + touched.lines();
    }

    long pages() {
        return pagesBefore + touched.pages();
    }

    /** Strides and reuse distances; null unless they are counted. */
    Pattern pattern() {
        return pattern;
    }

    Pattern countedPattern() {
        if (pattern == null) {
            pattern = new Pattern();
        }
        return pattern;
    }
}
