package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that what {@code madt sql} says of a trace is what other commands say of it. */
class SqlIT {
    private static final String SUMS =
            "count(*) filter (kind = 'L') loads, count(*) filter (kind = 'S') stores,"
                    + " sum(size) bytes from accesses group by all";

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** The rows of a query, each as its values by the names of the columns. */
    private List<Map<String, String>> query(String trace, String query) throws Exception {
        Path file = directory.resolve("rows.csv");
        madt("sql", "-f", "-o", file.toString(), "--format", "csv", trace, query);
        return rows(Files.readString(file));
    }

    private List<Map<String, String>> csv(String... arguments) throws Exception {
        return rows(madt(arguments));
    }

    private static List<Map<String, String>> rows(String csv) {
        List<String> lines = csv.lines().toList();
        List<String> keys = CsvLine.cells(lines.get(0));
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = CsvLine.cells(line);
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                row.put(keys.get(i), cells.get(i));
            }
            rows.add(row);
        }
        return rows;
    }

    /** Loads, stores and bytes by a name, of rows that have any. */
    private static Map<String, String> sums(
            List<Map<String, String>> rows, Function<Map<String, String>, String> name) {
        Map<String, String> sums = new TreeMap<>();
        for (Map<String, String> row : rows) {
            if (!row.get("loads").equals("0") || !row.get("stores").equals("0")) {
                String sum = row.get("loads") + " " + row.get("stores") + " " + row.get("bytes");
                assertEquals(null, sums.put(name.apply(row), sum), () -> "two of " + row);
            }
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "stringops.O2", "matrix.O2"})
    void shouldCountWhatReportsCount(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        Map<String, String> functions = sums(
                csv("report", "--by", "function", "--format", "csv", trace),
                row -> row.get("function") + " " + row.get("module").replaceAll("^\\[|\\]$", ""));
        assertTrue(functions.size() > 3, functions.toString());
        assertEquals(
                functions,
                sums(
                        query(trace, "select function, module, " + SUMS),
                        row -> row.get("function") + " " + row.get("module")));
        assertEquals(
                sums(
                        csv("report", "--by", "symbol", "--format", "csv", trace),
                        row -> row.get("symbol") + " " + row.get("region")),
                sums(
                        query(trace, "select data, region, " + SUMS),
                        row -> row.get("data") + " " + row.get("region")));
        assertEquals(
                sums(
                        csv("report", "--by", "thread", "--format", "csv", trace),
                        row -> row.get("thread")),
                sums(query(trace, "select thread, " + SUMS), row -> row.get("thread")));
    }

    /** Every column of every row, in the order of the trace. */
    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2"})
    void shouldHaveTheRowsThatOthersAreGiven(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        String columns = "number,thread,kind,address,size,symbol,member,offset,region,block,site,"
                + "allocated_at,function,code,module,file,line";
        List<String> expected = csv("convert", "--to", "csv", "--demangle", trace).stream()
                .filter(row -> row.get("kind").matches("[LS]"))
                .map(row -> text(row, columns))
                .toList();
        assertTrue(expected.size() > 1000, expected.size() + " rows");
        assertEquals(
                expected,
                query(
                                trace,
                                "select "
                                        + columns.replace(
                                                        "address,",
                                                        "printf('0x%x', address) address,")
                                                .replace("offset", "\"offset\"")
                                        + " from accesses order by number")
                        .stream()
                        .map(row -> text(row, columns))
                        .toList());
    }

    private static String text(Map<String, String> row, String columns) {
        return List.of(columns.split(",")).stream()
                .map(column -> column + "=" + row.get(column).replaceAll("^'(?=[-=+@])", ""))
                .collect(Collectors.joining(" "));
    }

    /** Checks that a selection while the trace is read is what a condition selects. */
    @Test
    void shouldSelectByArgumentsAsByConditions() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String counts = "select function, kind, count(*) n, min(number) least from accesses";
        for (String[] both : new String[][] {
            {"function := 'append'", "function = 'append'"},
            {"kind := 'store'", "kind = 'S'"},
            {"region := '[heap]'", "region = '[heap]'"},
            {"first := 100, last := 2000", "number between 100 and 2000"}
        }) {
            List<Map<String, String>> expected =
                    query(trace, counts + " where " + both[1] + " group by all order by all");
            assertTrue(!expected.isEmpty(), both[1]);
            assertEquals(
                    expected, query(trace, counts + "(" + both[0] + ") group by all order by all"));
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAQuery() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String said = MadtRun.madt(directory, "sql", trace, "select functoin from accesses")
                .expect(2)
                .errors();
        assertTrue(
                said.contains("functoin") && said.contains("function") && said.contains("LINE 1:"),
                said);
        assertTrue(
                MadtRun.madt(directory, "sql", trace, "select sum(line) frm accesses where")
                        .expect(2)
                        .errors()
                        .contains("syntax error"),
                said);
        String kind = MadtRun.madt(directory, "sql", trace, "from accesses(kind := 'x')")
                .expect(1)
                .errors();
        assertTrue(kind.startsWith("madt: --kind is a list of access,"), kind);
    }

    /** Statements in front of the last one make what it reads; all forms have the same rows. */
    @Test
    void shouldWriteFilesThatItReads() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        Path parquet = directory.resolve("rows.parquet");
        madt(
                "sql",
                "-f",
                "--format",
                "parquet",
                "-o",
                parquet.toString(),
                trace,
                "create view mine as from accesses; select * from mine");
        Path json = directory.resolve("rows.json");
        madt("sql", "-f", "--format", "json", "-o", json.toString(), trace, "from accesses");
        String same = "select count(*) n, sum(hash(a)) h from ";
        assertEquals(query(trace, same + "accesses a"), query(trace, same + "'" + parquet + "' a"));
        assertEquals(
                query(trace, "select count(*) n, sum(address) a from accesses"),
                query(trace, "select count(*) n, sum(address) a from '" + json + "'"));
    }

    @Test
    void shouldGiveTheSoundPartOfADamagedTrace() throws Exception {
        byte[] whole = Files.readAllBytes(Recording.of(MadtRun.program("heap.O0")));
        Path cut = directory.resolve("cut.madt");
        Files.write(cut, Arrays.copyOf(whole, whole.length * 2 / 3));
        MadtRun report = MadtRun.madt(
                directory, "report", "--by", "thread", "--format", "csv", cut.toString());
        MadtRun sql = MadtRun.madt(directory, "sql", cut.toString(), "select thread, " + SUMS);
        assertEquals(report.status(), sql.status());
        assertEquals(report.errors(), sql.errors());
        List<Map<String, String>> sound = rows(report.text());
        assertTrue(
                sql.text().replace(",", "").contains(sound.get(0).get("loads")),
                sql.text() + report.text());
    }
}
