package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.BusyLoops;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.NginxServer;
import dev.madt.testprogs.PostgresUser;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers with several processes answer under load as they do alone, and nothing of what they do is
 * lost: neither in workers that are another user than the master, nor when the processors are busy.
 */
@Order(1)
class ServersIT {
    private static final int REQUESTS = 300;
    /** Each thirtieth answer is compressed, which takes a hundred times the accesses. */
    private static final int COMPRESSED = 30;

    private static final int SECONDS = Integer.getInteger("madt.servers.seconds", 300);
    private static final int LIMIT_SECONDS = SECONDS + 1200;
    private static final int LOOPS = 4;

    /** Counts while the servers run, and keeps no trace, which would fill the disk. */
    private static final List<String> COUNTED =
            List.of("--no-trace", "--report", "symbol", "--top", "1");

    private static final Pattern SUMMARY =
            Pattern.compile(".*?([0-9,]+) accesses( \\(| in (it|them)).*");

    /**
     * Compares the bodies in wrk: every other request is for the compressed file, of which all
     * bodies are the same, too.
     */
    private static final String CHECK =
            """
            threads = {}
            function setup(thread) table.insert(threads, thread) end
            function init(args)
              wrong, right, count = 0, 0, 0
              expected = { plain = io.open(args[1]):read("*a") }
            end
            function request()
              count = count + 1
              return wrk.format(nil, nil, count % 2 == 0 and { ["Accept-Encoding"] = "gzip" } or {})
            end
            function response(status, headers, body)
              local kind = headers["Content-Encoding"] or "plain"
              expected[kind] = expected[kind] or body
              if status == 200 and body == expected[kind] then right = right + 1
              else wrong = wrong + 1 end
            end
            function done(summary)
              local right, wrong, e = 0, 0, summary.errors
              for _, thread in ipairs(threads) do
                right = right + thread:get("right")
                wrong = wrong + thread:get("wrong")
              end
              print("right " .. right .. " wrong " .. wrong .. " errors "
                .. e.connect + e.read + e.write + e.status)
            end
            """;

    /** The first word is for how many seconds; the others are in front of the server. */
    private static final String REDIS =
            """
            end=$(( $(date +%s) + $1 )); shift
            "$@" redis-server --port 0 --unixsocket "$PWD/socket" --save '' >output 2>errors &
            cli="redis-cli -s $PWD/socket"
            i=0; until [ "$($cli ping 2>/dev/null)" = PONG ] || [ $i = 1500 ]; do
            i=$((i+1)); sleep 0.2; done
            round=0
            while [ $(date +%s) -lt $end ] || [ $round = 0 ]; do
            round=$((round+1))
            redis-benchmark -s socket -q -n 5000 -c 20 -t set,get,incr,lpush,rpop,hset,zadd \
            >>benchmark 2>&1 || echo 'benchmark failed'
            seq 1 500 | sed "s/.*/set key:& value-&-$round/" | $cli >replies
            [ "$(sort -u replies)" = OK ] || echo 'set failed'
            seq 1 500 | sed 's/.*/get key:&/' | $cli >values
            seq 1 500 | sed "s/.*/value-&-$round/" | cmp - values
            done
            [ "$($cli get counter:__rand_int__)" = $((round*5000)) ] || echo 'counted wrongly'
            $cli llen mylist
            $cli bgsave
            while $cli info persistence | grep -q bgsave_in_progress:1; do sleep 0.2; done
            redis-check-rdb dump.rdb | grep -c 'RDB looks OK'
            $cli shutdown nosave; wait $!; echo "server: $?"
            echo "rounds: $round" >&2
            """;

    /** The words are as for {@link #REDIS}; the sums are those that pgbench keeps equal. */
    private static final String POSTGRES =
            """
            seconds=$1; shift
            "$@" postgres -D data -c listen_addresses= -c unix_socket_directories="$PWD" -c \
            fsync=off >output 2>errors &
            i=0; until psql -h "$PWD" -d postgres -c 'select 1' >/dev/null 2>&1 || [ $i = 1500 ]; \
            do i=$((i+1)); sleep 0.2; done
            pgbench -h "$PWD" -q -i -s 1 postgres >benchmark 2>&1 || echo 'no tables'
            pgbench -h "$PWD" -n -c 3 -T $seconds postgres >benchmark 2>&1 || echo 'pgbench failed'
            grep failed benchmark
            sum='(select sum(delta) from pgbench_history)'
            psql -h "$PWD" -d postgres -Atc "
            select sum(abalance) = $sum from pgbench_accounts;
            select sum(bbalance) = $sum from pgbench_branches;
            select sum(tbalance) = $sum from pgbench_tellers;
            select count(*) = $(sed -n 's/.*processed: //p' benchmark) from pgbench_history"
            kill -INT "$(head -n 1 data/postmaster.pid)"; wait $!; echo "server: $?"
            grep processed benchmark >&2
            """;

    @TempDir
    Path directory;

    private Path folder(String name) throws Exception {
        MadtRun.command(directory, List.of("chmod", "755", directory.toString()))
                .expect(0);
        return Files.createDirectory(directory.resolve(name));
    }

