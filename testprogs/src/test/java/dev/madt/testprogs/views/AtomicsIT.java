package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that Rust's atomic variables order threads, wherever they lie, and are none to race. */
class AtomicsIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"0", "2"})
    void shouldTakeAtomicVariablesForWhatOrdersThreads(String level) throws Exception {
        String program = directory.resolve("atomics").toString();
        String source = MadtRun.root().resolve("testprogs/locks/atomics.rs").toString();
        List<String> command = List.of(
                "rustc",
                "--edition",
                "2021",
                "-g",
                "-C",
                "opt-level=" + level,
                "-o",
                program,
                source);
        MadtRun.command(directory, command).expect(0);
        String trace = directory.resolve("atomics.madt").toString();
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--stack",
                        "--record",
                        "accesses,locks",
                        "-o",
                        trace,
                        "--",
                        program)
                .expect(0);
        assertEquals(
                List.of("data", "atomics::RACED"),
                MadtRun.madt(
                                directory,
                                "races",
                                "--demangle",
                                "--columns",
                                "data",
                                "--format",
                                "csv",
                                trace)
                        .expect(0)
                        .text()
                        .lines()
                        .distinct()
                        .toList());
    }
}
