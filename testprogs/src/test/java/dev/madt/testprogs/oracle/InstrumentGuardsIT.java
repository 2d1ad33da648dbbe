package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks which hits of instruments are taken: conditions are decided in the target as the launcher
 * decides them, and instruments are on when they are to be.
 */
class InstrumentGuardsIT {
    /** Begins a condition that the target cannot tell, and changes nothing of it. */
    private static final String ELSEWHERE = "tid && 0 || ";

    private static final List<String> AT_ADD = List.of(
            "b % 3 == 0",
            "b / (b - 7) == 1",
            "100 % b < 2",
            "a > 500 && a <= 1500 || b == 3",
            "!(b & 1) && text[0] == 98",
            "text[0] == 97",
            "a - b * 100",
            "~a & 0x100",
            "-b < -10",
            "1 << b > 0x8000",
            "a >> (b - 3) == 12",
            "a >> 64 | a << 70",
            "reg(rdi) == arg0 && reg(rsi) >= 18",
            "a ^ 0x3e8",
            "calls < 4",
            "first->value == -b",
            "first->next->kind >= 210",
            "first->next->weight <= -1000 || first->next == 0",
            "first->sizes[2] > 0x100000000",
            "first->name[5] == 49",
            "first->next->value < -5",
            "threads != 1 && b",
            "((a + 1) * (b + 2) - (a & 7)) % ((b | 1) + 4) > 3",
            "(a == 100 || a == 200 || a == 300) && !(b == 2)");

    private static final List<String> AT_WEIGH = List.of(
            "item == 0",
            "item->value",
            "item->next->weight < -300 && deep > 2",
            "!item || deep == 0",
            "deep == 0 || item->sizes[1] != 0");

    /** Times that ten thousand are switched; each time another process asks for it. */
    private static final int ROUNDS = Tier.SOAK ? 60 : 4;

    @TempDir
    Path directory;

    private Path program(String name) throws Exception {
        return program(directory, name);
    }

