package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that Rust's atomic variables order threads, wherever they lie, and are none to race. */
class AtomicsIT {
    /** Static ones, those on the heap and on a stack, and what the optimiser makes of them. */
    private static final Pattern ATOMIC =
            Pattern.compile("4FLAG17|TAKEN|POINTER|SHARED|[.][vp][.]value|main:local");

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
        for (String table : List.of("locks", "races", "sharing")) {
            String told = MadtRun.madt(directory, table, trace).expect(0).errors();
            assertTrue(told.contains("not seen: locks of Rust's library"), told);
        }
        List<Map<String, String>> races =
                CsvLine.rows(MadtRun.madt(directory, "races", "--format", "csv", trace)
                        .expect(0)
                        .text());
        // a trace does not always tell who was first, so what they order may be doubted
        assertTrue(
                races.stream().noneMatch(row -> ATOMIC.matcher(row.get("data")).find()),
                races::toString);
        assertEquals(
                List.of(),
                races.stream()
                        .filter(row -> row.get("certain").equals("yes"))
                        .filter(row -> !row.get("data").contains("RACED"))
                        .toList());
        assertTrue(
                races.stream().anyMatch(row -> row.get("data").contains("RACED")), races::toString);
    }
}
