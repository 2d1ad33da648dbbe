package dev.madt.view.defects;

import dev.madt.trace.event.AccessKind;
import dev.madt.tracker.CallStacks;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;

/**
 * The calls that threads are in: by the calls that are recorded, or else by their accesses to their
 * stacks.
 */
final class OpenCalls {
    private final CallChain start = CallChain.start();
    private final CallStacks stacks;
    private Neighbours space;

    OpenCalls() {
        stacks = new CallStacks(this::stackEnd, (thread, frame, seen) -> {});
    }

    void neighbours(Neighbours of) {
        space = of;
    }

    /** Where the memory ends that a stack pointer is in. */
    private long stackEnd(long pointer) {
        return space.around(pointer).end();
    }

    /** The chain of a thread that is in no call. */
    CallChain start() {
        return start;
    }

    /** A function is entered or left. */
    void call(int thread, Place place, long stack) {
        if (place.kind() == AccessKind.ENTER) {
            CallStacks.Frame frame = stacks.enter(thread, place.site(), stack, 0);
            frame.note(chain(frame.caller()).in(place));
        } else {
            stacks.leave(thread, stack, 0);
        }
    }

    /** A thread begins or ends. */
    void forget(int thread) {
        stacks.forget(thread);
    }

    private CallChain chain(CallStacks.Frame frame) {
        return frame == null ? start : (CallChain) frame.note();
    }

    /**
     * The calls that led to code that is at work; null if nobody knows.
     *
     * @param own what the accesses to its stack tell
     */
    CallChain to(Place at, int thread, OwnStack own) {
        CallStacks.Frame frame = stacks.innermost(thread);
        return frame == null
                ? own.chain(at)
                : chain(frame.caller()); // its own function the place tells already
    }
}
