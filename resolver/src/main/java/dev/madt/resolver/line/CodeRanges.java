package dev.madt.resolver.line;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.DefinitionConsumer;
import dev.madt.tracker.AddressRange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The addresses at which, at any time of a trace, a function may lie whose name is wanted. It is
 * given all definitions of a trace, those that are forgotten too, and no events. Code at any other
 * address is surely of another function.
 */
public final class CodeRanges implements DefinitionConsumer {
    /** The name of code that lies in no region. */
    private static final String UNKNOWN = "[?]";

    private final BiPredicate<String, String> wanted;
    private final Demangler names;
    private final AddressSpace space = new AddressSpace();
    /** By their addresses; what is forgotten stays. */
    private final TreeMap<Long, List<Function>> functions = new TreeMap<>(Long::compareUnsigned);
    /** Bytes of the longest one. */
    private long longest;
    /** The ends of ranges by their beginnings; no two of them overlap. */
    private final TreeMap<Long, Long> ranges = new TreeMap<>(Long::compareUnsigned);

    /**
     * A function.
     *
     * @param end behind its last byte, as far as is known; unsigned
     * @param name as views show it
     */
    private record Function(long start, long end, String name) {}

    private boolean framed;
    private boolean everywhere;

    /**
     * @param wanted says of the name of a function, and the label of its region, whether it is
     *     wanted
     * @param names what functions are called
     */
    public CodeRanges(BiPredicate<String, String> wanted, Demangler names) {
        this.wanted = wanted;
        this.names = names;
        this.everywhere = wanted.test(UNKNOWN, UNKNOWN);
    }

    /**
     * Returns whether the trace tells of frames: which ones are open, all accesses tell, whatever
     * code makes them.
     */
    public boolean hasFrames() {
        return framed;
    }

    /** Returns whether no function is wanted. */
    public boolean isEmpty() {
        return ranges.isEmpty() && !everywhere;
    }

    /** Returns whether a site may be of a function that is wanted. */
    public boolean mayHold(AccessSite site) {
        if (everywhere) {
            return true;
        }
        var before = ranges.floorEntry(site.address());
        return before != null && Long.compareUnsigned(site.address(), before.getValue()) < 0;
    }

    @Override
    public void define(Definition definition) {
        framed |= definition instanceof Definition.FrameScope
                || definition instanceof Definition.CodeScope;
        if (definition instanceof Definition.Symbol symbol) {
            if (symbol.code()) {
                define(symbol);
            }
            return;
        }
        space.define(definition);
        if (definition instanceof Definition.Region region) {
            define(region);
        }
    }

    private void define(Definition.Symbol symbol) {
        long start = symbol.address();
        // without a size it reaches to the next one, which may be forgotten
        long end = symbol.size() == 0 || start + symbol.size() < start && start > 0
                ? -1
                : start + symbol.size();
        Function function =
                new Function(start, end, names.demangle(symbol.name(), space.label(start)));
        functions.computeIfAbsent(start, absent -> new ArrayList<>()).add(function);
        if (symbol.size() != 0) {
            longest = Long.compareUnsigned(end - start, longest) > 0 ? end - start : longest;
        }
        look(function, UNKNOWN); // where there is no region, or none any more
        long at = start;
        do {
            AddressRange same = new AddressRange();
            AddressSpace.Region region = space.region(at, same);
            if (region != null) {
                look(function, region.label());
            }
            at = same.end();
        } while (at != 0 && Long.compareUnsigned(at, end) < 0);
    }

    private void define(Definition.Region region) {
        if (wanted.test(region.label(), region.label())) {
            add(region.start(), region.end());
        }
        long from =
                Long.compareUnsigned(region.start(), longest) < 0 ? 0 : region.start() - longest;
        if (Long.compareUnsigned(from, region.end()) < 0) {
            functions
                    .subMap(from, region.end())
                    .values()
                    .forEach(all -> all.forEach(function -> look(function, region.label())));
        }
    }

    /** Notes the function if it is wanted where a region is called so. */
    private void look(Function function, String label) {
        if (wanted.test(function.name(), label)) {
            add(function.start(), function.end());
        }
    }

    private void add(long start, long end) {
        long from = start;
        long to = end;
        var before = ranges.floorEntry(start);
        if (before != null && Long.compareUnsigned(before.getValue(), start) >= 0) {
            from = before.getKey();
            to = Long.compareUnsigned(before.getValue(), to) > 0 ? before.getValue() : to;
        }
        var inside = ranges.subMap(from, true, to, true);
        for (long other : inside.values()) {
            to = Long.compareUnsigned(other, to) > 0 ? other : to;
        }
        inside.clear();
        ranges.put(from, to);
    }
}
