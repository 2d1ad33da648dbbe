package dev.madt.collector;

import dev.madt.modules.CallBounds;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.CallStacks;
import org.eclipse.collections.impl.map.mutable.primitive.LongBooleanHashMap;

/**
 * Says which calls of a process are within the bounds, and which accesses: those of threads that
 * are in a function within, up to the slow call that ends the window. It follows the calls of each
 * thread, one by one.
 */
final class CallScope {
    private static final Integer OUTSIDE = -1;

    private final CallBounds bounds;
    private final ModuleTable modules;
    private final CallStacks stacks;
    /** Null if none is waited for. */
    private final SlowCall slow;

    private final LongBooleanHashMap begins = new LongBooleanHashMap();
    private long dropped;

    /** @param slow the call that ends a window, or null */
    CallScope(CallBounds bounds, ModuleTable modules, RegionMap space, SlowCall slow) {
        this.slow = slow;
        this.bounds = bounds;
        this.modules = modules;
        long[] region = new long[2];
        this.stacks = new CallStacks(address -> {
            space.kindAround(address, region);
            return region[1];
        });
    }

    /** Returns whether each call has to be looked at. */
    boolean isAny() {
        return bounds.areAny() || slow != null;
    }

    /** Returns how many records were left out. */
    long dropped() {
        return dropped;
    }

    /**
     * Returns whether a record is within the bounds.
     *
     * @param first the site of its first word
     * @param word that word
     * @param time when that was, 0 if it was not recorded
     */
    boolean covers(int thread, AccessSite first, long word, long time) {
        boolean covered =
                switch (first.kind()) {
                    case ENTER -> enter(thread, first, word, time);
                    case LEAVE -> leave(thread, word, time);
                    default -> isInside(thread);
                };
        covered &= slow == null || !slow.isBehind(thread, time);
        dropped += covered || first.kind() == AccessKind.LEAVE ? 0 : 1;
        return covered;
    }

    /** Returns whether what a thread does now is within the bounds, but for their depth. */
    boolean isInside(int thread) {
        if (slow != null && slow.isBehind(thread, 0)) {
            return false;
        }
        CallStacks.Frame frame = stacks.innermost(thread);
        return !bounds.needFunction() || frame != null && depth(frame) >= 0;
    }

    private boolean enter(int thread, AccessSite function, long stack, long time) {
        CallStacks.Frame frame = stacks.enter(thread, function, stack, time);
        int above = frame.caller() == null ? -1 : depth(frame.caller());
        boolean inside = above >= 0 || !bounds.needFunction() || beginsAt(function.address());
        frame.note(inside ? Integer.valueOf(above + 1) : OUTSIDE);
        return inside && bounds.reach(above + 1);
    }

    /**
     * A function is open as the recording of its thread begins. What it calls has the depth that it
     * would have without it, unless it is one of those within which calls are recorded.
     *
     * @return whether it is within the bounds
     */
    boolean open(TraceEvent.OpenFunction event) {
        if (!isAny()) {
            return true;
        }
        CallStacks.Frame frame = stacks.open(event);
        if (frame.note() == null) {
            int above = frame.caller() == null ? -1 : depth(frame.caller());
            boolean inside = bounds.needFunction() && (above >= 0 || beginsAt(event.function()));
            frame.note(inside ? Integer.valueOf(above + 1) : OUTSIDE);
        }
        return !bounds.needFunction() || depth(frame) >= 0 && bounds.reach(depth(frame));
    }

    private boolean leave(int thread, long stack, long time) {
        CallStacks.Frame frame = stacks.leave(thread, stack, time);
        if (slow != null && frame != null) {
            slow.left(frame, time);
        }
        return !bounds.areAny() || frame != null && depth(frame) >= 0 && bounds.reach(depth(frame));
    }

    private static int depth(CallStacks.Frame frame) {
        return (Integer) frame.note();
    }

    private boolean beginsAt(long function) {
        return begins.getIfAbsentPut(
                function, () -> bounds.beginAt(modules.at(function), function));
    }

    /** Notes what the stacks follow, and slow calls. */
    void note(TraceEvent event) {
        switch (event.type()) {
            case THREAD_START, THREAD_END -> stacks.forget(event.thread());
            case RECORD_START, RECORD_STOP -> stacks.window((TraceEvent.Recording) event);
            case PAUSE -> {
                TraceEvent.Pause pause = (TraceEvent.Pause) event;
                stacks.pause(event.thread(), pause.begin(), pause.length());
            }
            default -> {}
        }
        if (slow != null) {
            slow.note(event);
        }
    }
}
