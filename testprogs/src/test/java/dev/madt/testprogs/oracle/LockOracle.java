package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

    private final Map<String, Integer> compared = new TreeMap<>();
    private final Map<String, Integer> within = new TreeMap<>();
    private final ToldDeeds trace;
    private int threads;
    private int unrecorded;

    private LockOracle(ToldDeeds trace) {
        this.trace = trace;
    }

    /** Returns the counts of a trace that says what the log does; otherwise says where it ends. */
    static LockOracle compare(Path log, Path trace) throws IOException {
        Path source = MadtRun.root().resolve("testprogs/lib/locklog.c");
        Map<Integer, List<LockLog.Call>> logged = LockLog.read(source, log).calls();
        LockOracle oracle = new LockOracle(TraceFile.read(trace, new ToldDeeds()));
        Map<Integer, List<ToldDeeds.Told>> told = oracle.trace.all();
        logged.forEach((thread, calls) ->
                oracle.compare(thread, LockDeeds.of(calls), told.getOrDefault(thread, List.of())));
        told.forEach((thread, deeds) -> {
            if (!logged.containsKey(thread)) {
                oracle.compare(thread, LockDeeds.of(List.of()), deeds);
            }
        });
        return oracle;
    }

    private void compare(int thread, LockDeeds wanted, List<ToldDeeds.Told> told) {
        compareDepths(thread, told);
        List<LockDeeds.Made> deeds = wanted.deeds();
        int at = 0;
        for (int place = 0; place < told.size(); place++) {
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
            } else {
                throw new AssertionError("thread " + thread + ", deed " + at + ": the trace has "
                        + one + " in " + told.subList(Math.max(0, place - 4), place + 1)
                        + ", the log " + part(deeds, at));
            }
        }
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
        return trace.module(made.caller() - 1).startsWith(JEMALLOC);
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
