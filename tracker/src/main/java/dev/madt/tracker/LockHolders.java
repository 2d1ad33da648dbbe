package dev.madt.tracker;

import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Knows who holds which lock where events have come to: several at a time, if they read.
 *
 * @param <T> who holds locks
 */
public final class LockHolders<T> {
    /**
     * A thread gets a lock, or releases it.
     *
     * @param alone whether no other one may have it meanwhile
     */
    public record Step(long lock, boolean gets, boolean alone) {}

    /** Counts the releases of locks that have not come yet. */
    public static final class Pending {
        private final Map<Long, Integer> counts = new HashMap<>();

        public void add(Step step) {
            if (step != null && !step.gets()) {
                counts.merge(step.lock(), 1, Integer::sum);
            }
        }

        public void remove(Step step) {
            if (step != null && !step.gets()) {
                counts.computeIfPresent(
                        step.lock(), (lock, count) -> count == 1 ? null : count - 1);
            }
        }

        public boolean has(long lock) {
            return counts.containsKey(lock);
        }
    }

    private record Holder<T>(T who, boolean alone) {}

    private final Map<Long, List<Holder<T>>> holders = new HashMap<>();

    /** Returns what an event does with a lock; null: nothing. */
    public static Step step(TraceEvent event) {
        if (event instanceof TraceEvent.LockGot got && !LockWords.isSemaphore(got)) {
            return new Step(got.lock(), true, !LockWords.isShared(got));
        }
        return event instanceof TraceEvent.LockReleased gone
                ? new Step(gone.lock(), false, false)
                : null;
    }

    /** Takes what somebody does next; null: nothing. */
    public void take(T who, Step step) {
        if (step == null) {
            return;
        }
        if (step.gets()) {
            holders.computeIfAbsent(step.lock(), lock -> new ArrayList<>())
                    .add(new Holder<>(who, step.alone()));
            return;
        }
        List<Holder<T>> all = holders.getOrDefault(step.lock(), List.of());
        for (Iterator<Holder<T>> each = all.iterator(); each.hasNext(); ) {
            if (Objects.equals(each.next().who(), who)) {
                each.remove();
                return;
            }
        }
    }

    /** Forgets who holds what: nobody has seen it. */
    public void forget() {
        holders.clear();
    }

    /** Returns who must release a lock before somebody can get it. */
    public List<T> inTheWay(T who, Step step) {
        if (step == null || !step.gets()) {
            return List.of();
        }
        return holders.getOrDefault(step.lock(), List.of()).stream()
                .filter(one -> !one.who().equals(who) && (one.alone() || step.alone()))
                .map(Holder::who)
                .distinct()
                .toList();
    }
}
