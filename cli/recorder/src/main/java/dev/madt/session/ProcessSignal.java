package dev.madt.session;

import dev.madt.natives.Futex;
import dev.madt.natives.Libc;
import dev.madt.natives.SharedMapping;
import dev.madt.trace.layout.SharedLayout;
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
    private static boolean send(int pid, int signal, long value) {
        for (int thread : threads(pid)) {
            if (Libc.sigqueue(pid, thread, signal, value) == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Asks a process for something, if it can be asked now: sets a word of its control page, and
     * sends the signal behind it.
     *
     * @param value of the signal, which says what the word is about
     * @return whether it has been asked
     */
    public static boolean ask(int pid, SharedMapping control, int word, int wanted, long value) {
        return ask(pid, control, () -> control.futex(word).set(wanted), value);
    }

    /**
     * Sets a word of its control page, if it can be asked now, and sends no signal.
     *
     * @return whether it has been set
     */
    static synchronized boolean tell(SharedMapping control, int word, int wanted) {
        Futex asking = control.futex(SharedLayout.Control.ASKING);
        asking.set(1);
        boolean ready = control.futex(SharedLayout.Control.LEFT).get() == 0
                && control.futex(SharedLayout.Control.STATE).get() == SharedLayout.STATE_READY
                && control.futex(word).get() == 0;
        if (ready) {
            control.futex(word).set(wanted);
        }
        asking.set(0);
        return ready;
    }

    /**
     * Sends the signal again where nobody has taken the word: a fault of the thread that it was
     * sent to may have taken its place.
     */
    public static void askAgain(int pid, SharedMapping control, int word, int wanted, long value) {
        if (control.futex(word).get() == wanted) {
            ask(pid, control, () -> {}, value);
        }
    }

    /** One at a time: the process waits for who asks. */
    private static synchronized boolean ask(
            int pid, SharedMapping control, Runnable word, long value) {
        Futex asking = control.futex(SharedLayout.Control.ASKING);
        asking.set(1);
        boolean ready = control.futex(SharedLayout.Control.LEFT).get() == 0
                && control.futex(SharedLayout.Control.STATE).get() == SharedLayout.STATE_READY;
        if (ready) {
            word.run();
            ready = send(pid, SharedLayout.ASKED_BY, value);
        }
        asking.set(0);
        return ready;
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
