package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.RandomProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses to thread-local storage, with {@code --tls}: gdb judges the names, Lackey the sequence.
 */
class ThreadStorageIT {
    private static final Pattern TOUCH =
            Pattern.compile("L\\$\\d+:(.*),(\\[[^,]*\\]),touch\\+\\d+");
    /** One of csmith's global variables. */
    private static final Pattern GLOBAL =
            Pattern.compile("static ((?:const |volatile )*\\w+ (?:\\** ?(?:volatile )?)*)(g_\\d+)"
                    + "((?:\\[\\d+\\])* = [^&;]*;.*)");

    private static final List<String> VARIABLES = Stream.concat(
                    Stream.of("object"),
                    Stream.of("le", "ie", "gd", "ld", "desc", "late_gd", "late_ie", "late_desc")
                            .flatMap(model -> Stream.of(model + "_a", model + "_s")))
            .toList();

    /** Threads, the first one included, each of which touches every variable of each model. */
    private static final int THREADS = 17;

    private static final int EARLY = 7;

    @TempDir
    Path directory;

    @Test
    void shouldNameWhatGdbNamesInEachThread() throws Exception {
        Path sources = Path.of("tls").toAbsolutePath();
        MadtRun.command(directory, List.of(sources.resolve("build").toString(), sources.toString()))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "--tls", "-o", "t.madt", "--", "./places")
                .expect(0);
        Map<String, Long> ours = touched("t.madt");
        assertEquals((long) THREADS, ours.remove("errno+0"), "errno");
        Map<String, Long> theirs = gdb(sources);
        assertEquals((long) THREADS, theirs.remove("?"), "gdb has no name for errno");
        assertEquals(theirs, ours);
        long touches = (2L * VARIABLES.size() / 2 + 2) * THREADS + EARLY;
        assertEquals(touches, ours.values().stream().mapToLong(count -> count).sum());
        assertEquals(
                Stream.concat(VARIABLES.stream(), Stream.of("errno")).collect(Collectors.toSet()),
                touched(child()).keySet().stream()
                        .map(name -> name.replaceFirst("\\+.*", ""))
                        .collect(Collectors.toSet()));
    }

    private Map<String, Long> gdb(Path sources) throws Exception {
        MadtRun.command(
                        directory,
                        List.of(
                                "env",
                                "-u",
                                "DEBUGINFOD_URLS",
                                "names=" + String.join(" ", VARIABLES),
                                "out=gdb.txt",
                                "gdb",
                                "-nx",
                                "-q",
                                "-batch",
                                "-x",
                                sources.resolve("places.py").toString(),
                                "./places"))
                .expect(0);
        return counted(Files.readAllLines(directory.resolve("gdb.txt")));
    }

    private String child() throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("t.madt."))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private Map<String, Long> touched(String trace) throws Exception {
        return counted(MadtRun.madt(directory, "print", trace)
                .expect(0)
                .text()
                .lines()
                .map(TOUCH::matcher)
                .filter(Matcher::matches)
                .peek(line -> assertEquals("[tls]", line.group(2), line.group()))
                .map(line -> line.group(1))
                .toList());
    }

    private static Map<String, Long> counted(Collection<String> names) {
        return names.stream()
                .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
    }

    /** The variables of programs that nobody wrote become thread-local. */
    @ParameterizedTest
    @ValueSource(ints = 2)
    void shouldSeeWhatLackeySees(int seed) throws Exception {
        compare(seed, List.of("gcc", "-O1", "-fstack-protector-all"));
    }

    @ParameterizedTest
    @Soak
    @ValueSource(
            ints = {2, 9, 11, 15, 16, 29, 32, 55, 57, 59, 71, 77, 3, 7, 40, 41, 44, 47, 48, 61})
    void shouldSeeWhatLackeySeesInMorePrograms(int seed) throws Exception {
        compare(seed, List.of("gcc", seed % 2 == 0 ? "-O0" : "-O2", "-fstack-protector-all"));
        compare(seed, List.of("clang", "-O" + seed % 3, "-fstack-protector-all"));
    }

    private void compare(int seed, List<String> compiler) throws Exception {
        RandomProgram.build(directory, seed, compiler);
        Path source = directory.resolve("random.c");
        List<String> lines = Files.readAllLines(source);
        List<String> local = withThreadLocals(lines);
        Files.write(source, local);
        local.removeAll(lines);
        int changed = local.size();
        assertTrue(changed > 2, "too few variables of seed " + seed + " become thread-local");
        List<String> command = Stream.of(
                        compiler,
                        List.of(
                                "-w",
                                "-I/usr/include/csmith",
                                "-Dmain=program_main",
                                "-pie",
                                "-fPIE"),
                        List.of(
                                "random.c",
                                "-o",
                                "random",
                                MadtRun.program("oracle/start.o").toString()))
                .flatMap(List::stream)
                .toList();
        MadtRun.command(directory, command).expect(0);
        AllCodeOracle.Report report =
                new AllCodeOracle(directory, directory.resolve("random")).agree(false);
        System.out.printf(
                "Lackey and MadT agree on seed %d, %d variables thread-local: %s%n",
                seed, changed, report);
    }

    /** An address of a thread-local variable is no constant: who is pointed at stays as it is. */
    private static List<String> withThreadLocals(List<String> lines) {
        String text = String.join("\n", lines);
        return lines.stream()
                .map(line -> {
                    Matcher global = GLOBAL.matcher(line);
                    return global.matches() && !isInInitializer(text, global.group(2))
                            ? "static __thread " + global.group(1) + global.group(2)
                                    + global.group(3)
                            : line;
                })
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static boolean isInInitializer(String text, String name) {
        return Pattern.compile("(?m)^\\s*static .* = .*&" + name + "\\b")
                .matcher(text)
                .find();
    }

    /** A stack that the program itself has allocated holds the thread's storage for its life. */
    @Test
    void shouldGiveTheMemoryBackToTheBlockThatItLiesIn() throws Exception {
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-pthread",
                                Path.of("tls/stack.c").toAbsolutePath().toString(),
                                "-o",
                                "stack"))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "--tls", "-o", "t.madt", "--", "./stack")
                .expect(0);
        List<String> lines = MadtRun.madt(directory, "print", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.contains(",touch+"))
                .map(line -> line.replaceAll("^L\\$\\d+:|\\+\\d+", ""))
                .toList();
        String block = "<malloc0001@main>,[heap],touch";
        assertEquals(List.of(block, "count,[tls],touch", block), lines);
    }

    @Test
    void shouldSayWhyEngineTrapCannot() throws Exception {
        MadtRun run = MadtRun.madt(directory, "run", "--engine", "trap", "--tls", "--", "true")
                .expect(125);
        assertTrue(run.errors().contains("--tls does not go with --engine trap"), run.errors());
        assertTrue(run.errors().contains("--engine splice"), run.errors());
    }
}
