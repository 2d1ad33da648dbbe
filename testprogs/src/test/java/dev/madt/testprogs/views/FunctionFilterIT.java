package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what is selected by a function while a trace is read is what remains of all rows when
 * those of other functions are left out afterwards.
 */
class FunctionFilterIT {
    private static final int FUNCTIONS = Tier.of(4, 2);
    private static final String COLUMNS = "number,thread,kind,address,size,symbol,function,code";

    @TempDir
    Path directory;

    private String madt(int status, List<String> arguments) throws Exception {
        return MadtRun.madt(directory, arguments.toArray(String[]::new))
                .expect(status)
                .text();
    }

    private List<Map<String, String>> converted(int status, Path trace, String... more)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("convert", "--to", "csv", "--demangle"));
        words.addAll(List.of(more));
        words.add(trace.toString());
        return CsvLine.rows(madt(status, words)).stream()
                .filter(row -> List.of("L", "S").contains(row.get("kind")))
                .toList();
    }

    private List<Map<String, String>> query(int status, Path trace, String query) throws Exception {
        Path file = directory.resolve("rows.csv");
        madt(
                status,
                List.of(
                        "sql",
                        "-f",
                        "-o",
                        file.toString(),
                        "--format",
                        "csv",
                        trace.toString(),
                        query));
        return CsvLine.rows(Files.readString(file));
    }

    private static List<String> texts(List<Map<String, String>> rows) {
        List<String> keys = List.of(COLUMNS.split(","));
        return rows.stream()
                .map(row -> keys.stream().map(row::get).collect(Collectors.joining(" | ")))
                .toList();
    }

    private static Map<String, Long> counts(List<Map<String, String>> rows) {
        return rows.stream()
                .collect(Collectors.groupingBy(
                        row -> row.get("symbol") + " " + row.get("kind"),
                        TreeMap::new,
                        Collectors.counting()));
    }

    /** Some functions of the rows, without those whose names hold wildcards. */
    private static List<String> functions(List<Map<String, String>> rows, long seed) {
        List<String> all = new ArrayList<>(rows.stream()
                .map(row -> row.get("function"))
                .filter(name -> !name.matches(".*[*?….'\\\\].*"))
                .collect(Collectors.toCollection(TreeSet::new)));
        Collections.shuffle(all, new Random(seed));
        assertTrue(all.size() > 1, all.toString());
        return all.subList(0, Math.min(FUNCTIONS, all.size()));
    }

    private void check(Path trace, int status) throws Exception {
        List<Map<String, String>> all = converted(status, trace);
        for (String function : functions(all, trace.getFileName().hashCode())) {
            List<Map<String, String>> expected = all.stream()
                    .filter(row -> row.get("function").equals(function))
                    .toList();
            String from = " from accesses(function := '" + function + "') ";
            assertEquals(
                    texts(expected),
                    texts(query(
                            status,
                            trace,
                            "select "
                                    + COLUMNS.replace(
                                            "address,", "printf('0x%x', address) address,")
                                    + from + "order by number")),
                    function);
            Map<String, Long> counted = new TreeMap<>();
            for (Map<String, String> row : query(
                    status, trace, "select symbol, kind, count(*) n" + from + "group by all")) {
                counted.put(
                        row.get("symbol") + " " + row.get("kind"), Long.parseLong(row.get("n")));
            }
            assertEquals(counts(expected), counted, function);
            assertEquals(
                    texts(expected),
                    texts(converted(status, trace, "--function", function)),
                    function);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"heap.O0", "cpp.O2", "stringops.O2", "matrix.O2", "sorting.O2", "kernel.O2"})
    void shouldSelectOfProgramsWhatRemainsOfAllRows(String program) throws Exception {
        check(Recording.of(MadtRun.program(program)), 0);
    }

    private Path recorded(Recorder recorder, String... program) throws Exception {
        recorder.run(program).expect(0);
        return recorder.trace();
    }

    @Test
    void shouldDoSoWhereCallsAndStacksAreRecorded() throws Exception {
        String program = MadtRun.program("sorting.O0").toString();
        check(recorded(new Recorder(directory).with("--record", "accesses,calls"), program), 0);
        check(recorded(new Recorder(directory).with("-f", "--stack"), program), 0);
    }

    /** A shell forks; each of its processes has a trace. */
    @Test
    void shouldDoSoOfEachProcess() throws Exception {
        recorded(new Recorder(directory), "/bin/sh", "-c", "for i in 1 2; do (echo $i); done");
        List<Path> traces;
        try (var files = Files.list(directory)) {
            traces = files.filter(file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList();
        }
        assertTrue(traces.size() >= 3, traces.toString());
        for (Path trace : traces) {
            check(trace, 0);
        }
    }

    /** Of a trace that is cut off, and of one with a wrong byte in its second half. */
    @Test
    void shouldDoSoOfTheSoundPartOfATrace() throws Exception {
        String insert = "create table t(a integer primary key, b text); with recursive n(i) as"
                + " (select 1 union all select i+1 from n where i<60)"
                + " insert into t select i, 'row '||i from n;";
        Path whole = recorded(new Recorder(directory), "sqlite3", ":memory:", insert);
        byte[] bytes = Files.readAllBytes(whole);
        Path cut = directory.resolve("cut.madt");
        Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100));
        check(cut, 0);
        Path damaged = directory.resolve("damaged.madt");
        bytes[bytes.length * 9 / 10] ^= 1;
        Files.write(damaged, bytes);
        check(damaged, 1);
    }
}
