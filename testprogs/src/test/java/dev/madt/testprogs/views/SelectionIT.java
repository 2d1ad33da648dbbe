package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Names that a report prints, given back to report, print, convert and heatmap: each finds what the
 * row counts. Every name with {@code -Dmadt.soak=true}; otherwise some from all over each report.
 */
class SelectionIT {
    private static final int NAMES = Tier.of(Integer.MAX_VALUE, 2);

    @TempDir
    Path directory;

    @TempDir
    static Path rust;

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    /**
     * Returns what the command writes into a file, whose name says that a heatmap is to be a page.
     */
    private String madt(List<String> arguments) throws Exception {
        Path result = directory.resolve("result.html");
        List<String> words = new ArrayList<>(arguments);
        words.addAll(1, List.of("-f", "-o", result.toString()));
        MadtRun.madt(directory, words.toArray(String[]::new)).expect(0);
        return Files.readString(result);
    }

    private static String record(String program) {
        return Recording.of(MadtRun.program(program)).toString();
    }

    @ParameterizedTest
    @CsvSource({
        "heap.O0, symbol, symbol",
        "heap.O0, site, site",
        "cpp.O2, function, function",
        "cpp.O2, line, line",
        "heap.O0, type, type",
        "freed.O0, block, symbol"
    })
    @SoakCases({
        "heap.O0, function, function",
        "heap.O0, block, symbol",
        "cpp.O2, symbol, symbol",
        "cpp.O2, site, site",
        "cpp.O2, block, symbol"
    })
    void shouldTakeTheNamesOfAReport(String program, String key, String option) throws Exception {
        assertTakesNames(record(program), key, option);
    }

    /** Rust mangles in two ways, and reports print the names of the source. */
    @ParameterizedTest
    @CsvSource({"legacy, function, function", "v0, symbol, symbol"})
    @SoakCases({
        "legacy, symbol, symbol",
        "legacy, site, site",
        "v0, function, function",
        "v0, block, symbol"
    })
    void shouldTakeTheNamesOfRust(String mangling, String key, String option) throws Exception {
        String trace = recordRust(mangling);
        String report = String.join("\n", lines("report", "--by", key, "--format", "csv", trace));
        Map<String, String> known = Map.of(
                "function",
                "words::letters::note",
                "symbol",
                "words::SEEN",
                "site",
                "words::fill",
                "block",
                "words::SEEN");
        assertTrue(report.contains(known.get(key)), report);
        assertFalse(report.matches("(?s).*\\b(_R[A-Z]|_ZN).*"), report);
        assertTakesNames(trace, key, option);
    }

    private static String recordRust(String mangling) throws Exception {
        Path program = rust.resolve("words." + mangling);
        if (!Files.exists(program)) {
            assumeTrue(
                    MadtRun.command(rust, List.of("env", "rustc", "--version")).status() == 0,
                    "no rustc");
            MadtRun.command(
                            rust,
                            List.of(
                                    "env",
                                    "RUSTC_BOOTSTRAP=1",
                                    "rustc",
                                    "-Zunstable-options",
                                    "-Csymbol-mangling-version=" + mangling,
                                    "-Copt-level=1",
                                    "-g",
                                    "--edition=2021",
                                    "-o",
                                    program.toString(),
                                    MadtRun.root()
                                            .resolve("testprogs/src/words.rs")
                                            .toString()))
                    .expect(0);
        }
        return Recording.of(program).toString();
    }

    private void assertTakesNames(String trace, String key, String option) throws Exception {
        List<Map<String, String>> rows =
                rows(lines("report", "--by", key, "--format", "csv", trace));
        String column = key.equals("site") ? "allocation_site" : key;
        Map<String, List<Map<String, String>>> byName = new LinkedHashMap<>();
        for (Map<String, String> row : rows) {
            String name = row.get(column);
            if (!name.equals("?")
                    && !name.contains("*")
                    && !name.contains("?")
                    && accesses(row) > 0) {
                byName.computeIfAbsent(name, absent -> new ArrayList<>()).add(row);
            }
        }
        List<String> names = new ArrayList<>(byName.keySet());
        assertTrue(names.size() > 2, names.toString());
        int step = Math.max(1, names.size() / NAMES);
        for (int i = 0; i < names.size(); i += step) {
            assertFound(trace, key, option, names.get(i), byName.get(names.get(i)));
        }
    }

    private void assertFound(
            String trace, String key, String option, String name, List<Map<String, String>> rows)
            throws Exception {
        long expected = rows.stream().mapToLong(SelectionIT::accesses).sum();
        List<String> selection = List.of("--" + option, name, trace);
        List<String> report = new ArrayList<>(List.of("report", "--by", key, "--format", "csv"));
        report.addAll(selection);
        List<Map<String, String>> found = rows(madt(report).lines().toList());
        String column = key.equals("site") ? "allocation_site" : key;
        assertEquals(
                rows.size(),
                found.stream().filter(row -> row.get(column).equals(name)).count(),
                name);
        assertEquals(expected, found.stream().mapToLong(SelectionIT::accesses).sum(), name);
        List<String> print = new ArrayList<>(List.of("print", "--kind", "access"));
        print.addAll(selection);
        assertEquals(expected, madt(print).lines().count(), name);
        List<String> convert =
                new ArrayList<>(List.of("convert", "--to", "lackey", "--no-instructions"));
        convert.addAll(selection);
        long converted = madt(convert)
                .lines()
                .mapToLong(line -> line.startsWith(" M") ? 2 : line.matches(" [LS].*") ? 1 : 0)
                .sum();
        assertEquals(expected, converted, name);
        List<String> heatmap = new ArrayList<>(List.of("heatmap"));
        heatmap.addAll(selection);
        String cells = madt(heatmap);
        assertEquals(
                expected,
                CountsIT.column(cells, "cells", 6, 4) + CountsIT.column(cells, "cells", 6, 5),
                name);
    }

    private static long accesses(Map<String, String> row) {
        return Long.parseLong(row.get("loads")) + Long.parseLong(row.get("stores"));
    }

    /**
     * The rows of a table in csv, by the names of their columns, without the total and what
     * follows.
     */
    private static List<Map<String, String>> rows(List<String> csv) {
        List<String> heading = CsvLine.cells(csv.get(0));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : csv.subList(1, csv.size())) {
            List<String> cells = CsvLine.cells(line);
            if (line.isEmpty()) {
                break;
            }
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < heading.size(); i++) {
                row.put(heading.get(i), cells.get(i));
            }
            rows.add(row);
        }
        assertFalse(rows.isEmpty(), csv.toString());
        return rows;
    }

    @Test
    void shouldSayWhatMayHaveBeenMeant() throws Exception {
        String trace = record("heap.O0");
        MadtRun run =
                MadtRun.madt(directory, "report", "--function", "apend", trace).expect(0);
        assertTrue(
                run.errors()
                        .contains("is in the selection. There is no such function. Did you mean"
                                + " 'append'?"),
                run.errors());
    }

    @Test
    void shouldSayHowMuchIsSelected() throws Exception {
        String trace = record("heap.O0");
        MadtRun run = MadtRun.madt(directory, "report", "--until", "9", trace).expect(0);
        assertTrue(
                run.errors().matches("(?s)madt: the selection has 10 of [0-9,]+ events\\.\n.*"),
                run.errors());
    }
}
