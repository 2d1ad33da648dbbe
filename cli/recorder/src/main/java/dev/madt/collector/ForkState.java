package dev.madt.collector;

import dev.madt.limit.RateLimit;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what the children of a process's forks take over from it: the blocks that were alive at
 * each fork and where its threads' stacks were, which memory belongs to threads, and the modules
 * with their template numbers. A child may begin long after its parent has ended, so a fork state
 * may outlive the trace of its process; nothing else does.
 */
final class ForkState {
    /**
     * Holds what a process had when it forked.
     *
     * @param blocks those that were alive
     * @param stacks its threads' stacks
     */
    record Left(BlockTracker blocks, List<RegionMap.Region> stacks) {}

    private final Map<Long, Left> left = new HashMap<>();
    private final Map<Integer, Long> begun = new HashMap<>();
    private final ThreadMemory threadMemory;
    private final ModuleTable modules;
    private final RateLimit rateLimit;
    private boolean givenUp;

    /** @param rateLimit null where all functions are recorded */
    ForkState(ThreadMemory threadMemory, ModuleTable modules, RateLimit rateLimit) {
        this.rateLimit = rateLimit;
        this.threadMemory = threadMemory;
        this.modules = modules;
    }

    /** The modules that the process has now, for a child of it. */
    ModuleTable modules() {
        return modules.forChild();
    }

    /** A thread forks: this is what there is at this ticket. */
    void begin(int thread, long ticket, Left now) {
        left.put(ticket, now);
        begun.put(thread, ticket);
    }

    /** The fork of a thread is over. */
    void end(int thread, boolean failed) {
        Long ticket = begun.remove(thread);
        if (ticket != null && failed) {
            left.remove(ticket);
        }
    }

    /**
     * Takes what the child of a fork inherits; null if the fork has not been seen yet.
     *
     * @param ticket of the fork's beginning, and 1, as the child knows it
     */
    Left take(long ticket) {
        Left taken = left.remove(ticket - 1);
        return taken == null && givenUp
                ? new Left(new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING), List.of())
                : taken;
    }

    /** There is no memory for the blocks: children begin without. */
    void giveUp() {
        left.clear();
        givenUp = true;
    }

    RateLimit rateLimit() {
        return rateLimit;
    }

    ThreadMemory threadMemory() {
        return threadMemory;
    }

    /** Returns whether no child is left that has not come for its part. */
    boolean isTaken() {
        return left.isEmpty();
    }
}
