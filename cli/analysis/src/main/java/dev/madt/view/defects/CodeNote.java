package dev.madt.view.defects;

import dev.madt.view.DataObject;
import dev.madt.view.Place;

/**
 * Holds what is known of an instruction or call: whose code it is, and how it walks through memory.
 */
final class CodeNote {
    final CodeRole role;
    /** The blocks that it allocated; null: none. */
    AliveBlocks alive;

    private final DefectNotes notes;
    private DataObject block;
    private int thread;
    private long address;
    private long stride;
    private long steps;
    private long firstOffset;
    private boolean overrun;

    CodeNote(Place place, DefectNotes notes) {
        this.notes = notes;
        role = CodeRole.of(place);
    }

    /** The instruction accesses a block that lives, or a gap, which is null. */
    void step(DataObject to, int byThread, long at) {
        long moved = at - address;
        if (moved == 0 && byThread == thread && block == to) {
            return;
        }
        boolean goesOn = byThread == thread && moved == stride;
        address = at;
        thread = byThread;
        stride = moved;
        if (to == null) {
            overrun = goesOn && steps > 0;
        } else if (to == block) {
            steps = goesOn ? steps + 1 : 1;
            overrun = false;
        } else {
            block = to;
            firstOffset = at - to.start();
            steps = 0;
            overrun = false;
        }
    }

    /**
     * The block from which the instruction has walked with steps of one length to this address,
     * which is not in the block; null if it does not look so. Who walks through blocks that lie in
     * memory one behind the other comes to each at the same place.
     */
    DataObject walkedFrom(DataObject to, int byThread, long at) {
        boolean walks = block != null
                && to != block
                && byThread == thread
                && at - address == stride
                && stride != 0;
        return walks && !hasEnded() && (overrun || steps >= 2 && at - to.start() != firstOffset)
                ? block
                : null;
    }

    private boolean hasEnded() {
        BlockState state = notes.of(block);
        return state != null && state.ended;
    }

    /**
     * Returns whether the instruction comes to an address in a block that has ended from the live
     * block in front of it: with its steps of before, or by little more than the end.
     */
    boolean leads(DataObject from, DataObject ended, int byThread, long at, boolean near) {
        if (!Gap.same(from, block)
                || byThread != thread
                || at - ended.start() == address - from.start()) {
            return false;
        }
        return near || overrun || stride != 0 && at - address == stride;
    }

    /** As {@link #step} on a walk that has left its block. */
    void strayed(long at) {
        address = at;
        overrun = true;
    }

    /** The block that the instruction accessed last, if a thread did so. */
    DataObject lastBlock(int byThread) {
        return byThread == thread ? block : null;
    }
}
