package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Triggers and static tracepoints: what instruments tell of them is what the programs themselves
 * say.
 */
class StaticPlacesIT {
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final String COUNT = "5000";

    @TempDir
    Path directory;

    private Path build(String compiler) throws Exception {
        Path program = directory.resolve("triggers");
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        command.addAll(List.of("-Wall", "-Wextra", "-Werror", "-pthread"));
        command.add("-I" + MadtRun.root().resolve("madt-native/include"));
        command.addAll(List.of("-o", program.toString()));
        command.add(MadtRun.root().resolve("testprogs/instruments/triggers.c").toString());
        MadtRun.command(directory, command).expect(0);
        return program;
    }

    private MadtRun run(String place, String action, String... program) throws Exception {
        List<String> words =
                new ArrayList<>(List.of("run", "-qf", "-o", "t.madt", "--at", place, action, "--"));
        words.addAll(List.of(program));
        return MadtRun.told(directory, words.toArray(String[]::new));
    }

    /** Returns what the log lines of a place say behind its kind, without where it is. */
    private List<String> told(String kind) throws Exception {
        return MadtRun.madt(directory, "print", "--kind", "T", "t.madt")
                .expect(0)
                .text()
                .lines()
                .map(line -> line.substring(line.indexOf(':') + 1, line.lastIndexOf(',')))
                .map(line -> line.startsWith(kind) ? line.substring(kind.length()) : line)
                .toList();
    }

