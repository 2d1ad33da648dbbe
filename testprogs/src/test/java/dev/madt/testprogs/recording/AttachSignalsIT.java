package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: signals that are on their way when a process is stopped, or end it. */
class AttachSignalsIT {
    private static final int ROUNDS = 2 + Integer.getInteger("madt.rounds", 1);

    @TempDir
    Path directory;

    /** By faults and sent, none is lost, and each comes with what belongs to it. */
    @Test
    void shouldLoseNoSignal() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(MadtRun.program("attach/faults").toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            for (int looks = 0; looks < 3000 && Files.size(output) == 0; looks++) {
                Thread.sleep(10);
            }
            for (int round = 0; round < ROUNDS; round++) {
                MadtRun run = MadtRun.told(
                                directory,
                                "run",
                                "-p",
                                "" + process.pid(),
                                "-f",
                                "--for",
                                "10ms",
                                "--lossy",
                                "--no-hottest",
                                "-o",
                                "a.madt")
                        .expect(0);
                assertTrue(run.errors().contains("complete until it was detached"), run.errors());
            }
            process.getOutputStream().close();
            assertEquals(0, process.waitFor());
            String said = Files.readString(output);
            assertEquals(7, said.lines().count());
            assertFalse(said.matches("(?s).* [1-9].*"), said);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that ends before it is stopped is said to have ended, and leaves no file. */
    @Test
    void shouldSayThatAProcessHasEndedMeanwhile() throws Exception {
        int tries = 0;
        while (!endsBeforeItIsStopped(++tries)) {
            assertTrue(tries < 20, "it was stopped each time before it was killed");
        }
    }

    /** Returns false where a busy machine has killed it only when it took part already. */
    private boolean endsBeforeItIsStopped(int tries) throws Exception {
        Process process = new ProcessBuilder(MadtRun.program("attach/faults").toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Path home = directory.resolve("cache" + tries);
        Path cache = home.resolve("madt");
        Thread end = new Thread(() -> {
            while (!Files.exists(cache)) {
                Thread.onSpinWait(); // its modules are about to be read
            }
            process.destroyForcibly();
        });
        end.start();
        String trace = "a" + tries + ".madt";
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "env",
                        "XDG_CACHE_HOME=" + home,
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        trace,
                        "-p",
                        "" + process.pid()));
        end.join();
        if (run.errors().contains(": wrote " + trace)) {
            return false;
        }
        String said = "madt: process " + process.pid() + " has ended.\n";
        assertTrue(run.errors().endsWith(said), run.errors());
        assertEquals(125, run.status());
        assertFalse(Files.exists(directory.resolve(trace)));
        return true;
    }

    /** A wait that the kernel counts goes on where it was, when its user ends the recording. */
    @Test
    void shouldNotMakeASleepLonger() throws Exception {
        int asleep = 3;
        while (!endsWhenItWould(asleep)) { // a busy machine needs longer until it has attached
            asleep *= 4;
            assertTrue(asleep < 200, "not attached within " + asleep / 4 + " s");
        }
    }

    /** Returns false where the sleep was over before the recording was. */
    private boolean endsWhenItWould(int asleep) throws Exception {
        long begun = System.nanoTime();
        Process process = new ProcessBuilder("sleep", "" + asleep).start();
        Path said = directory.resolve("said");
        String options = "-f -o s.madt -p " + process.pid();
        Process madt = new ProcessBuilder((MadtRun.launcher() + " run " + options).split(" "))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        while (!Files.readString(said).contains("attached to process")) {
            if (!process.isAlive()) {
                madt.waitFor();
                return false;
            }
            Thread.sleep(10);
        }
        MadtRun ctl = MadtRun.madt(directory, "ctl", "" + process.pid(), "detach");
        double left = (System.nanoTime() - begun) / 1e9;
        if (left > asleep) {
            madt.waitFor();
            return false;
        }
        ctl.expect(0);
        assertEquals(0, process.waitFor());
        double seconds = (System.nanoTime() - begun) / 1e9;
        assertEquals(0, madt.waitFor());
        assertTrue(
                seconds < asleep + left / 2,
                () -> "left after " + left + " s of " + seconds + " s");
        return true;
    }
}
