package dev.madt.view.locks;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows when threads were in system calls, and when they had no processor: what one of them did
 * while another one waited for it.
 */
final class ThreadTimes {
    /** Says of a thread that it was in no system call, and had a processor. */
    static final String RAN = "ran";

    private static final int PERCENT = 100;
    /** Hundredths of the time of which the rest is not told. */
    private static final int NEARLY_ALL = 90;

    /** A time of a thread, in nanoseconds. */
    private record Span(long begin, long end, String what) {
        private long within(long from, long to) {
            return Math.max(0, Math.min(end, to) - Math.max(begin, from));
        }
    }

    private final Map<Integer, TreeMap<Long, Span>> calls = new HashMap<>();
    private final Map<Integer, TreeMap<Long, Span>> off = new HashMap<>();

    /** A thread was in a system call. */
    void called(int thread, long begin, long nanos, String call) {
        add(calls, thread, new Span(begin, begin + nanos, "in " + call));
    }

    /** A thread had no processor. */
    void offCpu(int thread, long begin, long nanos, String what) {
        add(off, thread, new Span(begin, begin + nanos, what));
    }

    private static void add(Map<Integer, TreeMap<Long, Span>> spans, int thread, Span span) {
        spans.computeIfAbsent(thread, absent -> new TreeMap<>()).put(span.begin(), span);
    }

    /** Adds what a thread did in a time, in nanoseconds: those of all parts make up the time. */
    void add(int thread, long from, long to, Map<String, Long> sums) {
        long ran = to - from;
        List<Span> within = spans(calls, thread, from, to);
        for (Span call : within) {
            ran -= sum(sums, call.what(), call.within(from, to));
        }
        for (Span time : spans(off, thread, from, to)) {
            long left = time.within(from, to);
            for (Span call : within) {
                left -= time.within(Math.max(from, call.begin()), Math.min(to, call.end()));
            }
            ran -= sum(sums, time.what(), left);
        }
        sum(sums, RAN, ran);
    }

    private static long sum(Map<String, Long> sums, String what, long nanos) {
        if (nanos > 0) {
            sums.merge(what, nanos, Long::sum);
        }
        return Math.max(0, nanos);
    }

    /** Returns those that reach into a time. Of one thread, none begins before another one ends. */
    private static List<Span> spans(
            Map<Integer, TreeMap<Long, Span>> spans, int thread, long from, long to) {
        TreeMap<Long, Span> all = spans.get(thread);
        if (all == null || from >= to) {
            return List.of();
        }
        Long first = all.floorKey(from);
        return List.copyOf(
                all.subMap(first == null ? from : first, true, to, false).values());
    }

    /** Returns what took longest, with its part of all, up to most of it. */
    static String text(Map<String, Long> sums) {
        long all = sums.values().stream().mapToLong(Long::longValue).sum();
        List<Map.Entry<String, Long>> parts = new ArrayList<>(sums.entrySet());
        parts.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()));
        StringBuilder text = new StringBuilder();
        long told = 0;
        for (int i = 0; i < parts.size() && PERCENT * told < NEARLY_ALL * all; i++) {
            long nanos = parts.get(i).getValue();
            told += nanos;
            text.append(i == 0 ? "" : ", ").append(parts.get(i).getKey());
            text.append(' ').append(Math.round(PERCENT * nanos / (double) all)).append(" %");
        }
        return text.toString();
    }
}
