package dev.madt.locks;

import dev.madt.locks.LockFunction.Deed;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Follows the calls of lock functions of one thread, and which locks it holds. A call ends with a
 * leave at the stack pointer at which it was entered, also that of a function to which it went on
 * by a jump. What lies deeper then, or when another call is entered, was left unseen.
 */
final class ThreadLocks {
    /**
     * A call that has not returned.
     *
     * @param mutex of a wait
     * @param caller where it returns to; 0: not known
     */
    record Call(LockFunction function, long stack, long time, long lock, long mutex, long caller) {
        /** Returns whether this call does its work by that one. */
        boolean worksBy(Call inner) {
            return function.deed() == inner.function.deed()
                    && function != inner.function
                    && lock == inner.lock;
        }
    }

    /** A call, and whether another one stands for it. */
    private record Open(Call call, boolean inner) {}

    /** A lock that the thread holds, since when, and how many it held then. */
    private record Held(long lock, long since, int depth) {}

    private final int thread;
    private final Deque<Open> open = new ArrayDeque<>();
    private final List<Held> held = new ArrayList<>();

    ThreadLocks(int thread) {
        this.thread = thread;
    }

    private void dropBelow(long stack) {
        while (!open.isEmpty() && Long.compareUnsigned(open.peek().call().stack(), stack) < 0) {
            open.pop();
        }
    }

    void enter(Call call, Consumer<TraceEvent> out) {
        dropBelow(call.stack());
        Open outer = open.peek();
        boolean inner = outer != null && outer.call().worksBy(call);
        if (outer != null && outer.call().stack() == call.stack()) {
            if (inner) {
                return; // it has gone on to this one, by a jump
            }
            open.pop();
        }
        if (call.function().isFollowed()) {
            open.push(new Open(call, inner));
        }
        if (!inner) {
            begin(call, out);
        }
    }

    private void begin(Call call, Consumer<TraceEvent> out) {
        switch (call.function().deed()) {
            case FREE -> release(call.lock(), call, out);
            case WAIT -> release(call.mutex(), call, out);
            case SIGNAL -> sync("signal", call, call.time(), out);
            case POST -> tell(RingEventType.LOCK_RELEASED, call, call.lock(), 0, 0, out);
            case MEET -> sync("arrive", call, call.time(), out);
            case CREATE -> sync("create", call, call.time(), out);
            case ONCE -> sync("begin", call, call.time(), out);
            default -> {}
        }
    }

    void leave(long stack, long time, long result, Consumer<TraceEvent> out) {
        dropBelow(stack);
        if (open.isEmpty() || open.peek().call().stack() != stack) {
            return;
        }
        Open ended = open.pop();
        if (!ended.inner()) {
            end(ended.call(), time, result, out);
        }
    }

    private void end(Call call, long time, long result, Consumer<TraceEvent> out) {
        Deed deed = call.function().deed();
        if (!deed.isLeft()) {
            return;
        }
        long lasted = time - call.time();
        if (!call.function().result().isGood(deed, result)) {
            tell(
                    RingEventType.LOCK_UNDONE,
                    call,
                    call.lock(),
                    lasted,
                    EventWord.word("failed"),
                    out);
            return;
        }
        switch (deed) {
            case GET, TRY -> got(call, call.lock(), time, out);
            case DOWN ->
                tell(
                        RingEventType.LOCK_GOT,
                        call,
                        call.lock(),
                        lasted,
                        EventWord.word(call.function().kind()),
                        out);
            case WAIT -> {
                sync("awoke", call, time, out);
                got(call, call.mutex(), time, out);
            }
            case MEET -> sync("pass", call, time, out);
            case ONCE -> sync("once", call, time, out);
            case JOIN -> sync("join", call, time, out);
            default -> {}
        }
    }

    private void got(Call call, long lock, long time, Consumer<TraceEvent> out) {
        tell(
                RingEventType.LOCK_GOT,
                call,
                lock,
                time - call.time(),
                EventWord.word(
                        call.function().kind() + (call.function().deed() == Deed.TRY ? "?" : "")),
                out);
        held.add(new Held(lock, time, held.size()));
    }

    private void release(long lock, Call call, Consumer<TraceEvent> out) {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).lock() == lock) {
                Held ended = held.remove(i);
                tell(
                        RingEventType.LOCK_RELEASED,
                        call,
                        lock,
                        call.time() - ended.since(),
                        ended.depth(),
                        out);
                return;
            }
        }
        tell(RingEventType.LOCK_UNDONE, call, lock, 0, EventWord.word("not held"), out);
    }

    private void sync(String role, Call call, long time, Consumer<TraceEvent> out) {
        out.accept(TraceEvent.of(
                RingEventType.THREAD_SYNC,
                thread,
                0,
                call.lock(),
                time,
                EventWord.word(role),
                0,
                "",
                call.caller()));
    }

    private void tell(
            RingEventType type,
            Call call,
            long lock,
            long length,
            long last,
            Consumer<TraceEvent> out) {
        out.accept(
                TraceEvent.of(type, thread, 0, lock, call.time(), length, last, "", call.caller()));
    }
}
