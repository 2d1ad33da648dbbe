package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks how often functions are entered and left, against what the programs count themselves and
 * what callgrind counts: with jumps, exceptions, coroutines, signals and threads.
 */
class CallCountsIT {
    private static final Pattern COUNTED = Pattern.compile("(\\w+) (\\d+) (\\d+)");
    private static final Pattern LINE = Pattern.compile("([BX])\\$\\d+:([^,?]+)(?:,([^,]+))?.*");

    @TempDir
    Path directory;

    private Path trace;

    private List<String> compiled(String source, String... build) throws Exception {
        Path program = directory.resolve("program");
        List<String> command = new ArrayList<>(List.of(build));
        command.addAll(List.of("-g", "-pthread", "-o", program.toString()));
        command.add(MadtRun.root().resolve("testprogs").resolve(source).toString());
        command.add("-lm");
        MadtRun.command(directory, command).expect(0);
        return List.of(program.toString());
    }

    private List<String> traced(List<String> program) throws Exception {
        trace = directory.resolve("program.madt");
        List<String> command = new ArrayList<>(List.of("trace", "-qf", "-o", trace.toString()));
        command.add("--");
        command.addAll(program);
        return madt(command.toArray(String[]::new));
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    /** Returns what a program printed of its functions: enters and leaves. */
    private static Map<String, String> counted(List<String> output) {
        Map<String, String> counts = new TreeMap<>();
        for (String line : output) {
            Matcher counted = COUNTED.matcher(line);
            if (counted.matches()) {
                counts.put(counted.group(1), counted.group(2) + " " + counted.group(3));
            }
        }
        return counts;
    }

    /** The same of a trace, of these functions. */
    private Map<String, String> found(List<String> lines, Set<String> functions) {
        Map<String, int[]> counts = new TreeMap<>();
        functions.forEach(name -> counts.put(name, new int[2]));
        for (String line : lines) {
            Matcher call = LINE.matcher(line);
            if (call.matches() && functions.contains(call.group(2))) {
                assertTrue(!line.endsWith("?"), line);
                counts.get(call.group(2))[call.group(1).equals("B") ? 0 : 1]++;
            }
        }
        Map<String, String> found = new TreeMap<>();
        counts.forEach((name, count) -> found.put(name, count[0] + " " + count[1]));
        return found;
    }

    /** The callers of a function. */
    private static Set<String> callers(List<String> lines, String function) {
        Set<String> callers = new TreeSet<>();
        for (String line : lines) {
            Matcher call = LINE.matcher(line);
            if (call.matches() && call.group(1).equals("B") && call.group(2).equals(function)) {
                callers.add(call.group(3));
            }
        }
        return callers;
    }

    @ParameterizedTest
    @CsvSource({"calls/ways.c, gcc", "calls/throws.cpp, g++"})
    void shouldSeeWhatIsLeftInOtherWays(String source, String compiler) throws Exception {
        List<String> program = compiled(source, compiler, "-O2");
        List<String> alone = MadtRun.command(directory, program).text().lines().toList();
        assertEquals(alone, traced(program));
        Map<String, String> counted = counted(alone);
        assertTrue(counted.size() > 5, counted.toString());
        List<String> lines = madt("print", trace.toString());
        assertEquals(counted, found(lines, counted.keySet()));
        Map<String, String> caller = source.endsWith(".c")
                ? Map.of("inner", "middle", "middle", "outer", "second", "first~", "step", "body")
                : Map.of("level5", "level4", "level2", "level1", "level1", "catches");
        caller.forEach((name, by) -> assertEquals(Set.of(by), callers(lines, name), name));
        madt("check", trace.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16})
    void shouldSeeTheCallsOfThreads(int threads) throws Exception {
        List<String> program = new ArrayList<>(compiled("calls/threads.c", "gcc", "-O2"));
        program.add(Integer.toString(threads));
        List<String> output = traced(program);
        Map<String, String> counted = counted(output);
        assertEquals(threads + " " + threads, counted.get("works"));
        List<String> lines = madt("print", trace.toString());
        assertEquals(counted, found(lines, counted.keySet()));
        String[] thread = output.stream()
                .filter(line -> line.startsWith("thread="))
                .skip(1)
                .findFirst()
                .orElseThrow()
                .split("[= ]");
        assertEquals(
                List.of("calls", thread[2]),
                madt(
                        "report",
                        "--by",
                        "call",
                        "--thread",
                        thread[1],
                        "--function",
                        "leaf",
                        "--format",
                        "csv",
                        "--columns",
                        "calls",
                        trace.toString()));
    }

    /** A report has the calls of the lines, and their times. */
    @Test
    void shouldReportTheCallsOfTheLines() throws Exception {
        traced(compiled("oracle/trees.c", "gcc", "-O2"));
        Map<String, Long> calls = new TreeMap<>();
        for (String line : madt("print", trace.toString())) {
            Matcher call = LINE.matcher(line);
            if (call.matches() && call.group(1).equals("B")) {
                calls.merge(call.group(2), 1L, Long::sum);
            }
        }
        Map<String, Long> reported = new TreeMap<>();
        long self = 0;
        for (String row : rows("call", "function,calls,self")) {
            String[] cells = row.split(",");
            reported.merge(cells[0], Long.parseLong(cells[1]), Long::sum);
            self += Long.parseLong(cells[2]);
        }
        assertEquals(calls, reported);
        long byPath = 0;
        for (String row : rows("path", "path,self")) {
            byPath += Long.parseLong(row.split(",")[1]);
        }
        assertEquals(self, byPath);
        for (String measure : List.of("calls", "time")) {
            Map<String, Long> paths = new TreeMap<>();
            for (String row : rows("path", measure.equals("time") ? "path,self" : "path,calls")) {
                String[] cells = row.split(",");
                paths.put(cells[0], Long.parseLong(cells[1]));
            }
            paths.values().removeIf(weight -> weight <= 0);
            Map<String, Long> folded = new TreeMap<>();
            for (String line : madt("flame", "--by", measure, trace.toString())) {
                int blank = line.lastIndexOf(' ');
                folded.put(line.substring(0, blank), Long.parseLong(line.substring(blank + 1)));
            }
            assertEquals(paths, folded, measure);
        }
    }

    private List<String> rows(String key, String columns) throws Exception {
        List<String> rows = madt(
                "report", "--by", key, "--format", "csv", "--columns", columns, trace.toString());
        return rows.subList(1, rows.size());
    }

    /** Calls for each pair of functions of the program; jumps to functions are no calls here. */
    @ParameterizedTest
    @CsvSource({"0, -O3", "8, -Os"})
    @SoakCases("6, -O2")
    void shouldSeeThePairsThatCallgrindSees(int seed, String level) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/valgrind")), "no valgrind");
        String source = "calls/threads.c";
        if (seed > 0) {
            Path random = directory.resolve("random.c");
            MadtRun.command(
                            directory,
                            List.of("csmith", "--seed", "" + seed, "-o", random.toString()))
                    .expect(0);
            source = random.toString();
        }
        List<String> program = compiled(
                source,
                "gcc",
                level,
                "-w",
                "-I/usr/include/csmith",
                "-fno-inline",
                "-fno-optimize-sibling-calls");
        Set<String> own = new TreeSet<>();
        MadtRun.command(directory, List.of("nm", program.get(0))).text().lines().forEach(line -> {
            String[] parts = line.split(" ");
            if (parts.length == 3
                    && "Tt".contains(parts[1])
                    && !parts[2].matches("_.*|frame_dummy|.*tm_clones")) {
                own.add(parts[2]);
            }
        });
        Path file = directory.resolve("callgrind.out");
        List<String> command = new ArrayList<>(List.of(
                "env",
                "GLIBC_TUNABLES=" + ValgrindRun.TUNABLES,
                "valgrind",
                "--tool=callgrind",
                "--compress-strings=no",
                "--callgrind-out-file=" + file));
        command.addAll(program);
        MadtRun.command(directory, command);
        traced(program);
        Map<String, Long> expected = pairs(file, own);
        Map<String, Long> found = new TreeMap<>();
        for (String line : madt("print", trace.toString())) {
            Matcher call = LINE.matcher(line);
            if (call.matches()
                    && call.group(1).equals("B")
                    && own.contains(call.group(2))
                    && own.contains(call.group(3))) {
                found.merge(call.group(3) + " > " + call.group(2), 1L, Long::sum);
            }
        }
        assertEquals(expected, found);
        assertTrue(!found.isEmpty(), "no pairs");
    }

    private static Map<String, Long> pairs(Path file, Set<String> own) throws IOException {
        Map<String, Long> pairs = new TreeMap<>();
        String caller = "";
        String callee = "";
        for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            if (line.startsWith("fn=")) {
                caller = line.substring(3).replaceFirst("'\\d+$", "");
            } else if (line.startsWith("cfn=")) {
                callee = line.substring(4).replaceFirst("'\\d+$", "");
            } else if (line.startsWith("calls=") && own.contains(caller) && own.contains(callee)) {
                long calls = Long.parseLong(line.substring(6).split(" ")[0]);
                pairs.merge(caller + " > " + callee, calls, Long::sum);
            }
        }
        return pairs;
    }
}
