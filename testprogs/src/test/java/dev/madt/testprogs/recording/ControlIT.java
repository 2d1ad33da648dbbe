package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.AwaitedCall;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt ctl}: a recording that runs is asked, and goes on. */
class ControlIT {
    private static final Pattern PROCESS =
            Pattern.compile("  ([0-9]+) \\S*/cat: (on|off), .* events?, (\\S+)");

    @TempDir
    Path directory;

    private Process recording;
    private Path trace;

    private void record(String... options) throws Exception {
        record(List.of("cat"), options);
    }

    private void record(List<String> program, String... options) throws Exception {
        trace = directory.resolve("cat.madt");
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--record",
                "accesses,calls",
                "-o",
                trace.toString()));
        command.addAll(List.of(options));
        command.add("--");
        command.addAll(program);
        recording = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    @AfterEach
    void end() throws Exception {
        recording.getOutputStream().close();
        recording.waitFor();
    }

    @Test
    void shouldWriteWhatIsThereSoFarAndGoOn() throws Exception {
        record("--last", "64M");
        int pid = awaitProcess();
        AwaitedCall.in(pid, "0 0x0 "); // it reads its input
        String before = ctl(pid, "dump").text();
        Path first = directory.resolve("cat.dump1.madt");
        assertTrue(before.startsWith("wrote " + first + ": "), before);
        TraceInvariants dumped = TraceFile.check(first);
        assertEquals("running", dumped.meta("ended"));
        assertEquals("complete up to the dump", dumped.meta("completeness"));
        long early = Long.parseLong(dumped.meta("enters"));
        assertTrue(early > 0, "no call");

        recording.getOutputStream().write("text\n".getBytes());
        recording.getOutputStream().close();
        assertEquals(0, recording.waitFor());
        TraceInvariants whole = TraceFile.check(trace);
        assertEquals("exit 0", whole.meta("ended"));
        assertTrue(Long.parseLong(whole.meta("enters")) > early);
        List<String> firstCalls = calls(first);
        assertEquals(firstCalls, calls(trace).subList(0, firstCalls.size()));
    }

    private List<String> calls(Path of) throws Exception {
        return MadtRun.madt(directory, "print", "--kind", "call", of.toString())
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    /** Recorded is what happens between the two, and nothing else. */
    @Test
    void shouldOpenAndCloseAWindow() throws Exception {
        record("--start", "ctl");
        int pid = awaitProcess();
        type("before");
        ctl(pid, "start");
        awaitState(pid, "on");
        type("in the window");
        ctl(pid, "stop");
        awaitState(pid, "off");
        type("behind it, and not recorded");
        recording.getOutputStream().close();
        assertEquals(0, recording.waitFor());
        assertEquals("1", TraceFile.check(trace).meta("started"));
        List<String> written = MadtRun.madt(
                        directory, "print", "--raw", "--kind", "G", trace.toString())
                .expect(0)
                .text()
                .lines()
                .map(line -> line.split(",")[1])
                .toList();
        assertTrue(
                written.contains(Integer.toString("in the window\n".length())), written.toString());
        assertTrue(!written.contains(Integer.toString("before\n".length())), written.toString());
        assertTrue(
                !written.contains(Integer.toString("behind it, and not recorded\n".length())),
                written.toString());
    }

    /** A signal for MadT would end an image that MadT is not in. */
    @Test
    void shouldNotHarmAnImageThatIsNotRecorded() throws Exception {
        record(List.of("sh", "-c", "exec cat"), "--start", "ctl", "--no-follow");
        type("cat runs");
        MadtRun asked = MadtRun.madt(directory, "ctl", Long.toString(recording.pid()), "start");
        asked.expect(1);
        assertTrue(asked.errors().contains("could be asked"), asked.errors());
        type("cat runs on");
        recording.getOutputStream().close();
        assertEquals(0, recording.waitFor());
    }

    /** Checks that who asks where a program is that waits need not end it. */
    @Test
    void shouldNameTheSystemCallThatAThreadIsIn() throws Exception {
        record("--last", "64M");
        int pid = awaitProcess();
        String waits = "    thread " + pid + " is in system call read, for ";
        for (int i = 0; i < 600 && !ctl(pid, "status").text().contains(waits); i++) {
            Thread.sleep(100);
        }
        String status = ctl(pid, "status").text();
        assertTrue(status.contains(waits), status);
        String dump = ctl(pid, "dump").text();
        assertTrue(dump.matches("(?s)wrote .*\n" + waits + "[0-9.,]+ [mµ]?s\n"), dump);
        Path file = directory.resolve("cat.dump1.madt");
        assertEquals(List.of("read"), TraceFile.check(file).endedIn());
        String in = "thread " + pid + " was in .*\\(system call read\\), entered at [0-9.]+ s.*";
        String said = "(?s).*madt: when this was written, " + in;
        String report = view(file, "report", "--by", "call").errors();
        assertTrue(report.matches(said), report);
        String lines = view(file, "print").errors();
        assertTrue(lines.matches(said), lines);
        String info = view(file, "info", "--verify").text();
        assertTrue(info.matches("(?s).*\nopen +" + in), info);
        String timeline = view(file, "timeline").text();
        assertTrue(timeline.contains(" was running when this was written\n"), timeline);
        Path json = directory.resolve("dump.json");
        view(file, "timeline", "-o", "" + json);
        assertTrue(Files.readString(json).contains("in system call read"), "" + json);
        recording.getOutputStream().close();
        assertEquals(0, recording.waitFor());
        assertEquals(List.of(), TraceFile.check(trace).endedIn());
    }

    private MadtRun view(Path of, String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of(command));
        all.add("" + of);
        return MadtRun.madt(directory, all.toArray(String[]::new)).expect(0);
    }

    private void type(String line) throws Exception {
        recording.getOutputStream().write((line + "\n").getBytes());
        recording.getOutputStream().flush();
        BufferedReader copied = recording.inputReader();
        assertEquals(line, copied.readLine());
    }

    private void awaitState(int pid, String state) throws Exception {
        for (int i = 0; i < 600; i++) {
            if (ctl(pid, "status")
                    .text()
                    .matches("(?s).*  " + pid + " \\S*/cat: " + state + ",.*")) {
                return;
            }
            Thread.sleep(100);
        }
        throw new AssertionError("process " + pid + " is not " + state);
    }

    @Test
    void shouldSayWhomItDoesNotKnow() throws Exception {
        record("--last", "64M");
        int pid = awaitProcess();
        MadtRun unknown = MadtRun.madt(
                directory, "ctl", Long.toString(ProcessHandle.current().pid()));
        unknown.expect(1);
        assertTrue(unknown.errors().contains("is not recorded."), unknown.errors());
        assertTrue(unknown.errors().contains("[" + pid + "]"), unknown.errors());
        MadtRun nobody = MadtRun.madt(directory, "ctl", "999999999", "dump");
        nobody.expect(1);
        assertTrue(nobody.errors().contains("there is no process 999999999."), nobody.errors());
        MadtRun.madt(directory, "ctl", Integer.toString(pid), "dmp").expect(2);
        assertTrue(Files.notExists(directory.resolve("cat.dump1.madt")));
    }

    private int awaitProcess() throws Exception {
        for (int i = 0; i < 600; i++) {
            String status = MadtRun.madt(directory, "ctl", "status").expect(0).text();
            Matcher line = status.lines()
                    .map(PROCESS::matcher)
                    .filter(Matcher::matches)
                    .filter(matcher -> matcher.group(3).equals(trace.toString()))
                    .findFirst()
                    .orElse(null);
            if (line != null) {
                return Integer.parseInt(line.group(1));
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the recording is not known");
    }

    private MadtRun ctl(int pid, String word) throws Exception {
        return MadtRun.madt(directory, "ctl", Integer.toString(pid), word).expect(0);
    }
}