    /** Builds a program of testprogs/instruments, with threads. */
    static Path program(Path directory, String name) throws Exception {
        Path program = directory.resolve(name);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-g",
                                "-O1",
                                "-pthread",
                                "-I" + MadtRun.root().resolve("madt-native/include"),
                                "-o",
                                program.toString(),
                                MadtRun.root()
                                        .resolve("testprogs/instruments/" + name + ".c")
                                        .toString()))
                .expect(0);
        return program;
    }

    private List<String> points(String trace) throws Exception {
        return MadtRun.madt(directory, "points", "--format", "csv", trace)
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    /** Hits by what is summed up: {@code sum NUMBER}. */
    private Map<String, Long> sums() throws Exception {
        return sums("t.madt");
    }

    private Map<String, Long> sums(String trace) throws Exception {
        Map<String, Long> counts = new TreeMap<>();
        for (String line : points(trace)) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(1).startsWith("sum ")) {
                counts.put(cells.get(1).substring(4), Long.parseLong(cells.get(3)));
            }
        }
        return counts;
    }

    /** Adds a condition in both ways: a line each time. */
    private static void add(List<String> words, String place, String condition, String values) {
        int number = words.size();
        words.addAll(
                List.of("--at", place, "log \"here" + number + " " + values, "--if", condition));
        words.addAll(List.of(
                "--at",
                place,
                "log \"there" + number + " " + values,
                "--if",
                ELSEWHERE + "(" + condition + ")"));
    }

    @Test
    void shouldDecideAsTheLauncherDoes() throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        AT_ADD.forEach(condition -> add(words, "add", condition, "%d %d\" a b"));
        AT_WEIGH.forEach(condition -> add(words, "weigh", condition, "%p %u\" item deep"));
        words.addAll(List.of("--at", "step", "count; sum 1", "--if", "number % 5 == 3"));
        words.addAll(List.of("--", program("points").toString(), "2", "20"));
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        Map<String, List<String>> lines = new TreeMap<>();
        MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .map(line -> line.replaceFirst("^T\\$\\d+:", "").split(" ", 2))
                .forEach(line -> lines.computeIfAbsent(line[0], absent -> new ArrayList<>())
                        .add(line[1]));
        Map<String, List<String>> here = new TreeMap<>();
        Map<String, List<String>> there = new TreeMap<>();
        lines.forEach((key, hits) ->
                (key.startsWith("here") ? here : there).put(key.replaceAll("\\D", ""), hits));
        assertEquals(there, here);
        assertTrue(here.size() > 24, here.keySet().toString());
        assertEquals(Map.of("1", 8L), sums());
    }

    @Test
    void shouldBeginAndEndWithHitsAndCalls() throws Exception {
        Path program = program("switched");
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        List<List<String>> instruments = List.of(
                List.of("--from", "hits:3"),
                List.of("--until", "hits:7"),
                List.of("--from", "hits:10", "--until", "hits:20", "--if", "number % 2"),
                List.of("--every", "7"),
                List.of("--from", "func:open_up", "--until", "func:shut"),
                List.of("--until", "return:open_up"),
                List.of("--from", "after:60m"),
                List.of("--from", "ctl"),
                List.of("--every", "10", "--until", "hits:55"),
                List.of("--every", "10", "--if", ELSEWHERE + "number > 5", "--from", "hits:6"));
        for (int i = 0; i < instruments.size(); i++) {
            words.addAll(List.of("--at", "work", "sum " + i));
            words.addAll(instruments.get(i));
        }
        words.addAll(List.of(
                "--",
                "sh",
                "-c",
                "printf 'work 30\\nopen 1\\nwork 40\\nclose 1\\nwork 50\\n' | " + program));
        words.add(words.indexOf("--"), "--only-program");
        words.add(words.indexOf("--"), "switched");
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        Map<String, Long> wanted = new TreeMap<>(Map.of(
                "0", 118L, "1", 7L, "2", 11L, "3", 17L, "4", 40L, "5", 30L, "8", 5L, "9", 10L));
        assertEquals(wanted, sums());
    }

    @Test
    void shouldBeSwitchedWhileTheProgramRuns() throws Exception {
        try (ToldProgram told = told(List.of(
                "--at",
                "work",
                "sum 1",
                "--at",
                "work",
                "sum 2",
                "--from",
                "ctl",
                "--at",
                "open_up",
                "sum 3",
                "--at",
                "work",
                "sum 4",
                "--from",
                "after:1ns",
                "--at",
                "work",
                "sum 5",
                "--until",
                "hits:10"))) {
            told.order("work 100");
            assertTrue(told.ctl("at").contains("   2  off   --at 'work' 'sum 2'\n"));
            assertEquals("switched 4 instruments off\n", told.ctl("disable", "w*k"));
            told.order("work 1000");
            told.order("open 3");
            told.ctl("enable", "2");
            told.order("work 7");
            told.ctl("enable", "5");
            told.order("work 8");
            told.ctl("disable", "all");
            told.order("work 500");
            told.order("open 500");
            told.end();
        }
        Map<String, Long> sums = sums();
        sums.remove("4");
        assertEquals(Map.of("1", 100L, "2", 15L, "3", 3L, "5", 18L), sums);
    }

    /** Globs of functions, of which each is switched on and off some times. */
    private static final List<String> SETS =
            List.of("f1*", "f?3*", "f*7", "f??5*", "f*4?", "f2*", "f?0*", "f*91*");

    private static boolean isIn(String set, String name) {
        return name.matches(set.replace("?", ".").replace("*", ".*"));
    }

    /** Takes ten thousand functions, which eight threads call. */
    @Test
    void shouldSwitchTenThousand() throws Exception {
        Map<String, Long> wanted = new TreeMap<>();
        Map<String, Boolean> on = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            on.put("f" + (1000 + i), true);
        }
        Files.write(
                directory.resolve("probes"),
                on.keySet().stream().map(name -> name + " count").toList());
        Path program = program("many");
        try (ToldProgram told =
                told(List.of("--probes", directory.resolve("probes").toString()), program)) {
            Random random = new Random(7);
            for (int i = 0; i < ROUNDS; i++) {
                int times = 1 + random.nextInt(9);
                told.order(Integer.toString(times));
                on.forEach((name, is) -> wanted.merge(name, is ? times : 0L, Long::sum));
                String set = SETS.get(random.nextInt(SETS.size()));
                boolean enable = random.nextInt(3) == 0;
                told.ctl(enable ? "enable" : "disable", set);
                on.replaceAll((name, is) -> isIn(set, name) ? enable : is);
            }
            told.end();
        }
        Map<String, Long> counts = new TreeMap<>();
        for (String line : points("t.madt")) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(4).startsWith("0x")) {
                counts.put(cells.get(1), Long.parseLong(cells.get(0)));
            }
        }
        assertEquals(wanted, counts);
    }

    /** Another thread calls the function on and on behind the end of a window. */
    @ParameterizedTest
    @CsvSource({"marker, marker, ''", "func:opens, func:closes, functions"})
    void shouldCountNothingBetweenWindows(String start, String stop, String how) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        words.addAll(List.of("--start", start, "--stop", stop, "--windows", "0"));
        words.addAll(List.of("--at", "f", "count", "--at", "f", "count", "--every", "2"));
        words.addAll(List.of("--", program("turns").toString()));
        words.addAll(how.isEmpty() ? List.of() : List.of(how));
        MadtRun.told(directory, words.toArray(String[]::new)).expect(0);
        List<String> counts = points("t.madt").stream()
                .map(line -> CsvLine.cells(line).get(0))
                .filter(hits -> hits.matches("\\d+"))
                .toList();
        assertEquals(List.of("1010", "505"), counts);
    }

    @Test
    void shouldStopAndDumpTheRecording() throws Exception {
        Path dump = directory.resolve("t.dump1.madt");
        try (ToldProgram told = told(List.of(
                "--at",
                "work",
                "stop",
                "--from",
                "hits:3",
                "--until",
                "hits:3",
                "--at",
                "work",
                "sum 1",
                "--at",
                "shut",
                "log \"shut %d\" elapsed > 0; dump"))) {
            told.order("close 1");
            for (int i = 0; i < 1000 && !Files.exists(dump); i++) {
                Thread.sleep(10);
            }
            told.order("work 10");
            for (int i = 0; i < 1000 && !told.ctl("status").contains(": off, "); i++) {
                Thread.sleep(10);
            }
            told.order("work 500");
            told.end();
        }
        long hits = sums().get("1");
        assertTrue(hits >= 3 && hits <= 10, hits + " hits");
        assertEquals(
                1,
                MadtRun.madt(directory, "print", "--kind", "T", dump.toString())
                        .expect(0)
                        .text()
                        .lines()
                        .filter(line -> line.contains(":shut 1,shut+"))
                        .count());
    }

    /** Takes two dumps: what the first has told does not stay away from the second or the end. */
    @Test
    void shouldTellInADumpWhatIsCountedByThen() throws Exception {
        try (ToldProgram told = told(List.of(
                "--at", "work", "count", "--at", "work", "sum 1", "--at", "open_up", "log 7"))) {
            told.order("work 10");
            told.order("open 3");
            String said = told.ctl("dump");
            assertTrue(said.contains("t.dump1.madt: 3 events of process "), said);
            told.order("work 5");
            told.ctl("dump");
            told.order("work 100");
            told.end();
        }
        assertEquals(Map.of("1", 10L), sums("t.dump1.madt"));
        assertEquals(Map.of("1", 15L), sums("t.dump2.madt"));
        assertEquals(Map.of("1", 115L), sums());
        List<String> lines = points("t.dump1.madt");
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("10,work,")), "" + lines);
    }

    @Test
    void shouldBeginByTime() throws Exception {
        try (ToldProgram told = told(List.of(
                "--at",
                "work",
                "sum 1",
                "--from",
                "after:1ns",
                "--at",
                "work",
                "sum 2",
                "--until",
                "after:1ns"))) {
            told.order("open 1");
            for (int i = 0; i < 1000 && !told.ctl("at").contains("   2  off "); i++) {
                Thread.sleep(10);
            }
            told.order("work 12");
            told.end();
        }
        assertEquals(Map.of("1", 12L), sums());
    }

    private ToldProgram told(List<String> options) throws Exception {
        return told(options, program("switched"));
    }

    private ToldProgram told(List<String> options, Path program) throws Exception {
        return new ToldProgram(directory, options, List.of(program.toString()));
    }
}
