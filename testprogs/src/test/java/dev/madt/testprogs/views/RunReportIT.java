package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports that are counted while the program runs. */
class RunReportIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"symbol", "site", "function", "page"})
    void shouldCountWhatTheTraceOfTheSameRunHolds(String key) throws Exception {
        String program = MadtRun.program("crash_exit.O0").toString();
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--report",
                        key,
                        "--format",
                        "csv",
                        "-o",
                        trace.toString(),
                        "--",
                        program)
                .expect(37);
        MadtRun report = MadtRun.madt(
                        directory, "report", "--by", key, "--format", "csv", trace.toString())
                .expect(0);
        assertTrue(report.text().lines().count() > 1, report.text());
        assertEquals(report.text(), run.text());
    }

    @Test
    void shouldWriteNoTraceAndOneReportForEachProcess() throws Exception {
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--no-trace",
                        "--report",
                        "region",
                        "--",
                        "sh",
                        "-c",
                        "true; /bin/true")
                .expect(0);
        List<String> headings = run.text()
                .lines()
                .filter(line -> line.matches("\\S+, process \\d+:"))
                .toList();
        assertTrue(headings.size() >= 2, run.text());
        assertTrue(headings.get(headings.size() - 1).startsWith("true, "), run.text());
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(List.of(), files.toList());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--no-trace, --no-trace leaves nothing to do",
        "--no-trace -o t --report page, -o names the trace file",
        "--top 3, Add --report KEY",
        "--report pages, Did you mean 'page'?",
        "--report page --text -, the report goes to standard output"
    })
    void shouldRefuseWhatDoesNotGoTogether(String options, String sentence) throws Exception {
        MadtRun run = MadtRun.madt(
                        directory,
                        Stream.concat(
                                        Stream.of("run"),
                                        Stream.concat(
                                                Stream.of(options.split(" ")),
                                                Stream.of("--", "true")))
                                .toArray(String[]::new))
                .expect(125);
        assertTrue(run.errors().contains(sentence), run.errors());
        assertEquals(1, run.errors().lines().count(), run.errors());
    }
}
