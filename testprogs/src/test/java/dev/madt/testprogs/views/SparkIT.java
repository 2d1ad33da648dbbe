package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.Recording;
import dev.madt.testprogs.SparkCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that Spark says of traces what {@code madt sql} says of them. */
@Soak
class SparkIT {
    /** Queries that both engines understand, with rows in one order and columns that are named. */
    private static final List<String> QUERIES = List.of(
            "select trace, process, count(*) n, sum(size) bytes from accesses group by all"
                    + " order by trace",
            "select function, data, count(*) n, sum(size) bytes from accesses group by all"
                    + " order by n desc, function, data limit 50",
            "select function, module, count(distinct address) addresses, max(number) last_number"
                    + " from accesses group by all order by addresses desc, function limit 50",
            "select thread, kind, region, count(*) n, count(block) n_of_blocks, max(\"offset\")"
                    + " most from accesses group by all order by all",
            "select count(*) n, sum(size) bytes, min(number) least, max(number) most from accesses"
                    + " where function = 'main' and kind = 'S'",
            "select trace, count(*) n, min(number) least, max(number) most, sum(address) addresses"
                    + " from accesses where number between 1000 and 20000 group by all"
                    + " order by all",
            "select type, member, count(*) n from accesses where member is not null"
                    + " group by all order by n desc, type, member limit 50",
            "select file, line, code, count(*) n from accesses where region = 'heap'"
                    + " or function = 'main' group by all order by n desc, file, line, code"
                    + " limit 50",
            "select trace, block, address, size, site, type, born, ended, loads, stores, bytes,"
                    + " last_access from blocks order by trace, block",
            "select size, count(*) n, count(distinct site) sites from blocks group by all"
                    + " order by n desc, size",
            "select e.trace, e.function, calls, accesses from"
                    + " (select trace, site as function, count(*) calls from blocks group by all) e"
                    + " join (select trace, site, count(*) accesses from accesses group by all) f"
                    + " on e.trace = f.trace and e.function = f.site order by all",
            "select trace, number, address >> 6 as line_number from accesses where number < 3"
                    + " order by all",
            "select kind, function, data, from_data, count(*) n, sum(size) bytes from transfers"
                    + " group by all order by all",
            "select * from functions where process > 0 order by all",
            "select * from sites order by all",
            "select * from threads order by all",
            "select process, program, \"window\", accesses, first_number, last_number"
                    + " from processes join windows using (trace, process) order by all",
            "select trace, region, kind, start_address, end_address, size from regions"
                    + " order by all",
            "select count(*) n from calls");

    @TempDir
    Path directory;

    /** Traces of programs with blocks, members and threads, and one that is worth several tasks. */
    private List<String> traces() throws Exception {
        Path folder = Files.createDirectories(directory.resolve("traces"));
        for (String name : List.of("heap.O0", "cpp.O2", "stringops.O2", "matrix.O2")) {
            Files.copy(Recording.of(MadtRun.program(name)), folder.resolve(name + ".madt"));
        }
        record(folder.resolve("threads.madt"), MadtRun.program("threads/churn") + "", "7", "30");
        record(
                folder.resolve("sqlite3.madt"),
                "sqlite3",
                ":memory:",
                "create table t(a integer, b text); with recursive c(x) as (select 1 union all"
                        + " select x + 1 from c where x < 12000) insert into t select x,"
                        + " 'v' || (x * 7919 % 1007) from c; create index i on t(b);"
                        + " select b, count(*) from t group by b order by 2 desc limit 3;");
        try (var files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList();
        }
    }

    private void record(Path trace, String... command) throws Exception {
        Recorder recorder = new Recorder(directory);
        recorder.run(command).expect(0);
        Files.move(recorder.trace(), trace);
    }

    private static List<String> words(List<String> traces, String query, String... options) {
        List<String> words = new ArrayList<>(List.of("sql", "--format", "csv"));
        words.addAll(List.of(options));
        words.addAll(traces);
        words.add(query);
        return words;
    }

    private MadtRun spark(List<String> traces, String query, String master) throws Exception {
        Path home = directory.resolve("spark");
        List<String> words = words(
                traces,
                query,
                "--engine",
                "spark",
                "--spark-jars",
                home.resolve("jars").toString(),
                "--master",
                master);
        words.addAll(
                0,
                List.of(
                        "env",
                        "JAVA_HOME=" + SparkCluster.java(),
                        MadtRun.launcher().toString()));
        return MadtRun.process(directory, words);
    }

    /** The rows that each query has in DuckDB. */
    private String expected(List<String> traces, List<String> queries) throws Exception {
        StringBuilder expected = new StringBuilder();
        for (String query : queries) {
            String rows = MadtRun.madt(directory, words(traces, query).toArray(String[]::new))
                    .expect(0)
                    .text();
            assertTrue(rows.lines().count() > 1, query);
            expected.append(rows);
        }
        return expected.toString();
    }

    @Test
    void shouldAnswerAsDuckDbDoes() throws Exception {
        SparkCluster.home(directory);
        List<String> traces = traces();
        MadtRun run = spark(traces, String.join(";\n", QUERIES), "local[2]").expect(0);
        assertEquals(expected(traces, QUERIES), run.text());
    }

    /** One of two workers is killed as soon as it has begun its second task. */
    @Test
    void shouldAnswerAlsoIfAWorkerIsKilled() throws Exception {
        List<String> queries = QUERIES.subList(0, 4);
        try (SparkCluster cluster = new SparkCluster(directory, 2)) {
            List<String> traces = traces();
            CompletableFuture<MadtRun> run = CompletableFuture.supplyAsync(() -> {
                try {
                    return spark(traces, String.join(";\n", queries), cluster.url());
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            while (cluster.begun(1) < 2) {
                assertFalse(run.isDone(), () -> run.join().errors());
                Thread.sleep(20);
            }
            cluster.kill(1);
            assertFalse(run.isDone(), () -> run.join().errors());
            MadtRun ended = run.get().expect(0);
            assertTrue(ended.errors().contains("Lost executor"), ended.errors());
            assertEquals(expected(traces, queries), ended.text());
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAQuery() throws Exception {
        SparkCluster.home(directory);
        List<String> traces = List.of(Recording.of(MadtRun.program("heap.O0")).toString());
        MadtRun run = spark(traces, "select nosuch from accesses", "local[1]").expect(2);
        assertTrue(run.errors().contains("madt: the query has a fault."), run.errors());
        assertEquals("", run.text());
    }
}
