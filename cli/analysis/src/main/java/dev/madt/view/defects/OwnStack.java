package dev.madt.view.defects;

import dev.madt.view.CallChain;
import dev.madt.view.Place;
import java.util.Arrays;

/**
 * Says which functions a thread has open, by its accesses to its stack: each tells the canonical
 * frame address of its function where the unwind tables know it (System V ABI, 6.2.5). A function
 * that is called has a lower one than its caller; the call's store lies right below it.
 */
final class OwnStack {
    private static final int ADDRESS = 8;
    /** {@code ret}, with a prefix or with a count of bytes. */
    private static final int LONGEST_RETURN = 3;
    /** No function keeps more on the stack than this without touching it. */
    private static final long MOST_DEAD = 1L << 20;

    private long[] frames = new long[16];
    /** The calls; null where no call led to the function: the kernel did, or it was not seen. */
    private Place[] calls = new Place[16];

    /** Says who has the frame; by a tail call it becomes another one's. */
    private String[] functions = new String[16];

    private CallChain[] chains = new CallChain[16];
    private final CallChain start;
    private int open;
    /** The lowest address that was touched since it is known that all below is unused. */
    private long low = Long.MAX_VALUE;

    private long stored;
    private Place storing;

    /** @param start the chain of no calls */
    OwnStack(CallChain start) {
        this.start = start;
    }

    /**
     * Follows an access.
     *
     * @param dead told which bytes a function leaves behind that returns
     */
    void access(Place place, long address, boolean store, DeadBytes dead) {
        if (place.frame() != Place.NO_FRAME) {
            at(address - place.frame(), place);
            low = Math.min(low, address);
            if (!store && place.frame() == -ADDRESS && place.length() <= LONGEST_RETURN) {
                leave(dead);
            }
        }
        boolean below = open > 0 && address < frames[open - 1];
        if (store && below && frames[open - 1] - address <= MOST_DEAD) {
            stored = address;
            storing = place;
        }
    }

    /** The function with this frame is at work. */
    private void at(long frame, Place place) {
        if (open > 0 && frames[open - 1] < frame) {
            while (open > 0 && frames[open - 1] < frame) {
                open--;
            }
            low = Long.MAX_VALUE; // whatever left these functions, it was no return
            storing = null;
        }
        if (open > 0 && frames[open - 1] == frame) {
            functions[open - 1] = place.function();
            return;
        }
        if (open == frames.length) {
            frames = Arrays.copyOf(frames, 2 * open);
            calls = Arrays.copyOf(calls, 2 * open);
            functions = Arrays.copyOf(functions, 2 * open);
            chains = Arrays.copyOf(chains, 2 * open);
        }
        boolean called = storing != null && stored == frame - ADDRESS;
        if (!called) {
            low = Long.MAX_VALUE;
        }
        frames[open] = frame;
        functions[open] = place.function();
        calls[open] = called ? storing : null;
        chains[open] = null;
        open++;
    }

    private void leave(DeadBytes dead) {
        storing = null;
        open--;
        long frame = frames[open];
        if (calls[open] == null) {
            low = Long.MAX_VALUE;
        } else {
            if (low < frame && frame - low <= MOST_DEAD) {
                dead.set(low, frame - low);
            }
            low = frame;
        }
    }

    /**
     * Returns whether what lies at an address is certainly in the frame of a function that is open:
     * in that of the one at work, or in that of one from which a call led down. What the kernel
     * puts on the stack for a handler of signals is in none.
     */
    boolean inFrame(Place place, long address) {
        int owner = open - 1;
        while (owner >= 0 && frames[owner] <= address) {
            owner--;
        }
        if (owner < 0) {
            return false;
        }
        return owner == open - 1
                ? place.frame() != -ADDRESS && place.function().equals(functions[owner])
                : calls[owner + 1] != null;
    }

    /** Returns where the frames of the callers begin; 0 if nothing is known. */
    long callers() {
        return open == 0 ? 0 : frames[open - 1];
    }

    /**
     * The calls that are open while code is at work which may have been called without having
     * touched the stack yet; null if nothing is known.
     */
    CallChain chain(Place at) {
        if (open == 0) {
            return null;
        }
        CallChain chain = chain(open - 1);
        boolean entered = storing != null
                && storing.function().equals(functions[open - 1])
                && !storing.function().equals(at.function());
        return entered ? chain.in(storing) : chain;
    }

    private CallChain chain(int depth) {
        if (depth < 0) {
            return start;
        }
        if (chains[depth] == null) {
            CallChain outer = chain(depth - 1);
            chains[depth] = calls[depth] == null ? outer : outer.in(calls[depth]);
        }
        return chains[depth];
    }
}
