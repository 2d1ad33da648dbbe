package dev.madt.testprogs;

/** What {@link ValgrindRules} needs of a load or store. */
interface MemoryAccess<A extends MemoryAccess<A>> {
    boolean store();

    /** The order of two accesses' data. */
    int compareData(A other);

    /** The access without its size, to the 8 bytes that the address lies in. */
    A ofWholeWord();
}
