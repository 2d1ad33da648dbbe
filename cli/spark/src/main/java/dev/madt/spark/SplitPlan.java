package dev.madt.spark;

import dev.madt.sql.AccessArguments;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Cuts a table into the parts that tasks read. A trace is of one process, so whole traces are dealt
 * out. Only where one alone would keep a task longer than all others, its accesses are cut into
 * ranges: who reads a later range has to decode what is in front of it, too, since the blocks that
 * live there come from there.
 */
final class SplitPlan {
    /** Accesses that are worth a task: it takes about a second for them. */
    private static final long WORTH = 4_000_000;
    /** Accesses that take as long as opening a trace. */
    private static final long OPENING = 200_000;
    /** Bytes of a trace that has no index are worth so many accesses. */
    private static final long OF_BYTE = 8;
    /**
     * The part of the time of a reading that goes with the rows and not with decoding what the file
     * has: a later range is smaller by this, so that all take the same time.
     */
    private static final double OF_ROWS = 0.75;
    /** Parts for each core, so that no core waits long for the last ones. */
    private static final int OF_CORE = 3;

    private final PushedFilters filters;
    private final int cores;

    /** @param cores on which tasks run at the same time */
    SplitPlan(PushedFilters filters, int cores) {
        this.filters = filters;
        this.cores = cores;
    }

    /**
     * A trace to be dealt out.
     *
     * @param cost of its reading, in accesses
     * @param numbered accesses and bulk transfers; 0 if it cannot be cut
     */
    record Load(Path file, long cost, long numbered) {}

    /** Traces that one task reads. */
    private static final class Bin {
        private final List<Load> loads = new ArrayList<>();
        private long cost;

        private void add(Load load) {
            loads.add(load);
            cost += load.cost();
        }
    }

    /** Returns the parts, those that take longest in front. */
    List<TraceSplit> splits(List<Path> files) {
        return deal(files.parallelStream()
                .filter(file -> filters.wants("trace", file.getFileName()))
                .map(this::load)
                .filter(load -> load != null)
                .toList());
    }

    /** Returns what a trace costs; null if it is of a process that is not wanted. */
    private Load load(Path file) {
        try {
            TraceEnds ends = Files.isRegularFile(file) ? TraceEnds.read(file) : null;
            if (ends == null) {
                return new Load(file, OPENING + Files.size(file) * OF_BYTE, 0);
            }
            if (!filters.wants("process", ends.meta().get("pid"))) {
                return null;
            }
            long numbered = ends.index().numbered();
            return new Load(file, OPENING + numbered, canCut(file, ends) ? numbered : 0);
        } catch (IOException e) {
            return new Load(file, OPENING, 0); // is said when it is read
        }
    }

    /** Returns false where variables on stacks, or recorded calls, are named by what is before. */
    private boolean canCut(Path file, TraceEnds ends) throws IOException {
        if (!filters.areOfAccesses() || ends.meta().containsKey("stack")) {
            return false;
        }
        try (TraceReader reader = new TraceReader(file)) {
            return !reader.hasCalls();
        }
    }

    /** Deals traces out: the longest one first, each to the part that has least. */
    List<TraceSplit> deal(List<Load> loads) {
        if (filters.first() > filters.last()) {
            return List.of();
        }
        long all = loads.stream().mapToLong(Load::cost).sum();
        List<TraceSplit> splits = new ArrayList<>();
        List<Load> whole = new ArrayList<>();
        for (Load load : loads) {
            long fair = Math.max(WORTH, all / cores);
            int ranges = load.numbered() == 0
                    ? 1
                    : (int) Math.min(cores, (load.cost() + fair - 1) / fair);
            if (ranges > 1) {
                splits.addAll(ranges(load, ranges));
            } else {
                whole.add(load);
            }
        }
        long some = Math.max(1, all / WORTH);
        int bins = (int) Math.min(Math.min(some, whole.size()), (long) cores * OF_CORE);
        splits.addAll(bins(whole, Math.max(bins, Math.min(cores, whole.size()))));
        return splits;
    }

    private List<TraceSplit> bins(List<Load> loads, int count) {
        PriorityQueue<Bin> bins = new PriorityQueue<>(Comparator.comparingLong(bin -> bin.cost));
        for (int i = 0; i < count; i++) {
            bins.add(new Bin());
        }
        for (Load load : loads.stream()
                .sorted(Comparator.comparingLong(Load::cost).reversed())
                .toList()) {
            Bin least = bins.remove();
            least.add(load);
            bins.add(least);
        }
        return bins.stream()
                .sorted(Comparator.comparingLong((Bin bin) -> bin.cost).reversed())
                .map(bin -> TraceSplit.of(
                        bin.loads.stream().map(Load::file).sorted().toList(),
                        arguments(filters.first(), filters.last())))
                .toList();
    }

    private List<TraceSplit> ranges(Load load, int count) {
        List<TraceSplit> ranges = new ArrayList<>();
        long from = 0;
        for (int i = 1; i <= count; i++) {
            long end = i == count ? Long.MAX_VALUE : end(load.numbered(), i, count);
            long first = Math.max(from, filters.first());
            long last = Math.min(end == Long.MAX_VALUE ? end : end - 1, filters.last());
            if (first <= last) {
                ranges.add(TraceSplit.of(List.of(load.file()), arguments(first, last)));
            }
            from = end;
        }
        return ranges;
    }

    /** The end of a range, if each takes the time to decode all up to there and make its rows. */
    private static long end(long all, int range, int count) {
        return (long) (all * (1 - Math.pow(OF_ROWS, range)) / (1 - Math.pow(OF_ROWS, count)));
    }

    private Map<String, String> arguments(long first, long last) {
        Map<String, String> arguments = new TreeMap<>(filters.arguments());
        AccessArguments.addRange(arguments, first, last);
        return arguments;
    }
}
