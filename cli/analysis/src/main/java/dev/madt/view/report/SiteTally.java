package dev.madt.view.report;

/** The blocks of one allocating call. Lifetimes count in accesses: a trace has no other clock. */
final class SiteTally {
    final Tally accesses;
    /** Says whether nobody tells when the blocks end. */
    final boolean ofGo;

    private long blocks;
    private long bytes;
    private long ended;
    private long endedBytes;
    private long lifetimes;
    private long longest;
    private long neverAccessed;
    private long temporary;
    private long mostBytes;

    SiteTally(Tally accesses) {
        this(accesses, false);
    }

    SiteTally(Tally accesses, boolean ofGo) {
        this.accesses = accesses;
        this.ofGo = ofGo;
    }

    void born(long size) {
        blocks++;
        bytes += size;
        mostBytes = Math.max(mostBytes, bytes - endedBytes);
    }

    void died(long size, long lifetime, long untouched) {
        ended++;
        endedBytes += size;
        lifetimes += lifetime;
        longest = Math.max(longest, lifetime);
        neverAccessed += untouched;
    }

    /** Adds the blocks of another call. */
    void add(SiteTally other) {
        blocks += other.blocks;
        bytes += other.bytes;
        ended += other.ended;
        endedBytes += other.endedBytes;
        lifetimes += other.lifetimes;
        longest = Math.max(longest, other.longest);
        neverAccessed += other.neverAccessed;
        temporary += other.temporary;
    }

    /** The block that has just died was the last that its thread allocated. */
    void temporary() {
        temporary++;
    }

    /** The trace ends while the block lives: it has no lifetime, but bytes that nobody accessed. */
    void survived(long untouched) {
        neverAccessed += untouched;
    }

    long blocks() {
        return blocks;
    }

    /** Bytes allocated. */
    long bytes() {
        return bytes;
    }

    /** Blocks alive at the end. */
    long alive() {
        return blocks - ended;
    }

    /** Bytes of those blocks, as many as were asked for. */
    long aliveBytes() {
        return bytes - endedBytes;
    }

    /** Null if none has ended: a block that is alive at the end has no lifetime. */
    Long meanLifetime() {
        return ended == 0 ? null : lifetimes / ended;
    }

    Long longestLifetime() {
        return ended == 0 ? null : longest;
    }

    /** Blocks that their thread ended before it allocated another one. */
    long temporaryBlocks() {
        return temporary;
    }

    /** Most bytes that were alive at a time; of several sites nobody knows. */
    Long mostBytes() {
        return accesses == null ? null : mostBytes;
    }

    long neverAccessed() {
        return neverAccessed;
    }
}
