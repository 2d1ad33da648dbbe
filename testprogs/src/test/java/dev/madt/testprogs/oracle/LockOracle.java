package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Compares the locks of a trace with the calls that {@code lib/locklog.c} wrote down in the same
 * run: thread by thread each deed, its kind, its lock and its place in the order. What the trace
 * has besides must be the C library's calls of its own functions, which no library can come
 * between; they are counted by the function that makes them. What it may lack are the locks of an
 * allocator by which the program replaces that of the C library: MadT stands in front of its
 * functions, and records nothing of what they do.
 */
final class LockOracle {
    private static final String JEMALLOC = "[libjemalloc.so";

    private Map<String, Integer> compared = new TreeMap<>();
    private Map<String, Integer> within = new TreeMap<>();
    private final ToldDeeds trace;
    private int threads;
    /** Counts what of a thread's trace was found in the log, of the last attempt. */
    private int matched;

    private int unrecorded;

    private LockOracle(ToldDeeds trace) {
        this.trace = trace;
    }

    /** Returns the counts of a trace that says what the log does; otherwise says where it ends. */
    static LockOracle compare(Path log, Path trace) throws IOException {
        LockOracle oracle = new LockOracle(TraceFile.read(trace, new ToldDeeds()));
        oracle.compare(read(log), oracle::compareWhole);
        return oracle;
    }

    /**
     * The same of a trace that began and ended while the process ran: in each thread it has an
     * unbroken part of the log, with all calls that began and ended between two moments of it.
     */
    static LockOracle compareBetween(Path log, Path trace, long first, long last)
            throws IOException {
        LockOracle oracle = new LockOracle(TraceFile.read(trace, new ToldDeeds()));
        oracle.compare(
                read(log),
                (thread, wanted, told) -> oracle.comparePart(thread, wanted, told, first, last));
        return oracle;
    }

    private static Map<Integer, List<LockLog.Call>> read(Path log) throws IOException {
        return LockLog.read(MadtRun.root().resolve("testprogs/lib/locklog.c"), log)
                .calls();
    }

    /** Compares what a thread has done by the log with what the trace says of it. */
    private interface Comparison {
        void of(int thread, LockDeeds wanted, List<ToldDeeds.Told> told);
    }

    private void compare(Map<Integer, List<LockLog.Call>> logged, Comparison comparison) {
        Map<Integer, List<ToldDeeds.Told>> told = trace.all();
        logged.forEach((thread, calls) ->
                comparison.of(thread, LockDeeds.of(calls), told.getOrDefault(thread, List.of())));
        told.forEach((thread, deeds) -> {
            if (!logged.containsKey(thread)) {
                comparison.of(thread, LockDeeds.of(List.of()), deeds);
            }
        });
    }

    private void compareWhole(int thread, LockDeeds wanted, List<ToldDeeds.Told> told) {
        compareDepths(thread, told);
        List<LockDeeds.Made> deeds = wanted.deeds();
        int at = match(thread, deeds, 0, told);
        while (at < wanted.certain() && isOfAllocator(deeds.get(at))) {
            at++;
            unrecorded++;
        }
        if (at < wanted.certain()) {
            throw new AssertionError("thread " + thread + ", deed " + at + " of " + deeds.size()
                    + ": the trace has no more, the log " + part(deeds, at));
        }
        threads++;
    }

    /** Returns what is told, with those locks freed that were got before the trace began. */
    private static List<ToldDeeds.Told> withHeldBefore(List<ToldDeeds.Told> told) {
        Set<Long> got = new HashSet<>();
        List<ToldDeeds.Told> all = new ArrayList<>();
        for (ToldDeeds.Told one : told) {
            long lock = one.deed().lock();
            boolean before =
                    List.of("not held", "made").contains(one.deed().what()) && got.add(lock);
            all.add(before ? one.withDeed(new LockDeeds.Deed("free", lock)) : one);
            if (one.deed().what().startsWith("got ")) {
                got.add(lock);
            }
        }
        return all;
    }

    private void comparePart(
            int thread, LockDeeds wanted, List<ToldDeeds.Told> all, long first, long last) {
        List<ToldDeeds.Told> told = withHeldBefore(all);
        List<LockDeeds.Made> deeds = wanted.deeds();
        List<Integer> needed = IntStream.range(0, deeds.size())
                .filter(at -> deeds.get(at).isWithin(first, last) && !isOfAllocator(deeds.get(at)))
                .boxed()
                .toList();
        if (needed.isEmpty() && told.isEmpty()) {
            return;
        }
        AssertionError why = null;
        int most = -1;
        for (int from = needed.isEmpty() ? deeds.size() : needed.get(0); from >= 0; from--) {
            Map<String, Integer> before = new TreeMap<>(compared);
            Map<String, Integer> withinBefore = new TreeMap<>(within);
            try {
                int end = match(thread, deeds, from, told);
                if (!needed.isEmpty() && end <= needed.get(needed.size() - 1)) {
                    throw new AssertionError("thread " + thread + ", deed " + end + " of "
                            + deeds.size() + ": the trace has no more, the log "
                            + part(deeds, end));
                }
                threads++;
                return;
            } catch (AssertionError e) {
                compared = before;
                within = withinBefore;
                why = matched > most ? e : why;
                most = Math.max(most, matched);
            }
        }
        throw why;
    }

