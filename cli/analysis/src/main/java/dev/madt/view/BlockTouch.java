package dev.madt.view;

/** Is told which bytes of live heap blocks are accessed, and keeps a number for each block. */
public interface BlockTouch {
    /**
     * Bytes of a block have been accessed. The same instruction may access them again, and this is
     * not told.
     *
     * @param note what this has returned for the block last, 0 at first
     * @param size bytes of the block
     * @param offset of the first byte that was accessed
     * @param length bytes that were accessed; may reach beyond the block
     * @return the block's number from here on
     */
    long touch(long note, long size, long offset, long length);
}
