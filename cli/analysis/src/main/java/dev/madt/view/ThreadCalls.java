package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;

/** The calls that threads are in, by the calls that are recorded. */
public final class ThreadCalls {
    private final CallChain start = CallChain.start();
    private final CallStacks stacks;
    private Neighbours space;
    /** Says how many more chains are kept. */
    private int room;

    public ThreadCalls() {
        this(Integer.MAX_VALUE);
    }

    /**
     * @param most chains that are kept, so that equal ones are one object; further ones live as
     *     long as somebody holds them
     */
    public ThreadCalls(int most) {
        room = most;
        stacks = new CallStacks(this::stackEnd, new CallStacks.Ending() {
            @Override
            public void ended(int thread, CallStacks.Frame frame, boolean seen) {
                // what it was called from is at its caller
            }

            @Override
            public void jumped(int thread, CallStacks.Frame frame) {
                frame.note(chain(frame).jumped());
            }
        });
    }

    /** Whom to ask which stack an address is in. */
    public void neighbours(Neighbours of) {
        space = of;
    }

    /** Returns where the memory ends that a stack pointer is in. */
    private long stackEnd(long pointer) {
        return space.around(pointer).end();
    }

    /** A function is entered or left. */
    public void call(int thread, Place place, long stack) {
        if (place.kind() == AccessKind.ENTER) {
            CallStacks.Frame frame = stacks.enter(thread, place.site(), stack, 0);
            frame.note(further(chain(frame.caller()), place));
        } else {
            stacks.leave(thread, stack, 0);
        }
    }

    private CallChain further(CallChain outer, Place place) {
        CallChain known = outer.known(place);
        if (known != null) {
            return known;
        }
        if (room == 0) {
            return outer.apart(place);
        }
        room--;
        return outer.in(place);
    }

    /**
     * Takes an event: a thread that begins or ends is in no call; when a window of the recording
     * closes, nobody knows any more what threads are in.
     */
    public void ring(TraceEvent event) {
        switch (event.type()) {
            case THREAD_START, THREAD_END -> stacks.forget(event.thread());
            case RECORD_STOP -> stacks.end();
            default -> {}
        }
    }

    /** The chain of a thread that is in no call. */
    public CallChain start() {
        return start;
    }

    /** The calls that a thread is in. */
    public CallChain of(int thread) {
        return chain(stacks.innermost(thread));
    }

    private CallChain chain(CallStacks.Frame frame) {
        return frame == null ? start : (CallChain) frame.note();
    }
}
