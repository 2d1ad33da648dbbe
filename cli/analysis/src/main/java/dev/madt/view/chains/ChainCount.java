package dev.madt.view.chains;

import dev.madt.trace.event.Block;
import dev.madt.view.CallChain;
import dev.madt.view.Place;

/** Holds the blocks of one chain of calls, and the accesses to them. */
public final class ChainCount {
    private final Block.Kind kind;
    private final CallChain chain;
    private final Place call;
    private final Place shown;
    private long blocks;
    private long bytes;
    private long alive;
    private long aliveBytes;
    private long peakBytes;
    private long lifetimes;
    private long temporary;
    private long accesses;
    /** Says whether it is among those that have changed since the last peak. */
    boolean changed;

    ChainCount(Block.Kind kind, CallChain chain, Place call, Place shown) {
        this.kind = kind;
        this.chain = chain;
        this.call = call;
        this.shown = shown;
    }

    void born(long size) {
        blocks++;
        bytes += size;
        alive++;
        aliveBytes += size;
    }

    void ended(long size, long lifetime, boolean soon) {
        alive--;
        aliveBytes -= size;
        lifetimes += lifetime;
        temporary += soon ? 1 : 0;
    }

    void access() {
        accesses++;
    }

    void keepPeak() {
        peakBytes = aliveBytes;
        changed = false;
    }

    /** Returns how the blocks came to be. */
    public Block.Kind kind() {
        return kind;
    }

    /** The calls that led to the allocation; null: unknown. */
    public CallChain chain() {
        return chain;
    }

    /** The call that allocated. */
    public Place call() {
        return call;
    }

    /** The call that tables name the blocks by. */
    public Place shown() {
        return shown;
    }

    public long blocks() {
        return blocks;
    }

    /** Bytes allocated. */
    public long bytes() {
        return bytes;
    }

    /** Blocks alive at the end. */
    public long alive() {
        return alive;
    }

    public long aliveBytes() {
        return aliveBytes;
    }

    /** Bytes of the blocks when all of the heap had most. */
    public long peakBytes() {
        return peakBytes;
    }

    /** Accesses from birth to end, of all blocks that have ended. */
    public long lifetimes() {
        return lifetimes;
    }

    /** Blocks that their thread ended before it allocated the next one. */
    public long temporary() {
        return temporary;
    }

    /** Loads and stores. */
    public long accesses() {
        return accesses;
    }
}
