package dev.madt.view.calls;

import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/** A function and what its calls cost. */
final class CallFunction extends CallCost {
    private final String name;
    private final String module;
    private final Durations durations = new Durations();
    private final IntIntHashMap others = new IntIntHashMap();
    private int thread;
    /** Calls of it that are open in the thread. */
    private int open;

    CallFunction(String name, String module) {
        this.name = name;
        this.module = module;
    }

    String name() {
        return name;
    }

    String module() {
        return module;
    }

    Durations durations() {
        return durations;
    }

    void enter(int byThread) {
        turnTo(byThread);
        open++;
    }

    /** One of its calls has ended. */
    void leave(int byThread, long nanos, long selfNanos) {
        turnTo(byThread);
        ended(selfNanos);
        durations.add(nanos);
        if (--open == 0) {
            took(nanos);
        }
    }

    private void turnTo(int byThread) {
        if (byThread != thread) {
            others.put(thread, open);
            thread = byThread;
            open = others.get(byThread);
        }
    }
}
