package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MemoryAccess;

/**
 * One load or store by any module's code, in a form that is the same in every run.
 *
 * @param size bytes
 */
record PlacedAccess(ModulePlace code, boolean store, int size, ModulePlace data)
        implements MemoryAccess<PlacedAccess> {
    @Override
    public int compareData(PlacedAccess other) {
        return data.compareTo(other.data);
    }

    @Override
    public PlacedAccess ofWholeWord() {
        return new PlacedAccess(
                code, store, 0, new ModulePlace(data.module(), data.offset() & -8L));
    }

    @Override
    public String toString() {
        return (store ? "S " : "L ") + size + " at " + data + " by " + code;
    }
}
