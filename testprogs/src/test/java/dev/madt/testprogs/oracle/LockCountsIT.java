package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.MariaDb;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the locks of programs that are not ours with what a preloaded library writes down in the
 * same run: the same deeds of each thread, with the same locks, in the same order.
 */
class LockCountsIT {
    /** The server's words behind {@code sh -c}; it is told to end in the end. */
    private static final String REDIS =
            """
            requests=$1; shift
            "$@" >output 2>errors &
            cli="redis-cli -s $PWD/socket"
            i=0; until [ "$($cli ping 2>/dev/null)" = PONG ] || [ $i = 300 ]; do
            i=$((i+1)); sleep 0.2; done
            redis-benchmark -s socket -q -n $requests -c 50 -P 16 -t set,get,lpush,rpop \
            >benchmark 2>&1 || echo 'benchmark failed'
            $cli flushall async
            $cli shutdown nosave; wait $!; echo "server: $?"
            """;

    @TempDir
    Path directory;

    private Path log() {
        return directory.resolve("log");
    }

    private Recorder recorder() {
        return new Recorder(directory).with("--record", "locks", "--no-follow");
    }

    /** Returns the words that record a program with the library. */
    private List<String> logged(List<String> program) {
        List<String> words = new ArrayList<>(LockLog.of(log(), program.get(0)));
        words.add(MadtRun.launcher().toString());
        words.addAll(recorder().words(program));
        return words;
    }

    private LockOracle run(String... program) throws Exception {
        MadtRun.command(directory, logged(List.of(program))).expect(0);
        return compare(program[0]);
    }

    private LockOracle compare(String program) throws IOException {
        Path trace = recorder().trace();
        TraceFile.check(trace);
        LockOracle oracle = LockOracle.compare(log(), trace);
        System.out.println(Path.of(program).getFileName() + ": " + oracle);
        return oracle;
    }

    private static void assumeProgram(String name) throws Exception {
        MadtRun run = MadtRun.command(Path.of("/"), List.of("sh", "-c", "command -v " + name));
        assumeTrue(run.status() == 0, "no " + name);
    }

    @Test
    void shouldCountThoseOfXz() throws Exception {
        assumeProgram("xz");
        Path numbers = NumbersFile.in(directory, Tier.of(3_000_001, 700_001));
        LockOracle oracle = run("xz", "-T4", "-0", "--block-size=512KiB", numbers.toString());
        assertEquals(5, oracle.threads());
        assertTrue(oracle.count("got mutex") > 1000, oracle.toString());
        assertTrue(oracle.count("got cond") > 0, oracle.toString());
        MadtRun.command(directory, List.of("xz", "-t", numbers + ".xz")).expect(0);
    }

    @Test
    void shouldCountThoseOfRedis() throws Exception {
        assumeProgram("redis-server");
        assumeProgram("redis-benchmark");
        List<String> command =
                new ArrayList<>(List.of("sh", "-c", REDIS, "sh", "" + Tier.of(10_000, 2_000)));
        command.addAll(logged(List.of(
                "redis-server",
                "--port",
                "0",
                "--unixsocket",
                directory.resolve("socket").toString(),
                "--save",
                "",
                "--io-threads",
                "3",
                "--io-threads-do-reads",
                "yes")));
        MadtRun run = MadtRun.command(directory, command);
        assertEquals(
                "OK\nserver: 0\n",
                run.text(),
                run.errors() + Files.readString(directory.resolve("errors")));
        LockOracle oracle = compare("redis-server");
        assertTrue(oracle.threads() >= 6, oracle.toString());
        assertTrue(oracle.count("got mutex") > 200, oracle.toString());
    }

    @Test
    @Soak
    void shouldCountThoseOfFfmpeg() throws Exception {
        assumeProgram("ffmpeg");
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "error", "-nostdin"));
        command.addAll(List.of("-f", "lavfi", "-i", "testsrc=duration=1:size=320x240:rate=25"));
        command.addAll(List.of("-c:v", "mpeg4", "-threads", "4", "-f", "avi", "-y", "t.avi"));
        LockOracle oracle = run(command.toArray(String[]::new));
        assertTrue(oracle.threads() > 4, oracle.toString());
        assertTrue(oracle.count("got") > 300, oracle.toString());
    }

    /** Many threads of one process, and a database's own locks besides those of the C library. */
    @Test
    @Soak
    void shouldCountThoseOfMariaDb() throws Exception {
        assumeTrue(MariaDb.isThere(), "no mariadbd");
        MariaDb server = new MariaDb(directory);
        server.start(logged(server.words()));
        server.query(8, 2_000);
        server.stop();
        LockOracle oracle = compare("mariadbd");
        assertTrue(oracle.threads() > 12, oracle.toString());
        assertHas(oracle, "got mutex", "got read", "got write", "got cond", "signal", "create");
        String said = MadtRun.madt(directory, "locks", "t.madt").expect(0).errors();
        assertTrue(said.matches("(?s).* locks are of \\d+ classes, .* --by class\n.*"), said);
        said = MadtRun.madt(directory, "locks", "--by", "class", "t.madt")
                .expect(0)
                .errors();
        assertFalse(said.contains("--by class"), said);
    }

    /** The library has functions of the same names: each call is one for all that. */
    @ParameterizedTest
    @ValueSource(ints = {2, 14})
    void shouldCountThoseOfEachKind(int threads) throws Exception {
        String locked = MadtRun.program("locks/locked").toString();
        LockOracle oracle = run(locked, Integer.toString(threads), "7");
        assertEquals(threads + 2, oracle.threads());
        assertHas(oracle, "got mutex", "got read", "got write", "got spin", "got sem", "pass");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    @SoakCases({"3", "5", "8"})
    void shouldCountThoseOfEachForm(int threads) throws Exception {
        LockOracle oracle = run(MadtRun.program("locks/kinds").toString(), "" + threads);
        assertEquals(threads + 2, oracle.threads());
        assertHas(oracle, "got mutex", "got mutex?", "got read?", "got write?", "got spin?");
        assertHas(oracle, "got sem", "got cond", "failed", "not held", "once", "signal", "join");
    }

    private static void assertHas(LockOracle oracle, String... deeds) {
        for (String deed : deeds) {
            assertTrue(oracle.count(deed) > 0, deed + " of " + oracle);
        }
    }
}
