package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares what instruments log with gdb, and what they say of threads with what the program says.
 */
class InstrumentsIT {
    private static final Pattern HIT = Pattern.compile("T\\$\\d+:(.*),[^,]*");

    @TempDir
    Path directory;

    private Path program(String... build) throws Exception {
        Path program = directory.resolve("points");
        List<String> command = new ArrayList<>(List.of("gcc", "-g", "-pthread"));
        command.addAll(List.of(build));
        command.addAll(List.of(
                "-o",
                program.toString(),
                MadtRun.root().resolve("testprogs/instruments/points.c").toString()));
        MadtRun.command(directory, command).expect(0);
        return program;
    }

    private MadtRun run(List<String> options, String... program) throws Exception {
        return run(directory, options, program);
    }

    /** Records a program into t.madt. */
    static MadtRun run(Path directory, List<String> options, String... program) throws Exception {
        List<String> words = new ArrayList<>(List.of("run", "-qf", "-o", "t.madt"));
        words.addAll(options);
        words.add("--");
        words.addAll(List.of(program));
        return MadtRun.told(directory, words.toArray(String[]::new));
    }

    private List<String> points() throws Exception {
        return points(directory);
    }

    /** Returns the lines of the table of the instruments in t.madt. */
    static List<String> points(Path directory) throws Exception {
        return MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    private List<String> hits() throws Exception {
        return hits(line -> true);
    }

    private List<String> hits(Predicate<String> wanted) throws Exception {
        return hits(directory, wanted);
    }

    /** Returns what the hits in t.madt tell, one by one. */
    static List<String> hits(Path directory, Predicate<String> wanted) throws Exception {
        List<String> hits = new ArrayList<>();
        MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(wanted)
                .forEach(line -> {
                    Matcher hit = HIT.matcher(line);
                    assertTrue(hit.matches(), line);
                    hits.add(hit.group(1));
                });
        return hits;
    }

    @ParameterizedTest
    @CsvSource("-O2")
    @SoakCases("-O0")
    void shouldLogRegistersAsGdbPrintsThem(String build) throws Exception {
        Path program = program(build);
        run(
                List.of(
                        "--at",
                        "add+0",
                        "log \"%d %d %x\" reg(rdi) reg(rsi) reg(rdx)",
                        "--at",
                        "weigh+0",
                        "log \"%d %d %x\" reg(rdi), reg(rsi), reg(r12)"),
                program.toString(),
                "1",
                "1");
        Files.writeString(
                directory.resolve("script"),
                """
                set pagination off
                set breakpoint pending on
                break *add
                commands
                silent
                printf "%ld %ld %lx\\n", $rdi, $rsi, $rdx
                continue
                end
                break *weigh
                commands
                silent
                printf "%ld %ld %lx\\n", $rdi, $rsi, $r12
                continue
                end
                run 1 1
                """);
        List<String> printed = MadtRun.command(
                        directory,
                        List.of("gdb", "-q", "-batch", "-nx", "-x", "script", program.toString()))
                .text()
                .lines()
                .filter(line -> line.matches("-?\\d+ -?\\d+ [0-9a-f]+"))
                .toList();
        assertTrue(printed.size() >= 40, printed.toString());
        assertEquals(plain(printed), plain(hits()));
    }

    /** Addresses of heaps and stacks differ from run to run. */
    private static List<String> plain(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("\\b[0-9a-f]{12,}\\b", "P"))
                .toList();
    }

    /** Evaluates expressions where it stops, as long as something of them is there. */
    static final String EVALUATE =
            """
            import gdb

            def text(expression):
                try:
                    value = gdb.parse_and_eval(expression)
                    return '?' if value.is_optimized_out else str(int(value))
                except (gdb.error, gdb.MemoryError):
                    return '?'

            class Place(gdb.Breakpoint):
                def __init__(self, address, expressions):
                    super().__init__('*' + address)
                    self.address = address
                    self.expressions = expressions

                def stop(self):
                    print(self.address, *[text(one) for one in self.expressions])
                    return False

            gdb.execute('set pagination off')
            """;

