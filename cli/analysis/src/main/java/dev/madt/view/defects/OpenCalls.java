package dev.madt.view.defects;

import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Allocation;
import dev.madt.view.CallChain;
import dev.madt.view.Neighbours;
import dev.madt.view.Place;
import dev.madt.view.ThreadCalls;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls that threads are in: by the calls that are recorded, or else by their accesses to their
 * stacks.
 */
final class OpenCalls {
    /** Calls, each with the functions that are inlined around it. */
    private static final int TOLD = 8;

    private final ThreadCalls calls = new ThreadCalls();
    private Allocation event;

    void neighbours(Neighbours of) {
        calls.neighbours(of);
    }

    /** An allocation or end is being told, whose own chain counts; null: none is any more. */
    void at(Allocation told) {
        event = told;
    }

    /** The chain of a thread that is in no call. */
    CallChain start() {
        return calls.start();
    }

    /** A function is entered or left. */
    void call(int thread, Place place, long stack) {
        calls.call(thread, place, stack);
    }

    /** Takes an event, as {@link ThreadCalls#ring} does. */
    void ring(TraceEvent event) {
        calls.ring(event);
    }

    /**
     * The calls that led to code that is at work; null if nobody knows.
     *
     * @param own what the accesses to its stack tell
     */
    CallChain to(Place at, int thread, OwnStack own) {
        if (event != null && event.chain() != null && event.call() == at) {
            return event.outerCalls();
        }
        CallChain chain = calls.of(thread);
        return chain == calls.start()
                ? own.chain(at)
                : chain.outer(); // its own function the place tells already
    }

    /** The calls of a chain as text, the innermost first; of a long one the inner ones. */
    static List<String> told(CallChain chain) {
        List<String> told = new ArrayList<>();
        if (chain == null) {
            return told;
        }
        CallChain end = chain.withoutStart();
        CallChain each = chain;
        for (int calls = 0; each != end && calls < TOLD; each = each.outer()) {
            told.add(each.call().framed());
            calls += each.call().isInlined() ? 0 : 1;
        }
        if (each != end || end.isCut()) {
            told.add("…");
        }
        return told;
    }
}
