package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The summary of {@code madt trace} names the stage of a pipeline that takes long. */
class PipelinesIT {
    private static final List<String> STAGES = List.of("take", "change", "pick", "gather");
    private static final int LINES = 200;

    @TempDir
    Path directory;

    private String pipelineOf(String command) throws Exception {
        MadtRun run = MadtRun.process(
                        directory, "trace", "-f", "-o", "t.madt", "--", "sh", "-c", command)
                .expect(0);
        return run.errors()
                .lines()
                .filter(line -> line.contains(" | ") && line.contains(" of its own work"))
                .collect(Collectors.joining("\n"));
    }

    @ParameterizedTest
    @CsvSource({"0, waits", "1, waits", "2, computes", "3, waits"})
    @SoakCases({"0, computes", "1, computes", "2, waits", "3, computes"})
    void shouldNameTheSlowStage(int slow, String how) throws Exception {
        Path stage = CallProgram.build(directory, "stage.c");
        for (String name : STAGES) {
            MadtRun.command(directory, List.of("cp", stage.toString(), name)).expect(0);
        }
        Files.writeString(
                directory.resolve("lines"),
                IntStream.range(0, LINES).mapToObj(i -> i + "\n").collect(Collectors.joining()));
        String said = pipelineOf(IntStream.range(0, STAGES.size())
                .mapToObj(i -> "./" + STAGES.get(i) + (i == slow ? " " + how + " 5000" : "")
                        + (i == 0 ? " <lines" : ""))
                .collect(Collectors.joining(" | ")));
        assertTrue(
                said.startsWith("madt: take | change | pick | gather: " + STAGES.get(slow) + " "),
                said);
        for (String name : STAGES) {
            assertTrue(said.matches(".*[:,] " + name + " [\\d.]+ .*"), said);
        }
    }

    /** A part of a script is a stage, whatever it executes. */
    @Test
    void shouldNameStagesOfShells() throws Exception {
        Files.writeString(directory.resolve("lines"), "one\ntwo\nthree\n");
        String said = pipelineOf("cat lines | while read a; do sleep 0.3; echo $a; done | sort");
        assertTrue(said.matches("madt: cat \\| (\\w+) \\| sort: \\1 .*"), said);
    }

    @Test
    void shouldSayNothingOfOthers() throws Exception {
        assertEquals("", pipelineOf("true; echo one"));
    }
}
