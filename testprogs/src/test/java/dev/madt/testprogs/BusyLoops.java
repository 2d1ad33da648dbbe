package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Processes that do nothing but run: a machine without an idle processor. */
public final class BusyLoops {
    /** Ends by itself where the test's process is gone. */
    private static final String LOOP = "while kill -0 $PPID 2>/dev/null; do :; done";

    private BusyLoops() {}

    /** Works beside so many loops. */
    public static <T> T beside(int count, Callable<T> work) throws Exception {
        List<Process> loops = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                loops.add(new ProcessBuilder("sh", "-c", LOOP).start());
            }
            return work.call();
        } finally {
            loops.forEach(Process::destroy);
        }
    }
}
