package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what madt says about the machine that runs the tests: here recording works. */
class DoctorIT {
    @TempDir
    Path directory;

    @Test
    void shouldFindThatThisMachineCanRecord() throws Exception {
        List<String> lines =
                MadtRun.madt(directory, "doctor").expect(0).text().lines().toList();
        assertTrue(
                lines.get(lines.size() - 1).startsWith("This machine can record"),
                lines.toString());
        for (String engine : List.of("trap", "splice")) {
            String line = lines.stream()
                    .filter(text -> text.contains("engine " + engine))
                    .findFirst()
                    .orElseThrow();
            assertTrue(
                    line.matches(
                            "ok +engine " + engine + " +recorded /\\S+, [1-9][0-9,]* accesses"),
                    line);
        }
    }

    @Test
    void shouldEndWithStatusOneWhereNoMemoryCanBeShared() throws Exception {
        List<String> command = List.of(
                "env",
                "MADT_SHM=" + directory.resolve("missing"),
                MadtRun.launcher().toString(),
                "doctor",
                "--format",
                "json");
        String text = MadtRun.command(directory, command).expect(1).text();
        assertTrue(text.contains("\"can_record\": false"), text);
        assertEquals(
                3,
                text.lines()
                        .filter(line -> line.contains("\"state\": \"failed\""))
                        .count(),
                text); // the folder, and both engines
    }
}
