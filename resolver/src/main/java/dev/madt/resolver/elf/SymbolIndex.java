package dev.madt.resolver.elf;

import java.util.Arrays;
import java.util.List;

/**
 * Symbols by address: one per start address, the innermost one found for an address that several
 * cover. A symbol without a size reaches to the next one or to the end of its section, and gives
 * way to one with a size. Lookup is logarithmic but for nested symbols.
 */
public final class SymbolIndex {
    private final ElfSymbol[] symbols;
    private final String[][] names;
    private final boolean[] sized;
    private final long[] starts;
    private final long[] reach;

    /** @param sorted by {@link SymbolCandidate#ORDER} */
    public SymbolIndex(List<SymbolCandidate> sorted) {
        int count = groups(sorted);
        symbols = new ElfSymbol[count];
        names = new String[count][];
        sized = new boolean[count];
        starts = new long[count];
        reach = new long[count];
        fill(sorted);
    }

    /** The symbol that covers the address, or null. */
    public ElfSymbol find(long address) {
        int found = Arrays.binarySearch(starts, address);
        int at = found >= 0 ? found : -found - 2;
        ElfSymbol unsized = null;
        for (; at >= 0 && reach[at] > address; at--) {
            if (symbols[at].end() <= address) {
                continue;
            }
            if (sized[at]) {
                return symbols[at];
            }
            unsized = unsized == null ? symbols[at] : unsized;
        }
        return unsized;
    }

    /** Whether some symbol covers the first byte of a range, or begins inside it. */
    public boolean touches(long start, long end) {
        int found = Arrays.binarySearch(starts, end - 1);
        int last = found >= 0 ? found : -found - 2;
        return last >= 0 && starts[last] >= start || find(start) != null;
    }

    /** All names of symbols that start at the address. */
    public List<String> namesAt(long address) {
        int found = Arrays.binarySearch(starts, address);
        return found < 0 ? List.of() : List.of(names[found]);
    }

    /** All symbols, sorted by address. */
    public List<ElfSymbol> all() {
        return List.of(symbols);
    }

    private static int groups(List<SymbolCandidate> sorted) {
        int count = 0;
        for (int i = 0; i < sorted.size(); i++) {
            if (i == 0 || sorted.get(i).address() != sorted.get(i - 1).address()) {
                count++;
            }
        }
        return count;
    }

    private void fill(List<SymbolCandidate> sorted) {
        int group = 0;
        for (int first = 0; first < sorted.size(); group++) {
            int next = first + 1;
            while (next < sorted.size()
                    && sorted.get(next).address() == sorted.get(first).address()) {
                next++;
            }
            long following = next < sorted.size() ? sorted.get(next).address() : Long.MAX_VALUE;
            fillGroup(group, sorted.subList(first, next), following);
            first = next;
        }
    }

    private void fillGroup(int group, List<SymbolCandidate> aliases, long following) {
        SymbolCandidate shown = aliases.get(0);
        long size = 0;
        String[] distinct = new String[aliases.size()];
        for (int i = 0; i < distinct.length; i++) {
            size = Math.max(size, aliases.get(i).size());
            distinct[i] = aliases.get(i).name();
        }
        sized[group] = size > 0;
        if (size == 0) {
            size = Math.max(0, Math.min(following, shown.limit()) - shown.address());
        }
        symbols[group] = new ElfSymbol(shown.address(), size, shown.name());
        names[group] = distinct;
        starts[group] = shown.address();
        reach[group] = Math.max(symbols[group].end(), group == 0 ? 0 : reach[group - 1]);
    }
}
