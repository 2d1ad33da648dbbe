package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.MariaDb;
import dev.madt.testprogs.TraceFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the locks of processes to which MadT attaches, and which it leaves, with what a
 * preloaded library writes down of them all the time: all calls between, and none else.
 */
class LockAttachIT {
    @TempDir
    Path directory;

    private Path log() {
        return directory.resolve("log");
    }

    private List<String> logged(List<String> program) {
        List<String> words = new ArrayList<>(LockLog.of(log(), program.get(0)));
        words.addAll(program);
        return words;
    }

    /** Something that a process is to do. */
    private interface Work {
        void go() throws IOException, InterruptedException;
    }

    /** Records a process while it works, and compares. */
    private LockOracle attach(Process process, Work work) throws Exception {
        Path trace = directory.resolve("t.madt");
        Process madt = new ProcessBuilder(
                        MadtRun.launcher().toString(),
                        "run",
                        "--no-hottest",
                        "--record",
                        "locks",
                        "-o",
                        trace.toString(),
                        "-p",
                        Long.toString(process.pid()))
                .start();
        BufferedReader said = madt.errorReader(StandardCharsets.UTF_8);
        String attached = said.readLine();
        if (attached != null && attached.contains("reading the modules")) { // which took long
            attached = said.readLine();
        }
        assertTrue(attached != null && attached.contains("attached to process"), attached);
        long first = LockLog.begun(log());
        work.go();
        long last = LockLog.begun(log());
        madt.toHandle().destroy();
        String rest = String.join("\n", said.lines().toList());
        assertEquals(0, madt.waitFor(), rest);
        work.go();
        return between(trace, first, last);
    }

    private LockOracle between(Path trace, long first, long last) throws IOException {
        TraceFile.check(trace);
        LockOracle oracle = LockOracle.compareBetween(log(), trace, first, last);
        System.out.println((last - first) + " calls while attached: " + oracle);
        return oracle;
    }

    @Test
    void shouldCountThoseOfXz() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/xz")), "xz is not installed");
        byte[] numbers = Files.readAllBytes(NumbersFile.in(directory, 200_001));
        Process xz = new ProcessBuilder(
                        logged(List.of("xz", "-T4", "-0", "--block-size=16KiB", "-c")))
                .redirectOutput(directory.resolve("numbers.xz").toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream in = xz.getOutputStream()) {
            Work work = () -> {
                in.write(numbers);
                in.flush();
            };
            work.go();
            LockOracle oracle = attach(xz, work);
            assertTrue(oracle.count("got mutex") > 100, oracle.toString());
            assertTrue(oracle.count("got cond") > 0, oracle.toString());
        }
        assertEquals(0, xz.waitFor());
        MadtRun.command(directory, List.of("xz", "-t", "numbers.xz")).expect(0);
    }

    @Test
    @Soak
    void shouldCountThoseOfMariaDb() throws Exception {
        assumeTrue(MariaDb.isThere(), "no mariadbd");
        MariaDb server = new MariaDb(directory);
        server.start(logged(server.words()));
        server.query(8, 400);
        LockOracle oracle = attach(server.process(), () -> server.query(8, 2_000));
        server.stop();
        assertTrue(oracle.count("got mutex") > 5_000, oracle.toString());
    }
}
