package dev.madt.session;

import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
            return threads.filter(thread -> !hasEnded(thread))
                    .map(thread -> Integer.valueOf(thread.getFileName().toString()))
                    .toList();
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    /** Returns whether a thread is there in name only: the first one that other threads outlive. */
    private static boolean hasEnded(Path thread) {
        try {
            String text = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return text.startsWith(") Z", text.lastIndexOf(')'));
        } catch (IOException e) {
            return true;
        }
    }
}
