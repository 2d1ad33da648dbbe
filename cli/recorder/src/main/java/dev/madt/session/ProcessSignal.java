package dev.madt.session;

import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Signals of MadT's to a process that takes part. */
public final class ProcessSignal {
    private ProcessSignal() {}

    /**
     * Sends a signal with a value to one thread of a process. Of several that the kernel wakes for
     * a signal to the process itself one gets it, and calls of the others may end with EINTR for
     * nothing.
     *
     * @return whether it has been sent
     */
    public static boolean send(int pid, int signal, long value) {
        for (int thread : threads(pid)) {
            if (Libc.sigqueue(pid, thread, signal, value) == 0) {
                return true;
            }
        }
        return false;
    }

    private static List<Integer> threads(int pid) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Integer.toString(pid), "task"))) {
            return threads.map(thread -> Integer.valueOf(thread.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }
}
