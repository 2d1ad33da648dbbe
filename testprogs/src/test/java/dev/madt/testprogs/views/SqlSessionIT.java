package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.madt.cli.SqlCommand;
import dev.madt.console.Messages;
import dev.madt.sql.SqlSession;
import dev.madt.sql.TraceSource;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that what a session keeps of traces is what it would read. */
class SqlSessionIT {
    private static final String COUNTS =
            "select function, data, count(*) from accesses group by all order by all";
    private static final String OF_FUNCTION =
            "select data, kind, count(*) n from accesses where function = (select function from"
                    + " accesses group by all order by count(*) desc, function limit 1)"
                    + " group by all order by all";

    @TempDir
    Path directory;

    private int readings;

    private SqlSession session(Path... traces) throws Exception {
        TraceSource source = SqlCommand.traces(List.of(traces), List.of(), Messages.silent());
        TraceSource counted = (TraceSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {TraceSource.class},
                (proxy, method, arguments) -> {
                    readings += method.getName().equals("read") ? 1 : 0;
                    return method.invoke(source, arguments);
                });
        return new SqlSession(counted, null, directory, hint -> {});
    }

    /** Returns the rows of a query; {@code readings} says of how many traces it took. */
    private List<String> rows(SqlSession session, String query) throws Exception {
        readings = 0;
        List<String> rows = new ArrayList<>();
        session.query(
                session.pushedDown(query),
                result -> result.rows(row -> rows.add(Arrays.toString(row))));
        assertFalse(rows.isEmpty(), query);
        return rows;
    }

    private void check(SqlSession session, int expected, String query, Path... traces)
            throws Exception {
        List<String> told = rows(session, query);
        assertEquals(expected, readings, query);
        try (SqlSession fresh = session(traces)) {
            assertEquals(rows(fresh, query), told, query);
        }
    }

    @Test
    void shouldCountOnce() throws Exception {
        Path[] traces = {
            Recording.of(MadtRun.program("cpp.O2")), Recording.of(MadtRun.program("heap.O0"))
        };
        try (SqlSession session = session(traces)) {
            check(session, 2, "select number from accesses order by all limit 9", traces);
            check(
                    session,
                    2,
                    "select module, count(*) from accesses group by all order by all",
                    traces);
            check(session, 0, "select count(*), sum(size) from accesses where kind = 'S'", traces);
            check(session, 2, COUNTS, traces);
            check(session, 0, COUNTS, traces);
            check(
                    session,
                    0,
                    "select trace, process, kind, size, region, site, allocated_at, type, code,"
                            + " module, file, line, count(*) from accesses group by all order by"
                            + " all",
                    traces);
            check(session, 0, OF_FUNCTION, traces);
            for (String argument : List.of(
                    "function := 'ma*'",
                    "kind := 'store'",
                    "region := '[heap]'",
                    "site := 'main*', kind := 'load'",
                    "symbol := '*m*'",
                    "file := '*.c*'")) {
                check(session, 0, COUNTS.replace("accesses", "accesses(" + argument + ")"), traces);
            }
            check(
                    session,
                    0,
                    "select * from (" + COUNTS + ") join (" + COUNTS + ") using"
                            + " (function) order by all",
                    traces);
            check(
                    session,
                    2,
                    "select thread, count(*) from accesses group by all order by all",
                    traces);
            check(session, 0, COUNTS, traces);
            check(
                    session,
                    2,
                    "select symbol, count(*) from accesses group by all order by all",
                    traces);
            check(session, 2, COUNTS.replace("accesses", "accesses(last := 99)"), traces);
        }
    }

    @Test
    void shouldReadAgainWhatHasChanged() throws Exception {
        Path trace = directory.resolve("changing.madt");
        Files.copy(Recording.of(MadtRun.program("cpp.O2")), trace);
        try (SqlSession session = session(trace)) {
            check(session, 1, COUNTS, trace);
            check(session, 0, COUNTS, trace);
            Files.copy(
                    Recording.of(MadtRun.program("heap.O0")),
                    trace,
                    StandardCopyOption.REPLACE_EXISTING);
            check(session, 1, COUNTS, trace);
            check(session, 0, COUNTS, trace);
        }
    }
}
