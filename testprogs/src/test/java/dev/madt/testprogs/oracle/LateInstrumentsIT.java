package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Instruments are added while a program runs ({@code madt ctl PID at}): what they say from there on
 * is what the program itself has counted, and nothing changes where one is refused.
 */
class LateInstrumentsIT {
    private static final int FUNCTIONS = 100;
    private static final int THREADS = 8;
    /** Instruments that are added while eight threads run. */
    private static final int ADDED = Tier.of(60, 3);

    private static final long PATIENCE_MILLIS = 60_000;

    @TempDir
    static Path shared;

    private static Path program;

    @TempDir
    Path directory;

    @BeforeAll
    static void buildProgram() throws Exception {
        program = shared.resolve("late");
        MadtRun.command(
                        shared,
                        List.of(
                                "gcc",
                                "-g",
                                "-O1",
                                "-Wall",
                                "-Wextra",
                                "-pthread",
                                "-o",
                                program.toString(),
                                MadtRun.root()
                                        .resolve("testprogs/instruments/late.c")
                                        .toString()))
                .expect(0);
    }

    private ToldProgram told(String options) throws Exception {
        return told(List.of(options.split(" ")));
    }

    private ToldProgram told(List<String> options) throws Exception {
        return new ToldProgram(
                directory,
                options,
                List.of(program.toString(), directory.resolve("counts").toString()));
    }

    private static String name(int function) {
        return "f" + (100 + function);
    }

