package dev.madt.view.timeline;

import dev.madt.tracker.LockWords;
import dev.madt.view.Place;
import dev.madt.view.locks.Holding;
import dev.madt.view.locks.LockListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Draws what the threads of a trace do with locks: how long they waited for one and had it, in
 * lanes of their own, one for each lock that a thread has at a time. Spans have the form of calls.
 */
final class LockSpans implements LockListener {
    /** Nanoseconds; who got a lock sooner did not wait, if no other thread had it. */
    private static final long WAITS = 10_000;

    private static final String CONDITION = "waits for a condition";
    /** Another process had it, or the thread was without a processor in the midst of its call. */
    private static final String UNKNOWN = "(no other thread is known to have had it)";

    /** Of one thread: the lanes, and what is held in each; null: nothing. */
    private static final class Held {
        private final List<Lane> lanes = new ArrayList<>();
        private final List<Holding> locks = new ArrayList<>();
        /** By the addresses of locks, where each was drawn last. */
        private final Map<Long, Lane> drawn = new HashMap<>();

        private int free() {
            int at = locks.indexOf(null);
            return at < 0 ? locks.size() : at;
        }
    }

    private final TimelineSelection selection;
    private final Functions functions;
    private final Lanes lanes;
    private final CallSink sink;
    private final Supplier<TracedProcess> process;
    private final Map<Integer, Held> threads = new HashMap<>();
    private final Map<Holding, Call> open = new IdentityHashMap<>();
    private long last;

    /** @param process whose trace is read, once that has begun */
    LockSpans(
            TimelineSelection selection,
            Functions functions,
            Lanes lanes,
            CallSink sink,
            Supplier<TracedProcess> process) {
        this.selection = selection;
        this.functions = functions;
        this.lanes = lanes;
        this.sink = sink;
        this.process = process;
    }

    @Override
    public void got(
            Holding lock,
            String kind,
            long waited,
            Holding before,
            List<Holding> held,
            boolean tried) {
        last = Math.max(last, lock.since());
        if (!isWanted(lock, lock.since() - waited)) {
            return;
        }
        Held own = threads.computeIfAbsent(lock.thread(), absent -> new Held());
        Lane lane = lane(own, lock);
        own.drawn.put(lock.address(), lane);
        if (before != null || waited >= WAITS) {
            Call wait = wait(lane, lock, kind, lock.since() - waited);
            if (before != null) {
                wait.given(by(before, " had it"));
            } else if (!kind.equals(LockWords.CONDITION)) {
                wait.given(UNKNOWN);
            }
            end(wait, lock);
            Held other = before == null ? null : threads.get(before.thread());
            if (other != null && other.drawn.containsKey(before.address())) {
                Lane from = other.drawn.get(before.address());
                lanes.handedOver(new LockHandover(from, lane, lock.since(), waited));
            }
        }
        String name = lock.name().single();
        Call hold = span(lane, "has " + name, "has a lock", lock, lock.since());
        hold.given('(' + at(lock.place()).strip() + ')');
        sink.begin(hold);
        open.put(lock, hold);
        lanes.tookLock();
    }

    @Override
    public void unit(Holding unit, long waited, Holding added) {
        if ((added != null || waited >= WAITS) && isWanted(unit, unit.since() - waited)) {
            Lane lane = waited(unit, waited, added == null ? "" : by(added, " added one"));
            if (added != null) {
                Lane from = lanes.lane(process.get(), added.thread(), Lane.LOCKS);
                lanes.handedOver(new LockHandover(from, lane, unit.since(), waited));
            }
        }
    }

    @Override
    public void failed(Holding asked, long waited, Holding before, boolean timed) {
        if ((timed || waited >= WAITS) && isWanted(asked, asked.since() - waited)) {
            String why = timed ? "timed out" : "failed";
            waited(asked, waited, before == null ? '(' + why + ')' : by(before, " had it; " + why));
        }
    }

    /** Draws a wait behind which nothing is held. */
    private Lane waited(Holding asked, long waited, String given) {
        last = Math.max(last, asked.since());
        Held own = threads.computeIfAbsent(asked.thread(), absent -> new Held());
        Lane lane = lane(own, asked);
        Call wait = wait(lane, asked, LockWords.SEMAPHORE, asked.since() - waited);
        wait.given(given);
        end(wait, asked);
        own.locks.set(own.locks.indexOf(asked), null);
        return lane;
    }

    private void end(Call wait, Holding lock) {
        sink.begin(wait);
        end(wait, lock.since(), Call.Ending.RETURNED);
    }

    private static String by(Holding other, String did) {
        String thread = Integer.toUnsignedString(other.thread());
        return "(thread " + thread + did + at(other.place()) + ')';
    }

    private static String at(Place place) {
        return place == null ? "" : " at " + place.siteName();
    }

    /** Locks have no numbers of events. */
    private boolean isWanted(Holding lock, long from) {
        boolean all = selection.from() == 0
                && selection.until() < 0
                && selection.window() < 0
                && selection.function() == null;
        return all
                && process.get() != null
                && selection.isThread(lock.thread())
                && !selection.isBehind(0, from);
    }

    /** Returns the first lane of the thread in which nothing is held; the lock is there now. */
    private Lane lane(Held own, Holding lock) {
        int at = own.free();
        if (at == own.locks.size()) {
            own.locks.add(null);
            own.lanes.add(lanes.lane(process.get(), lock.thread(), Lane.LOCKS + at));
        }
        own.locks.set(at, lock);
        return own.lanes.get(at);
    }

    /** Behind a wait for a condition a thread has the mutex, for which it did not wait. */
    private Call wait(Lane lane, Holding lock, String kind, long from) {
        String name = lock.name().single();
        return kind.equals(LockWords.CONDITION)
                ? span(lane, CONDITION + " (" + name + ")", CONDITION, lock, from)
                : span(lane, "waits for " + name, "waits for a lock", lock, from);
    }

    private Call span(Lane lane, String name, String does, Holding lock, long from) {
        CalledFunction function = functions.of(name, does);
        function.cost().enter(lock.thread());
        sink.at(from);
        return new Call(lane, function, null, from, 0, true);
    }

    private void end(Call call, long at, Call.Ending how) {
        long length = at - call.start();
        call.ended(at, 0, length, length, how);
        call.function().cost().leave(call.lane().thread(), length, length);
        call.function().took(length, call.start());
        sink.at(at);
        sink.end(call);
    }

    @Override
    public void released(Holding lock, long held) {
        last = Math.max(last, lock.since() + held);
        end(lock, lock.since() + held, Call.Ending.RETURNED);
    }

    @Override
    public void closes(long time) {
        last = Math.max(last, time);
    }

    @Override
    public void kept(Holding lock) {
        end(lock, Math.max(last, lock.since()), Call.Ending.OPEN);
    }

    private void end(Holding lock, long at, Call.Ending how) {
        Call hold = open.remove(lock);
        if (hold != null) {
            end(hold, at, how);
            Held own = threads.get(lock.thread());
            own.locks.set(own.locks.indexOf(lock), null);
        }
    }
}
