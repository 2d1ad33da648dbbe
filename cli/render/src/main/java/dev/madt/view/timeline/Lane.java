package dev.madt.view.timeline;

/**
 * Says where calls are drawn: a stack of a thread. Calls in one lane lie within each other or
 * behind each other. A thread has several lanes if calls are open on several of its stacks at once:
 * those of coroutines, and of signal handlers.
 *
 * @param number from 0, over all processes
 * @param slot from 0, in the thread; from {@link #LOCKS} on for its locks
 */
record Lane(int number, TracedProcess process, int thread, int slot) {
    /** The lane of the first lock that a thread has at a time; the next ones are behind it. */
    static final int LOCKS = 1 << 20;

    String title() {
        String title = (process.names().of(thread) == null ? "thread " : "")
                + process.names().label(thread);
        if (slot >= LOCKS) {
            return title + ", " + (slot == LOCKS ? "" : (slot - LOCKS + 1) + ". ") + "lock";
        }
        return slot == 0 ? title : title + ", stack " + (slot + 1);
    }
}
