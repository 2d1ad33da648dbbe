package dev.madt.collector;

import dev.madt.trace.event.BlockKind;

/** How many events of each kind are in a frame, or in several. */
final class EventTally {
    private long loads;
    private long stores;
    private long enters;
    private long leaves;
    private final long[] blocks = new long[BlockKind.values().length];

    EventTally() {}

    EventTally(long loads, long stores, long enters, long leaves) {
        this.loads = loads;
        this.stores = stores;
        this.enters = enters;
        this.leaves = leaves;
    }

    /** One more block event. */
    void block(BlockKind kind) {
        blocks[kind.ordinal()]++;
    }

    void add(EventTally other) {
        add(other, 1);
    }

    /** What is in this one and not in the other, which is a part of it. */
    EventTally without(EventTally part) {
        EventTally rest = new EventTally();
        rest.add(this, 1);
        rest.add(part, -1);
        return rest;
    }

    private void add(EventTally other, int sign) {
        loads += sign * other.loads;
        stores += sign * other.stores;
        enters += sign * other.enters;
        leaves += sign * other.leaves;
        for (int i = 0; i < blocks.length; i++) {
            blocks[i] += sign * other.blocks[i];
        }
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    /** Functions entered. */
    long enters() {
        return enters;
    }

    /** Functions left. */
    long leaves() {
        return leaves;
    }

    long blocks(BlockKind kind) {
        return blocks[kind.ordinal()];
    }

    /** Block events of all kinds. */
    long blocks() {
        long all = 0;
        for (long count : blocks) {
            all += count;
        }
        return all;
    }

    /** Everything that has a number: accesses, block events, calls. */
    long all() {
        return loads + stores + enters + leaves + blocks();
    }
}
