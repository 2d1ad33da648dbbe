package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks alive at the end of a program, by the judgement of Valgrind's memcheck. */
class LeaksIT {
    private static final Pattern IN_USE =
            Pattern.compile("in use at exit: ([0-9,]+) bytes in ([0-9,]+) blocks");

    @TempDir
    Path directory;

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "freed.O0"})
    void shouldFindTheBlocksThatMemcheckFinds(String program) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/valgrind")), "no valgrind");
        MadtRun judged = MadtRun.command(
                directory,
                List.of(
                        "valgrind",
                        "--run-libc-freeres=no",
                        "--run-cxx-freeres=no",
                        MadtRun.program(program).toString()));
        Matcher use = IN_USE.matcher(judged.errors());
        assertTrue(use.find(), judged.errors());
        long bytes = 0;
        long blocks = 0;
        for (String line : lines(
                "report",
                "--leaks",
                "--format",
                "csv",
                Recording.of(MadtRun.program(program)).toString())) {
            String[] cells = line.split(",");
            if (cells[5].matches("<(malloc|calloc|reallo)@.*")) {
                blocks += Long.parseLong(cells[1]);
                bytes += Long.parseLong(cells[2]);
            }
        }
        assertEquals(Long.parseLong(use.group(1).replace(",", "")), bytes);
        assertEquals(Long.parseLong(use.group(2).replace(",", "")), blocks);
    }

    /** A program may have an allocator that nobody knows. */
    @Test
    void shouldNotTakeBlocksThatNobodySawForNone() throws Exception {
        Path program = MadtRun.program("defects/correct/mapped_allocator");
        String trace = Recording.of(program).toString();
        String hint = "madt run --alloc";
        MadtRun defects = MadtRun.madt(directory, "defects", trace).expect(0);
        assertTrue(
                defects.text().contains("Not looked for: what is wrong with blocks"),
                () -> defects.text());
        assertTrue(defects.text().contains(hint), defects.text());
        for (String word : List.of("--leaks", "--by=site", "--chains")) {
            MadtRun report = MadtRun.madt(directory, "report", word, trace).expect(0);
            assertTrue(report.errors().contains(hint), word + report.errors());
            assertFalse(report.text().contains("No block"), word + report.text());
        }
        MadtRun flame = MadtRun.madt(directory, "flame", "--by", "bytes", trace).expect(1);
        assertTrue(flame.errors().contains(hint), flame.errors());
        MadtRun massif = MadtRun.madt(directory, "convert", "--to", "massif", trace);
        assertTrue(massif.expect(0).errors().contains(hint), massif.errors());
        String known = Recording.of(MadtRun.program("heap.O0")).toString();
        MadtRun leaks = MadtRun.madt(directory, "report", "--leaks", known).expect(0);
        assertFalse(leaks.errors().contains(hint), leaks.errors());
    }

    @Test
    void shouldCompareTwoBuildsOfAProgram() throws Exception {
        String before = Recording.of(MadtRun.program("heap.O0")).toString();
        String after = Recording.of(MadtRun.program("heap.O2")).toString();
        List<String> functions =
                lines("diff", "--by", "function", "--format", "csv", before, after);
        assertEquals("before,after,change,relative,state,function,module", functions.get(0));
        String insert = functions.stream()
                .filter(line -> line.contains(",insert,"))
                .findFirst()
                .orElseThrow();
        assertTrue(insert.matches("\\d+,\\d+,-\\d+,-0\\.\\d+,shrank,insert,\\[heap\\.O2]"), insert);
        long[] totals = {accesses(before), accesses(after)};
        String total = lines("diff", before, after).stream()
                .filter(line -> line.contains(" total"))
                .findFirst()
                .orElseThrow();
        assertEquals(
                String.format("%,d %,d %,d", totals[0], totals[1], totals[1] - totals[0]),
                total.strip().replaceAll(" +", " ").replaceFirst(" -\\d+\\.\\d %.*", ""));
        // the calls are the same, and so is what they allocate
        List<String> heading = List.of("before,after,change,relative,state,allocation_site");
        assertEquals(heading, blocks(before, after));
        assertEquals(heading, blocks("--no-offsets", before, after));
        assertTrue(blocks("--offsets", before, after).size() > 5);
        MadtRun run = MadtRun.madt(directory, "diff", before, after).expect(0);
        assertTrue(run.errors().contains("--offsets keeps these"), run.errors());
        assertTrue(run.text().contains("<calloc@insert> struct tree?"), run.text());
        List<String> stores = lines(
                "diff",
                "--by",
                "function",
                "--function",
                "push",
                "--kind",
                "store",
                "--format",
                "csv",
                before,
                after);
        assertEquals(1, stores.size(), "push stores as often in both: " + stores);
        assertTrue(lines("diff", before, before).get(2).equals("no row differs in accesses"));
    }

    private List<String> blocks(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(
                List.of("diff", "--by", "site", "--measure", "blocks", "--format", "csv"));
        words.addAll(List.of(arguments));
        return lines(words.toArray(String[]::new));
    }

    private long accesses(String trace) throws Exception {
        return lines("print", "--kind", "access", trace).size();
    }
}
