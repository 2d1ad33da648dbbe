package dev.madt.tracker;

/** The dynamic memory tracker: which block an address belongs to. */
public final class BlockTracker {
    /** Applies an event; its line, or null when it has none. */
    public AllocationEvent apply(RingEvent event) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The live block that holds the address, else the one that died there last, else null. */
    public Block find(long address) {
        throw new UnsupportedOperationException("not yet");
    }
}
