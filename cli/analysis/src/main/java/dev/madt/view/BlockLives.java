package dev.madt.view;

/**
 * Is told how most heap blocks come and end, where blocks of one call are one {@link DataObject}:
 * those that {@code malloc} or {@code calloc} makes, and those that {@code free} ends.
 */
public interface BlockLives {
    /** For a view to which allocations say nothing. */
    BlockLives UNHEEDED = new BlockLives() {};

    /** A call has allocated a block of so many bytes. */
    default void born(DataObject site, long size) {}

    /**
     * A block has ended.
     *
     * @param size its bytes
     * @param lifetime accesses from its allocation to its end
     * @param note what a {@link BlockTouch} said last
     */
    default void ended(DataObject site, long size, long lifetime, long note) {}

    /**
     * The block that has just ended was temporary: its thread has allocated no other one between
     * its birth and its end.
     */
    default void temporary(DataObject site) {}
}
