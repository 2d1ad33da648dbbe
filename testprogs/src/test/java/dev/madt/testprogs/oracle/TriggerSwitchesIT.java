package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
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
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Triggers of the source are switched by one byte of text each, as objdump and /proc/PID/mem show
 * it, and their counts are the program's own.
 */
class TriggerSwitchesIT {
    private static final int TRIGGERS = 100;
    private static final int THREADS = 8;
    /** Times that all are switched while eight threads come to them. */
    private static final int SWITCHES = Tier.SOAK ? 1000 : 30;

    private static final int WINDOWS = 1000;
    private static final byte ON = 0;
    private static final byte OFF = 7;
    private static final String WINDOWED = "--windows 0 --start func:open_up --stop func:shut";

    @TempDir
    static Path shared;

    private static Path program;
    private static long[] jumps;

    @TempDir
    Path directory;

    @BeforeAll
    static void buildProgram() throws Exception {
        program = build(shared, "gcc -O1");
        jumps = jumps(program);
    }

    private static Path build(Path directory, String compiler) throws Exception {
        Path built = directory.resolve("hundred");
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        command.addAll(List.of("-g", "-Wall", "-Wextra", "-pthread"));
        command.add("-I" + MadtRun.root().resolve("madt-native/include"));
        command.addAll(List.of("-o", built.toString()));
        command.add(MadtRun.root().resolve("testprogs/instruments/hundred.c").toString());
        MadtRun.command(directory, command).expect(0);
        return built;
    }

    /** The addresses of jumps of two bytes over seven, in front of a no-operation that has them. */
    private static long[] jumps(Path built) throws Exception {
        List<Long> found = new ArrayList<>();
        String before = "";
        for (String line : MadtRun.command(
                        built.getParent(), List.of("objdump", "-d", "--wide", built.toString()))
                .expect(0)
                .text()
                .lines()
                .toList()) {
            if (before.matches(" *[0-9a-f]+:\teb 07 *\t.*")
                    && line.contains("\t0f 1f 80 00 00 00 00 ")) {
                found.add(
                        Long.parseLong(before.substring(0, before.indexOf(':')).strip(), 16));
            }
            before = line;
        }
        return found.stream().mapToLong(Long::longValue).toArray();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gcc", "clang"})
    void shouldBeOneShortJump(String compiler) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", compiler)), compiler + ": not installed");
        for (String options : List.of(" -O0", " -O2", " -O2 -fno-pie -no-pie")) {
            Path built = build(directory, compiler + options);
            assertEquals(TRIGGERS, jumps(built).length, compiler + options);
            String listed = MadtRun.madt(directory, "events", built.toString())
                    .expect(0)
                    .text();
            assertEquals(
                    TRIGGERS,
                    listed.lines().filter(line -> line.startsWith("event:t")).count());
        }
    }

    private static String name(int trigger) {
        return String.format("event:t%02d", trigger);
    }

