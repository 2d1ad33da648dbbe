package dev.madt.collector;

import dev.madt.limit.RateLimit;
import dev.madt.modules.ModuleTable;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds what the children of a process's forks take over from it: the blocks that were alive at
 * each fork, which memory belongs to threads, and the modules with their template numbers. A child
 * may begin long after its parent has ended, so a fork state may outlive the trace of its process;
 * nothing else does.
 */
final class ForkState {
    private final Map<Long, BlockTracker> blocks = new HashMap<>();
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

    /** A thread forks: {@code alive} are the blocks at this ticket. */
    void begin(int thread, long ticket, BlockTracker alive) {
        blocks.put(ticket, alive);
        begun.put(thread, ticket);
    }

    /** The fork of a thread is over. */
    void end(int thread, boolean failed) {
        Long ticket = begun.remove(thread);
        if (ticket != null && failed) {
            blocks.remove(ticket);
        }
    }

    /**
     * The blocks that the child of a fork inherits; null if the fork has not been seen yet.
     *
     * @param ticket of the fork's beginning, and 1, as the child knows it
     */
    BlockTracker take(long ticket) {
        BlockTracker taken = blocks.remove(ticket - 1);
        return taken == null && givenUp
                ? new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING)
                : taken;
    }

    /** There is no memory for the blocks: children begin without. */
    void giveUp() {
        blocks.clear();
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
        return blocks.isEmpty();
    }
}
