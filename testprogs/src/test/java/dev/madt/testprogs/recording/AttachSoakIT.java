package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Comes into servers and interpreters that are at work, and leaves them again, many times: they go
 * on as before, and are then what they were. {@code -Dmadt.rounds=100} makes it a hundred times
 * each.
 */
@Order(1)
@Soak
class AttachSoakIT {
    private static final int ROUNDS = Integer.getInteger("madt.rounds", 5);

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }

    private Process start(String output, String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(output).toFile())
                .start();
        started.add(process);
        return process;
    }

    private static void assumeInstalled(String... programs) {
        for (String program : programs) {
            assumeTrue(
                    program.startsWith("/")
                            || Stream.of(System.getenv("PATH").split(":"))
                                    .anyMatch(it -> Files.isExecutable(Path.of(it, program))),
                    program);
        }
    }

    private String said(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    private void await(String output, String text) throws Exception {
        for (int i = 0; i < 300 && !said(output).contains(text); i++) {
            Thread.sleep(100);
        }
        assertTrue(said(output).contains(text), () -> output + " has no " + text);
    }

    /** Comes and leaves; accesses and calls take turns. */
    private void attach(long pid) throws Exception {
        String state = state(pid);
        for (int round = 0; round < ROUNDS; round++) {
            MadtRun run = MadtRun.process(
                    directory,
                    round % 2 == 0 ? "run" : "trace",
                    "-f",
                    "--no-hottest",
                    "--lossy",
                    "--for",
                    "20ms",
                    "-o",
                    "a.madt",
                    "-p",
                    Long.toString(pid));
            int number = round;
            assertEquals(0, run.status(), () -> "round " + number + ": " + run.errors());
            assertTrue(run.errors().contains("complete until it was detached"), run.errors());
            assertFalse(run.errors().contains("stays mapped"), run.errors());
            assertEquals(state, settled(pid, state), () -> "round " + number + ": " + run.errors());
        }
    }

    /**
     * Returns the state, once it is the expected one: while a thread is in pthread_kill, it has all
     * signals blocked.
     */
    private static String settled(long pid, String expected) throws Exception {
        String state = state(pid);
        for (int i = 0; i < 100 && !state.equals(expected); i++) {
            Thread.sleep(10);
            state = state(pid);
        }
        return state;
    }

    /** Returns what stays the same: code, and what is done with signals. */
    private static String state(long pid) throws IOException {
        StringBuilder state = new StringBuilder();
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/maps"))) {
            String[] words = line.split(" +");
            if (words[1].contains("x") && words.length > 5) {
                state.append(words[0]).append(words[1]).append(words[5]).append('\n');
            }
        }
        for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
            if (line.matches("(SigBlk|SigIgn|SigCgt|TracerPid|Seccomp):.*")) {
                state.append(line).append('\n');
            }
        }
        return state.toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void shouldLeaveRedisAsItWas() throws Exception {
        assumeInstalled("redis-server", "redis-benchmark", "redis-cli");
        Process redis = start(
                "redis", "redis-server", "--port", "0", "--unixsocket", "redis.sock", "--save", "");
        await("redis", "eady to accept connections");
        Process load = start(
                "load",
                "redis-benchmark",
                "-s",
                "redis.sock",
                "-c",
                "20",
                "-n",
                "1000000000",
                "-r",
                "10000",
                "-q",
                "eval",
                "redis.call('set', KEYS[1], ARGV[1]);"
                        + " assert(redis.call('get', KEYS[1]) == ARGV[1])",
                "1",
                "key:__rand_int__",
                "value");
        attach(redis.pid());
        assertTrue(load.isAlive(), () -> "the load has ended");
        assertEquals(
                "PONG\n",
                MadtRun.command(directory, List.of("redis-cli", "-s", "redis.sock", "ping"))
                        .text());
        assertFalse(said("load").contains("rror"), said("load"));
    }

    @Test
    void shouldLeaveNginxAsItWas() throws Exception {
        assumeInstalled("nginx", "wrk");
        int port = freePort();
        Files.writeString(
                directory.resolve("nginx.conf"),
                """
                daemon off;
                worker_processes 1;
                pid %1$s/nginx.pid;
                error_log %1$s/errors;
                events { worker_connections 256; }
                http {
                    access_log off;
                    server { listen 127.0.0.1:%2$d; location / { return 200 'a page'; } }
                }
                """
                        .formatted(directory, port));
        Process nginx =
                start("nginx", "nginx", "-c", directory.resolve("nginx.conf").toString());
        Thread.sleep(500);
        long worker = nginx.children().findFirst().orElseThrow().pid();
        Process load =
                start("load", "wrk", "-t1", "-c20", "-d1h", "http://127.0.0.1:" + port + "/");
        attach(worker);
        MadtRun.command(directory, List.of("kill", "-INT", "" + load.pid())).expect(0);
        assertTrue(load.waitFor(30, TimeUnit.SECONDS));
        assertTrue(said("load").contains("requests in"), said("load"));
        assertFalse(said("load").contains("Socket errors"), said("load"));
        assertFalse(said("load").contains("Non-2xx"), said("load"));
    }

    private void interpreter(String... command) throws Exception {
        assumeInstalled(command[0]);
        Process process = start("output", command);
        await("output", "1");
        attach(process.pid());
        assertTrue(process.isAlive(), said("output"));
        long lines = said("output").lines().count();
        for (int i = 0; i < 600 && said("output").lines().count() < lines + 2; i++) {
            Thread.sleep(100);
        }
        assertTrue(said("output").lines().count() >= lines + 2, "it stands still");
        process.destroy();
        assertEquals(
                List.of("1"),
                said("output").lines().distinct().toList(),
                "each line says that all was right");
    }

    @Test
    void shouldLeavePythonAsItWas() throws Exception {
        interpreter(
                "/usr/bin/python3",
                "-c",
                """
                import json, zlib
                while True:
                    data = [{"n": i, "t": "x" * (i % 50)} for i in range(3000)]
                    text = zlib.decompress(zlib.compress(json.dumps(data).encode()))
                    print(int(json.loads(text) == data), flush=True)
                """);
    }

    @Test
    void shouldLeaveNodeAsItWas() throws Exception {
        interpreter(
                "node",
                "-e",
                """
                function round() {
                    const data = [];
                    for (let i = 0; i < 3000; i++) data.push({n: i, t: "x".repeat(i % 50)});
                    const again = JSON.parse(JSON.stringify(data));
                    const map = new Map(again.map(it => [it.n, it]));
                    let good = 1;
                    for (let i = 0; i < 3000; i++)
                        good &= map.get(i).t.length === i % 50 ? 1 : 0;
                    console.log(good);
                    setTimeout(round, 5);
                }
                round();
                """);
    }

    @Test
    void shouldLeaveSqliteAsItWas() throws Exception {
        assumeInstalled("sqlite3");
        interpreter(
                "/bin/sh",
                "-c",
                "mkfifo in; while :; do echo 'with recursive n(i) as (select 1 union all"
                        + " select i + 1 from n where i < 30000)"
                        + " select sum(i * i) = 9000450005000 from n;'; done >in"
                        + " & exec sqlite3 <in");
    }

    @Test
    void shouldLeaveAJvmAsItWas() throws Exception {
        Files.writeString(
                directory.resolve("Work.java"),
                """
                import java.util.*;
                public class Work {
                    public static void main(String[] arguments) throws Exception {
                        for (int t = 0; t < 60; t++) {
                            Thread thread = new Thread(Work::work);
                            thread.setDaemon(true);
                            thread.start();
                        }
                        work();
                    }
                    static void work() {
                        while (true) {
                            Map<Integer, String> map = new HashMap<>();
                            for (int i = 0; i < 3000; i++) map.put(i, "v" + i);
                            int good = 1;
                            for (int i = 0; i < 3000; i++)
                                good &= map.get(i).equals("v" + i) ? 1 : 0;
                            System.out.println(good);
                            try { Thread.sleep(50); } catch (InterruptedException e) { return; }
                        }
                    }
                }
                """);
        interpreter("java", "-Xmx128m", "Work.java");
    }

    @Test
    void shouldLeavePostgresAsItWas() throws Exception {
        Path postgres = Path.of("/usr/lib/postgresql");
        assumeTrue(Files.isDirectory(postgres), "postgresql");
        assumeInstalled("pgbench", "psql", "setpriv");
        Path bin;
        try (Stream<Path> versions = Files.list(postgres)) {
            bin = versions.sorted().findFirst().orElseThrow().resolve("bin");
        }
        MadtRun.command(directory, List.of("mkdir", "-m", "777", "pg")).expect(0);
        MadtRun.command(directory, List.of("chmod", "755", directory.toString()))
                .expect(0);
        String folder = directory.resolve("pg").toString();
        String user = "setpriv --reuid=65534 --regid=65534 --clear-groups -- ";
        String command =
                "cd " + folder + " && export HOME=" + folder + " PGHOST=" + folder + " && ";
        shell(command + user + bin + "/initdb -U it -D data -A trust").expect(0);
        start(
                "server",
                "/bin/sh",
                "-c",
                command + "exec " + user + bin + "/postgres -D data -k " + folder + " -h ''");
        await("server", "ready to accept");
        shell(command + "pgbench -U it -i -q postgres").expect(0);
        Process load = start(
                "load", "/bin/sh", "-c", command + "exec pgbench -U it -n -c 4 -T 3600 postgres");
        Thread.sleep(1000);
        String backend = shell(command
                        + "psql -U it -Atc \"select pid from pg_stat_activity where"
                        + " application_name = 'pgbench' limit 1\" postgres")
                .expect(0)
                .text()
                .strip();
        attach(Long.parseLong(backend));
        assertTrue(load.isAlive(), said("load"));
        String sums = shell(command
                        + "psql -U it -Atc \"select (select sum(abalance) from pgbench_accounts)"
                        + " = (select sum(tbalance) from pgbench_tellers)\" postgres")
                .expect(0)
                .text();
        assertEquals("t\n", sums);
        assertFalse(said("load").contains("rror"), said("load"));
    }

    private MadtRun shell(String command) throws IOException, InterruptedException {
        return MadtRun.command(directory, List.of("/bin/sh", "-c", command), 120);
    }

    /** In sigsuspend, in a handler on an alternate stack, in vfork. */
    @ParameterizedTest
    @ValueSource(strings = {"suspend", "stack", "vfork"})
    void shouldLeaveAThreadWhereItWas(String place) throws Exception {
        Process process = start("output", MadtRun.program("attach/places").toString(), place);
        await("output", "ready");
        attach(process.pid());
        process.destroy();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said("output"));
        assertTrue(said("output").contains(" 0 wrong"), said("output"));
    }
}