    /**
     * Values with names at all blocks of functions, whatever the compiler has left of them: what
     * instruments have, gdb has too. What it finds by the frames of callers, they do not have.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-O0", "-O2"})
    @SoakCases({"-O1", "-O3"})
    void shouldLogVariablesAsGdbPrintsThem(String build) throws Exception {
        Path program = program(build, "-no-pie");
        Map<String, List<String>> expressions = Map.of(
                "add",
                List.of("a", "b", "sum", "*text", "calls", "text[1]", "a + b * 2"),
                "weigh",
                List.of(
                        "item->value",
                        "item->kind",
                        "item->weight",
                        "item->next",
                        "item->next->value",
                        "item->next->sizes[1]",
                        "item->sizes[3]",
                        "weight",
                        "deep",
                        "first->name[5]"),
                "make",
                List.of("value", "next", "next->weight", "item->kind", "first"));
        List<String> options = new ArrayList<>();
        expressions.forEach((function, list) -> options.addAll(List.of(
                "--at",
                function + ":block(*)",
                "count; log \"" + "%d ".repeat(list.size()) + "\" " + String.join(", ", list))));
        run(options, program.toString(), "1", "1").expect(0);
        StringBuilder script = new StringBuilder(EVALUATE);
        Map<String, String> addresses = new TreeMap<>();
        for (String line : points()) {
            List<String> cells = CsvLine.cells(line);
            String function = cells.get(1).replaceAll(":.*", "");
            // in the first block variables have no values yet
            if (expressions.containsKey(function) && !cells.get(1).endsWith("(0)")) {
                addresses.put(cells.get(4), function);
            }
        }
        addresses.forEach((address, function) -> script.append("Place('")
                .append(address)
                .append("', ['")
                .append(String.join("', '", expressions.get(function)))
                .append("'])\n"));
        Files.writeString(directory.resolve("script.py"), script + "gdb.execute('run 1 1')\n");
        List<String> printed = MadtRun.command(
                        directory,
                        List.of(
                                "gdb",
                                "-q",
                                "-batch",
                                "-nx",
                                "-x",
                                "script.py",
                                program.toString()))
                .text()
                .lines()
                .filter(line -> line.matches("0x[0-9a-f]+( (\\?|-?\\d+))+"))
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
        List<String> logged =
                hits(line -> !line.endsWith("+0")).stream().map(String::strip).toList();
        assertEquals(printed.size(), logged.size());
        long values = 0;
        long missed = 0;
        for (int i = 0; i < printed.size(); i++) {
            String[] wanted = printed.get(i).split(" ");
            String[] told = logged.get(i).split(" ");
            for (int k = 0; k < wanted.length; k++) {
                boolean missing = told[k].equals("?");
                values += missing ? 0 : 1;
                missed += missing && !wanted[k].equals("?") ? 1 : 0;
                if (!missing) {
                    assertEquals(
                            plain(wanted[k]),
                            plain(told[k]),
                            printed.get(i) + " and " + logged.get(i));
                }
            }
        }
        assertTrue(values > 500, "values: " + values);
        assertTrue(missed == 0 || !build.equals("-O0"), missed + " missed, values: " + values);
    }

    /** Addresses of heaps differ from run to run. */
    private static String plain(String number) {
        return number.matches("[0-9]{6,}")
                        && Long.parseLong(number) < 1L << 47
                        && Long.parseLong(number) > 1L << 22
                        && Long.bitCount(Long.parseLong(number)) > 1
                ? "P"
                : number;
    }

    @Test
    void shouldTellTextsAndWildPointers() throws Exception {
        Path program = program("-O1");
        run(
                List.of(
                        "--at",
                        "add",
                        "log \"%s|%s\" str(text, 8) str(arg2)",
                        "--at",
                        "weigh",
                        "log str(item->name, 4)",
                        "--if",
                        "deep == 3",
                        "--at",
                        "step",
                        "log \"%d %s\" item->value str(reg(rsp), 1)"),
                program.toString());
        // step has no such variable: nothing is run
        assertFalse(Files.exists(directory.resolve("t.madt")));
        String alone = MadtRun.command(directory, List.of(program.toString())).text();
        String output = run(
                        List.of(
                                "--at",
                                "add",
                                "log \"%s|%s\" str(text, 8) str(arg2)",
                                "--at",
                                "weigh",
                                "log str(item->name, 4)",
                                "--if",
                                "deep == 3",
                                "--at",
                                "step",
                                "log \"%s %d\" str(arg0) tid > 0"),
                        program.toString())
                .text();
        assertEquals(alone, output);
        List<String> hits = hits();
        assertEquals("\"b\"|\"b\"", hits.get(0));
        assertEquals("\"a\"|\"a\"", hits.get(1));
        assertTrue(hits.contains("str(item->name, 4)=\"item…\""), hits.toString());
        assertTrue(hits.contains("? 1"), hits.toString());
    }