    /**
     * Compares what the trace says with the log from a deed on.
     *
     * @return the deed behind the last that both have
     */
    private int match(int thread, List<LockDeeds.Made> deeds, int from, List<ToldDeeds.Told> told) {
        int at = from;
        for (int place = 0; place < told.size(); place++) {
            matched = place;
            ToldDeeds.Told one = told.get(place);
            int next = at;
            while (next < deeds.size()
                    && !deeds.get(next).deed().equals(one.deed())
                    && isOfAllocator(deeds.get(next))) {
                next++;
            }
            if (next < deeds.size() && deeds.get(next).deed().equals(one.deed())) {
                compared.merge(one.deed().what(), 1, Integer::sum);
                unrecorded += next - at;
                at = next + 1;
            } else if (one.isOfTheLibrary() || isThreadOfAllocator(one)) {
                within.merge(one.deed().what() + " by " + one.function(), 1, Integer::sum);
            } else if (isExchanged(deeds, at, told, place)) {
                compared.merge(one.deed().what(), 1, Integer::sum);
                compared.merge(told.get(++place).deed().what(), 1, Integer::sum);
                at += 2;
            } else {
                throw new AssertionError("thread " + thread + ", deed " + at + ": the trace has "
                        + one + " in " + told.subList(Math.max(0, place - 4), place + 1)
                        + ", the log " + part(deeds, at));
            }
        }
        return at;
    }

    /**
     * Returns whether a handler's deed and the one beside it are the other way round. The trace
     * tells of a call where the log's own function is entered or returns, and the log a few
     * instructions further in, between which a signal may come.
     */
    private static boolean isExchanged(
            List<LockDeeds.Made> deeds, int at, List<ToldDeeds.Told> told, int place) {
        if (at + 1 >= deeds.size() || place + 1 >= told.size()) {
            return false;
        }
        ToldDeeds.Told first = told.get(place);
        ToldDeeds.Told second = told.get(place + 1);
        return first.isOfHandler() != second.isOfHandler()
                && first.deed().equals(deeds.get(at + 1).deed())
                && second.deed().equals(deeds.get(at).deed());
    }

    /** Compares how deep each lock is, by the trace's own order. */
    private static void compareDepths(int thread, List<ToldDeeds.Told> told) {
        List<Long> held = new ArrayList<>();
        List<Integer> depths = new ArrayList<>();
        for (ToldDeeds.Told one : told) {
            String what = one.deed().what();
            int last = held.lastIndexOf(one.deed().lock());
            if (what.startsWith("got ") && !what.equals("got sem")) {
                depths.add(held.size());
                held.add(one.deed().lock());
            } else if (what.equals("free")) {
                int depth = last < 0 ? 0 : depths.remove(last);
                if (last >= 0) {
                    held.remove(last);
                }
                if (depth != one.depth()) {
                    throw new AssertionError(
                            "thread " + thread + ": depth " + depth + ", not " + one);
                }
            }
        }
    }

    /** It asks the loader for the function of the C library itself. */
    private static boolean isThreadOfAllocator(ToldDeeds.Told one) {
        return one.deed().what().equals("create") && one.module().startsWith(JEMALLOC);
    }

    private boolean isOfAllocator(LockDeeds.Made made) {
        return trace.module(made.call().caller() - 1).startsWith(JEMALLOC);
    }

    private static List<LockDeeds.Made> part(List<LockDeeds.Made> deeds, int at) {
        return deeds.subList(Math.max(0, at - 3), Math.min(at + 4, deeds.size()));
    }

    /** Returns how many threads there were. */
    int threads() {
        return threads;
    }

    /** Returns how many deeds of a kind both have: those that begin with a text. */
    int count(String what) {
        return compared.entrySet().stream()
                .filter(deed -> deed.getKey().startsWith(what))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** Returns the same of what the C library calls within itself. */
    Map<String, Integer> within() {
        return within;
    }

    @Override
    public String toString() {
        return threads + " threads, the same: " + compared
                + "; of the trace alone, within the C library: " + within
                + "; of the log alone, within jemalloc: " + unrecorded;
    }
}
