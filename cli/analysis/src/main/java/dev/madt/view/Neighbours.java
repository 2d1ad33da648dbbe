package dev.madt.view;

/**
 * Says what lies at an address and beside it at present, for a view that is being told an event.
 */
public interface Neighbours {
    /** Returns what lies at an address. */
    DataObject around(long address);

    /**
     * Of an address where no block lies: the block of a heap, live or ended, that ends in front of
     * it with no other data between; null if none does.
     */
    DataObject below(long address);

    /** Likewise the block of a heap that begins behind it. */
    DataObject above(long address);

    /**
     * Returns what lies at an address that a call of a thread is given.
     *
     * @param word the call's code word
     */
    DataObject given(int thread, long word, long address);

    /** The place of a call's code word. */
    Place call(long word);
}
