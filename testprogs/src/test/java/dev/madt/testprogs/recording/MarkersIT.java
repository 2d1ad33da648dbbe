package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** madt.h: C and C++, PIE and not, optimised and not, with and without MadT. */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class MarkersIT {
    @Parameter
    String engine;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"markers.O2", "markers.nopie", "markerscpp.O0"})
    @SoakCases({"markers.O0", "markerscpp.O2", "markerscpp.nopie"})
    void shouldRecordOnlyBetweenTheMarkers(String name) throws Exception {
        String program = MadtRun.program(name).toString();
        MadtRun plain = MadtRun.command(directory, List.of(program)).expect(0);
        Path text = directory.resolve("lines.txt");
        Path trace = directory.resolve("t.madt");
        MadtRun traced = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "--start",
                        "marker",
                        "--text",
                        text.toString(),
                        "-o",
                        trace.toString(),
                        "--",
                        program)
                .expect(0);
        assertEquals(plain.text(), traced.text());
        TraceFile.check(trace);
        List<String> accesses = Files.readAllLines(text).stream()
                .filter(line -> line.matches("[LS].*"))
                .toList();
        assertEquals(
                name.startsWith("markerscpp") ? 3 : 13,
                accesses.size(),
                () -> String.join("\n", accesses));
        assertTrue(
                accesses.stream().noneMatch(line -> line.contains("outside")),
                () -> String.join("\n", accesses));
        assertTrue(accesses.get(0).startsWith("S$0:"), accesses.get(0));
    }

    @Test
    void shouldSayThatNoMarkerWasSeen() throws Exception {
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "--engine",
                        engine,
                        "--start",
                        "marker",
                        "-o",
                        trace.toString(),
                        "--",
                        MadtRun.program("globals.O0").toString())
                .expect(0);
        assertTrue(
                run.errors().contains("marker") || run.errors().contains("MadT_start"),
                run.errors());
        assertEquals(0, TraceFile.check(trace).accesses());
    }

    @ParameterizedTest
    @ValueSource(strings = "environment.O2")
    @SoakCases("environment.O0")
    void shouldLeaveTheEnvironmentAsItIs(String name) throws Exception {
        String program = MadtRun.program(name).toString();
        MadtRun plain = MadtRun.command(directory, List.of(program)).expect(0);
        MadtRun traced = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        directory.resolve("t.madt").toString(),
                        "--",
                        program)
                .expect(0);
        assertEquals(plain.text(), traced.text());
    }

    /**
     * Forks while another thread opens and closes windows: who was in the midst of it is not there
     * in the child.
     */
    @Test
    void shouldGoOnInChildrenThatAreForkedMeanwhile() throws Exception {
        String children = Integer.toString(Tier.of(1000, 60));
        MadtRun run = MadtRun.madt(
                directory,
                "run",
                "-q",
                "-f",
                "--engine",
                engine,
                "--start",
                "marker",
                "-o",
                directory.resolve("t.madt").toString(),
                "--",
                MadtRun.program("threads/marked_forks").toString(),
                children);
        assertEquals(0, run.status(), () -> run.text() + run.errors());
        assertEquals(children + " of " + children + "\n", run.text());
    }
}
