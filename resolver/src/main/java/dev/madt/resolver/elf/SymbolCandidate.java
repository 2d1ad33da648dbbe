package dev.madt.resolver.elf;

import java.util.Comparator;

/**
 * A symbol before the choice among the names of one address.
 *
 * @param address ELF virtual address
 * @param size bytes, 0 if the table gives none
 * @param limit where a symbol without size ends at the latest: the end of its section
 * @param binding 0 global, 1 weak, 2 local
 * @param name without version
 * @param file source file of a local symbol, as the table tells it; else null
 */
record SymbolCandidate(long address, long size, long limit, int binding, String name, String file) {
    /**
     * By address; in one address the name to show first: with a size, then by binding, then short
     * before long, then A before B.
     */
    static final Comparator<SymbolCandidate> ORDER = SymbolCandidate::compare;

    private static int compare(SymbolCandidate one, SymbolCandidate other) {
        if (one.address != other.address) {
            return Long.compare(one.address, other.address);
        } else if ((one.size == 0) != (other.size == 0)) {
            return one.size == 0 ? 1 : -1;
        } else if (one.binding != other.binding) {
            return one.binding - other.binding;
        }
        int shorter = one.name.length() - other.name.length();
        return shorter != 0 ? shorter : one.name.compareTo(other.name);
    }

    /** The same symbol with its address in the file, {@code name@0x1149}. */
    SymbolCandidate placed() {
        String place = name + "@0x" + Long.toHexString(address);
        return new SymbolCandidate(address, size, limit, binding, place, file);
    }

    /** The same symbol, {@code file::name}. */
    SymbolCandidate qualified() {
        return new SymbolCandidate(address, size, limit, binding, file + "::" + name, file);
    }
}
