package dev.madt.testprogs;

import dev.madt.testprogs.oracle.ValgrindRules;

/** Says what {@link ValgrindRules} needs of a load or store. */
public interface MemoryAccess<A extends MemoryAccess<A>> {
    boolean store();

    /** The order of two accesses' data. */
    int compareData(A other);

    /** The access without its size, to the 8 bytes that the address lies in. */
    A ofWholeWord();
}
