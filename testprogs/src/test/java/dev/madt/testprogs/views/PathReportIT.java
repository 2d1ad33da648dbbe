package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accesses by the chains of calls that led to them, whose counts the program determines. */
class PathReportIT {
    private static final String SOURCE =
            """
            #include <stdlib.h>
            int table[64], other[64];
            int *made;
            int leaf(int i) { table[i & 63] += i; return other[i & 63]; }
            int left(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += leaf(i); return sum; }
            int right(int n) { int sum = made[1]; made[2] = n; return sum + left(n) + leaf(n); }
            int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
            void sort(void) { qsort(table, 64, sizeof(int), order); }
            int main(void)
            {
                made = malloc(40);
                made[1] = 0;
                int sum = left(31) + right(17);
                sort();
                return sum < 0;
            }
            """;

    @TempDir
    static Path folder;

    private static String trace;

    @BeforeAll
    static void record() throws Exception {
        Path source = Files.writeString(folder.resolve("paths.c"), SOURCE);
        Path program = folder.resolve("paths");
        MadtRun.command(
                        folder,
                        List.of("gcc", "-O0", "-g", "-o", program.toString(), source.toString()))
                .expect(0);
        trace = folder.resolve("paths.madt").toString();
        MadtRun.madt(
                        folder,
                        "trace",
                        "-q",
                        "--record",
                        "accesses,calls",
                        "-o",
                        trace,
                        "--",
                        program.toString())
                .expect(0);
    }

    /** Cells behind the first ones by those, of rows with accesses; blanks between several. */
    private static Map<String, String> rows(int names, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", "--format", "csv"));
        command.addAll(List.of(options));
        command.add(trace);
        Map<String, String> rows = new TreeMap<>();
        for (String row : MadtRun.madt(folder, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .toList()) {
            List<String> cells = CsvLine.cells(row);
            rows.put(
                    String.join(" ", cells.subList(0, names)),
                    String.join(" ", cells.subList(names, cells.size())));
        }
        return rows;
    }

    @Test
    void shouldCountDataByPath() throws Exception {
        Map<String, String> rows =
                rows(2, "--by", "path,symbol", "--columns", "path,symbol,loads,stores");
        assertEquals("31 31", rows.get("main;left;leaf table"));
        assertEquals("31 0", rows.get("main;left;leaf other"));
        assertEquals("17 17", rows.get("main;right;left;leaf table"));
        assertEquals("1 1", rows.get("main;right;leaf table"));
        Map<String, String> sites =
                rows(2, "--by", "site,path", "--columns", "allocation_site,path,loads,stores");
        assertEquals(
                List.of("0 1", "1 1"),
                sites.entrySet().stream()
                        .filter(row -> row.getKey().startsWith("<malloc@main"))
                        .map(Map.Entry::getValue)
                        .sorted()
                        .toList());
    }

    /** The table of calls has the accesses of each path, too. */
    @Test
    void shouldCountWhatTheTableOfCallsCounts() throws Exception {
        Map<String, Long> expected = new TreeMap<>();
        rows(1, "--by", "path", "--columns", "path,accesses").forEach((path, accesses) -> {
            if (Long.parseLong(accesses) > 0) {
                expected.put(path, Long.parseLong(accesses));
            }
        });
        Map<String, Long> found = new TreeMap<>();
        rows(1, "--by", "path", "--kind", "access", "--columns", "path,loads,stores")
                .forEach((path, counts) -> found.put(
                        path,
                        Long.parseLong(counts.split(" ")[0])
                                + Long.parseLong(counts.split(" ")[1])));
        assertEquals(expected, found);
        assertTrue(found.size() >= 5, found.toString());
    }

    @Test
    void shouldSelectByAnythingElse() throws Exception {
        assertEquals(
                Map.of(
                        "main;left;leaf",
                        "31 0",
                        "main;right;left;leaf",
                        "17 0",
                        "main;right;leaf",
                        "1 0"),
                rows(1, "--by", "path", "--symbol", "other", "--columns", "path,loads,stores"));
        assertEquals(
                Map.of("main", "0 1", "main;right", "1 1"),
                rows(1, "--by", "path", "--site", "main", "--columns", "path,loads,stores"));
    }

    /**
     * Checks that what libraries do counts for the line at which the function begins that called
     * them.
     */
    @Test
    void shouldChargeLibrariesToTheFunctionsThatCallThem() throws Exception {
        String[] of = {"--by", "path,module", "--columns", "path,module,loads,stores"};
        long expected = sum(rows(2, of), "main;sort.*\\[libc\\.so\\.6]");
        String[] lines = {"--by", "line,module", "--columns", "line,module,loads,stores"};
        Map<String, String> charged = rows(2, lines);
        assertTrue(expected > 100, charged.toString());
        assertEquals(expected, sum(charged, "paths\\.c:8 \\[libc\\.so\\.6]"));
        String[] exact = {"--exact", lines[0], lines[1], lines[2], lines[3]};
        assertEquals(0, sum(rows(2, exact), "paths\\.c:8 \\[libc\\.so\\.6]"));
    }

    private static long sum(Map<String, String> rows, String names) {
        return rows.entrySet().stream()
                .filter(row -> row.getKey().matches(names))
                .flatMap(row -> List.of(row.getValue().split(" ")).stream())
                .mapToLong(Long::parseLong)
                .sum();
    }

    @Test
    void shouldSayWhereThereAreNoPaths() throws Exception {
        String without = folder.resolve("without.madt").toString();
        MadtRun.madt(
                        folder,
                        "run",
                        "-q",
                        "-o",
                        without,
                        "--",
                        folder.resolve("paths").toString())
                .expect(0);
        assertTrue(MadtRun.madt(folder, "report", "--by", "symbol,path", without)
                .expect(1)
                .errors()
                .contains("has no calls. Record them: madt trace --record" + " accesses,calls"));
        assertTrue(MadtRun.madt(folder, "report", "--by", "call,symbol", trace)
                .expect(2)
                .errors()
                .contains("--by call goes with no other key."));
    }
}