    /** Returns how often threads have come to each function, and how often they have come back. */
    private long[][] own() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("counts")))
                .order(ByteOrder.LITTLE_ENDIAN);
        long[][] sums = new long[2][FUNCTIONS];
        for (int i = 0; i < THREADS * FUNCTIONS; i++) {
            sums[0][i % FUNCTIONS] += bytes.getLong(16 * i);
            sums[1][i % FUNCTIONS] += bytes.getLong(16 * i + 8);
        }
        return sums;
    }

    /** Hits by place and action. */
    private Map<String, Long> hits(Path trace) throws Exception {
        Map<String, Long> hits = new TreeMap<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", trace.toString())
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(4).startsWith("0x")) {
                hits.merge(
                        cells.get(1) + " " + cells.get(2), Long.parseLong(cells.get(0)), Long::sum);
            }
        }
        return hits;
    }

    /** The executable code of the program and its libraries that a process has in its memory. */
    private static Map<String, byte[]> texts(long process) throws IOException {
        Map<String, byte[]> texts = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("/proc/" + process + "/maps"))) {
            String[] parts = line.split(" +");
            if (parts.length < 6 || !parts[1].equals("r-xp") || !parts[5].startsWith("/")) {
                continue;
            }
            String[] range = parts[0].split("-");
            long start = Long.parseUnsignedLong(range[0], 16);
            long end = Long.parseUnsignedLong(range[1], 16);
            texts.put(
                    parts[5] + " " + parts[2],
                    bytes(Path.of("/proc/" + process + "/mem"), start, (int) (end - start)));
        }
        return texts;
    }

    private static byte[] bytes(Path file, long from, int size) throws IOException {
        byte[] bytes = new byte[size];
        try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "r")) {
            memory.seek(from);
            memory.readFully(bytes);
        }
        return bytes;
    }

    private static void assertSame(Map<String, byte[]> before, Map<String, byte[]> now) {
        assertEquals(before.keySet(), now.keySet());
        before.forEach((module, text) -> assertArrayEquals(text, now.get(module), module));
    }

    /** Functions that were given an instrument, and what the program had counted about then. */
    private final class Late {
        private final Map<Integer, long[][]> added = new TreeMap<>();

        /** Adds instruments to some functions, one after the other. */
        void add(Control control, Random random) throws Exception {
            while (added.size() < ADDED) {
                int function = random.nextInt(FUNCTIONS);
                if (added.containsKey(function)) {
                    continue;
                }
                Thread.sleep(random.nextInt(50));
                long[][] before = own();
                String answer = control.ctl("at", name(function), "count");
                assertTrue(answer.endsWith(" stands at 1 place\n"), answer);
                added.put(function, new long[][] {before[1], own()[0]});
            }
        }

        /**
         * Compares what the trace says.
         *
         * @param least of each function, at which recording had not ended
         * @param most of each function, at which it had
         */
        void check(Path trace, long[] least, long[] most) throws Exception {
            Map<String, Long> hits = hits(trace);
            added.forEach((function, counted) -> {
                long taken = hits.getOrDefault(name(function) + " count", 0L);
                long from = least[function] - counted[1][function];
                long to = most[function] - counted[0][function];
                assertTrue(
                        taken >= from && taken <= to,
                        name(function) + ": " + taken + " hits, not " + from + " to " + to);
            });
            assertTrue(hits.values().stream().anyMatch(taken -> taken > 0));
        }
    }

    /** Asks a recording. */
    private interface Control {
        String ctl(String... words) throws Exception;
    }

    @ParameterizedTest
    @ValueSource(strings = {"--at main count", "--record accesses,calls --last 1M"})
    @SoakCases({"--record accesses --stack --last 1M", "--record calls --last 1M"})
    void shouldCountWhileThreadsRun(String options) throws Exception {
        Late late = new Late();
        try (ToldProgram told = told(options)) {
            told.order("threads");
            late.add(told::ctl, new Random(33));
            long[][] last = own();
            told.end();
            late.check(directory.resolve("t.madt"), last[1], own()[0]);
        }
    }

    /** A process that ran before has its text back when the recording ends. */
    @Test
    void shouldLeaveAProcessAsItWas() throws Exception {
        Process process = new ProcessBuilder(program.toString(), "counts")
                .directory(directory.toFile())
                .start();
        try (BufferedReader answers = process.inputReader();
                Writer orders = process.outputWriter()) {
            orders.write("threads\n");
            orders.flush();
            assertEquals("done", answers.readLine());
            Map<String, byte[]> before = texts(process.pid());
            String pid = Long.toString(process.pid());
            Process recording = new ProcessBuilder(
                            MadtRun.launcher().toString(),
                            "trace",
                            "-qf",
                            "--last",
                            "1M",
                            "-o",
                            "t.madt",
                            "-p",
                            pid)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            awaitRecording(pid);
            Control control = words -> ctl(pid, words);
            Late late = new Late();
            late.add(control, new Random(34));
            control.ctl("at", "libc.so*:malloc", "count");
            control.ctl("at", "libc.so*:usleep", "hist arg0");
            long[][] last = own();
            control.ctl("detach");
            assertEquals(0, recording.waitFor());
            assertSame(before, texts(process.pid()));
            late.check(directory.resolve("t.madt"), last[1], own()[0]);
            Map<String, Long> hits = hits(directory.resolve("t.madt"));
            assertTrue(hits.get("libc.so*:malloc count") == null, hits.toString());
            assertTrue(hits.get("malloc count") > 0, hits.toString());
        }
        assertEquals(0, process.waitFor());
    }

    private void awaitRecording(String pid) throws Exception {
        long end = System.currentTimeMillis() + PATIENCE_MILLIS;
        while (!MadtRun.madt(directory, "ctl", pid, "status").text().contains(" on, ")) {
            assertTrue(System.currentTimeMillis() < end, "it is not recorded");
            Thread.sleep(50);
        }
    }

    private String ctl(String pid, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("ctl", pid));
        all.addAll(List.of(words));
        return MadtRun.madt(directory, all.toArray(String[]::new)).expect(0).text();
    }

    /** Compares each action and selection with one that was given at the start. */
    @Test
    void shouldDoAsInstrumentsFromTheStart() throws Exception {
        List<List<String>> some = List.of(
                List.of("f101", "count"),
                List.of("f102", "count", "--if", "i % 2"),
                List.of("f103:return", "log ret", "--every", "5"),
                List.of("f104", "hist i; max i by str(text)"),
                List.of("f105", "time"),
                List.of("f106", "stack 2"),
                List.of("f107", "count", "--from", "hits:3", "--until", "hits:7"),
                List.of("f108", "count", "--from", "func:f109", "--until", "ctl"),
                List.of("f110:block(*)", "count"),
                List.of("f111", "count", "--from", "ctl"),
                List.of("libc.so*:strdup", "log \"%s\" str(arg0)"));
        List<String> words = new ArrayList<>();
        some.forEach(one -> {
            words.add("--at");
            words.addAll(one);
        });
        try (ToldProgram told = told(words)) {
            told.order("pass 10");
            told.end();
        }
        Path first = Files.move(directory.resolve("t.madt"), directory.resolve("first.madt"));
        try (ToldProgram told = told("--at main count")) {
            told.order("pass 4");
            for (List<String> one : some) {
                List<String> all = new ArrayList<>(List.of("at"));
                all.addAll(one);
                told.ctl(all.toArray(String[]::new));
            }
            told.order("pass 10");
            told.order("fork 10");
            String listed = told.ctl("at");
            assertTrue(listed.contains("   3  on    --at 'f102' 'count' --if 'i % 2'\n"), listed);
            assertTrue(listed.contains("  11  off   --at 'f111' 'count'\n"), listed);
            told.ctl("disable", "2");
            told.order("pass 3");
            told.ctl("enable", "f101");
            told.ctl("disable", "all");
            told.order("pass 3");
            told.end();
        }
        Path late = directory.resolve("t.madt");
        Map<String, Long> wanted = hits(first);
        Map<String, Long> had = hits(late);
        assertEquals(1L, had.remove("main count"));
        assertEquals(10L, had.get("f101 count"));
        for (String counted : List.of("f101 count", "f107 count")) {
            assertEquals(wanted.get(counted), had.get(counted), counted);
        }
        assertEquals(wanted.keySet(), had.keySet());
        try (var files = Files.list(directory)) {
            Path child = files.filter(file -> file.toString().matches(".*/t\\.madt\\.[0-9]+"))
                    .findFirst()
                    .orElseThrow();
            Map<String, Long> ofChild = hits(child);
            ofChild.remove("main count");
            for (String counted : List.of("f101 count", "f102 count", "f103:return log ret")) {
                assertEquals(wanted.get(counted), ofChild.get(counted), counted);
            }
            assertEquals(2, lines(first).size());
            assertEquals(lines(first), lines(child));
        }
    }

    private List<String> lines(Path trace) throws Exception {
        return MadtRun.madt(directory, "print", "--kind", "T", trace.toString())
                .expect(0)
                .text()
                .lines()
                .map(line -> line.replaceFirst("^T\\$[0-9]+:", ""))
                .filter(line -> !line.contains("abc"))
                .toList();
    }

    /** Says what is wrong, and changes nothing. */
    @Test
    void shouldRefuseWhatCannotBe() throws Exception {
        Map<List<String>, String> wrong =
                new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
        wrong.put(
                List.of("f1001", "count"),
                "at: no function of the program or its libraries is called 'f1001'. Did you mean");
        wrong.put(List.of("f101", "log text->length"), "log text->length");
        wrong.put(List.of("f101", "coun"), "at: ");
        wrong.put(List.of("f101", "call f@nothing.so"), "at: call needs its library when");
        wrong.put(List.of("f101", "count", "--if", "nosuch > 1"), "nosuch > 1");
        wrong.put(List.of("f101", "count", "--from", "sometime"), "--from");
        wrong.put(List.of("f101:line(9999)", "count"), "comes from line 9999");
        try (ToldProgram told = told("--at main count")) {
            told.order("pass 1");
            long process = told.process(program);
            Map<String, byte[]> before = texts(process);
            for (Map.Entry<List<String>, String> one : wrong.entrySet()) {
                List<String> all = new ArrayList<>(List.of("ctl", Long.toString(process), "at"));
                all.addAll(one.getKey());
                MadtRun result = MadtRun.madt(directory, all.toArray(String[]::new));
                assertEquals(1, result.status(), one.getKey().toString());
                assertTrue(result.errors().contains(one.getValue()), result.errors());
            }
            assertEquals(1, told.ctl("at").lines().count());
            assertSame(before, texts(process));
            assertEquals("instrument 2 stands at 1 place\n", told.ctl("at", "f101", "count"));
            assertEquals(
                    "instrument 3 is awaited: it stands in nothing that is loaded so far\n",
                    told.ctl("at", "libnothing.so:f101", "count"));
            String answer = told.ctl("at", "malloc", "log");
            assertTrue(answer.contains("but calls of this function come to MadT first"), answer);
            told.order("pass 2");
            told.end();
        }
        assertEquals(
                Map.of("main count", 1L, "f101 count", 2L, "malloc log", 0L),
                hits(directory.resolve("t.madt")));
    }
}
