package dev.madt.view.overview;

import dev.madt.view.report.TouchedLines;
import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;

/**
 * Holds what is counted of a variable, the blocks of a call, a function or a line: the same as a
 * report counts in its row.
 */
final class Row {
    static final int MOST_THREADS = 100;

    private final int index;
    private final String name;
    private final String region;
    private final TouchedLines touched = new TouchedLines();
    private String source = "";
    private boolean used;
    private int thread;
    private IntHashSet threads;
    private long loads;
    private long stores;
    private long bytes;
    private long transfers;
    private long transferBytes;

    /**
     * @param region what tells rows of one name apart: the region of data, the module of a
     *     function, the function of a line
     */
    Row(int index, String name, String region) {
        this.index = index;
        this.name = name;
        this.region = region;
    }

    void add(long moreLoads, long moreStores, long size) {
        loads += moreLoads;
        stores += moreStores;
        bytes += (moreLoads + moreStores) * size;
    }

    void touch(long address, long size) {
        touched.touch(address, size);
    }

    /**
     * A bulk transfer, or the side of one that is in this row: so many bytes were asked for, so
     * many can have been touched.
     */
    void transfer(long address, long length, long reach) {
        transfers++;
        transferBytes += length;
        touchBlock(address, reach);
    }

    /** The other side of a bulk transfer that the row has counted. */
    void touchBlock(long address, long reach) {
        if (reach > 0) {
            touched.touch(address, reach);
        }
    }

    /** Notes a thread that accessed; most rows have one only. */
    void by(int other) {
        if (!used) {
            used = true;
            thread = other;
        } else if (threads != null && threads.size() < MOST_THREADS) {
            threads.add(other);
        } else if (threads == null && other != thread) {
            threads = IntHashSet.newSetWith(thread, other);
        }
    }

    /** Returns how many threads accessed; {@link #MOST_THREADS} stands for those and more. */
    int threads() {
        return threads != null ? threads.size() : used ? 1 : 0;
    }

    /** Keeps the first line that is known. */
    void source(String line) {
        source = source.isEmpty() ? line : source;
    }

    int index() {
        return index;
    }

    String name() {
        return name;
    }

    String region() {
        return region;
    }

    /** File and line of the call that allocated, or the path of a line; empty if unknown. */
    String source() {
        return source;
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

    long bytes() {
        return bytes;
    }

    /** Bulk transfers; a copy with both its sides in this row is one. */
    long transfers() {
        return transfers;
    }

    long transferBytes() {
        return transferBytes;
    }

    /** Cache lines of 64 bytes. */
    long lines() {
        return touched.lines();
    }

    /** Pages of 4,096 bytes. */
    long pages() {
        return touched.pages();
    }
}
