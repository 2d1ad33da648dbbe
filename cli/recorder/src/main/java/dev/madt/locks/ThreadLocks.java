package dev.madt.locks;

import dev.madt.locks.LockFunction.Deed;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Follows the calls of lock functions of one thread, and which locks it holds. A call ends with a
 * leave at the stack pointer at which it was entered, also that of a function to which it went on
 * by a jump. What lies deeper then, or when another call is entered, was left unseen.
 */
final class ThreadLocks {
    /**
     * A function of the process.
     *
     * @param address where it begins: libraries may have the same one under their own
     * @param home stands for its lock where that is no argument
     * @param followed whether it is told when a call of it ends
     */
    record Entry(LockFunction function, long address, long home, boolean followed) {}

    /**
     * A call that has not returned.
     *
     * @param mutex of a wait
     * @param caller where it returns to; 0: not known
     */
    record Call(Entry entry, long stack, long time, long lock, long mutex, long caller) {
        LockFunction function() {
            return entry.function();
        }

        /** Returns whether this call does its work by that one, of the same name perhaps. */
        boolean worksBy(Call inner) {
            return function().deed() == inner.function().deed()
                    && entry.address() != inner.entry.address()
                    && lock == inner.lock;
        }
    }

    /** A call, and whether another one stands for it. */
    private record Open(Call call, boolean inner) {}

    /** A lock that the thread holds, since when, and how many it held then. */
    private record Held(long lock, long since, int depth) {}

    private static final long LATE = EventWord.word("late");
    private static final long SPIN = EventWord.word("spin");
    private static final long FAILED = EventWord.word(LockWords.FAILED);
    private static final long TIMEOUT = EventWord.word(LockWords.TIMEOUT);
    private static final long NOT_HELD = EventWord.word("not held");
    private static final long MADE = EventWord.word(LockWords.MADE);

    private final int thread;
    private final boolean late;
    private final LongUnaryOperator codes;
    private final RingEventTaker out;
    private final Deque<Open> open = new ArrayDeque<>();
    private final List<Held> held = new ArrayList<>();
    /** Of the record at hand. */
    private long epoch;

    /**
     * Follows a thread that is not known to have a lock.
     *
     * @param late whether it may be within calls that were entered before it was recorded
     * @param codes makes of what a call returns to the code word of a trace
     */
    ThreadLocks(int thread, boolean late, LongUnaryOperator codes, RingEventTaker out) {
        this.thread = thread;
        this.late = late;
        this.codes = codes;
        this.out = out;
    }

    private void dropBelow(long stack, long time) {
        while (!open.isEmpty() && Long.compareUnsigned(open.peek().call().stack(), stack) < 0) {
            leftUnseen(open.pop().call(), time);
        }
    }

    /** Whatever a part of a team's work went on to by a jump, it is over by now. */
    private void leftUnseen(Call call, long time) {
        if (call.function().deed() == Deed.PART) {
            sync("done", call, time);
        }
    }

    void enter(Call call, long recordEpoch) {
        epoch = recordEpoch;
        dropBelow(call.stack(), call.time());
        Open outer = open.peek();
        boolean inner = outer != null && outer.call().worksBy(call);
        if (outer != null && outer.call().stack() == call.stack()) {
            if (inner || isSpinning(outer.call(), call)) {
                return; // it has gone on to this one, by a jump
            }
            leftUnseen(open.pop().call(), call.time());
        }
        if (call.entry().followed()) {
            open.push(new Open(call, inner));
        }
        if (!inner) {
            begin(call);
        }
    }

    /** Returns whether a call goes on at its function's begin, as spin locks of glibc do. */
    private static boolean isSpinning(Call call, Call again) {
        return call.entry().equals(again.entry())
                && call.function().kind() == SPIN
                && call.lock() == again.lock();
    }

    private void begin(Call call) {
        switch (call.function().deed()) {
            case FREE -> release(call.lock(), call);
            case WAIT -> release(call.mutex(), call);
            case SIGNAL -> sync("signal", call, call.time());
            case POST -> released(call, call.lock(), 0, 0);
            case MEET -> sync("arrive", call, call.time());
            case CREATE -> sync("create", call, call.time());
            case ONCE -> sync("begin", call, call.time());
            case REGION -> sync("fork", call, call.time());
            case TASK -> sync("task", call, call.time());
            case PART -> sync("part", call, call.time());
            case GATHER -> sync("gather", call, call.time());
            default -> {}
        }
    }

    void leave(Entry entry, long stack, long time, long result, long recordEpoch) {
        epoch = recordEpoch;
        dropBelow(stack, time);
        if (open.isEmpty() && late && entry != null && entry.function().deed().isLeft()) {
            // whoever it waited for: what it holds, and what it came behind, is not known
            out.take(new TraceEvent.ThreadSync(thread, epoch, 0, time, LATE, 0));
        }
        if (open.isEmpty() || open.peek().call().stack() != stack) {
            return;
        }
        Open ended = open.pop();
        if (!ended.inner()) {
            end(ended.call(), time, result);
        }
    }

    private void end(Call call, long time, long result) {
        Deed deed = call.function().deed();
        if (!deed.isLeft()) {
            return;
        }
        long lasted = time - call.time();
        if (!call.function().result().isGood(deed, result)) {
            undone(call, call.lock(), lasted, call.function().isTimed() ? TIMEOUT : FAILED);
            return;
        }
        switch (deed) {
            case GET, TRY -> got(call, call.lock(), time);
            case DOWN -> gotWithout(call, call.lock(), lasted);
            case WAIT -> {
                sync("awoke", call, time);
                got(call, call.mutex(), time);
            }
            case MEET -> sync("pass", call, time);
            case ONCE -> sync("once", call, time);
            case JOIN -> sync("join", call, time);
            case REGION -> sync("joined", call, time);
            case TASK -> sync("made", call, time);
            case PART -> sync("done", call, time);
            case GATHER, AWAIT -> sync("gathered", call, time);
            default -> {}
        }
    }

    private void got(Call call, long lock, long time) {
        gotWithout(call, lock, time - call.time());
        held.add(new Held(lock, time, held.size()));
    }

    /** Tells of a lock that is got; whether the thread has to release it is not noted. */
    private void gotWithout(Call call, long lock, long waited) {
        long how = call.function().kind();
        out.take(new TraceEvent.LockGot(thread, epoch, lock, call.time(), waited, how, code(call)));
    }

    private void release(long lock, Call call) {
        for (int i = held.size() - 1; i >= 0; i--) {
            if (held.get(i).lock() == lock) {
                Held ended = held.remove(i);
                released(call, lock, call.time() - ended.since(), ended.depth());
                return;
            }
        }
        undone(call, lock, 0, call.function().kind() == SPIN ? MADE : NOT_HELD);
    }

    private void released(Call call, long lock, long lasted, int depth) {
        out.take(new TraceEvent.LockReleased(
                thread, epoch, lock, call.time(), lasted, depth, code(call)));
    }

    private void undone(Call call, long lock, long lasted, long why) {
        out.take(new TraceEvent.LockUndone(
                thread, epoch, lock, call.time(), lasted, why, code(call)));
    }

    private void sync(String role, Call call, long time) {
        out.take(new TraceEvent.ThreadSync(
                thread, epoch, call.lock(), time, EventWord.word(role), code(call)));
    }

    private long code(Call call) {
        return call.caller() == 0 ? 0 : codes.applyAsLong(call.caller());
    }
}