    /** The accesses of each process that a summary names; it must say that all are complete. */
    private static List<Long> complete(String errors) {
        List<Long> accesses = new ArrayList<>();
        for (String line : errors.lines().filter(l -> l.startsWith("madt: ")).toList()) {
            var summary = SUMMARY.matcher(line);
            if (summary.matches()) {
                assertTrue(line.contains(", complete"), errors);
                accesses.add(Long.parseLong(summary.group(1).replace(",", "")));
            }
        }
        for (String word : List.of("lost", "but for", "untraced", "not recorded", "warning")) {
            assertFalse(errors.contains(word), errors);
        }
        assertTrue(accesses.size() > 1, errors);
        return accesses;
    }

    private static void assertAnswers(NginxServer server) throws Exception {
        byte[] page = Files.readAllBytes(server.page());
        for (int request = 0; request < REQUESTS; request++) {
            assertArrayEquals(page, server.get(request % COMPRESSED == 0), "answer " + request);
        }
    }

    /** The accesses of both workers for always the same requests. */
    private long workers(String user) throws Exception {
        Path place = folder(user);
        try (NginxServer server = new NginxServer(place, user, List.of("-o", "t.madt"))) {
            assertAnswers(server);
            String errors = server.stop();
            List<Long> accesses = complete(errors);
            assertEquals(3, accesses.size(), errors);
            long first = accesses.get(1);
            long second = accesses.get(2);
            assertTrue(first > second / 20 && second > first / 20, errors);
            for (Path trace : traces(place)) {
                TraceFile.check(trace);
            }
            return first + second;
        }
    }

    private static List<Path> traces(Path place) throws Exception {
        try (Stream<Path> files = Files.list(place)) {
            List<Path> traces = files.filter(
                            file -> file.getFileName().toString().startsWith("t.madt"))
                    .toList();
            assertEquals(3, traces.size(), traces.toString());
            return traces;
        }
    }

    @Test
    @Soak
    void shouldRecordWorkersOfAnotherUserAsThoseOfRoot() throws Exception {
        long root = workers("root");
        long other = workers("www-data");
        assertTrue(other > root / 2 && other < root * 2, other + " accesses, as root " + root);
    }

    @Test
    @Soak
    void shouldRecordNginxUnderLoad() throws Exception {
        assumeProgram("wrk");
        Path place = folder("nginx");
        Path check = Files.writeString(directory.resolve("check.lua"), CHECK);
        try (NginxServer server = new NginxServer(place, "www-data", COUNTED)) {
            List<String> wrk = List.of(
                    "wrk",
                    "-t2",
                    "-c20",
                    "-d" + SECONDS,
                    "--timeout=300",
                    "-s" + check,
                    server.address(),
                    "--",
                    server.page().toString());
            MadtRun load = BusyLoops.beside(
                    LOOPS, () -> MadtRun.command(directory, wrk, LIMIT_SECONDS).expect(0));
            assertTrue(
                    load.text().matches("(?s).*\nright [1-9][0-9]* wrong 0 errors 0\n"),
                    load.text());
            assertAnswers(server);
            say("nginx, " + load.text().lines().reduce((a, b) -> b).orElseThrow(), server.stop());
        }
    }

    @Test
    @Soak
    void shouldRecordRedisUnderLoad() throws Exception {
        assumeProgram("redis-server");
        assumeProgram("redis-benchmark");
        Path place = folder("redis");
        soak(
                place,
                List.of("sh", "-c", REDIS, "sh"),
                "0\nBackground saving started\n1\nserver: 0\n");
    }

    @Test
    @Soak
    void shouldRecordPostgresUnderLoad() throws Exception {
        PostgresUser postgres = new PostgresUser(directory, "pg");
        postgres.as("pg", PostgresUser.INITDB).expect(0);
        soak(
                directory.resolve("pg"),
                postgres.command(POSTGRES),
                "number of failed transactions: 0 (0.000%)\nt\nt\nt\nt\nserver: 0\n");
    }

    /** Runs a line that starts a server and loads it, and compares what it says. */
    private static void soak(Path place, List<String> line, String expected) throws Exception {
        List<String> command = new ArrayList<>(line);
        command.addAll(List.of(Integer.toString(SECONDS), MadtRun.launcher().toString(), "run"));
        command.addAll(COUNTED);
        command.add("--");
        MadtRun run = BusyLoops.beside(LOOPS, () -> MadtRun.command(place, command, LIMIT_SECONDS));
        String errors = Files.readString(place.resolve("errors"));
        assertEquals(expected, run.text(), run.errors() + errors);
        say(place.getFileName() + ", " + run.errors().strip(), errors);
    }

    private static void say(String load, String errors) {
        List<Long> accesses = complete(errors);
        System.out.printf(
                "%s: %,d accesses of %d processes or more%n",
                load, accesses.stream().mapToLong(Long::longValue).sum(), accesses.size());
    }

    private static void assumeProgram(String name) throws Exception {
        MadtRun run = MadtRun.command(Path.of("/"), List.of("sh", "-c", "command -v " + name));
        assumeTrue(run.status() == 0, "no " + name);
    }
}
