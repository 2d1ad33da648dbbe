package dev.madt.view.timeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The lanes of one thread, and which of them have open calls. */
final class ThreadLanes {
    private final Lanes lanes;
    private final TracedProcess process;
    private final int thread;
    private final List<Lane> own = new ArrayList<>();
    private final BitSet used = new BitSet();
    /** Says where the thread's last event lies. */
    private long last;

    ThreadLanes(Lanes lanes, TracedProcess process, int thread) {
        this.lanes = lanes;
        this.process = process;
        this.thread = thread;
    }

    /** The first lane that has no open call, for a call that nobody called. */
    Lane open() {
        int slot = used.nextClearBit(0);
        used.set(slot);
        if (slot == own.size()) {
            own.add(lanes.lane(process, thread, slot));
        }
        return own.get(slot);
    }

    /** The first lane. */
    Lane first() {
        if (own.isEmpty()) {
            own.add(lanes.lane(process, thread, 0));
        }
        return own.get(0);
    }

    /** The outermost call of a lane has ended. */
    void close(Lane lane) {
        used.clear(lane.slot());
    }

    long last() {
        return last;
    }

    void last(long position) {
        last = position;
    }
}