    /** Hits, by the places; of places of the same name all together. */
    private Map<String, Long> hits() throws Exception {
        Map<String, Long> hits = new TreeMap<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            if (cells.size() == 5 && cells.get(4).startsWith("0x")) {
                hits.merge(cells.get(1), Long.parseLong(cells.get(0)), Long::sum);
            }
        }
        return hits;
    }

    /** Without MadT the program says the same. */
    @ParameterizedTest
    @ValueSource(strings = {"gcc -O2", "g++ -O2 -x c++"})
    @SoakCases({"gcc -O0", "clang -O2"})
    void shouldTellOfTriggersWhatTheProgramTells(String compiler) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin", compiler.split(" ")[0])),
                compiler + ": not installed");
        String program = build(compiler).toString();
        MadtRun counted = run("event:*", "count", program, COUNT).expect(0);
        assertEquals(MadtRun.command(directory, List.of(program, COUNT)).text(), counted.text());
        String[] own = counted.text().strip().split(" ");
        assertEquals(
                Map.of("event:step", Long.parseLong(own[0]), "event:half", Long.parseLong(own[2])),
                hits());

        assertEquals(
                counted.text(), run("event:step", "sum arg0", program, COUNT).text());
        String sums =
                MadtRun.madt(directory, "points", "--format", "csv", "t.madt").text();
        assertTrue(sums.lines().anyMatch(line -> line.endsWith("," + own[0] + "," + own[1])), sums);

        List<String> lines = run("event:*", "log", program, "50", "tell")
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(150 - 50, lines.size());
        assertEquals(normal(lines), normal(told("event:")));
    }

    /** Floating-point numbers as Java writes them. */
    private static List<String> normal(List<String> lines) {
        return lines.stream()
                .map(line -> line.replaceAll("(\\.[0-9]*?)0+(?=[,)])", "$1")
                        .replaceAll("\\.(?=[,)])", ".0"))
                .toList();
    }

    @Test
    void shouldTellOfExceptionsByTheLibraryOfCxx() throws Exception {
        Path source = Files.writeString(
                directory.resolve("thrown.cc"),
                """
                #include <cstdio>
                #include <stdexcept>

                int main()
                {
                    int caught = 0;
                    for (int i = 0; i < 1000; i++) {
                        try {
                            if (i % 7 == 0)
                                throw std::runtime_error("seven");
                        } catch (const std::exception &) {
                            caught++;
                        }
                    }
                    std::printf("%d\\n", caught);
                }
                """);
        String program = directory.resolve("thrown").toString();
        MadtRun.command(directory, List.of("g++", "-O2", "-o", program, source.toString()))
                .expect(0);
        long caught = Long.parseLong(run("sdt:libstdcxx:*", "count; log arg0", program)
                .expect(0)
                .text()
                .strip());
        assertEquals(
                Map.of(
                        "sdt:libstdcxx:throw",
                        caught,
                        "sdt:libstdcxx:catch",
                        caught,
                        "sdt:libstdcxx:rethrow",
                        0L),
                hits());
        List<String> objects = told("");
        assertEquals(2 * caught, objects.size());
        for (int i = 0; i < objects.size(); i += 2) {
            assertEquals(objects.get(i), objects.get(i + 1), "what is caught is what was thrown");
        }
    }

    /** Its tracepoints are off until a counter is raised. */
    @Test
    void shouldTellOfImportsWhatPythonTells() throws Exception {
        assumeTrue(Files.exists(PYTHON), "python3 is not installed");
        List<String> line = List.of(PYTHON.toString(), "-I", "-c", "import json, decimal");
        List<String> timed = new ArrayList<>(line);
        timed.addAll(1, List.of("-X", "importtime"));
        List<String> expected = MadtRun.command(directory, timed)
                .expect(0)
                .errors()
                .lines()
                .filter(text -> text.startsWith("import time:") && !text.contains("[us]"))
                .map(text -> '"' + text.substring(text.lastIndexOf('|') + 1).strip() + '"')
                .sorted()
                .toList();
        assertTrue(expected.contains("\"decimal\"") && expected.size() > 20, expected.toString());
        run(
                        "sdt:python:import__find__load__done",
                        "log \"%s\" str(arg0, 60)",
                        line.toArray(String[]::new))
                .expect(0);
        assertEquals(expected, told("").stream().sorted().toList());
    }

    @Test
    void shouldSayWhichPlacesThereAre() throws Exception {
        String program = build("gcc -g -O1").toString();
        String listed = MadtRun.told(directory, "events", program).expect(0).text();
        assertTrue(
                listed.matches(
                        "(?s).*event:step +i64 i32 i32 float float text +work\\S* +triggers\\.c:"
                                + "[0-9]+.*"),
                listed);
        MadtRun unknown = run("event:stop", "count", program, "1");
        assertTrue(unknown.errors().contains("Did you mean 'event:step'?"), unknown.errors());
        assertEquals("", unknown.text());
        MadtRun beyond = run("event:half", "log arg4", program, "1");
        assertTrue(beyond.errors().contains("this place has 2 values"), beyond.errors());
        MadtRun malformed = run("sdt:x", "count", program, "1");
        assertTrue(
                malformed.errors().contains("event:NAME or sdt:PROVIDER:NAME"), malformed.errors());
    }

    /** The shell has no such place, and its child has. */
    @ParameterizedTest
    @ValueSource(strings = {"triggers:event:step", "trig*:event:st*"})
    void shouldMeanPlacesOfProgramsThatComeLater(String place) throws Exception {
        String program = build("gcc -O1").toString();
        String line = program + " 100; :";
        MadtRun bare = run("event:step", "count", "sh", "-c", line);
        assertTrue(bare.errors().contains("name the module: lib.so:event:step."), bare.errors());
        assertEquals("", bare.text());

        String[] own =
                run(place, "count", "sh", "-c", line).expect(0).text().strip().split(" ");
        try (Stream<Path> traces = Files.list(directory)) {
            traces.filter(file -> file.getFileName().toString().startsWith("t.madt."))
                    .forEach(child ->
                            child.toFile().renameTo(directory.resolve("t.madt").toFile()));
        }
        assertEquals(Map.of("event:step", Long.parseLong(own[0])), hits());
    }

    /** The summary shows what was counted, and which instruments have nothing to tell. */
    @Test
    void shouldSayInTheEndWhatWasCounted() throws Exception {
        String program = build("gcc -g -O1").toString();
        String said = MadtRun.told(
                        directory,
                        "run",
                        "-f",
                        "-o",
                        "t.madt",
                        "--at",
                        "event:step",
                        "count",
                        "--at",
                        "event:half",
                        "sum arg0",
                        "--at",
                        "malloc",
                        "hist arg0",
                        "--",
                        program,
                        "0")
                .expect(0)
                .errors();
        assertTrue(said.contains("madt:    0  event:step  count\n"), said);
        assertTrue(said.contains("--at 'event:half' 'sum arg0': no hits.\n"), said);
        assertTrue(said.contains("they can be counted, but not looked at.\n"), said);
        assertTrue(said.contains("next: madt points t.madt "), said);
    }
}
