package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that {@code madt sql}, {@code report}, {@code print} and {@code convert} count the same
 * accesses of each process and source line of a run.
 */
class SqlSumsIT {
    private static final String COUNTS = "count(*) filter (kind = 'L') loads,"
            + " count(*) filter (kind = 'S') stores from accesses group by all";

    @TempDir
    Path directory;

    /** Loads and stores by a name. */
    private static final class Sums extends TreeMap<String, List<Long>> {
        void add(String name, long loads, long stores) {
            if (loads + stores > 0) {
                merge(
                        name,
                        List.of(loads, stores),
                        (one, other) ->
                                List.of(one.get(0) + other.get(0), one.get(1) + other.get(1)));
            }
        }

        void add(String name, Map<String, String> row) {
            add(name, Long.parseLong(row.get("loads")), Long.parseLong(row.get("stores")));
        }

        void add(String name, String kind) {
            add(name, kind.equals("L") ? 1 : 0, kind.equals("S") ? 1 : 0);
        }
    }

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** The first word of a case is what is recorded, with a plus between its parts. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "accesses cpp.O2",
                "accesses threads/churn 3 10",
                "accesses defects/correct/forks",
                "accesses+calls dispatch.O2"
            })
    @SoakCases({
        "accesses heap.O0",
        "accesses stringops.O2",
        "accesses matrix.O2",
        "accesses oracle/containers",
        "accesses locks/lines",
        "accesses families",
        "accesses /bin/sh -c true|sort|wc;/bin/echo",
        "accesses+calls vector.O0"
    })
    void shouldCountWhatOthersCount(String recorded) throws Exception {
        List<String> words = new ArrayList<>(List.of(recorded.split(" ")));
        Path file = MadtRun.program(words.get(1));
        words.set(1, file.toString());
        Recorder recorder =
                new Recorder(directory).with("--record", words.get(0).replace('+', ','));
        recorder.run(words.subList(1, words.size()).toArray(String[]::new));
        String trace = recorder.trace().toString();
        List<Map<String, String>> rows =
                CsvLine.rows(madt("convert", "--to", "csv", "--all", trace)).stream()
                        .filter(row -> row.get("kind").matches("[LS]"))
                        .toList();
        checkProcesses(trace, rows);
        checkLines(trace, rows);
        if (words.get(0).contains("calls")) {
            checkPaths(trace);
            checkTimes(trace);
        }
    }

    private void checkPaths(String trace) throws Exception {
        Sums reported = new Sums();
        for (Map<String, String> row :
                CsvLine.rows(madt("report", "--by", "path", "--format", "csv", trace))) {
            reported.add(row.get("path"), Long.parseLong(row.get("accesses")), 0);
        }
        assertTrue(reported.size() > 3, reported.toString());
        String query = " path as name, count(*) loads, 0 as stores from accesses";
        assertEquals(reported, sql(trace, "select" + query + " group by all"));
        String function = "select max(function) from calls";
        String some = query + " where number > 99 and function = (" + function + ") group by all";
        assertEquals(
                sql(trace, "select" + some),
                sql(
                        trace,
                        "select"
                                + some.replace(
                                        "accesses where number > 99 and",
                                        "accesses(first := 100) where")));
    }

    /** An access right behind an entry has its time. */
    private void checkTimes(String trace) throws Exception {
        String query = "select 'same' as name, count(*) filter (a.time = c.time) loads,"
                + " count(*) filter (a.time is distinct from c.time) stores"
                + " from accesses a join calls c on a.number = c.number + 1"
                + " and a.thread = c.thread where c.kind = 'B'";
        List<Long> counts = sql(trace, query).get("same");
        assertTrue(counts.get(0) > 0);
        assertEquals(0, counts.get(1));
    }

    private void checkProcesses(String trace, List<Map<String, String>> rows) throws Exception {
        String first = rows.get(0).get("thread"); // of one process alone there is no column
        Sums expected = new Sums();
        rows.forEach(row -> expected.add(row.getOrDefault("process", first), row.get("kind")));
        assertEquals(expected, sql(trace, "select process::varchar as name, " + COUNTS));
        Sums reported = new Sums();
        for (Map<String, String> row : CsvLine.rows(
                madt("report", "--by", "process", "--all", "--format", "csv", trace))) {
            reported.add(row.get("process").split(" ")[0], row);
        }
        assertEquals(expected, reported);
        Sums printed = new Sums();
        for (Path each : traces()) {
            madt("print", "--kind", "access", each.toString())
                    .lines()
                    .forEach(line ->
                            printed.add(each.getFileName().toString(), line.substring(0, 1)));
        }
        assertEquals(printed, sql(trace, "select trace as name, " + COUNTS));
    }

    private void checkLines(String trace, List<Map<String, String>> rows) throws Exception {
        Sums expected = new Sums();
        rows.forEach(row -> expected.add(line(row.get("file"), row.get("line")), row.get("kind")));
        Sums found = new Sums();
        sql(trace, "select coalesce(file, '') || ':' || coalesce(line, 0) as name, " + COUNTS)
                .forEach((name, counts) -> {
                    int at = name.lastIndexOf(':');
                    found.add(
                            line(name.substring(0, at), name.substring(at + 1)),
                            counts.get(0),
                            counts.get(1));
                });
        assertEquals(expected, found);
        Sums reported = new Sums();
        for (Map<String, String> row : CsvLine.rows(
                madt("report", "--by", "line", "--exact", "--all", "--format", "csv", trace))) {
            reported.add(row.get("line").replaceFirst(".*/", ""), row);
        }
        assertEquals(expected, reported);
    }

    /** A line as reports have it: without the folders of its file. */
    private static String line(String file, String line) {
        return file.isEmpty() ? "?" : file.substring(file.lastIndexOf('/') + 1) + ":" + line;
    }

    private Sums sql(String trace, String query) throws Exception {
        Sums sums = new Sums();
        for (Map<String, String> row :
                CsvLine.rows(madt("sql", "--all", "--format", "csv", trace, query))) {
            sums.add(row.get("name"), row);
        }
        return sums;
    }

    private List<Path> traces() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().contains(".madt")).toList();
        }
    }
}
