package dev.madt.view.graph;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts how often the access sites of one function ran, by the offsets of their instructions.
 * Functions are known by their symbols, since traces are read without the binaries.
 */
public final class SiteCounts implements Analysis {
    private static final long[] OTHER = new long[1];

    private final List<String> symbols;
    private final String module;
    private final boolean program;
    private final String build;
    private final Notes<long[]> notes = new Notes<>();
    /** The greatest counts of the sites of an instruction. */
    private final Map<Long, Map<Object, long[]>> counts = new HashMap<>();

    /**
     * @param symbols the names of the function
     * @param module its file without folders
     * @param program whether it may be the program itself, which places do not name
     * @param build which build it is, as traces say
     */
    public SiteCounts(List<String> symbols, String module, boolean program, String build) {
        this.symbols = List.copyOf(symbols);
        this.module = "[" + module + "]";
        this.program = program;
        this.build = build;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.bySite().keeping(notes);
    }

    @Override
    public void accesses(Accesses batch) {
        for (int row = 0; row < batch.count(); row++) {
            Place place = batch.place(row);
            if (!batch.store(row) || place.kind() != AccessKind.MODIFY) {
                of(place)[0]++;
            }
        }
    }

    private long[] of(Place place) {
        long[] count = notes.of(place);
        if (count == null) {
            count = isOf(place)
                    ? counts.computeIfAbsent(offset(place.name()), at -> new HashMap<>())
                            .computeIfAbsent(key(place), site -> new long[1])
                    : OTHER;
            notes.keep(place, count);
        }
        return count;
    }

    private boolean isOf(Place place) {
        boolean here = place.module().isEmpty() ? program : place.module().equals(module);
        return here && symbols.contains(place.symbol());
    }

    /** Elements of a masked access are sites of their own, and it ran as often as one of them. */
    private static Object key(Place place) {
        AccessSite site = place.site();
        return site == null ? place.index() : List.of(site.operand(), site.element());
    }

    /** {@code function+offset}. */
    private static long offset(String name) {
        int plus = name.lastIndexOf('+');
        String number = plus < 0 ? "" : name.substring(plus + 1);
        return number.matches("[0-9]{1,10}") ? Long.parseLong(number) : 0;
    }

    /** Returns how often the instruction at an offset ran, if it has a site that was recorded. */
    public long at(long offset) {
        return counts.getOrDefault(offset, Map.of()).values().stream()
                .mapToLong(count -> count[0])
                .max()
                .orElse(FlowGraph.UNKNOWN);
    }

    /**
     * Returns whether a trace is of a module of this name, but of another build.
     *
     * @param meta what the trace says of itself
     */
    public boolean isOfOtherBuild(Map<String, String> meta) {
        String suffix = " " + module.substring(1, module.length() - 1);
        return meta.getOrDefault("builds", "")
                .lines()
                .anyMatch(line -> line.substring(line.indexOf(' ')).equals(suffix)
                        && !line.equals(build + suffix));
    }

    /** Returns whether any access of the function was recorded. */
    public boolean isEmpty() {
        return counts.isEmpty();
    }
}
