package dev.madt.sql;

import dev.madt.view.AccessCounter;
import dev.madt.view.DataObject;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the accesses whose rows are equal, for queries that do not ask for what tells them apart.
 * Of each place and data object the rows come together, in no order. A bounded number of them is
 * kept.
 */
final class AlikeAccesses implements AccessCounter {
    private static final int MOST = 1 << 16;

    /** Takes equal rows; a modify is one access. */
    interface Taker {
        void take(int thread, Place place, DataObject object, long times);
    }

    /** Tells rows apart; {@code object} is null where no column is of data. */
    private record Key(int thread, Place place, DataObject object) {}

    /** Holds how often rows have been seen. */
    private static final class Tally {
        private final int thread;
        private final DataObject object;
        private final int round;
        private long times;

        Tally(int thread, DataObject object, int round) {
            this.thread = thread;
            this.object = object;
            this.round = round;
        }
    }

    /** The tally that counts the last access of a place. */
    private final Notes<Tally> last = new Notes<>();

    private final Map<Key, Tally> tallies = new HashMap<>();
    /** Goes up when the tallies of before are counted no more. */
    private int round;

    private final boolean byData;
    private final boolean byThread;
    private final Taker taker;

    AlikeAccesses(CountedBy by, Taker taker) {
        this.byData = by.data();
        this.byThread = by.threads();
        this.taker = taker;
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        int by = byThread ? thread : 0;
        Tally tally = last.of(place);
        if (tally == null || tally.thread != by || tally.object != object || tally.round != round) {
            tally = turnTo(by, place, object);
        }
        tally.times++;
    }

    private Tally turnTo(int thread, Place place, DataObject object) {
        if (tallies.size() >= MOST) {
            tell();
        }
        Tally tally = tallies.computeIfAbsent(
                new Key(thread, place, object), key -> new Tally(thread, object, round));
        last.keep(place, tally);
        return tally;
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        int by = byThread ? thread : 0;
        Tally tally = last.of(place);
        if (tally.thread != by || tally.round != round) {
            tally = turnTo(by, place, tally.object);
        }
        tally.times += times;
    }

    @Override
    public boolean byDataObject() {
        return byData;
    }

    @Override
    public boolean byThread() {
        return byThread;
    }

    /** Returns what this keeps on places. */
    Notes<?> notes() {
        return last;
    }

    /** Returns the rows so far; null if some have been given already. */
    List<KeptCounts.Row> whole() {
        return round > 0
                ? null
                : tallies.entrySet().stream()
                        .map(entry -> new KeptCounts.Row(
                                entry.getKey().thread(),
                                entry.getKey().place(),
                                entry.getKey().object(),
                                entry.getValue().times))
                        .toList();
    }

    /** Gives the rows so far. */
    void tell() {
        round++;
        tallies.forEach(
                (key, tally) -> taker.take(key.thread(), key.place(), key.object(), tally.times));
        tallies.clear();
    }
}
