package dev.madt.view.top;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.OwnSource;
import dev.madt.view.ViewFeed;
import dev.madt.view.chains.UserSites;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts the accesses of processes while they go on, one frame of a trace after another; any thread
 * may ask for the sums. Of a process that has ended only its sums are kept.
 */
public final class TopProcesses {
    /** A process that is counted. */
    public final class Counted {
        private final TopCounter counter = new TopCounter();
        private final ViewFeed feed;
        private final TraceDecoder decoder;

        private Counted(Demangler names) {
            feed = new ViewFeed(counter, names, null, OwnSource.USUAL, UserSites.byNames());
            decoder = TraceDecoder.counting(feed);
        }

        /**
         * Counts what is in a frame of its trace.
         *
         * @param behind more of them wait than should: data may be counted by random samples
         */
        public void frame(Frame frame, boolean behind) throws IOException {
            synchronized (TopProcesses.this) {
                counter.hurry(behind);
                sampled |= behind;
                decoder.frame(frame);
            }
        }

        /** Returns how many accesses its frames had. */
        public long accesses() {
            return decoder.accesses();
        }

        /** Returns what is to be given its events where they do not come in frames. */
        EventConsumer consumer() {
            return feed;
        }

        /** It has ended. */
        public void end() {
            synchronized (TopProcesses.this) {
                if (live.remove(this)) {
                    settle();
                    add(ended, counter);
                    programs.add(counter.program());
                }
            }
        }

        private void settle() {
            feed.tell();
            counter.settle();
        }
    }

    private final List<Counted> live = new ArrayList<>();
    private final Map<TopKind, Map<String, TopRow>> ended = new EnumMap<>(TopKind.class);
    /** The programs of processes that have ended. */
    private final Set<String> programs = new HashSet<>();

    private int begun;
    private boolean sampled;

    /** A process begins. */
    public synchronized Counted begin(Demangler names) {
        Counted counted = new Counted(names);
        live.add(counted);
        begun++;
        return counted;
    }

    private static void add(Map<TopKind, Map<String, TopRow>> sums, TopCounter counter) {
        for (TopKind kind : TopKind.values()) {
            Map<String, TopRow> rows = sums.computeIfAbsent(kind, absent -> new HashMap<>());
            counter.rows(kind).forEach(row -> rows.merge(row.key(), row, TopRow::plus));
        }
    }

    /** A program's own sections are named with it, where there are others. */
    private static String inProgram(TopRow row) {
        String program = row.key().substring(row.key().lastIndexOf('\n') + 1);
        return row.besides().startsWith("[.") && !program.isEmpty()
                ? "[" + program + ":" + row.besides().substring(1)
                : row.besides();
    }

    /** Returns everything that has been counted so far. */
    public synchronized TopSums sums() {
        Map<TopKind, Map<String, TopRow>> sums = new EnumMap<>(TopKind.class);
        ended.forEach((kind, rows) -> sums.put(kind, new HashMap<>(rows)));
        Set<String> all = new HashSet<>(programs);
        for (Counted process : live) {
            process.settle();
            add(sums, process.counter);
            all.add(process.counter.program());
        }
        if (all.size() > 1) {
            sums.getOrDefault(TopKind.DATA, Map.of())
                    .replaceAll((key, row) -> row.besides(inProgram(row)));
        }
        return new TopSums(System.nanoTime(), begun, live.size(), sampled, sums);
    }
}
