package dev.madt.cli;

import dev.madt.tracker.RingEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the children of a process's forks take over from it: the blocks that were alive at each fork, and which memory belongs to
 * threads. A child may begin long after its parent has ended, so a bequest may outlive the trace of its process; nothing else does.
 */
final class Bequest {
    private final Map<Long, List<RingEvent>> blocks = new HashMap<>();
    private final Map<Integer, Long> begun = new HashMap<>();
    private final ThreadMemory threadMemory;

    Bequest(ThreadMemory threadMemory) {
        this.threadMemory = threadMemory;
    }

    /** A thread forks: {@code alive} are the blocks at this ticket. */
    void begin(int thread, long ticket, List<RingEvent> alive) {
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
    List<RingEvent> take(long ticket) {
        return blocks.remove(ticket - 1);
    }

    ThreadMemory threadMemory() {
        return threadMemory;
    }

    /** Whether no child is left that has not come for its part. */
    boolean isTaken() {
        return blocks.isEmpty();
    }
}
