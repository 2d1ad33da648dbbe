package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what commands for accesses say of traces that hold calls, or calls alone. */
class CallTracesIT {
    private static final int NOTHING = 1;

    @TempDir
    Path directory;

    /** A trace of a program that calls, in {@code NAME.madt}. */
    private void record(String name, String kinds) throws Exception {
        Path program = CallProgram.build(directory, "threads.c");
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--record",
                        kinds,
                        "-o",
                        name + ".madt",
                        "--",
                        "" + program,
                        "1")
                .expect(0);
    }

    private MadtRun diff(String before, String after, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("diff"));
        command.addAll(List.of(options));
        command.addAll(List.of(before + ".madt", after + ".madt"));
        return MadtRun.madt(directory, command.toArray(String[]::new));
    }

    /** The commands of a line {@code next:}, each of which must do. */
    private List<String> next(String errors) throws Exception {
        String line = errors.lines()
                .filter(said -> said.startsWith("madt: next: "))
                .findFirst()
                .orElseThrow(() -> new AssertionError(errors));
        List<String> commands =
                List.of(line.substring("madt: next: madt ".length()).split(" {5}madt "));
        for (String command : commands) {
            MadtRun.madt(directory, command.split(" ")).expect(0);
            Files.deleteIfExists(directory.resolve("grown.html"));
        }
        return commands;
    }

    @Test
    void shouldLeadFromDiffToWhatComparesCalls() throws Exception {
        record("first", "calls");
        record("second", "calls");
        MadtRun alone = diff("first", "second");
        assertEquals(NOTHING, alone.status(), alone.errors());
        assertEquals("", alone.text());
        assertTrue(alone.errors().contains("both traces have calls, and no accesses"), "" + alone);
        String flame = "flame --by calls --diff first.madt second.madt";
        assertTrue(next(alone.errors()).contains(flame), alone.errors());
        MadtRun blocks = diff("first", "second", "--by", "site", "--measure", "allocated");
        assertTrue(blocks.expect(0).text().contains("rows with equal allocated"), "" + blocks);
        MadtRun all = diff("first", "second", "--all", "--by", "line", "--function", "main");
        assertFalse(all.errors().contains("selection"), all.errors());
        assertTrue(next(all.errors()).contains(flame.replace("flame", "flame --all")), "" + all);
    }

    @Test
    void shouldLeadFromReportsOfAccessesToThoseOfCalls() throws Exception {
        record("calls", "calls");
        MadtRun report = MadtRun.madt(directory, "report", "calls.madt");
        assertEquals(NOTHING, report.status(), report.errors());
        assertEquals("", report.text());
        assertEquals(
                List.of("report --by call calls.madt", "flame calls.madt"), next(report.errors()));
        MadtRun sites =
                MadtRun.madt(directory, "report", "--by", "site", "calls.madt").expect(0);
        assertTrue(sites.text().contains("<malloc@works+"), sites.text());
    }

    /** Checks what a command for accesses says of calls alone: what is missing, and what to do. */
    private void checkCallsAlone(String... command) throws Exception {
        MadtRun run = MadtRun.madt(directory, command);
        assertEquals(NOTHING, run.status(), "" + run);
        assertEquals("", run.text());
        assertTrue(
                run.errors()
                        .contains("madt: calls.madt has calls and no accesses, which 'madt "
                                + command[0] + "' needs. Record both: madt trace --record"
                                + " accesses,calls -- PROG\n"),
                "" + run);
        assertEquals(
                List.of("report --by call calls.madt", "flame calls.madt"), next(run.errors()));
    }

    @Test
    void shouldSayThatViewsOfAccessesShowNothingOfCalls() throws Exception {
        record("calls", "calls");
        checkCallsAlone("report", "calls.madt");
        checkCallsAlone("report", "--by", "block,thread", "calls.madt");
        checkCallsAlone("heatmap", "calls.madt");
        checkCallsAlone("heatmap", "--thread", "1", "-o", "pages.svg", "calls.madt");
        checkCallsAlone("view", "calls.madt");
        for (String format : List.of("lackey", "callgrind", "cachegrind", "oprofile", "dinero")) {
            checkCallsAlone("convert", "--to", format, "calls.madt");
        }
        checkCallsAlone("convert", "--to", "lackey", "--kind", "load", "-o", "l", "calls.madt");
        try (var files = Files.list(directory)) {
            assertEquals(
                    List.of("calls.madt", "threads"),
                    files.map(file -> "" + file.getFileName()).sorted().toList());
        }
        for (String format : List.of("csv", "jsonl", "dhat", "massif")) {
            MadtRun.madt(directory, "convert", "--to", format, "calls.madt").expect(0);
        }
        MadtRun defects = MadtRun.madt(directory, "defects", "calls.madt").expect(0);
        assertTrue(defects.errors().contains("no accesses: only wrong frees"), "" + defects);
    }

    @Test
    void shouldSayWhatTwoTracesHaveInCommon() throws Exception {
        record("calls", "calls");
        record("accesses", "accesses");
        record("both", "accesses,calls");
        MadtRun nothing = diff("accesses", "calls");
        assertEquals(NOTHING, nothing.status(), nothing.errors());
        assertTrue(
                nothing.errors()
                        .contains("calls.madt has calls and no accesses, accesses.madt has"
                                + " accesses and no calls: there is nothing to compare"),
                nothing.errors());
        assertFalse(nothing.errors().contains("next:"), nothing.errors());
        MadtRun common = diff("calls", "both");
        assertEquals(NOTHING, common.status(), common.errors());
        assertTrue(
                next(common.errors()).contains("flame --by calls --diff calls.madt both.madt"),
                common.errors());
        MadtRun rows = diff("both", "both", "--function", "nothing");
        assertEquals(0, rows.status(), rows.errors());
        assertTrue(next(rows.errors()).size() > 1, rows.errors());
        MadtRun accesses = diff("accesses", "both").expect(0);
        assertFalse(accesses.errors().contains("next:"), accesses.errors());
    }

    private String info(String trace, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("info"));
        command.addAll(List.of(options));
        command.add(trace + ".madt");
        return MadtRun.madt(directory, command.toArray(String[]::new)).expect(0).text();
    }

    @Test
    void shouldNotCountInInfoWhatWasNotRecorded() throws Exception {
        record("calls", "calls");
        record("both", "accesses,calls");
        List<String> rows = List.of("loads  ", "stores  ", "bulk transfers  ");
        String read = info("calls", "--verify");
        String told = info("calls");
        String both = info("both", "--verify");
        for (String row : rows) {
            assertFalse(read.contains("\n" + row), read);
            assertFalse(told.contains("\n" + row), told);
            assertTrue(both.contains("\n" + row), both);
        }
        assertTrue(read.matches("(?s).*\ncalls +[0-9,]+ entered.*\naccesses +none\n.*"), read);
        assertTrue(read.contains("\nallocations  "), read);
        assertFalse(read.contains("\nnames") || read.contains("own code"), read);
        assertFalse(told.contains("\nnames"), told);
        assertFalse((read + told).contains("\n\n\n"), read);
        assertTrue(both.contains("\nnames  "), both);
    }
}
