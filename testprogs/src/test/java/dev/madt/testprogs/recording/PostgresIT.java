package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.PostgresUser;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * PostgreSQL works under MadT as alone: initdb, which starts its servers through a shell, and a
 * server, which has a process for each client and memory that all share. It refuses to run as root.
 */
class PostgresIT {
    private static final String INITDB = PostgresUser.INITDB;

    /** A server without clients, on the database that initdb made. */
    private static final String ASK =
            "echo 'select count(*), sum(relpages) > 0 from pg_class' | postgres --single -D data"
                    + " postgres";

    /** The words in front of the server are its arguments. What pgbench measures is left out. */
    private static final String SERVE =
            """
            "$@" postgres -D data -c listen_addresses= -c unix_socket_directories="$PWD" -c \
            fsync=off >server.log 2>&1 &
            i=0; until psql -h "$PWD" -d postgres -c 'select 1' >/dev/null 2>&1 || [ $i = 3000 ]; \
            do i=$((i+1)); sleep 0.2; done
            { pgbench -h "$PWD" -q -i -s 1 postgres && pgbench -h "$PWD" -n -c 3 -t 20 postgres; } \
            2>&1 | grep -v 'latency\\|tps\\|time\\|done\\|NOTICE'
            psql -h "$PWD" -d postgres -Atc 'select count(*), count(distinct tid) > 5 from \
            pgbench_history; select count(*) from pgbench_accounts'
            kill -INT "$(head -n 1 data/postmaster.pid)"; wait $!; echo "server: $?\"\
            """;

    @TempDir
    Path directory;

    private PostgresUser postgres;

    @BeforeEach
    void becomeAnotherUser() throws Exception {
        postgres = new PostgresUser(directory, "plain", "traced");
    }

    private MadtRun as(String folder, String line, String... words) throws Exception {
        return postgres.as(folder, line, words);
    }

    private static String madt(String options) {
        return MadtRun.launcher() + " run -q " + options + " -- ";
    }

    private static void assertSame(MadtRun plain, MadtRun traced) {
        assertEquals(plain.text(), traced.text());
        assertEquals(plain.errors(), traced.errors());
        assertEquals(plain.status(), traced.status());
    }

    private void compareInitdb(String options, int leastTraces) throws Exception {
        assertSame(
                as("plain", INITDB).expect(0),
                as("traced", madt("--max-events 20000 -o ../t.madt " + options) + INITDB));
        assertTrue(as("plain", ASK).text().contains("count = "));
        assertEquals(as("plain", ASK).text(), as("traced", ASK).text());
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> traces = files.filter(
                            file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList();
            assertTrue(traces.size() >= leastTraces, traces.toString());
            for (Path trace : traces) {
                assertEquals(
                        List.of(),
                        TraceFile.read(trace, new TraceInvariants()).violations(),
                        trace.toString());
            }
        }
    }

    /** Only initdb itself, whose libraries are few; the soak profile has its servers too. */
    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldMakeTheSameDatabase(String engine) throws Exception {
        compareInitdb("--no-follow --engine " + engine, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    @Soak
    void shouldMakeTheSameDatabaseWithAllServersRecorded(String engine) throws Exception {
        compareInitdb("--engine " + engine, 5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--engine splice", "--engine trap --max-events 20000"})
    @Soak
    void shouldServeClients(String options) throws Exception {
        as("plain", INITDB).expect(0);
        as("traced", INITDB).expect(0);
        MadtRun plain = as("plain", SERVE);
        assertTrue(
                plain.text().endsWith("\n60|t\n100000\nserver: 0\n"),
                plain.text() + plain.errors());
        assertSame(plain, as("traced", SERVE, madt("-o ../t.madt " + options).split(" ")));
    }

    /**
     * Hundreds of millions of accesses of a dozen processes, counted while they run, in the memory
     * that MADT_MEMORY gives.
     */
    @Test
    @Soak
    void shouldReportOnAllOfInitdb() throws Exception {
        MadtRun plain = as("plain", INITDB).expect(0);
        MadtRun traced = as(
                        "traced",
                        "MADT_MEMORY=300m " + madt("--no-trace --report symbol --top 3") + INITDB)
                .expect(0);
        assertTrue(traced.text().startsWith(plain.text()), traced.text());
        assertEquals("", traced.errors());
        assertTrue(
                traced.text()
                                .lines()
                                .filter(line -> line.matches("postgres, process \\d+:"))
                                .count()
                        >= 2,
                traced.text());
        assertTrue(
                traced.text().lines().anyMatch(line -> line.matches("initdb, process \\d+:")),
                traced.text());
    }
}