    @Test
    void shouldCountWhatThreadsDo() throws Exception {
        Path program = program("-O2");
        String output = run(
                        List.of(
                                "--at",
                                "step",
                                "count",
                                "--at",
                                "step",
                                "sum arg0; hist arg0; max arg0 by tid",
                                "--at",
                                "step:return",
                                "count; log ret",
                                "--if",
                                "ret == 7",
                                "--at",
                                "points.c:46",
                                "count"),
                        program.toString(),
                        "8",
                        "2001")
                .expect(0)
                .text();
        assertEquals(8, output.lines().filter("step 2001"::equals).count());
        List<String> points = points();
        assertTrue(points.stream().anyMatch(line -> line.startsWith("16008,step,count,")));
        assertTrue(points.contains("step,sum arg0,,16008,16008000"), points.toString());
        assertTrue(points.contains("step,hist arg0,4 to 7,32,176"), points.toString());
        assertTrue(points.stream()
                .anyMatch(line -> line.startsWith("2000,step:return,count; log ret,points,")));
        assertEquals(
                8, points.stream().filter(line -> line.endsWith(",2001,2000")).count());
        assertEquals(2000, hits().size());
        assertTrue(hits().stream().allMatch("ret=7"::equals));
    }

    @Test
    void shouldTakeTheTimesOfFunctions() throws Exception {
        Path program = program("-O2");
        run(List.of("--at", "add", "time", "--at", "main", "time; count"), program.toString())
                .expect(0);
        long[] calls = new long[2];
        long[] nanos = new long[2];
        for (String line : points()) {
            List<String> cells = CsvLine.cells(line);
            int which = cells.get(0).equals("add") ? 0 : cells.get(0).equals("main") ? 1 : -1;
            if (which >= 0 && cells.get(1).equals("time")) {
                calls[which] += Long.parseLong(cells.get(3));
                nanos[which] += Long.parseLong(cells.get(4));
            }
        }
        assertEquals(20, calls[0]);
        assertEquals(1, calls[1]);
        assertTrue(nanos[0] > 0 && nanos[0] < nanos[1], nanos[0] + " of " + nanos[1]);
    }

    /** Counts of a process that is killed are those until then. */
    @Test
    void shouldCountOfAProcessThatIsKilled() throws Exception {
        Path source = directory.resolve("killed.c");
        Files.writeString(
                source,
                """
                #include <signal.h>
                #include <sys/wait.h>
                #include <unistd.h>
                __attribute__((noinline)) int f(int i) { __asm__ volatile(""); return i; }
                int main(void)
                {
                    int status, sum = 0;
                    for (int i = 0; i < 7; i++)
                        sum += f(i);
                    if (fork() == 0) {
                        for (int i = 0; i < 1234; i++)
                            sum += f(i);
                        kill(getpid(), SIGKILL);
                    }
                    wait(&status);
                    return f(sum) != 21;
                }
                """);
        MadtRun.command(directory, List.of("gcc", "-O1", "-o", "killed", source.toString()))
                .expect(0);
        run(List.of("--at", "f", "count"), "./killed").expect(0);
        assertTrue(points().stream().anyMatch(line -> line.startsWith("8,f,count,killed,")));
        List<String> child = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().contains("t.madt.")).toList()) {
                child.addAll(MadtRun.madt(directory, "points", "--format", "csv", file.toString())
                        .text()
                        .lines()
                        .toList());
            }
        }
        assertTrue(
                child.stream().anyMatch(line -> line.startsWith("1234,f,count,killed,")),
                child.toString());
    }

    /** Of several traces, that of the process which came to the place is named. */
    @Test
    void shouldNameTheTraceThatHasHits() throws Exception {
        Path program = program("-O1");
        String line = "run -f -o t.madt --at points:add count -- sh -c";
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.add(program + " 2 8; true");
        String said =
                MadtRun.told(directory, words.toArray(String[]::new)).expect(0).errors();
        assertTrue(said.contains("wrote t.madt: "), said);
        assertTrue(
                said.matches("(?s).*next: madt points (t\\.madt\\.\\d+) +madt print \\1 .*"), said);
    }

    @Test
    void shouldReadInstrumentsFromAFile() throws Exception {
        Path program = program("-O1");
        Files.writeString(
                directory.resolve("probes"),
                """
                # where what happens
                add count
                'weigh'  log "%d" arg1 --if arg1 > 17

                step:return   sum ret by ret % 2
                """);
        run(List.of("--probes", "probes"), program.toString(), "2", "8").expect(0);
        List<String> points = points();
        assertTrue(points.stream().anyMatch(line -> line.startsWith("20,add,count,")));
        assertEquals(List.of("18", "19", "18"), hits());
        assertTrue(points.contains("step:return,sum ret by ret % 2,1,8,32"), points.toString());
    }
}
