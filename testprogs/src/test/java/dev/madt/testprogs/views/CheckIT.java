package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that {@code madt check} is content with the traces of every kind of recording. */
class CheckIT {
    private static final String COUNTERS = "threads/counters 4 50";

    @TempDir
    Path directory;

    /** Checks all traces of the folder. */
    private void check(int least) throws Exception {
        List<Path> traces;
        try (Stream<Path> files = Files.list(directory)) {
            traces = files.filter(file -> file.toString().contains(".madt")).toList();
        }
        assertTrue(traces.size() >= least, () -> traces + " are fewer than " + least);
        for (Path trace : traces) {
            MadtRun check = MadtRun.madt(directory, "check", trace.toString());
            assertEquals("", check.errors());
            check.expect(0);
            assertTrue(check.text().contains(": sound, "), check.text());
        }
    }

    private static String[] command(String program) {
        String[] words = program.split(" ");
        words[0] = MadtRun.program(words[0]).toString();
        return words;
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks", "accesses,locks,calls"})
    @SoakCases({"accesses", "calls", "accesses,calls", "accesses,locks", "locks,calls"})
    void shouldBeContentWithEveryKindOfRecord(String kinds) throws Exception {
        new Recorder(directory).with("--record", kinds).run(command(COUNTERS)).expect(0);
        check(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--stack|--record|accesses,locks",
                "--tls",
                "--at|work|count|--at|pthread_mutex_lock|log",
            })
    @SoakCases({
        "--last|20K|--record|accesses,locks",
        "--engine|trap",
        "--at|pthread_mutex_lock|sum arg0 by stack|--record|accesses,locks"
    })
    void shouldBeContentWithEveryOption(String options) throws Exception {
        new Recorder(directory)
                .with(options.split("\\|"))
                .run(command(COUNTERS))
                .expect(0);
        check(1);
    }

    @Test
    void shouldBeContentWithTheTracesOfChildren() throws Exception {
        new Recorder(directory)
                .with("--record", "accesses,locks")
                .run(command("threads/family 3 20"))
                .expect(0);
        check(4);
    }

    /** Pools that end take their blocks with them, by one event. */
    @Test
    void shouldBeContentWithPools() throws Exception {
        new Recorder(directory)
                .with("--alloc", "arena_alloc(1)=ret in 0,arena_end(0) ends")
                .run(command("named_alloc.O0 2 101"))
                .expect(0);
        check(1);
    }

    @Test
    void shouldBeContentWithAProcessThatRanBefore() throws Exception {
        Process process = start(command("threads/counters 3 100000000"));
        try {
            MadtRun.told(
                            directory,
                            "run",
                            "-p",
                            "" + process.pid(),
                            "-q",
                            "--record",
                            "accesses,locks",
                            "--for",
                            "200ms",
                            "-o",
                            "t.madt")
                    .expect(0);
        } finally {
            process.destroyForcibly().waitFor();
        }
        check(1);
    }

    private Process start(String... command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
    }
}
