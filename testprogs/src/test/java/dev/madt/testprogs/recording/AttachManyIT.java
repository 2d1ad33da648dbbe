package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: several processes at a time, and none, since it ends before. */
class AttachManyIT {
    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process start(String output, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output).toFile())
                .start();
        started.add(process);
        return process;
    }

    private void await(String output, String text) throws Exception {
        Path file = directory.resolve(output);
        for (int looks = 0; looks < 3000 && !Files.readString(file).contains(text); looks++) {
            Thread.sleep(10);
        }
        assertTrue(Files.readString(file).contains(text), () -> output + " has no " + text);
    }

    /** Has another process write it: what others start meanwhile would keep our file open. */
    private Path copy(Path program, String name) throws Exception {
        MadtRun.command(directory, List.of("cp", program.toString(), name)).expect(0);
        return directory.resolve(name);
    }

    private String said() throws IOException {
        return Files.readString(directory.resolve("said"));
    }

    /** Each has a recording of its own, and is named. */
    @Test
    void shouldAttachToAllOfAName() throws Exception {
        Path program = copy(MadtRun.program("attach/still"), "stillness");
        Path yes = copy(Path.of("/usr/bin/yes"), "stillyes");
        List<Process> all = List.of(
                start("output", program.toString()),
                start("output", program.toString()),
                start("/dev/null", yes.toString()));
        await("output", "ready");
        MadtRun run = MadtRun.process(
                        directory, "run", "--name", "still*s", "--for", "300ms", "-o", "all/")
                .expect(0);
        assertTrue(run.errors().contains("madt: recording 3 processes: "), run.errors());
        for (Process process : all) {
            String name = process == all.get(2) ? "stillyes" : "stillness";
            assertTrue(run.errors().contains(process.pid() + " " + name), run.errors());
            assertTrue(
                    Files.exists(directory.resolve("all/" + name + "." + process.pid() + ".madt")),
                    run.errors());
        }
        String hottest = "hottest code in all/stillyes." + all.get(2).pid() + ".madt";
        assertTrue(run.errors().contains(hottest), run.errors());
        assertFolder(all.get(2));
        String pids = all.get(0).pid() + " -p " + all.get(1).pid();
        MadtRun one = MadtRun.told(directory, ("run -o t.madt -p " + pids).split(" "));
        assertTrue(one.errors().contains("several processes cannot all write to t.madt"));
        MadtRun none = MadtRun.told(directory, "run", "--name", "nobody-*");
        assertTrue(none.errors().contains("no process of yours is called 'nobody-*'"));
        assertEquals(List.of(125, 125), List.of(one.status(), none.status()));
    }

    /** A folder stands for the one with most accesses, and with {@code --all} for all. */
    private void assertFolder(Process busiest) throws Exception {
        MadtRun one =
                MadtRun.madt(directory, "report", "--by", "process", "all").expect(0);
        String said = "reading all/stillyes." + busiest.pid() + ".madt, that with most accesses of"
                + " 3 that were recorded together. --all takes all of them.";
        assertTrue(one.errors().contains(said), one.errors());
        assertTrue(one.text().contains("stillyes"), one.text());
        String all = MadtRun.madt(directory, "info", "--all", "all").expect(0).text();
        assertTrue(all.contains("3 processes\n"), all);
        MadtRun joined = MadtRun.madt(directory, "report", "--all", "--by", "process", "all");
        assertEquals(one.expect(0).text(), joined.expect(0).text());
    }

    /** The modules cannot be read as long as this holds their plans. */
    @Test
    void shouldSayThatItWasEndedBeforeItAttached() throws Exception {
        Process process = start("output", MadtRun.program("attach/still").toString());
        await("output", "ready");
        List<String> attaches = List.of(
                "env",
                "XDG_CACHE_HOME=" + directory.resolve("cache"),
                MadtRun.launcher().toString(),
                "trace",
                "-p",
                "" + process.pid(),
                "-o");
        List<String> planned = Stream.concat(attaches.stream(), Stream.of("t.madt", "--for", "1us"))
                .toList();
        MadtRun.process(directory, planned).expect(0);
        List<Process> holders = new ArrayList<>();
        try (Stream<Path> plans = Files.list(directory.resolve("cache/madt"))) {
            for (Path plan : plans.toList()) {
                holders.add(start("held", "flock", plan.toString(), "sh", "-c", "echo held; cat"));
            }
        }
        await("held", "held");
        Process madt = start(
                "said",
                Stream.concat(attaches.stream(), Stream.of("none.madt")).toArray(String[]::new));
        await("said", "madt: reading the modules of process " + process.pid());
        MadtRun.command(directory, List.of("kill", "" + madt.pid())).expect(0);
        Thread.sleep(100); // in which it comes
        for (Process holder : holders) {
            holder.getOutputStream().close();
        }
        assertTrue(madt.waitFor(60, TimeUnit.SECONDS));
        assertEquals(125, madt.exitValue(), said());
        assertEquals(2, said().lines().count(), said());
        assertTrue(said().contains(" was not attached: "), said());
        assertFalse(Files.exists(directory.resolve("none.madt")));
    }
}
