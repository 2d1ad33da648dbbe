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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final int CLIENTS = 20;
    private static final String OPTIONS = " -v -f --no-hottest --lossy --for 20ms -o a.madt -p ";
    /** Stands in a summary where the recording began, and where it ended. */
    private static final Pattern STOOD = Pattern.compile("which stood still for ([0-9.]+) ms");

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private final ExecutorService recorder = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() throws InterruptedException {
        recorder.shutdown();
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

    /** Waits until all clients have come: each has a descriptor. */
    private static void awaitDescriptors(long pid, int most) throws Exception {
        Path folder = Path.of("/proc/" + pid + "/fd");
        for (int i = 0; i < 300 && folder.toFile().list().length < most; i++) {
            Thread.sleep(100);
        }
        Thread.sleep(500);
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
        attach(pid, true, () -> {});
    }

    /**
     * @param keeps whether the process keeps the descriptors that it has
     * @param meanwhile what is done once a recording has begun to attach
     */
    private void attach(long pid, boolean keeps, Meanwhile meanwhile) throws Exception {
        AttachedState before = AttachedState.before(pid, keeps);
        String text = AttachedState.text(pid);
        List<Double> stood = new ArrayList<>();
        int stayed = 0;
        int again = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String command = round % 2 == 0 ? "run" : "trace";
            Future<MadtRun> recording = recorder.submit(
                    () -> MadtRun.repeated(directory, (command + OPTIONS + pid).split(" ")));
            meanwhile.act();
            MadtRun run = recording.get();
            String where = "round " + round + ": " + run.errors();
            assertEquals(0, run.status(), where);
            assertTrue(run.errors().contains("complete until it was detached"), where);
            if (run.errors().contains("stays mapped")) {
                assertTrue(++stayed * 100 <= ROUNDS, where);
            } else {
                assertEquals(before, before.settled(), where);
            }
            if (run.errors().contains("was asked to leave")) { // all others waited for a thread
                assertTrue(++again * 100 <= ROUNDS, where);
            }
            Matcher times = STOOD.matcher(run.errors());
            while (times.find()) {
                stood.add(Double.parseDouble(times.group(1)));
            }
            if (round % 20 == 0 || round == ROUNDS - 1) {
                assertEquals(text, AttachedState.text(pid), where);
            }
        }
        stood.sort(null);
        String name = Files.readString(Path.of("/proc/" + pid + "/comm")).strip();
        System.out.println(name + ", " + ROUNDS + " recordings: stood still for "
                + stood.get(stood.size() / 2) + " ms, of a hundred one for "
                + stood.get(stood.size() * 99 / 100) + ", at most for "
                + stood.get(stood.size() - 1) + "; what stayed mapped: " + stayed
                + ", asked to leave again: " + again);
    }

    /** Acts while a recording attaches. */
    private interface Meanwhile {
        void act() throws Exception;
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
                Integer.toString(CLIENTS),
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
        awaitDescriptors(redis.pid(), CLIENTS);
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
        Process load = start(
                "load", "wrk", "-t1", "-c" + CLIENTS, "-d2h", "http://127.0.0.1:" + port + "/");
        awaitDescriptors(worker, CLIENTS);
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
                "load", "/bin/sh", "-c", command + "exec pgbench -U it -n -c 4 -T 10000 postgres");
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

    private Process busy(String pause) throws Exception {
        Process process = start("output", MadtRun.program("attach/busy").toString(), "58", pause);
        Path threads = Path.of("/proc", process.pid() + "", "task");
        while (threads.toFile().list().length < 65) {
            Thread.sleep(10);
        }
        return process;
    }

    private static Duration processorTime(Process process) {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /**
     * Threads that allocate, load libraries, fork, take signals and wait. Where a fault of a page
     * takes long, as on some virtual machines, they wait for longer: of 64 threads that all want a
     * processor each would wait for the others, and who records them as well.
     */
    @Test
    void shouldLeaveABusyProcessAsItWas() throws Exception {
        Process process = busy("20000");
        Duration before = processorTime(process);
        Thread.sleep(1000);
        long took = processorTime(process).minus(before).toMillis();
        if (took > 500L * Runtime.getRuntime().availableProcessors()) {
            process.destroy();
            assertTrue(process.waitFor(60, TimeUnit.SECONDS)); // what it says is not the other's
            process = busy("320000");
        }
        attach(process.pid(), false, () -> {});
        signal(process, "TERM");
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said("output"));
        assertTrue(said("output").contains(" 0 wrong"), said("output"));
    }

    /** It is stopped when the recording comes, and goes on a moment later. */
    @Test
    void shouldLeaveAStoppedProcessAsItWas() throws Exception {
        Process process = start("output", MadtRun.program("attach/places").toString(), "suspend");
        await("output", "ready");
        attach(process.pid(), true, () -> {
            signal(process, "STOP");
            Thread.sleep(100);
            signal(process, "CONT");
        });
        process.destroy();
        assertTrue(process.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), said("output"));
        assertTrue(said("output").contains(" 0 wrong"), said("output"));
    }

    private void signal(Process process, String name) throws Exception {
        MadtRun.command(directory, List.of("kill", "-" + name, "" + process.pid()))
                .expect(0);
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
