package dev.madt.resolver;

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
     * By address; in one address the name to show first: with a size, then by binding, then short before long, then A
     * before B.
     */
    static final Comparator<SymbolCandidate> ORDER = Comparator.comparingLong(SymbolCandidate::address)
            .thenComparing(candidate -> candidate.size() == 0)
            .thenComparingInt(SymbolCandidate::binding)
            .thenComparingInt(candidate -> candidate.name().length())
            .thenComparing(SymbolCandidate::name);

    /** The same symbol, {@code file::name}. */
    SymbolCandidate qualified() {
        return new SymbolCandidate(address, size, limit, binding, file + "::" + name, file);
    }
}
