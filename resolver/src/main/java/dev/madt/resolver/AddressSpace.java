package dev.madt.resolver;

import dev.madt.tracker.IntervalTree;
import java.util.ArrayList;
import java.util.List;

/**
 * Regions and symbols of one process as its trace tells them, for naming addresses. Lookups take logarithmic time; a name that is
 * asked for is built anew, callers cache. Regions do not overlap; of two symbols that begin at one address the larger counts, of
 * equals the one with the shorter name.
 */
public final class AddressSpace {
    /** Kinds of regions, docs/FORMAT.md. */
    public static final int MODULE_CODE = 1;

    public static final int MODULE_DATA = 2;

    /** A range with the label that lines print; offsets count from {@code origin}. */
    public record Region(int kind, long start, long end, long origin, String label) {}

    private record Symbol(long address, long size, String name) {
        boolean beats(Symbol other) {
            return size != other.size ? size > other.size : name.length() < other.name.length();
        }
    }

    private final IntervalTree<Region> regions = new IntervalTree<>();
    private final IntervalTree<Symbol> data = new IntervalTree<>();
    private final IntervalTree<Symbol> code = new IntervalTree<>();

    public void addRegion(int kind, long start, long end, long origin, String label) {
        forgetRegions(start, end);
        regions.insert(start, end, new Region(kind, start, end, origin, label));
    }

    /** Takes away every region that overlaps the range, whole. */
    public void forgetRegions(long start, long end) {
        forget(regions, start, end);
    }

    public void addSymbol(boolean isCode, long address, long size, String name) {
        IntervalTree<Symbol> tree = isCode ? code : data;
        Symbol symbol = new Symbol(address, size, name);
        Symbol before = tree.insert(address, address + Math.max(size, 1), symbol);
        if (before != null && !symbol.beats(before)) {
            tree.insert(address, address + Math.max(before.size(), 1), before);
        }
    }

    /** Takes away every symbol that overlaps the range. */
    public void forgetSymbols(long start, long end) {
        forget(data, start, end);
        forget(code, start, end);
    }

    private static <V> void forget(IntervalTree<V> tree, long start, long end) {
        List<Long> starts = new ArrayList<>();
        tree.overlapping(start, end, (from, to, value) -> starts.add(from));
        starts.forEach(tree::remove);
    }

    /** The region that holds the address, or null. */
    public Region region(long address) {
        return regions.find(address);
    }

    /** What lines print for the region of an address: {@code [?]} where the trace knows none. */
    public String label(long address) {
        Region region = regions.find(address);
        return region == null ? "[?]" : region.label();
    }

    /** {@code symbol+offset} for data, or null where no symbol covers the address. */
    public String dataSymbol(long address) {
        return symbol(data, address);
    }

    /** {@code [region]+offset}; the address itself, in hexadecimal, where the trace knows no region. */
    public String inRegion(long address) {
        Region region = regions.find(address);
        return region == null
                ? "0x" + Long.toHexString(address)
                : region.label() + '+' + Long.toUnsignedString(address - region.origin());
    }

    /**
     * Name of a code word: {@code function+offset} or {@code [module]+offset}. After a tail call the offset is the return address's and a
     * {@code ~} follows it: {@code caller+230~}; the function is then the one that holds the call before the return address.
     */
    public String code(long word) {
        if (word == 0) {
            return "0x0";
        }
        long address = CodeWord.address(word);
        String name = codeSymbol(CodeWord.inside(word), address);
        if (name == null) {
            name = inRegion(address);
        }
        return CodeWord.isTail(word) ? name + '~' : name;
    }

    private String codeSymbol(long inside, long address) {
        Symbol symbol = covering(code, inside);
        return symbol == null ? null : symbol.name() + '+' + Long.toUnsignedString(address - symbol.address());
    }

    private String symbol(IntervalTree<Symbol> tree, long address) {
        Symbol symbol = covering(tree, address);
        return symbol == null ? null : symbol.name() + '+' + Long.toUnsignedString(address - symbol.address());
    }

    /** The symbol around the address; one without a size reaches to the next symbol of its region. */
    private Symbol covering(IntervalTree<Symbol> tree, long address) {
        Symbol found = tree.find(address);
        if (found != null) {
            return found;
        }
        Symbol before = tree.floor(address);
        if (before == null || before.size() != 0) {
            return null;
        }
        Region region = regions.find(address);
        return region != null && Long.compareUnsigned(before.address(), region.start()) >= 0 ? before : null;
    }
}