    private ToldProgram told(String options, String... more) throws Exception {
        Path probes = directory.resolve("probes");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < TRIGGERS; i++) {
            lines.add(name(i) + " count --if 'arg0 + arg1 == -1 && arg2 == " + (1000 + i) + "'");
        }
        lines.addAll(List.of(more));
        Files.write(probes, lines);
        List<String> words = new ArrayList<>(List.of("--probes", probes.toString()));
        words.addAll(
                Stream.of(options.split(" ")).filter(word -> !word.isEmpty()).toList());
        return new ToldProgram(
                directory,
                words,
                List.of(program.toString(), directory.resolve("counts").toString()));
    }

    /** From the first trigger to the last one. */
    private byte[] text(long process) throws IOException {
        long bias = 0;
        for (String line : Files.readAllLines(Path.of("/proc/" + process + "/maps"))) {
            if (line.endsWith(program.toString()) && line.split(" +")[2].matches("0+")) {
                bias = Long.parseLong(line.substring(0, line.indexOf('-')), 16);
            }
        }
        return bytes(Path.of("/proc/" + process + "/mem"), bias);
    }

    private byte[] bytes(Path file, long bias) throws IOException {
        byte[] bytes = new byte[(int) (jumps[TRIGGERS - 1] - jumps[0] + 9)];
        try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "r")) {
            memory.seek(bias + jumps[0]);
            memory.readFully(bytes);
        }
        return bytes;
    }

    /** The text with the second bytes of some triggers as they are to be. */
    private byte[] switched(byte[] text, List<Integer> triggers, byte value) {
        byte[] switched = text.clone();
        for (int trigger : triggers) {
            switched[(int) (jumps[trigger] - jumps[0]) + 1] = value;
        }
        return switched;
    }

    private static List<Integer> all() {
        return Stream.iterate(0, i -> i + 1).limit(TRIGGERS).toList();
    }

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
                        cells.get(2) + " " + cells.get(1), Long.parseLong(cells.get(0)), Long::sum);
            }
        }
        return hits;
    }

    private static Map<String, Long> wanted(long[] hits) {
        Map<String, Long> wanted = new TreeMap<>();
        for (int i = 0; i < TRIGGERS; i++) {
            wanted.put("count " + name(i), hits[i]);
        }
        return wanted;
    }

    private static void add(long[] hits, List<Integer> triggers, long times) {
        triggers.forEach(trigger -> hits[trigger] += times);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--record accesses", WINDOWED, "--record accesses " + WINDOWED})
    void shouldSwitchByOneByte(String options) throws Exception {
        boolean windowed = options.contains(WINDOWED);
        long[] hits = new long[TRIGGERS];
        List<Integer> others = new ArrayList<>(all());
        others.remove(6);
        try (ToldProgram told = told(options)) {
            told.order("pass 3");
            add(hits, all(), windowed ? 0 : 3);
            long process = told.process(program);
            if (windowed) {
                told.order("windows " + WINDOWS);
                add(hits, all(), WINDOWS);
                assertArrayEquals(bytes(program, 0), text(process), "the text is the file's");
                told.order("open");
            }
            byte[] on = text(process);
            assertArrayEquals(on, switched(on, all(), ON), "all are on");
            assertEquals("switched 1 instrument off\n", told.ctl("disable", "7"));
            byte[] off = text(process);
            assertArrayEquals(switched(on, List.of(6), OFF), off);
            told.order("pass 5");
            add(hits, others, 5);
            assertArrayEquals(off, text(process));
            told.ctl("enable", "7");
            assertArrayEquals(on, text(process));
            told.ctl("disable", "all");
            byte[] none = text(process);
            assertArrayEquals(switched(on, all(), OFF), none);
            told.order("pass 11");
            told.ctl("enable", "event:t4*");
            List<Integer> forties = all().subList(40, 50);
            assertArrayEquals(switched(none, forties, ON), text(process));
            told.order("pass 2");
            add(hits, forties, 2);
            if (windowed) {
                told.order("close");
                assertArrayEquals(bytes(program, 0), text(process), "the text is the file's");
                told.ctl("enable", "1");
                told.order("windows 10");
                add(hits, forties, 10);
                add(hits, List.of(0), 10);
                assertArrayEquals(bytes(program, 0), text(process), "the text is the file's");
            } else {
                told.order("fork 4");
            }
            told.ctl("enable", "all");
            told.order(windowed ? "windows 1" : "pass 1");
            add(hits, all(), 1);
            told.end();
        }
        assertEquals(wanted(hits), hits(directory.resolve("t.madt")));
        if (!windowed) {
            long[] ofChild = new long[TRIGGERS];
            add(ofChild, all().subList(40, 50), 4);
            try (Stream<Path> files = Files.list(directory)) {
                Path trace = files.filter(file -> file.toString().matches(".*/t\\.madt\\.[0-9]+"))
                        .findFirst()
                        .orElseThrow();
                assertEquals(wanted(ofChild), hits(trace));
            }
        }
    }

    /** Switches while eight threads come to triggers and the text changes below them. */
    @Soak
    @ParameterizedTest
    @ValueSource(strings = {WINDOWED, "--record accesses --stack " + WINDOWED})
    void shouldSwitchWhileWindowsOpenAndClose(String options) throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (ToldProgram told = told(options)) {
            told.order("threads");
            long process = told.process(program);
            CompletableFuture<Void> switching = CompletableFuture.runAsync(() -> {
                for (int i = 0; !over.get() || i % 2 == 1; i++) {
                    try {
                        told.ctl(i % 2 == 0 ? "disable" : "enable", "all");
                    } catch (Exception e) {
                        throw new CompletionException(e);
                    }
                }
            });
            told.order("windows " + WINDOWS);
            over.set(true);
            switching.join();
            told.order("open");
            byte[] on = text(process);
            assertArrayEquals(switched(on, all(), ON), on);
            told.ctl("disable", "all");
            assertArrayEquals(switched(on, all(), OFF), text(process));
            told.end();
        }
    }

    /** Attaches to a process that runs, and leaves its text as it was. */
    @Test
    void shouldGiveTheTextBack() throws Exception {
        Process process = new ProcessBuilder(program.toString(), "counts")
                .directory(directory.toFile())
                .start();
        try (BufferedReader answers = process.inputReader();
                Writer orders = process.outputWriter()) {
            orders.write("pass 1\n");
            orders.flush();
            assertEquals("done", answers.readLine());
            byte[] before = text(process.pid());
            String pid = Long.toString(process.pid());
            List<String> words = List.of("run", "-qf", "-o", "t.madt", "-p", pid);
            List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString()));
            command.addAll(words);
            command.addAll(List.of("--at", "event:*", "count"));
            Process recording = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            byte[] on = text(process.pid());
            for (int i = 0; i < 3000 && !Arrays.equals(on, switched(on, all(), ON)); i++) {
                Thread.sleep(20);
                on = text(process.pid());
            }
            ctl(recording, "disable", "all");
            assertArrayEquals(switched(on, all(), OFF), text(process.pid()));
            ctl(recording, "enable", "all");
            assertArrayEquals(switched(on, all(), ON), text(process.pid()));
            ctl(recording, "detach");
            assertEquals(0, recording.waitFor());
            assertArrayEquals(before, text(process.pid()));
        }
        assertEquals(0, process.waitFor());
    }

    private void ctl(Process recording, String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("ctl", Long.toString(recording.pid())));
        all.addAll(List.of(words));
        MadtRun.madt(directory, all.toArray(String[]::new)).expect(0);
    }

    /** A function begins with the trigger: where its calls are recorded, its jump gives way. */
    @ParameterizedTest
    @ValueSource(strings = {"run --record accesses", "trace"})
    void shouldCountBesideOtherProbes(String command) throws Exception {
        Path source = Files.writeString(
                directory.resolve("begin.c"),
                """
                #include <madt.h>

                static int seen;

                __attribute__((noinline)) static void begin(int number)
                {
                    MADT_EVENT(begin);
                    seen += number;
                }

                int main(void)
                {
                    for (int i = 0; i < 1000; i++)
                        begin(i);
                    return seen != 499500;
                }
                """);
        String built = directory.resolve("begin").toString();
        String include = "-I" + MadtRun.root().resolve("madt-native/include");
        MadtRun.command(
                        directory,
                        List.of("gcc", "-g", "-O2", include, "-o", built, source.toString()))
                .expect(0);
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("-qf", "-o", "t.madt", "--at", "event:begin", "count"));
        words.addAll(List.of("--at", "begin:block(0)", "count", "--at", "event:begin", "count"));
        words.addAll(List.of("--from", "func:begin", "--until", "hits:700", "--", built));
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        assertEquals(
                Map.of("count event:begin", 1700L, "count begin:block(0)", 1000L),
                hits(directory.resolve("t.madt")));
    }

    /** Returns how often threads have come to each trigger, and how often they have come past. */
    private long[][] own() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(directory.resolve("counts")))
                .order(ByteOrder.LITTLE_ENDIAN);
        long[][] sums = new long[2][TRIGGERS];
        for (int i = 0; i < THREADS * TRIGGERS; i++) {
            sums[0][i % TRIGGERS] += bytes.getLong(16 * i);
            sums[1][i % TRIGGERS] += bytes.getLong(16 * i + 8);
        }
        return sums;
    }

    private static void add(long[] sums, long[] more, long[] less) {
        Arrays.setAll(sums, i -> sums[i] + Math.max(0, more[i] - less[i]));
    }

    /** Hits are between what the program has counted itself, and values are of one moment. */
    @Test
    void shouldSwitchWhileThreadsCome() throws Exception {
        long[] least = new long[TRIGGERS];
        long[] most = new long[TRIGGERS];
        Random random = new Random(11);
        try (ToldProgram told = told("", "event:t* 'log arg0 arg1' --if 'arg0 + arg1 + 1'")) {
            told.order("pass 0");
            told.ctl("disable", "all");
            told.order("threads");
            for (int i = 0; i < SWITCHES / 2; i++) {
                long[][] before = own();
                told.ctl("enable", "all");
                long[][] on = own();
                Thread.sleep(random.nextInt(20));
                long[][] still = own();
                told.ctl("disable", "all");
                add(least, still[1], on[0]);
                add(most, own()[0], before[1]);
            }
            told.end();
        }
        Map<String, Long> hits = hits(directory.resolve("t.madt"));
        assertEquals(
                0,
                hits.entrySet().stream()
                        .filter(hit -> hit.getKey().startsWith("log "))
                        .mapToLong(Map.Entry::getValue)
                        .sum(),
                "torn");
        for (int i = 0; i < TRIGGERS; i++) {
            long taken = hits.get("count " + name(i));
            assertTrue(
                    taken >= least[i] && taken <= most[i],
                    name(i) + ": " + taken + " hits, not " + least[i] + " to " + most[i]);
        }
        long all = Arrays.stream(least).sum();
        assertTrue(all > 0, "some threads came while they were on");
    }
}
