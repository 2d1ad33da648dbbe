package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: how long waits take that a recording comes to, and leaves. */
@Soak
class AttachWaitsIT {
    /** Names waits whose time is what it is alone. */
    private static final List<String> EXACT = List.of(
            "nanosleep",
            "clock_nanosleep",
            "poll",
            "ppoll",
            "select",
            "pselect",
            "futex",
            "sem_timedwait",
            "pthread_cond_timedwait",
            "mq_timedreceive",
            "epoll_wait",
            "epoll_pwait",
            "semtimedop",
            "sigtimedwait",
            "recv",
            "accept",
            "read socket",
            "send",
            "connect",
            "connect unix",
            "waitpid");

    private static final int SECONDS = 12;
    /** Says how late the recording comes, at least: a wait that began anew would take that more. */
    private static final int LATE_SECONDS = 3;

    @TempDir
    Path directory;

    private Process start(String output, String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(MadtRun.program("attach/waits").toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve(output).toFile())
                .start();
    }

    private MadtRun record(Process process) throws Exception {
        return MadtRun.process(
                directory, ("run -f --for 300ms -o a.madt -p " + process.pid()).split(" "));
    }

    /** Reads lines such as {@code poll: 0 (Success) 12.000 s}. */
    private Map<String, String[]> ended(String output) throws Exception {
        Map<String, String[]> ended = new HashMap<>();
        for (String line : Files.readAllLines(directory.resolve(output))) {
            if (line.endsWith(" s")) {
                String[] words = line.substring(0, line.length() - 2).split(": ", 2);
                int last = words[1].lastIndexOf(' ');
                ended.put(
                        words[0],
                        new String[] {words[1].substring(0, last), words[1].substring(last + 1)});
            }
        }
        return ended;
    }

    /** All in threads of their own; none ends early, or with another result. */
    @Test
    void shouldNotBeginAnewWhatCountsFromItsBegin() throws Exception {
        String seconds = Integer.toString(SECONDS);
        Process first = start("first", "60", "times"); // has the plans made
        assertEquals(0, record(first).status());
        first.destroy();
        Process alone = start("alone", seconds, "times");
        Process process = start("output", seconds, "times");
        Thread.sleep(LATE_SECONDS * 1000);
        for (int i = 0; i < 2; i++) { // the second one while waits are followed to their ends
            MadtRun madt = record(process);
            assertEquals(0, madt.status(), madt.errors());
            assertTrue(madt.errors().contains("complete until it was detached"), madt.errors());
        }
        assertEquals(0, alone.waitFor());
        assertEquals(0, process.waitFor());
        Map<String, String[]> expected = ended("alone");
        Map<String, String[]> found = ended("output");
        assertEquals(expected.keySet(), found.keySet());
        for (Map.Entry<String, String[]> wait : expected.entrySet()) {
            String[] other = found.get(wait.getKey());
            assertEquals(wait.getValue()[0], other[0], wait.getKey());
            double took = Double.parseDouble(other[1]);
            double before = Double.parseDouble(wait.getValue()[1]);
            assertTrue(
                    took > before - 1 && took >= SECONDS, () -> wait.getKey() + ": " + took + " s");
            if (EXACT.contains(wait.getKey())) {
                assertTrue(
                        took < before + LATE_SECONDS / 2.0,
                        () -> wait.getKey() + ": " + took + " s, alone " + before + " s");
            }
        }
    }
}
