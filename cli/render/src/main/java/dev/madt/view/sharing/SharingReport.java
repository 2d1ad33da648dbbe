package dev.madt.view.sharing;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import dev.madt.view.Reading;
import dev.madt.view.locks.LockName;
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
        public Needs needs() {
            return super.needs().keeping(data.notes());
        }

        @Override
        void access(
                int thread, long address, int size, boolean store, DataObject object, Place place) {
            data.access(thread, address, size, store, object, place);
            lines.access(thread, address, size, store, object);
        }

        @Override
        void got(TraceEvent.LockGot got, LockName name) {
            data.got(got, name, LockWords.isSemaphore(got));
        }

        @Override
        void released(int thread, long lock, Held known) {
            data.released(thread, lock, known == null);
        }

        @Override
        void goesOn(int thread) {
            data.goesOn(thread);
        }

        @Override
        void sync(int thread, long object, String role) {
            data.sync(thread, object, role);
        }

        @Override
        void gap() {
            data.gap();
        }

        @Override
        void handle(int thread, long handle) {
            data.handle(thread, handle);
        }

        @Override
        public void end(boolean complete) {
            data.end();
        }
    }

    /** Adds what a trace tells. */
    public void addTo(Reading reading, MemberTypes types) {
        follower = new Follower(types);
        reading.addUnselected(follower); // other threads may do what is not selected
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
     * @param locks whether what locks are made of is shown among data
     * @param top rows at most; 0: all
     */
    public Table table(boolean lines, boolean locks, int top) {
        return lines ? follower.lines.table(top) : follower.data.table(locks, top);
    }

    /** Returns how often each line moved that did, by its first address. */
    public Map<Long, Long> movesByLine() {
        return follower.lines.movesByLine();
    }

    /** Returns how many lines are shared for nothing. */
    public long wronglyShared() {
        return follower.lines.wronglyShared();
    }

    /**
     * Returns what to know about a table, a sentence each.
     *
     * @param locks whether it shows locks, or has no place for them
     */
    public List<String> sentences(boolean locks) {
        List<String> all = new ArrayList<>();
        if (follower.threads() < 2) {
            all.add("one thread alone accessed what was recorded: it shares nothing.");
        } else if (follower.data.isEmpty()) {
            all.add("nothing that was recorded is touched by two threads, one of them storing.");
        }
        if (!locks && follower.data.locks() > 0) {
            all.add(Numbers.counted(follower.data.locks(), "row", "rows")
                    + " of what locks are made of left out (--locks shows them).");
        }
        long wrong = follower.lines.wronglyShared();
        if (wrong > 0) {
            all.add(Numbers.counted(wrong, "line", "lines")
                    + " of 64 bytes " + (wrong == 1 ? "is" : "are")
                    + " shared for nothing (false sharing): a thread stores to its own data there,"
                    + " and another one, which uses other data, has to fetch the line anew each"
                    + " time. Keep the two apart: --lines says what, and how.");
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
