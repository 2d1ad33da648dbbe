package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries of {@code madt sql} that need more memory than they may have. */
class SqlMemoryIT {
    @TempDir
    Path directory;

    /** The one row of a query, its values by the names of the columns. */
    private Map<String, String> query(String trace, String query, String... options)
            throws Exception {
        List<String> all = new ArrayList<>(List.of("sql", "--format", "csv"));
        all.addAll(List.of(options));
        all.addAll(List.of(trace, query));
        String csv =
                MadtRun.madt(directory, all.toArray(String[]::new)).expect(0).text();
        return CsvLine.rows(csv).get(0);
    }

    /** Sorts and joins more than fits into its memory; what was in its temporary files goes. */
    @Test
    void shouldTakeFilesForWhatItsMemoryDoesNotHold() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String large = "create table large as select hash(a.number * 200 + i) h, a.number * 200"
                + " + i n from accesses a, range(200) r(i) order by h; ";
        Map<String, String> row = query(
                trace,
                large + "select (select any_value(path) from duckdb_temporary_files()) file,"
                        + " (select sum(size) from duckdb_temporary_files()) size,"
                        + " (select count(*) || ' ' || sum(n) || ' ' || count(distinct n)"
                        + " from large) had,"
                        + " (select count(*) from large a join large b using (h)) joined,"
                        + " (select count(*) filter (h < before) from (select h, lag(h) over"
                        + " (order by rowid) before from large)) unsorted",
                "--memory",
                "64M");
        Map<String, String> accesses =
                query(trace, "select count(*) n, sum(number) s from accesses");
        long count = 200 * Long.parseLong(accesses.get("n"));
        long sum = 40_000 * Long.parseLong(accesses.get("s")) + count * 199 / 2;
        assertTrue(Long.parseLong(row.get("size")) > 0, row.toString());
        assertEquals(count + " " + sum + " " + count, row.get("had"));
        assertEquals(Long.toString(count), row.get("joined"));
        assertEquals("0", row.get("unsorted"));
        assertTrue(Files.notExists(Path.of(row.get("file")).getParent()), row.toString());
    }

    @Test
    void shouldSayWhatHelpsWhereThereIsTooLittleRoom() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String large = "create table large as select hash(a.number * 200 + i) h, a.number * 200"
                + " + i n from accesses a, range(200) r(i) order by h";
        assertEquals(
                "madt: the query needs more than the 1.9 MiB that it may use."
                        + " Allow more: --memory SIZE.\n",
                MadtRun.madt(directory, "sql", "--memory", "2M", trace, large)
                        .expect(1)
                        .errors()
                        .replaceFirst("the [0-9.]+ MiB", "the 1.9 MiB"));
        String said = MadtRun.madt(
                        directory,
                        "sql",
                        "--memory",
                        "64M",
                        trace,
                        "set max_temp_directory_size = '1MiB'; " + large)
                .expect(1)
                .errors();
        assertEquals(
                "madt: the query needs more than the 1.0 MiB that its temporary files may take in"
                        + " T: TMPDIR=FOLDER names another place for them, and --memory SIZE keeps"
                        + " more in memory.\n",
                said.replaceFirst(" in \\S+:", " in T:"));
    }

    /** A user who has seen enough: neither the temporary files stay nor a part of the result. */
    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM"})
    void shouldLeaveNoFilesBehindWhenItIsInterrupted(String signal) throws Exception {
        Process sql = start("select hash(i) h, i from range(300000000) t(i) order by h");
        Path folder = null;
        while (folder == null) {
            pause(sql);
            folder = spilled("duckdb_temp_" + sql.pid() + "_");
        }
        end(sql, signal);
        assertTrue(Files.notExists(folder), folder.toString());
    }

    /** The same while rows are written. */
    @Test
    void shouldLeaveNoPartOfAResultBehind() throws Exception {
        Process sql = start("select i from range(30000000000) t(i)");
        do {
            pause(sql);
        } while (left().stream().noneMatch(file -> file.toFile().length() > 0));
        end(sql, "INT");
    }

    private Process start(String query) throws Exception {
        return new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        MadtRun.launcher().toString(),
                        "sql",
                        "--memory",
                        "64M",
                        "--format",
                        "csv",
                        "-o",
                        directory.resolve("rows.csv").toString(),
                        Recording.of(MadtRun.program("heap.O0")).toString(),
                        query)
                .redirectError(directory.resolve("errors").toFile())
                .start();
    }

    private static void pause(Process sql) throws InterruptedException {
        assertTrue(sql.isAlive(), () -> "ended: " + sql.exitValue());
        Thread.sleep(5);
    }

    private void end(Process sql, String signal) throws Exception {
        MadtRun.command(directory, List.of("kill", "-" + signal, Long.toString(sql.pid())))
                .expect(0);
        assertTrue(sql.waitFor(1, TimeUnit.MINUTES));
        assertEquals(signal.equals("INT") ? 130 : 143, sql.exitValue());
        assertEquals("", Files.readString(directory.resolve("errors")));
        assertEquals(List.of(directory.resolve("errors")), left());
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> left = Files.list(directory)) {
            return left.toList();
        }
    }

    /** Returns where temporary files with such a name hold something; null: nowhere so far. */
    private static Path spilled(String name) throws IOException {
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(Path.of("/tmp"), "madt-traces*")) {
            for (Path folder : folders) {
                if (isSpilled(folder, name)) {
                    return folder;
                }
            }
        }
        return null;
    }

    private static boolean isSpilled(Path folder, String name) throws IOException {
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder, name + "*storage*.tmp")) {
            for (Path file : files) {
                if (Files.size(file) > 0) {
                    return true;
                }
            }
            return false;
        } catch (NoSuchFileException e) { // another test's, which has ended
            return false;
        }
    }
}
