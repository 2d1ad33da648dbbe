package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.Access;
import dev.madt.testprogs.ConvertedTrace;
import dev.madt.testprogs.Disassembly;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.OwnAccesses;
import dev.madt.testprogs.ProgramFile;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Valgrind's own tools read what {@code madt convert} writes, and find in it what is in the trace.
 */
class ConvertIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "matrix.O2", "modify.O0"})
    @SoakCases({"heap.O2", "sorting.O2", "cpp.O2", "globals.nopie"})
    void shouldWriteLackeysOwnLog(String name) throws Exception {
        ProgramFile program = new ProgramFile(MadtRun.program(name));
        Disassembly disassembly = Disassembly.of(program.path());
        ConvertedTrace converted = ConvertedTrace.record(directory, program.path());
        long bias = TraceFile.read(converted.trace(), new OwnAccesses(program)).bias();
        ValgrindRules rules = new ValgrindRules(disassembly);
        List<Access> ours =
                rules.apply(ConvertedLackey.read(converted.to("lackey"), program, bias));
        List<Access> theirs = rules.apply(Lackey.trace(program, disassembly));
        assertTrue(theirs.size() > 500, "only " + theirs.size() + " accesses");
        assertEquals(theirs, ours);
    }

    /** Of a modify, what is selected is a line: a load or a store. */
    @ParameterizedTest
    @ValueSource(strings = {"load", "store"})
    void shouldWriteTheHalfOfAModifyThatIsSelected(String kind) throws Exception {
        ConvertedTrace converted = ConvertedTrace.record(directory, MadtRun.program("modify.O0"));
        List<String> lines =
                Files.readAllLines(converted.to("lackey", "--no-instructions", "--kind", kind));
        String letter = kind.equals("load") ? " L " : " S ";
        assertTrue(lines.stream().allMatch(line -> line.startsWith(letter)), lines.toString());
        long[] totals = converted.reportTotals("function");
        assertEquals(totals[kind.equals("load") ? 1 : 2], lines.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O0"})
    @SoakCases("strings.O2")
    void shouldBeReadByCallgrindAnnotate(String name) throws Exception {
        ConvertedTrace converted = ConvertedTrace.record(directory, MadtRun.program(name));
        long[] totals = converted.reportTotals("function");
        for (String option : List.of("--no-progress", "--sites")) {
            Path profile = converted.to("callgrind", option);
            String text = annotate("callgrind_annotate", "--threshold=100", profile.toString());
            // a copy is two sides in a report, one event here: only loads, stores and bytes are
            // equal
            List<Long> annotated = numbers(line(text, "PROGRAM TOTALS"));
            assertEquals(List.of(totals[1], totals[2], totals[3]), annotated.subList(0, 3), option);
            assertTrue(text.contains(":main ["), text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "matrix.O2"})
    void shouldBeReadByCgAnnotate(String name) throws Exception {
        ConvertedTrace converted = ConvertedTrace.record(directory, MadtRun.program(name));
        long[] totals = converted.reportTotals("function");
        String text = annotate("cg_annotate", converted.to("cachegrind").toString());
        List<Long> annotated = numbers(line(text, "PROGRAM TOTALS"));
        assertEquals(totals[1], annotated.get(3), "Dr");
        assertEquals(totals[2], annotated.get(6), "Dw");
        assertTrue(text.contains(":main"), text);
    }

    @Test
    void shouldMissWhereCachegrindMisses() throws Exception {
        Path program = MadtRun.program("kernel.O2");
        ConvertedTrace converted = ConvertedTrace.record(directory, program);
        for (String geometry : Tier.some(List.of("1024,2,32", "1024,1,64", "2048,4,64"), 1)) {
            Path theirs = directory.resolve("cachegrind.out");
            MadtRun.command(
                            directory,
                            List.of(
                                    "valgrind",
                                    "--tool=cachegrind",
                                    "--cache-sim=yes",
                                    "--D1=" + geometry,
                                    "--LL=65536,8,64",
                                    "--cachegrind-out-file=" + theirs,
                                    program.toString()))
                    .expect(0);
            Path ours = converted.to("cachegrind", "--D1", geometry, "--LL", "65536,8,64");
            long[] expected = function(theirs, "kernel");
            long[] actual = function(ours, "kernel");
            assertTrue(
                    expected[4] > 1_000 && expected[7] > 500,
                    geometry + ": " + expected[4] + " and " + expected[7]);
            assertNear(expected[4], actual[4], geometry + ", read misses");
            // Cachegrind takes a modify for a read: its writes are fewer, but as the line is there
            // they cannot miss
            assertNear(expected[7], actual[7], geometry + ", write misses");
        }
    }

    private static void assertNear(long expected, long actual, String what) {
        System.out.printf("%s: Cachegrind %,d, MadT %,d%n", what, expected, actual);
        assertTrue(
                Math.abs(expected - actual) <= expected / 100,
                what + ": " + actual + ", Cachegrind " + expected);
    }

    /**
     * The counts of a function in a Cachegrind file: I refs and misses, then reads, then writes.
     */
    private static long[] function(Path file, String name) throws Exception {
        long[] sums = new long[9];
        boolean inside = false;
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("fn=")) {
                inside = line.equals("fn=" + name);
            } else if (inside && Character.isDigit(line.charAt(0))) {
                String[] cells = line.split(" ");
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += Long.parseLong(cells[i + 1]);
                }
            }
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O0", "freed.O0"})
    void shouldBeReadByMsPrint(String name) throws Exception {
        ConvertedTrace converted = ConvertedTrace.record(directory, MadtRun.program(name));
        Path profile = converted.to("massif");
        String text = annotate("ms_print", "--threshold=0", profile.toString());
        assertTrue(text.contains("(peak)"), text);
        long peak = Files.readAllLines(profile).stream()
                .filter(line -> line.startsWith("mem_heap_B="))
                .mapToLong(line -> Long.parseLong(line.substring(11)))
                .max()
                .orElseThrow();
        assertTrue(
                text.contains(String.format("(%,dB) (heap allocation functions)", peak)),
                peak + " not in " + text);
    }

    /**
     * Checks that where no block is moved, DHAT and MadT count the same blocks, bytes and accesses
     * of the program's own sites.
     */
    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "heap.O2"})
    void shouldCountWhatDhatCounts(String name) throws Exception {
        Path program = MadtRun.program(name);
        ConvertedTrace converted = ConvertedTrace.record(directory, program);
        Path theirs = directory.resolve("dhat.out");
        MadtRun.command(
                        directory,
                        List.of(
                                "valgrind",
                                "--tool=dhat",
                                "--dhat-out-file=" + theirs,
                                program.toString()))
                .expect(0);
        TreeSet<String> expected = points(Files.readString(theirs));
        assertTrue(expected.size() >= 3, expected.toString());
        assertEquals(expected, points(Files.readString(converted.to("dhat"))));
    }

    /**
     * Returns what the sites with access counts have in common in both files: everything but
     * lifetimes and frames.
     */
    private static TreeSet<String> points(String json) {
        Matcher points =
                Pattern.compile("\\{(\"tb\":[^}]*)\\}").matcher(json.replaceAll("\\s", ""));
        TreeSet<String> found = new TreeSet<>();
        while (points.find()) {
            if (points.group(1).contains("\"acc\"")) {
                found.add(points.group(1)
                        .replaceAll("\"tl\":\\d+,", "")
                        .replaceAll(",\"fs\":.*", ""));
            }
        }
        return found;
    }

    private String annotate(String... command) throws Exception {
        MadtRun run = MadtRun.command(directory, List.of(command)).expect(0);
        assertEquals(
                "",
                run.errors()
                        .replaceAll(
                                "(?m)^(perl: warning|\\s+(LC_|LANG)|\\s+are supported).*\\R?", ""));
        return run.text();
    }

    private static String line(String text, String part) {
        return text.lines()
                .filter(line -> line.contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError(text));
    }

    private static List<Long> numbers(String line) {
        Matcher numbers = Pattern.compile("(?<![\\d.(])\\d[\\d,]*(?![\\d.]*%)")
                .matcher(line.replaceAll("\\([^)]*\\)", ""));
        return numbers.results()
                .map(match -> Long.parseLong(match.group().replace(",", "")))
                .toList();
    }
}
