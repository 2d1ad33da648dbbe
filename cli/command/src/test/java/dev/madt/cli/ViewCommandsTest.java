package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.bench.SyntheticTrace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks what all commands that read a trace have in common: outputs, incomplete traces, what they
 * say.
 */
class ViewCommandsTest {
    private static final int RECORDS = 1_013;

    @TempDir
    Path directory;

    private Path trace;

    @BeforeEach
    void makeTrace() throws IOException {
        trace = directory.resolve("t.madt");
        SyntheticTrace.write(trace, RECORDS);
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"report", "convert --to csv", "convert --to dhat", "dump"})
    void shouldWriteToAFileWhatItWritesToStandardOutput(String command) throws Exception {
        String[] words = command.split(" ");
        Path file = directory.resolve("out");
        MadtProcess.Outcome printed = MadtProcess.run(with(words, "-o", "-", trace.toString()));
        MadtProcess.Outcome written =
                MadtProcess.here(with(words, "-o", file.toString(), trace.toString()));
        assertEquals("", printed.err());
        assertEquals("madt: wrote " + file + "\n", written.err());
        assertEquals("", written.out());
        assertFalse(printed.out().isEmpty());
        assertEquals(printed.out(), Files.readString(file));
    }

    private static String[] with(String[] first, String... rest) {
        return Stream.concat(Arrays.stream(first), Arrays.stream(rest)).toArray(String[]::new);
    }

    @Test
    void shouldCallNothingASelectionWhereNobodySelected() throws Exception {
        SyntheticTrace.write(trace, 0);
        assertEquals(
                "madt: " + trace + " has no accesses to show.\n",
                MadtProcess.here("heatmap", trace.toString()).err());
        assertEquals(
                "madt: nothing of " + trace + " is in the selection.\n",
                MadtProcess.here("heatmap", "--kind", "store", "--window", "7", trace.toString())
                        .err());
    }

    @Test
    void shouldNotWriteTextIntoAFileThatIsCalledAPage() throws Exception {
        for (String command : List.of("report", "defects")) {
            MadtProcess.Outcome refused =
                    MadtProcess.here(command, "-o", directory + "/x.html", trace.toString());
            assertEquals(
                    "madt: what goes to " + directory + "/x.html would be text: it can be text,"
                            + " csv, json, as --format says. Pages and pictures come from madt"
                            + " view, heatmap, flame and others.\n",
                    refused.err());
            assertEquals(2, refused.status());
        }
        Path page = directory.resolve("cache.html");
        MadtProcess.here("cache", "-o", page.toString(), trace.toString());
        assertTrue(Files.readString(page).startsWith("<!doctype html>"));
        assertEquals(List.of("cache.html", "t.madt"), files());
    }

    /** Of an incomplete trace, some commands do not know beforehand how long it is. */
    @Test
    void shouldSayOnceThatATraceIsIncomplete() throws Exception {
        byte[] whole = Files.readAllBytes(trace);
        Files.write(trace, Arrays.copyOf(whole, whole.length * 2 / 3));
        MadtProcess.Outcome view =
                MadtProcess.here("view", "-o", directory + "/x.html", trace.toString());
        assertEquals(2, view.err().lines().count(), view.err()); // and what has been written
    }

    @Test
    void shouldLeaveNoFolderWhereNothingIsWritten() throws Exception {
        Path folder = directory.resolve("tables");
        Path none = Files.writeString(directory.resolve("none.madt"), "none");
        MadtProcess.Outcome failed = MadtProcess.here(
                "convert", "--to", "parquet", "-o", folder.toString(), none.toString());
        assertEquals(1, failed.status(), failed.err());
        assertFalse(Files.exists(folder));
    }

    @Test
    void shouldNotOverwriteUnlessForced() throws Exception {
        Path file = Files.writeString(directory.resolve("out"), "precious");
        MadtProcess.Outcome refused =
                MadtProcess.run("report", "-o", file.toString(), trace.toString());
        assertEquals(1, refused.status());
        assertEquals(
                "madt: cannot write " + file + ": the file exists. Use -f to overwrite it.\n",
                refused.err());
        assertEquals("precious", Files.readString(file));
        assertEquals(
                0,
                MadtProcess.run("report", "-f", "-o", file.toString(), trace.toString())
                        .status());
        assertTrue(Files.readString(file).contains("table"));
        assertEquals(List.of("out", "t.madt"), files());
    }

    /**
     * The trace comes from a pipe, and its end never: however slow the machine is, the command is
     * at work when it is ended.
     */
    @Test
    void shouldLeaveNothingBehindWhenItIsInterrupted() throws Exception {
        Process process = new ProcessBuilder(MadtProcess.command(
                        "convert",
                        "--to",
                        "csv",
                        "-o",
                        directory.resolve("out").toString(),
                        "/dev/stdin"))
                .redirectErrorStream(true)
                .start();
        byte[] bytes = Files.readAllBytes(trace);
        process.getOutputStream().write(bytes, 0, bytes.length / 2);
        process.getOutputStream().flush();
        while (process.isAlive() && files().size() == 1) {
            Thread.sleep(20);
        }
        assertTrue(process.isAlive(), () -> "it ended: " + output(process));
        assertTrue(
                files().stream().anyMatch(name -> name.startsWith("out.part")), files().toString());
        process.destroy(); // SIGTERM: whoever starts the tests in the background of a script has
        // SIGINT ignored
        process.waitFor();
        assertEquals(143, process.exitValue(), () -> output(process));
        assertEquals(List.of("t.madt"), files());
    }

    private static String output(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "report, 0",
        "report --strict, 3",
        "convert --to lackey, 0",
        "convert --to dhat --strict, 3",
        "dump, 0",
        "check --strict, 3",
        "heatmap --strict, 3",
        "view --strict -o -, 3",
        "heatmap --view time, 0",
        "print --count 1, 0"
    })
    void shouldReadWhatThereIsOfATruncatedTrace(String command, int status) throws Exception {
        byte[] bytes = Files.readAllBytes(trace);
        Files.write(trace, Arrays.copyOf(bytes, bytes.length - 50));
        MadtProcess.Outcome outcome = MadtProcess.here(with(command.split(" "), trace.toString()));
        assertEquals(status, outcome.status(), outcome.err());
        assertFalse(outcome.out().isEmpty());
        assertTrue(
                command.startsWith("print")
                        || outcome.err().startsWith("madt: the trace is incomplete: " + trace),
                outcome.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report",
                "convert --to lackey",
                "heatmap",
                "view -o -",
                "dump",
                "check",
                "print"
            })
    void shouldRefuseGarbage(String command) throws Exception {
        Files.writeString(trace, "this is no trace\n");
        MadtProcess.Outcome outcome = MadtProcess.here(with(command.split(" "), trace.toString()));
        assertEquals(1, outcome.status());
        assertEquals("", outcome.out());
        assertTrue(
                outcome.err().startsWith("madt: " + trace + ", byte 0: not a MadT trace"),
                outcome.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "report --by functoin|--by is symbol, block, site, type, function, line, module,"
                        + " process, page, region, thread, call or path, not 'functoin'. Did you"
                        + " mean 'function'?",
                "report --columns share,symbl|--columns is one of share, loads, stores, bytes,"
                        + " bulk_events, bulk_bytes, lines, pages, symbol, region, type,"
                        + " allocated_at,"
                        + " not 'symbl'. Did you mean 'symbol'?",
                "report --by symbol,symbol|--by takes up to 3 different keys, as in --by"
                        + " thread,symbol.",
                "report --by block,thread,page,line|--by takes up to 3 different keys, as in --by"
                        + " thread,symbol.",
                "report --format xml|--format is text, csv or json, not 'xml'.",
                "report --top 0|--top is a number from 1, not '0'.",
                "report --color sometimes|--color is auto, always or never, not 'sometimes'.",
                "convert --to calgrind|--to is lackey, callgrind, cachegrind, dhat, massif,"
                        + " heaptrack, oprofile, dinero, csv, jsonl or parquet, not 'calgrind'."
                        + " Did you mean 'callgrind'?",
                "convert|--to is missing: it is one of lackey, callgrind, cachegrind, dhat, massif,"
                        + " heaptrack, oprofile, dinero, csv, jsonl, parquet.",
                "convert --to cachegrind --D1 1000,8,64|--D1 is SIZE,WAYS,LINE, for instance"
                        + " 32K,8,64, not '1000,8,64': 1000 bytes are no whole number of sets of 8"
                        + " lines of 64.",
                "heatmap -o x.pdf|'x.pdf' does not say what to draw: end its name in .png, .svg,"
                        + " .html, .txt.",
                "heatmap --page 1M|--page is 64B, 4K or 2M, not '1M'. Did you mean '2M'?",
                "print --kind laod|--kind is a list of access, all, allocation, block, call, load,"
                        + " store, window and letters of LSYWGMCPREFUBXOQTKV, not 'laod'. Did you"
                        + " mean"
                        + " 'load'?",
                "print --page main|--page is an address in hexadecimal, for instance"
                        + " 0x555555559000, not 'main'."
            })
    void shouldSayWhatAnOptionMayBe(String command, String sentence) throws Exception {
        MadtProcess.Outcome outcome = MadtProcess.here(with(command.split(" "), trace.toString()));
        assertEquals(2, outcome.status());
        assertEquals("madt: " + sentence + "\n", outcome.err());
    }

    @Test
    void shouldSayThatATraceHasNoSourceLines() throws Exception {
        MadtProcess.Outcome outcome = MadtProcess.here("report", "--by", "line", trace.toString());
        assertEquals(1, outcome.status());
        assertEquals(
                "madt: "
                        + trace
                        + " has no source lines. Compile the program with -g, or use --by"
                        + " function.\n",
                outcome.err());
    }

    @Test
    void shouldCountEveryAccessOfTheTrace() throws Exception {
        MadtProcess.Outcome outcome =
                MadtProcess.here("report", "--by", "function", "--format", "csv", trace.toString());
        long accesses = outcome.out()
                .lines()
                .skip(1)
                .mapToLong(line ->
                        Long.parseLong(line.split(",")[1]) + Long.parseLong(line.split(",")[2]))
                .sum();
        assertEquals(RECORDS * SyntheticTrace.ACCESSES_PER_RECORD, accesses);
    }

    @Test
    void shouldColourTextOnDemandOnly() throws Exception {
        assertTrue(MadtProcess.here("report", "--color", "always", trace.toString())
                .out()
                .contains("\033["));
        assertFalse(MadtProcess.here("report", trace.toString()).out().contains("\033["));
    }
}
