package dev.madt.tracker;

import dev.madt.tracker.CallStacks.Frame;
import java.util.Arrays;

/** The frames of one stack. */
final class FrameStack {
    private static final int FIRST_FRAMES = 16;
    /** Says that nothing is told of which frames are open. */
    static final int UNTOLD = -1;

    Frame[] frames = new Frame[FIRST_FRAMES];
    int open;
    /** Frames that are known to be open, while that is told; else {@link #UNTOLD}. */
    int told = UNTOLD;

    Frame push() {
        if (open == frames.length) {
            frames = Arrays.copyOf(frames, 2 * open);
        }
        if (frames[open] == null) {
            frames[open] = new Frame();
        }
        return frames[open++];
    }

    /** The frame below the top one, if it is at this stack pointer and has jumped. */
    boolean isJumped(int from, long stackPointer) {
        return from >= 0 && frames[from].jumped && frames[from].stack == stackPointer;
    }

    /** The place of a function from {@code told} on, or -1. */
    int find(long entry, long stackPointer) {
        for (int at = told; at < open; at++) {
            if (frames[at].stack == stackPointer && frames[at].entry == entry) {
                return at;
            }
        }
        return -1;
    }

    /** The first frame of those at this stack pointer. */
    int bottom(long stackPointer) {
        int at = open - 1;
        while (at > 0 && frames[at - 1].stack == stackPointer) {
            at--;
        }
        return at;
    }

    Frame top() {
        return open == 0 ? null : frames[open - 1];
    }

    /** Takes the top frame off; the time is by the thread's own clock. */
    Frame pop(long own) {
        Frame frame = frames[--open];
        frame.left = own;
        if (open > 0) {
            frames[open - 1].inner += frame.elapsed();
        }
        return frame;
    }
}
