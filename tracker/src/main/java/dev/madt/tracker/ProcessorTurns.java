package dev.madt.tracker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says who had the processor while threads waited that had been preempted. Whoever got it first may
 * have lost it soon to another one, so each that has it in turn is followed; all is told in the
 * order of time. Threads are numbers other than 0, times are nanoseconds. Not for use by several
 * threads.
 */
public final class ProcessorTurns {
    /** Of one thread, from when it lost its processor until it has one. */
    public static final class Wait {
        /** Says who has the processor; 0 if that is not known any more. */
        private int holder;

        private final Map<Integer, Long> shares = new HashMap<>();

        private Wait(int holder) {
            this.holder = holder;
        }

        private void add(int thread, long time) {
            shares.merge(thread, time, Long::sum);
        }
    }

    /** Holds those who wait for the processor that one thread has, since it got it. */
    private record Turn(long since, List<Wait> waits) {}

    private final Map<Integer, Turn> turns = new HashMap<>();

    /** A thread waits from now on, since another one has taken its processor. */
    public Wait preempted(int by, long now) {
        Wait wait = new Wait(by);
        begin(by, now, List.of(wait));
        return wait;
    }

    /**
     * A processor goes from one thread to another.
     *
     * @param to 0 if that is not known, or nobody
     * @return whether a thread waits for the other one now
     */
    public boolean pass(int from, int to, long now) {
        Turn turn = turns.remove(from);
        if (turn == null) {
            return false;
        }
        for (Wait wait : turn.waits()) {
            wait.add(from, now - turn.since());
            wait.holder = to;
        }
        begin(to, now, turn.waits());
        return to != 0;
    }

    private void begin(int holder, long now, List<Wait> more) {
        if (holder == 0) {
            return;
        }
        Turn turn = turns.get(holder);
        List<Wait> waits = new ArrayList<>(more);
        if (turn != null) {
            turn.waits().forEach(wait -> wait.add(holder, now - turn.since()));
            waits.addAll(turn.waits());
        }
        turns.put(holder, new Turn(now, waits));
    }

    /**
     * A thread waits no longer.
     *
     * @return who had its processor for the longest time; 0 if nobody is known
     */
    public int end(Wait wait, long now) {
        Turn turn = turns.get(wait.holder);
        if (turn != null && turn.waits().remove(wait)) {
            wait.add(wait.holder, now - turn.since());
            if (turn.waits().isEmpty()) {
                turns.remove(wait.holder);
            }
        }
        return wait.shares.entrySet().stream()
                .max(Comparator.comparingLong(Map.Entry<Integer, Long>::getValue)
                        .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(0);
    }
}
