package dev.madt.resolver.line;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.IntervalTree;
import dev.madt.tracker.RangeListener;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Regions and symbols of one process as its trace tells them, for naming addresses. Lookups take
 * logarithmic time and allocate nothing; neighbours of the last address find their region at once.
 * Regions do not overlap; of two symbols that begin at one address the larger counts, of equals the
 * one with the shorter name.
 */
public final class AddressSpace {
    private static final byte[] UNKNOWN = bytes("[?]");

    /** A range with the label that lines print; offsets count from {@code origin}. */
    public record Region(
            RegionKind kind, long start, long end, long origin, String label, byte[] text) {
        boolean contains(long address) {
            return Long.compareUnsigned(address - start, end - start) < 0;
        }
    }

    /** A symbol with its name as lines print it, which is made when it is asked for. */
    public static final class Symbol {
        private final long address;
        private final long size;
        private final String linkerName;
        private final Supplier<String> shown;
        private byte[] name;

        private Symbol(long address, long size, String linkerName, Supplier<String> shown) {
            this.address = address;
            this.size = size;
            this.linkerName = linkerName;
            this.shown = shown;
        }

        public long address() {
            return address;
        }

        /** Bytes; 0 if it reaches to the next symbol. */
        public long size() {
            return size;
        }

        /** The name that the linker has for it. */
        public String linkerName() {
            return linkerName;
        }

        byte[] name() {
            if (name == null) {
                name = bytes(shown.get());
            }
            return name;
        }

        /** The name as a string. */
        public String text() {
            return new String(name(), StandardCharsets.UTF_8);
        }

        private boolean beats(Symbol other) {
            return size != other.size
                    ? size > other.size
                    : linkerName.length() < other.linkerName.length();
        }
    }

    private final Demangler demangler;
    private final IntervalTree<Region> regions = new IntervalTree<>();
    private final IntervalTree<Symbol> data = new IntervalTree<>();
    private final IntervalTree<Symbol> code = new IntervalTree<>();
    private RangeListener listener = (start, end) -> {};
    private Region last;

    public AddressSpace() {
        this(Demangler.NONE);
    }

    /** Returns what a source file is called. */
    public String file(String path) {
        return demangler.file(path);
    }

    /** The name of a symbol as this space writes it. */
    public String named(String symbol) {
        return demangler.demangle(symbol);
    }

    /** Names symbols by what the demangler makes of them. */
    public AddressSpace(Demangler demangler) {
        this.demangler = demangler;
    }

    /** Says who is told of every range in which regions or variables have changed. */
    void listener(RangeListener changes) {
        listener = changes;
    }

    /** Takes what a trace says of regions and symbols; other definitions change nothing here. */
    public void define(Definition definition) {
        if (definition instanceof Definition.Symbol it) {
            addSymbol(it.code(), it.address(), it.size(), it.name());
        } else if (definition instanceof Definition.Region it) {
            addRegion(it.kind(), it.start(), it.end(), it.origin(), it.label());
        } else if (definition instanceof Definition.RegionsForgotten range) {
            forgetRegions(range.start(), range.end());
        } else if (definition instanceof Definition.SymbolsForgotten range) {
            forgetSymbols(range.start(), range.end());
        } else if (definition instanceof Definition.Declared it) {
            demangler.declared(it.function(), it.file(), it.line());
        }
    }

    /** Puts a region in the place of those that it overlaps. */
    public void addRegion(RegionKind kind, long start, long end, long origin, String label) {
        forgetRegions(start, end);
        regions.insert(start, end, new Region(kind, start, end, origin, label, bytes(label)));
        listener.changed(start, end);
    }

    /** Takes away every region that overlaps the range, whole. */
    public void forgetRegions(long start, long end) {
        last = null;
        forget(regions, start, end);
    }

    /** Adds a symbol; {@code size} 0: it reaches to the next one, within its region. */
    public void addSymbol(boolean isCode, long address, long size, String name) {
        IntervalTree<Symbol> tree = isCode ? code : data;
        String label = label(address);
        demangler.learn(name, label);
        Symbol symbol = new Symbol(address, size, name, () -> demangler.demangle(name, label));
        Symbol before = tree.insert(address, address + Math.max(size, 1), symbol);
        if (before != null && !symbol.beats(before)) {
            tree.insert(address, address + Math.max(before.size(), 1), before);
        }
        if (!isCode) {
            allChanged();
        }
    }

