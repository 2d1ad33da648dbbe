package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that are begun by the loader, with their file among its arguments, as bundles and
 * wrappers do, are recorded as others are.
 */
class BegunLoaderIT {
    private static final String LOADER = "/lib64/ld-linux-x86-64.so.2";

    @TempDir
    Path directory;

    /** Loads and stores of the program's own functions. */
    private Set<String> own(String trace, String module) throws Exception {
        String csv = MadtRun.madt(directory, "report", "--by", "function", "--format", "csv", trace)
                .expect(0)
                .text();
        return CsvLine.rows(csv).stream()
                .filter(row -> row.get("module").equals('[' + module + ']'))
                .map(row -> String.join(
                        " ",
                        row.get("function").replace(module + ":", ""),
                        row.get("loads"),
                        row.get("stores")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O2", "globals.O0", "globals.nopie"})
    void shouldRecordThemAsByThemselves(String name) throws Exception {
        String program = MadtRun.program(name).toString();
        String printed = MadtRun.madt(directory, "run", "-o", "alone.madt", "--", program)
                .expect(0)
                .text();
        Set<String> alone = own("alone.madt", name);
        assertFalse(alone.isEmpty());
        for (List<String> command : List.of(
                List.of(LOADER, program), List.of("sh", "-c", LOADER + " " + program + "; true"))) {
            MadtRun run = MadtRun.madt(
                            directory,
                            Stream.concat(
                                            Stream.of("run", "-f", "-o", "begun.madt", "--"),
                                            command.stream())
                                    .toArray(String[]::new))
                    .expect(0);
            assertEquals(printed, run.text());
            assertFalse(run.errors().contains("patched"), run.errors());
            try (Stream<Path> traces = Files.list(directory)) {
                String last = traces.map(trace -> trace.getFileName().toString())
                        .filter(trace -> trace.startsWith("begun.madt"))
                        .max(String::compareTo)
                        .orElseThrow();
                assertEquals(alone, own(last, name));
            }
        }
    }

    @Test
    void shouldAttachToThem() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        LOADER, MadtRun.program("attach/stacks").toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            for (int looks = 0; looks < 3000 && Files.size(output) == 0; looks++) {
                Thread.sleep(10);
            }
            MadtRun run = MadtRun.told(
                            directory,
                            "run",
                            "-p",
                            "" + process.pid(),
                            "--for",
                            "100ms",
                            "-o",
                            "a.madt")
                    .expect(0);
            assertFalse(run.errors().contains("patched"), run.errors());
        } finally {
            process.destroyForcibly();
        }
        String functions = " " + String.join(" ", own("a.madt", "stacks"));
        for (String function : List.of("below", "above", "first_block", "common")) {
            assertTrue(functions.contains(" " + function + " "), functions);
        }
    }
}
