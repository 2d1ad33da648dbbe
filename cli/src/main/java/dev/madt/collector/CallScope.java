package dev.madt.collector;

import dev.madt.modules.CallBounds;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Site;
import dev.madt.tracker.CallStacks;
import org.eclipse.collections.impl.map.mutable.primitive.LongBooleanHashMap;

/**
 * Which calls of a process are within the bounds, and which accesses: those of threads that are in
 * a function within. It follows the calls of each thread, one by one.
 */
final class CallScope {
    private static final Integer OUTSIDE = -1;

    private final CallBounds bounds;
    private final ModuleTable modules;
    private final CallStacks stacks;
    private final LongBooleanHashMap begins = new LongBooleanHashMap();
    private long dropped;

    CallScope(CallBounds bounds, ModuleTable modules, RegionMap space) {
        this.bounds = bounds;
        this.modules = modules;
        long[] region = new long[2];
        this.stacks = new CallStacks(address -> {
            space.kindAround(address, region);
            return region[1];
        });
    }

    /** Whether there are any bounds. */
    boolean isAny() {
        return bounds.areAny();
    }

    /** How many runs were left out. */
    long dropped() {
        return dropped;
    }

    /**
     * Whether a run is within the bounds.
     *
     * @param first the site of its first word
     * @param word that word
     */
    boolean covers(int thread, Site first, long word) {
        boolean covered =
                switch (first.kind()) {
                    case ENTER -> enter(thread, first.address(), word);
                    case LEAVE -> leave(thread, word);
                    default -> isInside(thread);
                };
        dropped += covered || first.kind() == AccessKind.LEAVE ? 0 : 1;
        return covered;
    }

    /** Whether what a thread does now is within the bounds, but for their depth. */
    boolean isInside(int thread) {
        CallStacks.Frame frame = stacks.innermost(thread);
        return frame == null ? !bounds.needFunction() : depth(frame) >= 0;
    }

    private boolean enter(int thread, long function, long stack) {
        CallStacks.Frame frame = stacks.enter(thread, function, stack, 0);
        int above = frame.caller() == null ? -1 : depth(frame.caller());
        boolean inside = above >= 0 || !bounds.needFunction() || beginsAt(function);
        frame.note(inside ? Integer.valueOf(above + 1) : OUTSIDE);
        return inside && bounds.reach(above + 1);
    }

    private boolean leave(int thread, long stack) {
        CallStacks.Frame frame = stacks.leave(thread, stack, 0);
        return frame != null && depth(frame) >= 0 && bounds.reach(depth(frame));
    }

    private static int depth(CallStacks.Frame frame) {
        return (Integer) frame.note();
    }

    private boolean beginsAt(long function) {
        return begins.getIfAbsentPut(
                function, () -> bounds.beginAt(modules.at(function), function));
    }

    /** A thread begins or ends. */
    void forget(int thread) {
        stacks.forget(thread);
    }
}
