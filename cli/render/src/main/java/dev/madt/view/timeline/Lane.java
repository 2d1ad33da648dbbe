package dev.madt.view.timeline;

/**
 * Says where calls are drawn: a stack of a thread. Calls in one lane lie within each other or
 * behind each other. A thread has several lanes if calls are open on several of its stacks at once:
 * those of coroutines, and of signal handlers.
 *
 * @param number from 0, over all processes
 * @param slot from 0, in the thread
 */
record Lane(int number, TracedProcess process, int thread, int slot) {
    String title() {
        String title = (process.names().of(thread) == null ? "thread " : "")
                + process.names().label(thread);
        return slot == 0 ? title : title + ", stack " + (slot + 1);
    }
}
