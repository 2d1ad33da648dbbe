package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OrdinaryUser;
import dev.madt.testprogs.TraceFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: a process that runs already takes part, and leaves as it was. */
class AttachIT {
    private static final int ROUNDS = Integer.getInteger("madt.rounds", 1);
    private static final String BUSY = "" + MadtRun.program("attach/busy");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String... command) throws IOException {
        return startInto("output", command);
    }

    private Process startInto(String output, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(directory.resolve("errors").toFile())
                .redirectOutput(directory.resolve(output).toFile())
                .start();
        started.add(process);
        return process;
    }

    /** Returns once the recording goes on; what it says is in the file said. */
    private Process recording(Process process, String command, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "env",
                "--default-signal=INT",
                MadtRun.launcher().toString(),
                command,
                "-p",
                "" + process.pid()));
        words.addAll(List.of(options));
        Process madt = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("said").toFile())
                .start();
        started.add(madt);
        await("attached to process");
        return madt;
    }

    /** Waits until madt has said this. */
    private void await(String text) throws Exception {
        for (int looks = 0; looks < 3000 && !said("said").contains(text); looks++) {
            Thread.sleep(10);
        }
        assertTrue(said("said").contains(text), () -> said("said"));
    }

    private MadtRun attach(Process process, String... options) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", "-p", "" + process.pid(), "-f", "-o", "a.madt"));
        words.addAll(List.of(options));
        return MadtRun.told(directory, words.toArray(String[]::new));
    }

    /** Waits until a file of the test has so many lines. */
    private List<String> lines(String name, int count) throws Exception {
        Path file = directory.resolve(name);
        List<String> lines = List.of();
        for (int looks = 0; looks < 3000 && lines.size() < count; looks++) {
            Thread.sleep(10);
            lines = Files.readString(file, StandardCharsets.UTF_8).lines().toList();
        }
        assertTrue(lines.size() >= count, () -> name + " has too few lines");
        return lines;
    }

    private static void feed(Process process, String text) throws IOException {
        process.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /**
     * Returns lines without what the kernel moves: functions that make system calls are interposed
     * in one case; and without the numbers of blocks, of which there are some from before.
     */
    private static List<String> printed(Path directory, String trace) throws Exception {
        return MadtRun.madt(directory, "print", trace)
                .expect(0)
                .text()
                .lines()
                .filter(line -> !line.matches("O\\$.*|[GW]\\$.*,main\\+.*|.*,(read|write)\\+.*"))
                .map(line -> line.replaceFirst("\\$[0-9]+", "")
                        .replaceAll("(malloc|reallo|freed:)[0-9]+", "$1"))
                .toList();
    }

    /** From the function on that opens the window, nothing differs from a program that madt ran. */
    @Test
    void shouldRecordWhatIsRecordedFromTheBeginOn() throws Exception {
        String program = MadtRun.program("attach/stages").toString();
        Path input = Files.writeString(directory.resolve("input"), "bcd");
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                MadtRun.launcher() + " run -q --start func:stage -o r.madt -- "
                                        + program + " <" + input))
                .expect(3);
        Process process = start(program);
        feed(process, "a");
        lines("output", 1);
        Process madt = recording(process, "run", "--start", "func:stage", "-o", "a.madt");
        feed(process, "bcd");
        process.getOutputStream().close();
        assertEquals(3, process.waitFor());
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, madt.exitValue(), () -> said("said"));
        List<String> whole = printed(directory, "r.madt");
        List<String> attached = printed(directory, "a.madt");
        assertTrue(attached.size() > 2_000, () -> attached.size() + " lines");
        assertEquals(whole, attached);
        TraceFile.check(directory.resolve("a.madt"));
    }

    private String said(String name) {
        try {
            return Files.readString(directory.resolve(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Returns what the kernel and the process's own files tell of it, but for its heaps. */
    private static List<String> state(long pid) throws Exception {
        Path folder = Path.of("/proc", Long.toString(pid));
        List<String> state = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve("maps"))) {
            if (line.contains("/") || line.contains("[v")) {
                state.add(line);
            }
        }
        for (String line : Files.readAllLines(folder.resolve("status"))) {
            if (line.matches("(SigBlk|SigIgn|SigCgt|TracerPid|Seccomp|Threads):.*")) {
                state.add(line);
            }
        }
        state.add(AttachedState.text(pid));
        return state;
    }

    /** 64 threads that allocate, load libraries, fork, take signals, wait, and check all of it. */
    @Test
    void shouldLeaveAProcessAsItWas() throws Exception {
        Process process = start(BUSY);
        while (new File("/proc/" + process.pid() + "/task").list().length < 65) {
            Thread.sleep(10);
        }
        Thread.sleep(300);
        List<String> before = state(process.pid());
        for (int i = 0; i < 1 + ROUNDS; i++) {
            MadtRun run = attach(process, "--for", "100ms", "--no-hottest").expect(0);
            assertTrue(run.errors().contains("complete until it was detached"), run.errors());
            assertFalse(run.errors().contains("stays mapped"), run.errors());
            assertEquals(
                    libraries(before), libraries(state(process.pid())), "maps, masks, and text");
        }
        MadtRun.command(directory, List.of("kill", "" + process.pid())).expect(0);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), () -> said("errors"));
        assertTrue(said("output").contains(" 0 wrong"), said("output"));
    }

    /** Without those that it loads and unloads all the time. */
    private static List<String> libraries(List<String> state) {
        return state.stream()
                .flatMap(String::lines)
                .filter(line -> !line.matches(".*(libm[.]so|libz[.]so|ld[.]so[.]cache).*"))
                .toList();
    }

    /** Nobody waits in vain: what is awaited in no module is told at the begin. */
    @Test
    void shouldSayAtOnceWhatIsNowhere() throws Exception {
        Process process = start(MadtRun.program("attach/stages").toString());
        recording(process, "trace", "--start", "func:stagge", "--calls", "nosuch", "-o", "a.madt");
        await("--start func:stagge names no function of the program or its libraries. Did you mean"
                + " 'stage'? It is awaited in what is loaded later.\n");
    }

    /** Text that is the file's, and stacks that nobody has used, are not read while it waits. */
    @Test
    void shouldReadLittleWhileTheProcessStandsStill() throws Exception {
        Process process = start(MadtRun.program("attach/still").toString());
        lines("output", 1);
        long before = presentPages(process.pid());
        assertRead(0, attach(process, "-v", "--for", "50ms"));
        long more = presentPages(process.pid()) - before;
        assertTrue(more < 500, () -> more + " pages more");
        feed(process, "a");
        lines("output", 2);
        assertRead(1, attach(process, "-v", "--for", "50ms"));
    }

    /** The time is over while it stands still, and the signal that says so is not lost. */
    @Test
    void shouldEndARecordingThatIsOverAtOnce() throws Exception {
        Process process = start(MadtRun.program("attach/still").toString());
        lines("output", 1);
        attach(process, "--for", "1us").expect(0);
        feed(process, "a"); // which it reads
        lines("output", 2);
    }

    /** It stays stopped, and what is asked of it is done when it goes on. */
    @Test
    void shouldAttachToAProcessThatIsStopped() throws Exception {
        Process process = start(MadtRun.program("attach/still").toString());
        lines("output", 1);
        MadtRun.command(directory, List.of("kill", "-STOP", "" + process.pid())).expect(0);
        Process madt = recording(process, "run", "--for", "20ms", "-o", "s.madt");
        await("has been stopped by a signal");
        Path status = Path.of("/proc", "" + process.pid(), "status");
        assertTrue(Files.readString(status).contains("\tT (stopped)"));
        MadtRun.command(directory, List.of("kill", "-CONT", "" + process.pid())).expect(0);
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, madt.exitValue(), said("said"));
        assertTrue(said("said").contains("complete until it was detached"), said("said"));
        feed(process, "a");
        lines("output", 2);
    }

    /** Its time is looked at by the launcher then, and it goes on unharmed. */
    @Soak
    @Test
    void shouldEndTheRecordingOfAProcessThatStaysStopped() throws Exception {
        Process process = start(MadtRun.program("attach/still").toString());
        lines("output", 1);
        Process madt = recording(process, "run", "--for", "2s", "-o", "s.madt");
        MadtRun.command(directory, List.of("kill", "-STOP", "" + process.pid())).expect(0);
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        assertTrue(said("said").contains("cannot be left before it goes on"), said("said"));
        assertTrue(said("said").contains("is still stopped"), said("said"));
        TraceFile.check(directory.resolve("s.madt"));
        MadtRun.command(directory, List.of("kill", "-CONT", "" + process.pid())).expect(0);
        feed(process, "a");
        lines("output", 2);
    }

    private static void assertRead(int modules, MadtRun run) {
        run.expect(0);
        assertTrue(
                run.errors()
                        .contains("whose text was read while it stood still: " + modules
                                + ", that were not prepared: 0\n"),
                run.errors());
    }

    /** Counts pages of anonymous memory, also those that were only read. */
    private static long presentPages(long pid) throws Exception {
        return Long.parseLong(MadtRun.command(
                        Path.of("/"),
                        List.of("/usr/bin/python3", "-c", PRESENT_PAGES, Long.toString(pid)))
                .expect(0)
                .text()
                .strip());
    }

    private static final String PRESENT_PAGES =
            """
            import sys
            pid = sys.argv[1]
            entries = open(f"/proc/{pid}/pagemap", "rb")
            count = 0
            for line in open(f"/proc/{pid}/maps"):
                words = line.split()
                if len(words) == 5:
                    start, end = (int(n, 16) // 4096 for n in words[0].split("-"))
                    entries.seek(8 * start)
                    count += sum(byte >> 7 for byte in entries.read(8 * (end - start))[7::8])
            print(count)
            """;

    /** Each wait ends as it does alone, after one recording or two in it: none with EINTR. */
    @Test
    void shouldBreakOffNoCall() throws Exception {
        String program = MadtRun.program("attach/waits").toString();
        Process plain = startInto("alone", program); // which takes as long as the other
        int seconds = 4;
        boolean came = false;
        while (!came) { // unless the program is faster, on a machine that has much to do
            Process process = start(program, Integer.toString(seconds));
            lines("output", 1);
            attach(process, "--for", "100ms");
            MadtRun madt = attach(process, "--for", "100ms");
            assertEquals(0, process.waitFor());
            assertEquals(0, plain.waitFor());
            assertEquals(said("alone"), said("output"));
            came = madt.status() == 0;
            seconds *= 4;
            assertTrue(came || seconds < 200, madt.errors());
        }
    }

    /** Blocks of which nothing is told would look like defects of the program. */
    @Test
    void shouldNotFollowAnAllocatorInPart() throws Exception {
        Process process = start(
                "/usr/bin/python3",
                "-c",
                "print(1, flush=True)\nwhile True: [str(i) * 9 for i in range(99)]");
        lines("output", 1);
        MadtRun madt = attach(process, "--for", "200ms", "--alloc", "python").expect(0);
        process.destroy();
        assertFalse(madt.errors().contains("defects:"), madt.errors());
    }

    @Test
    void shouldEndByAWordAndByASignal() throws Exception {
        Process process = start(BUSY, "1");
        for (String word : List.of("detach", "TERM", "INT")) {
            Process madt = recording(process, "trace", "-f");
            if (word.equals("detach")) {
                MadtRun.told(directory, "ctl", "" + process.pid(), word).expect(0);
            } else {
                MadtRun.command(directory, List.of("kill", "-" + word, "" + madt.pid()))
                        .expect(0);
            }
            assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
            assertEquals(0, madt.exitValue(), () -> said("said"));
            assertTrue(said("said").contains("complete until it was detached"), said("said"));
            assertTrue(process.isAlive());
        }
        MadtRun refused = MadtRun.told(directory, "ctl", "" + process.pid(), "status");
        assertTrue(refused.errors().contains("is not recorded"), refused.errors());
    }

    /** The process ends while it is recorded. */
    @Test
    void shouldRecordToTheEnd() throws Exception {
        Process process = start(MadtRun.program("attach/stages").toString());
        Process madt = recording(process, "run", "-o", "a.madt");
        feed(process, "a");
        process.getOutputStream().close();
        assertEquals(3, process.waitFor());
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        assertEquals("exit 3", TraceFile.check(directory.resolve("a.madt")).meta("ended"));
        String said = said("said");
        assertTrue(said.contains("process " + process.pid() + " has ended: exit 3."), said);
    }

    /** Reads the map of what it executes, in a child and in its own place. */
    @Test
    void shouldKnowTheMemoryOfWhatItExecutes() throws Exception {
        Process process = start("/bin/sh", "-c", "read word; /bin/true; exec /bin/true");
        Process madt = recording(process, "run", "--stack", "-o", "c.dir/");
        feed(process, "a\n");
        assertEquals(0, process.waitFor());
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        List<Path> traces;
        try (Stream<Path> files = Files.list(directory.resolve("c.dir"))) {
            traces = files.filter(file -> file.getFileName().toString().startsWith("true."))
                    .toList();
        }
        assertEquals(2, traces.size(), () -> said("said"));
        for (Path trace : traces) {
            String regions = MadtRun.madt(directory, "report", "--by", "region", trace.toString())
                    .expect(0)
                    .text();
            assertTrue(regions.contains("[stack]"), regions);
        }
    }

    private void assertRefused(MadtRun run, String why) throws IOException {
        assertEquals(125, run.status(), run.errors());
        assertTrue(run.errors().contains(why), run.errors());
        try (Stream<Path> files = Files.list(directory)) {
            assertTrue(files.noneMatch(file -> file.toString().endsWith(".madt")));
        }
    }

    @Test
    void shouldRefuseWhatCannotTakePart() throws Exception {
        assertRefused(MadtRun.told(directory, "run", "-p", "x"), "the number of a process");
        assertRefused(MadtRun.told(directory, "run", "-p", "999999999"), "is no process");
        Process process = start(MadtRun.program("attach/stages").toString());
        String pid = "" + process.pid();
        assertRefused(attach(process, "--", "ls"), "starts no program: leave 'ls' out");
        assertRefused(attach(process, "--tls"), "-p and --tls do not go together");
        assertRefused(attach(process, "--start", "main"), "main began before");
        assertRefused(attach(process, "--engine", "trap"), "needs --engine splice");
        MadtRun traced = MadtRun.command(
                directory,
                List.of(
                        "gdb",
                        "-q",
                        "-batch",
                        "-p",
                        pid,
                        "-ex",
                        "shell " + MadtRun.launcher() + " run -p " + pid + " -o a.madt; echo $?"));
        assertTrue(traced.text().contains("125"), traced.text());
        assertTrue(traced.errors().contains("is traced by process"), traced.errors());
        assertRefused(MadtRun.told(directory, "run", "-p", Long.toString(zombie())), "has ended");
        refuseKernelThread();
        if (OrdinaryUser.isRoot()) {
            MadtRun other = new OrdinaryUser(directory).madt("run", "-p", pid);
            assertEquals(125, other.status());
            assertTrue(other.errors().contains("is another user's"), other.errors());
            refuseMoreRights();
        }
        feed(process, "a");
        lines("output", 1);
    }

    @Test
    void shouldRefuseCodeOf32Bits() throws Exception {
        Process narrow = narrow();
        String file = narrow.info().command().orElse("has ended"); // or a shell that reads it
        assumeTrue(file.endsWith("/narrow"), "this kernel has no calls of i386");
        assertRefused(attach(narrow), "runs 32-bit code, which madt does not record");
    }

    private void refuseKernelThread() throws Exception {
        String name = Files.readString(Path.of("/proc/2/comm")).strip();
        if (name.equals("kthreadd")) { // else this is a container
            assertRefused(MadtRun.told(directory, "run", "-p", "2"), "is a thread of the kernel");
        }
    }

    /** Set-user-ID, and shut by its own wish. */
    private void refuseMoreRights() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        Path program = user.home().resolve("rights");
        Files.copy(MadtRun.program("attach/still"), program);
        MadtRun.command(directory, List.of("chmod", "4755", program.toString())).expect(0);
        MadtRun more = user.command(List.of(
                "sh",
                "-c",
                "sleep 30 2>/dev/null | ./rights >/dev/null 2>&1 &"
                        + " until grep -q rights /proc/$!/comm; do sleep 0.05; done; "
                        + MadtRun.launcher() + " run -p $! -o u.madt; echo $?"));
        assertTrue(more.errors().contains("has more rights than you"), more.errors());
        assertTrue(more.text().endsWith("125\n"), more.text());
        String shut = "import ctypes, time; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0);"
                + " open(\"shut\", \"w\"); time.sleep(99)";
        MadtRun dumpable = user.command(List.of(
                "sh",
                "-c",
                "/usr/bin/python3 -c '" + shut + "' & until [ -e shut ]; do sleep 0.05; done; "
                        + MadtRun.launcher() + " run -p $! -o u.madt; s=$?; kill $!; echo $s"));
        assertTrue(dumpable.errors().contains("does not let other programs"), dumpable.errors());
        assertTrue(dumpable.text().endsWith("125\n"), dumpable.text());
    }

    /** A program of 32-bit code that waits. */
    private Process narrow() throws Exception {
        Files.writeString(
                directory.resolve("narrow.s"),
                ".globl _start\n_start: mov $29, %eax\nint $0x80\njmp _start\n");
        MadtRun.command(directory, List.of("as", "--32", "-o", "narrow.o", "narrow.s"))
                .expect(0);
        MadtRun.command(directory, List.of("ld", "-m", "elf_i386", "-o", "narrow", "narrow.o"))
                .expect(0);
        return start(directory.resolve("narrow").toString());
    }

    /** The child of a process that does not wait for it. */
    private long zombie() throws Exception {
        Process parent =
                new ProcessBuilder("/bin/sh", "-c", "sleep 0.3 & echo $!; exec sleep 100").start();
        started.add(parent);
        String child = parent.inputReader(StandardCharsets.US_ASCII).readLine();
        Path stat = Path.of("/proc", child, "stat");
        while (!Files.readString(stat).contains(") Z ")) {
            Thread.sleep(10);
        }
        return Long.parseLong(child);
    }

    /** A second recording is refused while the first goes on. */
    @Test
    void shouldRefuseAProcessThatTakesPart() throws Exception {
        Process process = start(MadtRun.program("attach/stages").toString());
        recording(process, "run", "-o", "b.dir/");
        assertRefused(attach(process), "takes part in a recording already");
    }

    /** Not as root, as most users are. */
    @Test
    void shouldAttachAsAnOrdinaryUser() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        MadtRun run = user.command(List.of(
                "sh",
                "-c",
                BUSY + " 1 & sleep 0.2; " + MadtRun.launcher()
                        + " run -p $! --for 100ms -o u.madt; s=$?; kill $!; wait $!; echo $s"));
        Path yama = Path.of("/proc/sys/kernel/yama/ptrace_scope");
        boolean permitted = !Files.exists(yama) || Files.readString(yama).matches("[01]\\s*");
        String status = permitted ? "0\n" : "125\n";
        assertTrue(run.text().endsWith("0 wrong\n" + status), run.text() + run.errors());
        assertTrue(
                run.errors()
                        .contains(
                                permitted
                                        ? "complete until it was detached"
                                        : "sysctl kernel.yama.ptrace_scope=0"),
                run.errors());
    }

    /** A process that has numbers, a root user and mounts of its own. */
    @Test
    void shouldAttachIntoAContainer() throws Exception {
        OrdinaryUser user = new OrdinaryUser(directory);
        assumeTrue(
                user.command(List.of("unshare", "-Urpmf", "true")).status() == 0,
                "namespaces of users");
        MadtRun run = user.command(List.of(
                "sh",
                "-c",
                "unshare -Urpmf " + BUSY
                        + " 1 & until p=$(pgrep -P $! -x busy); do sleep 0.05; done; sleep 0.2; "
                        + MadtRun.launcher()
                        + " run --no-follow -p $p --for 50ms -o u.madt; s=$?; kill $p; wait $!;"
                        + " echo $s"));
        assumeTrue(!run.errors().contains("ptrace_scope"), "tracing is permitted");
        assertTrue(run.text().endsWith("0 wrong\n0\n"), run.text() + run.errors());
        assertTrue(run.errors().contains("complete until it was detached"), run.errors());
    }
}
