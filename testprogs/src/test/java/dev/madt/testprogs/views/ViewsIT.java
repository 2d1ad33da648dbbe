package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports, selections and checks of traces of real programs. */
class ViewsIT {
    @TempDir
    Path directory;

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    private static String record(String program) {
        return Recording.of(MadtRun.program(program)).toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "freed.O0", "stringops.O2", "tls.O0", "vector.O2"})
    void shouldFindTheTracesOfProgramsSound(String program) throws Exception {
        List<String> said = lines("check", "--strict", record(program));
        assertTrue(said.get(0).contains(": sound, "), said.toString());
        assertEquals(
                program.equals("freed.O0"),
                !said.get(1).contains(" 0 accesses to blocks after their end"),
                said.toString());
    }

    @Test
    void shouldNameBothCallsOfAUseAfterFree() throws Exception {
        String trace = record("freed.O0");
        List<String> report = lines("report", "--by", "region", trace);
        int heading = report.indexOf("Defects: 2 accesses to blocks after their end");
        assertTrue(heading > 0, report.toString());
        for (String defect : report.subList(heading + 2, heading + 4)) {
            String line = " \\(freed\\.c:\\d+\\)";
            assertTrue(
                    defect.matches(".* <freed:0001@make\\+\\d+> +use\\+\\d+" + line
                            + " +make\\+\\d+" + line + " +main\\+\\d+" + line + ".*"),
                    defect);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"L", "S", "MCRF"})
    void shouldSelectTheLinesOfAKind(String letters) throws Exception {
        String trace = record("heap.O0");
        List<String> expected = lines("print", trace).stream()
                .filter(line -> letters.indexOf(line.charAt(0)) >= 0)
                .toList();
        assertFalse(expected.isEmpty());
        assertEquals(expected, lines("print", "--kind", letters, trace));
    }

    @Test
    void shouldSelectTheLinesOfAFunctionAndSymbol() throws Exception {
        String trace = record("heap.O0");
        List<String> expected = lines("print", trace).stream()
                .filter(line -> line.matches("[LS]\\$.*,append\\+\\d+"))
                .filter(line -> line.contains("<reallo") || line.contains("<freed"))
                .toList();
        assertTrue(expected.size() > 50, expected.size() + " lines");
        List<String> selected = lines(
                "print",
                "--kind",
                "access",
                "--function",
                "append",
                "--symbol",
                "<reallo@append*",
                trace);
        assertEquals(expected, selected);
    }

    @Test
    void shouldDumpEveryEventOfATrace() throws Exception {
        String trace = record("heap.O0");
        long accesses = lines("print", trace).stream()
                .filter(line -> line.startsWith("L$") || line.startsWith("S$"))
                .count();
        List<String> dump = lines("dump", trace);
        long frees = dump.stream()
                .filter(line -> line.matches("  template (short )?event epoch \\d+: FREE .*"))
                .count();
        assertEquals(lines("print", "--kind", "F", trace).size(), frees);
        long words = dump.stream()
                .filter(line -> line.matches("  template \\d+ epoch .*"))
                .flatMap(line -> Stream.of(line.substring(line.indexOf(':') + 2).split(" ")))
                .filter(word -> !word.equals("-"))
                .count();
        assertTrue(
                words <= accesses && words > accesses / 2,
                words + " words, " + accesses + " accesses");
    }

    @Test
    void shouldReportNamesOfTheSourceUnlessTheLinkersAreWanted() throws Exception {
        String trace = record("cpp.O0");
        List<String> linked =
                lines("report", "--by", "function", "--no-demangle", "--format", "csv", trace);
        List<String> readable = lines("report", "--by", "function", "--format", "csv", trace);
        assertTrue(linked.stream().anyMatch(row -> row.contains(",_Z")), linked.toString());
        assertFalse(readable.stream().anyMatch(row -> row.contains(",_Z")), readable.toString());
        assertTrue(readable.stream().anyMatch(row -> row.contains("::")), readable.toString());
        assertEquals(sum(linked), sum(readable));
    }

    @Test
    void shouldReadTheNewestTraceHereWhereNoneIsNamed() throws Exception {
        Path newest = Files.copy(Path.of(record("freed.O0")), directory.resolve("b.madt"));
        Path older = Files.copy(Path.of(record("heap.O0")), directory.resolve("a.madt"));
        Files.setLastModifiedTime(
                older,
                FileTime.from(Files.getLastModifiedTime(newest).toInstant().minusSeconds(1)));
        Files.createDirectory(directory.resolve("c.madt"));
        MadtRun read = MadtRun.madt(directory, "print").expect(0);
        assertEquals("madt: reading b.madt, the newest trace here.\n", read.errors());
        assertEquals(lines("print", newest.toString()), read.text().lines().toList());
    }

    @Test
    void shouldSayThatThereIsNoTraceHere() throws Exception {
        MadtRun read = MadtRun.madt(directory, "print").expect(2);
        assertEquals(
                "madt: no trace given, and no *.madt in the current directory. Usage: madt print"
                        + " [options] [TRACE]\n",
                read.errors());
    }

    private static long sum(List<String> rows) {
        return rows.stream()
                .skip(1)
                .mapToLong(row -> Long.parseLong(row.split(",")[1]))
                .sum();
    }

    @Test
    void shouldReportSourceLinesOfTheProgram() throws Exception {
        List<String> rows = lines("report", "--by", "line", "--format", "csv", record("heap.O0"));
        assertTrue(
                rows.stream().anyMatch(row -> row.matches(".*,heap\\.c:\\d+,insert")),
                rows.toString());
    }

    @Test
    void shouldPrintSeveralTablesOfOneReading() throws Exception {
        String trace = record("heap.O0");
        List<String> expected = new ArrayList<>(lines("report", "--by", "symbol", trace));
        for (String key : List.of("site", "line")) {
            expected.add("");
            expected.addAll(lines("report", "--by", key, trace));
        }
        assertEquals(
                expected, lines("report", "--by", "symbol", "--by", "site", "--by", "line", trace));
    }
}
