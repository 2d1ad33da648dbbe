package dev.madt.view.sharing;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.DataObject;
import dev.madt.view.Place;
import dev.madt.view.Reading;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shows what threads have in common: data, and lines of a cache. */
public final class SharingReport {
    private Follower follower;

    private static final class Follower extends ThreadFeed {
        private final SharedData data = new SharedData(this);
        private final SharedLines lines = new SharedLines(this);

        private Follower(MemberTypes types) {
            super(types);
        }

        @Override
        void access(
                int thread, long address, int size, boolean store, DataObject object, Place place) {
            data.access(thread, address, store, object);
            lines.access(thread, address, size, store, object);
        }

        @Override
        public void end(boolean complete) {
            data.end();
        }
    }

    /** Adds what a trace tells. */
    public void addTo(Reading reading, MemberTypes types) {
        follower = new Follower(types);
        reading.add(follower);
    }

    /** Returns the headings of a table. */
    public static List<String> headings(boolean lines) {
        return lines ? SharedLines.HEADINGS : SharedData.HEADINGS;
    }

    /** Returns whether there were accesses at all. */
    public boolean isOfAccesses() {
        return follower.accesses() > 0;
    }

    /**
     * A table.
     *
     * @param lines of lines of a cache; else of data
     * @param top rows at most; 0: all
     */
    public Table table(boolean lines, int top) {
        return lines ? follower.lines.table(top) : follower.data.table(top);
    }

    /** Returns how often each line moved that did, by its first address. */
    public Map<Long, Long> movesByLine() {
        return follower.lines.movesByLine();
    }

    /** Returns how many lines are shared for nothing. */
    public long wronglyShared() {
        return follower.lines.wronglyShared();
    }

    /** Returns what to know about the tables, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        if (follower.threads() < 2) {
            all.add("one thread alone accessed what was recorded: it shares nothing.");
        } else if (follower.data.isEmpty()) {
            all.add("nothing that was recorded is touched by two threads, one of them storing.");
        }
        long wrong = follower.lines.wronglyShared();
        if (wrong > 0) {
            all.add(Numbers.counted(wrong, "line", "lines")
                    + " of 64 bytes hold what different threads store to (false sharing).");
        }
        if (!follower.hasLocks() && follower.threads() > 1) {
            all.add("the trace has no locks: under which locks data are touched is not known, and"
                    + " moves of lines are far too few, since the order of threads is known only"
                    + " where memory is allocated. Record them: madt run --record accesses,locks");
        } else if (follower.threads() > 1) {
            all.add("moves are those in the order that locks tell; between these, threads may"
                    + " have taken turns more often: up to so many times.");
        }
        all.addAll(follower.doubts());
        return all;
    }
}
