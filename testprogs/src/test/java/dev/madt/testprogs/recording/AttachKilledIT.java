package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code madt run -p PID}: whoever is killed while a process is attached to, or left, the process
 * goes on, and the next recording takes out what was left in it. {@code kill_at} stands for
 * madt-inject, and kills in front of a certain system call of it.
 */
class AttachKilledIT {
    /** Says how many places of each kind the soak profile tries, spread over all calls. */
    private static final int PLACES = Integer.getInteger("madt.places", 40);

    @TempDir
    Path directory;

    private Process target;
    private List<String> state;

    @BeforeEach
    void prepare() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        Files.writeString(
                directory.resolve("java"),
                "#!/bin/sh\nexec '" + java + "' -Dmadt.madt-inject=" + MadtRun.program("kill_at")
                        + " \"$@\"\n");
        MadtRun.command(directory, List.of("install", "-D", "-m", "755", "java", "home/bin/java"))
                .expect(0);
        begin();
    }

    @AfterEach
    void end() {
        target.destroyForcibly();
    }

    private void begin() throws Exception {
        target = new ProcessBuilder(MadtRun.program("attach/goes_on").toString())
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        goesOn("before");
        state = state();
    }

    private String said() throws IOException {
        return Files.readString(directory.resolve("output"));
    }

    private long rounds() throws IOException {
        return said().lines().count();
    }

    /** All of its threads do something, and find all in order. */
    private void goesOn(String when) throws Exception {
        long rounds = rounds();
        for (int looks = 0; looks < 3000 && rounds() < rounds + 2 && target.isAlive(); looks++) {
            Thread.sleep(10);
        }
        assertTrue(target.isAlive(), () -> when + ": it has ended, " + target.exitValue());
        assertTrue(rounds() >= rounds + 2, () -> when + ": it stands still");
        assertFalse(said().contains("wrong: "), () -> when + ": " + wrong());
        try (Stream<Path> threads = Files.list(process("task"))) {
            for (Path thread : threads.toList()) {
                String line = Files.readString(thread.resolve("stat"));
                assertFalse(
                        line.replaceFirst(".*\\) ", "").matches("(?s)[tT].*"),
                        () -> when + ": stopped: " + line);
            }
        }
    }

    private String wrong() {
        try {
            return said().lines()
                    .filter(it -> it.startsWith("wrong: "))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return e.toString();
        }
    }

    private Path process(String name) {
        return Path.of("/proc/" + target.pid(), name);
    }

    /** Returns what recordings change: code, other mappings of files, MadT's own, signals. */
    private List<String> state() throws IOException {
        List<String> lines = new ArrayList<>();
        try (RandomAccessFile memory = new RandomAccessFile(process("mem").toFile(), "r")) {
            for (String line : Files.readAllLines(process("maps"))) {
                String[] words = line.split(" +");
                if (words[1].contains("x") && !line.contains("[vsyscall]")) {
                    lines.add(line + " " + sum(memory, words[0]));
                } else if (line.contains("/") || line.startsWith("7e")) {
                    lines.add(line);
                }
            }
        }
        try (Stream<Path> threads = Files.list(process("task"))) {
            for (Path thread : threads.sorted().toList()) {
                Files.readAllLines(thread.resolve("status")).stream()
                        .filter(it -> it.matches("(Pid|SigBlk|SigCgt|SigIgn|TracerPid|Seccomp):.*"))
                        .forEach(lines::add);
            }
        }
        return lines;
    }

    private static String sum(RandomAccessFile memory, String range) throws IOException {
        String[] ends = range.split("-");
        long start = Long.parseLong(ends[0], 16);
        byte[] bytes = new byte[(int) (Long.parseLong(ends[1], 16) - start)];
        memory.seek(start);
        memory.readFully(bytes);
        return Integer.toHexString(Arrays.hashCode(bytes));
    }

    /** While a thread sends a signal, it blocks others. */
    private List<String> settled() throws Exception {
        List<String> now = state();
        for (int looks = 0; looks < 100 && !now.equals(state); looks++) {
            Thread.sleep(10);
            now = state();
        }
        return now;
    }

    private List<String> recording(String command, String... before) {
        List<String> words = new ArrayList<>(List.of(before));
        words.addAll(List.of(
                MadtRun.launcher().toString(),
                command,
                "-p",
                "" + target.pid(),
                "-f",
                "--lossy",
                "--no-hottest",
                "--for",
                "10ms",
                "-o",
                "a.madt"));
        return words;
    }

    /** Records; somebody is killed in front of this call of a command of madt-inject. */
    private MadtRun killed(String command, String whom, int call) throws Exception {
        return MadtRun.command(
                directory,
                recording(
                        "run",
                        "env",
                        "KILL_PROGRAM=" + MadtRun.root().resolve("madt-native/target/madt-inject"),
                        "KILL_COMMAND=" + command,
                        "KILL_AT=" + call,
                        "KILL_WHOM=" + whom,
                        "KILL_LOG=" + directory.resolve("calls"),
                        "JAVA_HOME=" + directory.resolve("home")),
                60);
    }

    /** Returns how many calls madt-inject has made. */
    private int calls() throws IOException {
        return Integer.parseInt(Files.readString(directory.resolve("calls")).strip());
    }

    /** Returns places among so many calls, from first to last. */
    private static TreeSet<Integer> places(int calls) {
        TreeSet<Integer> places = new TreeSet<>();
        int wanted = Tier.SOAK ? PLACES : 2;
        for (int i = 1; i <= wanted; i++) {
            places.add(1 + (int) ((i - 0.4) * calls / wanted));
        }
        return places;
    }

    /** Waits for madt-inject, which goes on without the launcher. */
    private void awaitCalls() throws InterruptedException {
        for (int looks = 0; looks < 3000 && !Files.exists(directory.resolve("calls")); looks++) {
            Thread.sleep(10);
        }
    }

    @ParameterizedTest
    @CsvSource({"attach, self", "out, self"})
    @SoakCases({"leave, self", "attach, parent", "out, parent", "attach, both", "out, both"})
    void shouldGoOnWhoeverIsKilled(String command, String whom) throws Exception {
        MadtRun whole = killed(command, whom, 0).expect(0);
        assertTrue(whole.errors().contains("complete until it was detached"), whole.errors());
        goesOn("behind a whole recording");
        assertEquals(state, settled(), "behind a whole recording");
        int calls = calls();
        for (int call : places(calls)) {
            String when = command + ", " + whom + " killed at call " + call + " of " + calls;
            Files.delete(directory.resolve("calls"));
            MadtRun run = killed(command, whom, call);
            awaitCalls();
            goesOn(when);
            if (whom.equals("self") && command.equals("attach")) {
                assertEquals(125, run.status(), () -> when + ": " + run.errors());
                assertTrue(
                        run.errors().contains("madt-inject was killed"),
                        () -> when + ": " + run.errors());
            }
            MadtRun next = MadtRun.process(directory, recording("run"));
            assertEquals(0, next.status(), () -> when + ": " + next.errors());
            assertTrue(
                    next.errors().contains("complete until it was detached"),
                    () -> when + ": " + next.errors());
            goesOn(when + ", and behind another recording");
            assertEquals(state, settled(), when);
        }
        target.getOutputStream().close();
        assertEquals(0, target.waitFor(), said());
    }

    /**
     * A thread waits with a limit while a library is taken out that a killed madt-inject has left,
     * and is attached to at once.
     */
    @Test
    void shouldTakeOutWhatWasLeftWhereAThreadWaits() throws Exception {
        target.destroyForcibly();
        target = new ProcessBuilder(
                        "/usr/bin/python3",
                        "-c",
                        """
                        import select, time
                        quiet = select.epoll()
                        while True:
                            begun = time.monotonic()
                            quiet.poll(2)
                            print(time.monotonic() - begun >= 2, flush=True)
                        """)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        goesOn("before");
        killed("attach", "both", 0).expect(0);
        int calls = calls();
        Files.delete(directory.resolve("calls"));
        killed("attach", "both", calls - 1);
        awaitCalls();
        MadtRun next = MadtRun.process(directory, recording("run")).expect(0);
        assertTrue(next.errors().contains("complete until it was detached"), next.errors());
        goesOn("behind it");
        assertEquals(List.of("True"), said().lines().distinct().toList());
    }

    /** Returns whether some madt-inject has to do with the process. */
    private boolean isAtWork() {
        List<String> number = List.of("" + target.pid());
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::info)
                .anyMatch(it -> it.command().orElse("").endsWith("/madt-inject")
                        && List.of(it.arguments().orElse(new String[0])).containsAll(number));
    }

    /** It ends with all of its threads, and so does everybody who has to do with it. */
    @ParameterizedTest
    @ValueSource(strings = {"attach", "out"})
    @SoakCases("leave")
    void shouldEndWhereTheProcessIsKilled(String command) throws Exception {
        killed(command, "target", 0).expect(0);
        int calls = calls();
        for (int call : places(calls)) {
            String when = command + ", killed at call " + call + " of " + calls;
            MadtRun run = killed(command, "target", call);
            boolean ended = target.waitFor(10, TimeUnit.SECONDS);
            assertTrue(ended || run.status() == 0, when); // there may be fewer calls now
            for (int looks = 0; looks < 3000 && isAtWork(); looks++) {
                Thread.sleep(10);
            }
            assertFalse(isAtWork(), () -> when + ": somebody waits for it");
            assertTrue(run.errors().startsWith("madt: "), () -> when + ": " + run.errors());
            assertFalse(run.errors().contains("Exception"), () -> when + ": " + run.errors());
            assertTrue(
                    run.errors().contains(" has ended")
                            || run.errors().contains("complete until it was detached"),
                    () -> when + ": " + run.errors());
            target.destroyForcibly();
            begin();
        }
    }
}