    /**
     * A variable without a size reaches to the next one, so that more changes than the place of
     * one.
     */
    private void allChanged() {
        listener.changed(0, -1);
    }

    /** Takes away every symbol that overlaps the range. */
    public void forgetSymbols(long start, long end) {
        forget(data, start, end);
        forget(code, start, end);
        allChanged();
    }

    private <V> void forget(IntervalTree<V> tree, long start, long end) {
        List<Long> starts = new ArrayList<>();
        tree.overlapping(start, end, (from, to, value) -> {
            starts.add(from);
            listener.changed(from, to);
        });
        starts.forEach(tree::remove);
    }

    /** The region that holds the address, or null. */
    public Region region(long address) {
        Region found = last;
        if (found == null || !found.contains(address)) {
            found = regions.find(address);
            last = found;
        }
        return found;
    }

    /**
     * Returns what lines print for the region of an address: {@code [?]} where the trace knows
     * none.
     */
    public String label(long address) {
        Region region = region(address);
        return region == null ? "[?]" : region.label();
    }

    /** As {@link #label}, into a line. */
    void appendLabel(LineBuffer line, long address) {
        Region region = region(address);
        line.text(region == null ? UNKNOWN : region.text());
    }

    /** As {@link #region}; cuts the range to the addresses for which the answer is the same. */
    Region region(long address, AddressRange same) {
        return regions.find(address, same);
    }

    /**
     * The variable that covers the address, or null; cuts the range to the addresses for which the
     * answer is the same.
     */
    Symbol dataSymbol(long address, AddressRange same) {
        Symbol found = data.find(address, same);
        return found == null ? reaching(data, address) : found;
    }

    /** The function that makes the call of a code word, or null. */
    public Symbol function(long word) {
        return word == 0 ? null : covering(code, CodeWord.inside(word));
    }

    /** The name of the function at an address, or else where that lies, as lines have it. */
    byte[] codeName(long address) {
        Symbol symbol = function(address);
        if (symbol != null) {
            return symbol.name();
        }
        LineBuffer place = LineBuffer.detached();
        appendInRegion(place, address);
        return place.toBytes();
    }

    /**
     * {@code [region]+offset}; the address itself, in hexadecimal, where the trace knows no region.
     */
    void appendInRegion(LineBuffer line, long address) {
        Region region = region(address);
        if (region == null) {
            line.hexadecimal(address);
        } else {
            appendOffset(line, region.text(), address - region.origin());
        }
    }

    /**
     * Name of a code word: {@code function+offset} or {@code [module]+offset}. After a tail call
     * the offset is the return address's and a {@code ~} follows it: {@code caller+230~}; the
     * function is then the one that holds the call before the return address.
     */
    void appendCode(LineBuffer line, long word) {
        if (word == 0) {
            line.character('?'); // of a block from before the recording
            return;
        }
        long address = CodeWord.address(word);
        Symbol symbol = covering(code, CodeWord.inside(word));
        if (symbol != null) {
            appendOffset(line, symbol.name(), address - symbol.address());
        } else {
            appendInRegion(line, address);
        }
        if (CodeWord.isTail(word)) {
            line.character('~');
        }
    }

    /** As {@link #appendCode}, built anew. */
    public String code(long word) {
        LineBuffer name = LineBuffer.detached();
        appendCode(name, word);
        return name.toString();
    }

    static void appendOffset(LineBuffer line, byte[] name, long offset) {
        line.text(name);
        line.character('+');
        line.decimal(offset);
    }

    /**
     * The symbol around the address; one without a size reaches to the next symbol of its region.
     */
    private Symbol covering(IntervalTree<Symbol> tree, long address) {
        Symbol found = tree.find(address);
        return found == null ? reaching(tree, address) : found;
    }

    private Symbol reaching(IntervalTree<Symbol> tree, long address) {
        Symbol before = tree.floor(address);
        if (before == null || before.size() != 0) {
            return null;
        }
        Region region = region(address);
        return region != null && Long.compareUnsigned(before.address(), region.start()) >= 0
                ? before
                : null;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
