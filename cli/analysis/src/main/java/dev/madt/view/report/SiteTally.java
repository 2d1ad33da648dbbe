package dev.madt.view.report;

/** The blocks of one allocating call. Lifetimes count in accesses: a trace has no other clock. */
final class SiteTally {
    final Tally accesses;
    private long blocks;
    private long bytes;
    private long ended;
    private long endedBytes;
    private long lifetimes;
    private long longest;
    private long neverAccessed;

    SiteTally(Tally accesses) {
        this.accesses = accesses;
    }

    void born(long size) {
        blocks++;
        bytes += size;
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

    long neverAccessed() {
        return neverAccessed;
    }
}
