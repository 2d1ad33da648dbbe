package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * docs/reader.py, written from docs/FORMAT.md alone, prints the lines of {@code madt print --raw};
 * the example in the document is true.
 */
class FormatIT {
    private static final Path DOCS = MadtRun.root().resolve("docs");

    @TempDir
    private Path directory;

    @BeforeAll
    static void needsPython() throws Exception {
        boolean found = MadtRun.command(
                                Path.of("/"),
                                List.of("sh", "-c", "command -v python3 && command -v zstd"))
                        .status()
                == 0;
        assumeTrue(found, "python3 or zstd is not installed");
    }

    private MadtRun reader(Path trace) throws Exception {
        return MadtRun.command(
                directory,
                List.of("python3", DOCS.resolve("reader.py").toString(), trace.toString()));
    }

    private void compare(Path trace) throws Exception {
        List<String> expected = Recording.lines(trace, LineOptions.RAW);
        assertTrue(expected.size() > 1, () -> trace + " has " + expected.size() + " lines");
        assertEquals(String.join("\n", expected), reader(trace).expect(0).text().strip());
    }

    @Test
    void shouldPrintTheLinesOfTheDocumentedExample() throws Exception {
        Path trace = DOCS.resolve("example.madt");
        MadtRun check = MadtRun.madt(directory, "check", trace.toString()).expect(0);
        assertTrue(check.text().contains(": sound, "), check.text());
        assertTrue(check.errors().contains("2 events of " + trace + " left out"), check.errors());
        MadtRun.madt(directory, "check", "--strict", trace.toString()).expect(3);
        assertTrue(
                reader(trace).expect(0).errors().contains("2 of kinds that this reader does not"),
                "reader.py counts what it does not know");
        compare(trace);
        assertTrue(
                document().contains(String.join("\n", Recording.lines(trace, LineOptions.BOTH))),
                "FORMAT.md shows other lines");
    }

    @Test
    void shouldExplainTheBytesOfTheDocumentedExample() throws Exception {
        MadtRun.command(
                        directory,
                        List.of(
                                "python3",
                                DOCS.resolve("example.py").toString(),
                                directory.toString()))
                .expect(0);
        assertEquals(
                -1,
                Files.mismatch(DOCS.resolve("example.madt"), directory.resolve("example.madt")),
                "example.py writes another trace");
        List<String> explained = Files.readAllLines(DOCS.resolve("example.txt"));
        assertEquals(explained, Files.readAllLines(directory.resolve("example.txt")));
        List<String> shown = document()
                .lines()
                .filter(line -> line.matches("[0-9a-f]{4}  .*"))
                .toList();
        assertTrue(
                shown.size() > 20 && explained.containsAll(shown),
                "FORMAT.md explains other bytes");
    }

    @Test
    void shouldDocumentEveryKeyOfATrace() throws Exception {
        String keys = document().replaceAll("(?s).*## Keys of `META`(.*?)\n## .*", "$1");
        String dump = MadtRun.madt(
                        directory,
                        "dump",
                        Recording.of(MadtRun.program("heap.O0")).toString())
                .expect(0)
                .text();
        Set<String> unknown = new TreeSet<>(dump.lines()
                .filter(line -> line.matches("  \\w+ = .*"))
                .map(line -> line.strip().split(" ")[0])
                .toList());
        assertTrue(unknown.removeIf(key -> keys.contains("`" + key + "`")), "no keys");
        assertEquals(Set.of(), unknown);
    }

    private static String document() throws IOException {
        return Files.readString(DOCS.resolve("FORMAT.md"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allocations.O0",
                "cpp.O2",
                "heap.O0",
                "letters.O2",
                "modify.O0",
                "stringops.O2"
            })
    void shouldPrintTheRawLinesOfAProgram(String program) throws Exception {
        compare(Recording.of(MadtRun.program(program)));
    }

    @Test
    void shouldPrintWhatIsThereOfATruncatedTrace() throws Exception {
        byte[] bytes = Files.readAllBytes(Recording.of(MadtRun.program("heap.O0")));
        compareTruncated(Arrays.copyOf(bytes, bytes.length * 2 / 3));
        bytes[bytes.length - 500] ^= 1;
        compareTruncated(bytes);
    }

    private void compareTruncated(byte[] bytes) throws Exception {
        Path trace = Files.write(directory.resolve("cut.madt"), bytes);
        MadtRun read = reader(trace).expect(1);
        assertEquals(
                String.join("\n", Recording.lines(trace, LineOptions.RAW)),
                read.text().strip());
        assertTrue(read.errors().startsWith(trace + ": "), read.errors());
    }

    @ParameterizedTest
    @MethodSource("dev.madt.testprogs.views.NamesIT#programs")
    @Soak
    void shouldPrintTheRawLinesOfEveryProgram(String program) throws Exception {
        compare(Recording.of(MadtRun.program(program)));
    }

    /** Threads, and children of fork with the blocks that they inherit. */
    @ParameterizedTest
    @CsvSource({"churn,12,30", "counters,8,200", "family,3,50", "handover,5,300"})
    @Soak
    void shouldPrintTheRawLinesOfThreadsAndChildren(String program, String first, String second)
            throws Exception {
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        directory + "/%p.madt",
                        "--",
                        MadtRun.program("threads/" + program).toString(),
                        first,
                        second)
                .expect(0);
        for (Path trace : traces()) {
            compare(trace);
        }
    }

    private List<Path> traces() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return new ArrayList<>(
                    files.filter(file -> file.toString().contains(".madt")).toList());
        }
    }
}
