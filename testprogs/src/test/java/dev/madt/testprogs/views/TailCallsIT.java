package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A function that ends by a jump to another one stays in the chain of calls, and has its time. */
class TailCallsIT {
    private static final Pattern FRAME = Pattern.compile("^#\\d+\\s+(?:0x\\w+ in )?(\\w+) \\(");

    private static final String RELEASED =
            """
            #include <stdlib.h>
            struct node { int *data; int n; };
            static int data[1000];
            __attribute__((noipa)) static void work(int n) { data[n % 7] = n; }
            __attribute__((noipa)) static void pass(int n) { data[8] = n; work(n + 1); }
            __attribute__((noipa)) static void release(struct node *n)
            {
                data[9] = n->n;
                free(n->data);
            }
            int main(void)
            {
                struct node node = { 0, 0 };
                for (int round = 0; round < 50; round++) {
                    node.data = malloc(80);
                    release(&node);
                    for (int i = 0; i < 1000; i++)
                        ((volatile int *)data)[i] += i;
                    pass(round);
                }
                return 0;
            }
            """;

    @TempDir
    Path directory;

    @BeforeEach
    void build() throws Exception {
        Path source = MadtRun.root().resolve("testprogs/calls/tails.c");
        MadtRun.command(directory, List.of("gcc", "-O2", "-g", "-o", "tails", source.toString()))
                .expect(0);
    }

    private List<String> chains(String measure, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("trace", "-q", "-f", "-o", "tails.madt"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "./tails"));
        MadtRun.madt(directory, words.toArray(String[]::new)).expect(0);
        return MadtRun.madt(directory, "flame", "--by", measure, "tails.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.startsWith("main"))
                .toList();
    }

    @Test
    void shouldShowWhatHasJumped() throws Exception {
        List<String> chains = chains("calls");
        for (String expected : List.of(
                "main;flush_it;slow_disk~ 1",
                "main;flush_it;slow_disk~;usleep 1",
                "main;first~;second~;third 1",
                "main;through~;third 1",
                "main;after_drop 1",
                "main;after_throw 1")) {
            assertTrue(chains.contains(expected), () -> expected + " in " + chains);
        }
        String told = MadtRun.madt(directory, "info", "--verify", "tails.madt").text();
        assertTrue(told.contains(" left by a jump (tail calls), "), told);
        assertTrue(
                MadtRun.madt(directory, "print", "--tree", "tails.madt")
                        .text()
                        .lines()
                        .anyMatch(line -> line.matches("    *B\\$\\d+:usleep,slow_disk~,t=.*")),
                "print");
    }

    /** Without the functions of libraries, nothing but where jumps lead tells them from longjmp. */
    @Test
    void shouldNotTakeForAJumpWhatIsNone() throws Exception {
        List<String> chains = chains("calls", "--calls", "tails:*");
        assertTrue(chains.contains("main;after_drop 1"), chains.toString());
        assertTrue(chains.contains("main;after_throw 1"), chains.toString());
        assertFalse(chains.stream().anyMatch(chain -> chain.contains("drop~")), chains.toString());
        assertTrue(chains.contains("main;first~;second~;third 1"), chains.toString());
    }

    /** By the kernel's clock, usleep took a millisecond. */
    @Test
    void shouldGiveTheTimeToTheChain() throws Exception {
        chains("time");
        List<String> rows = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "call",
                        "--function",
                        "slow_disk",
                        "--format",
                        "csv",
                        "--columns",
                        "calls,total_ns,self_ns",
                        "tails.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
        String[] cells = rows.get(1).split(",");
        assertEquals("1", cells[0]);
        assertTrue(Long.parseLong(cells[1]) >= 1_000_000, rows.toString());
        assertTrue(Long.parseLong(cells[2]) < Long.parseLong(cells[1]) - 900_000, rows.toString());
    }

    /** The chain at `third`, each time it is called from above it by jumps, is gdb's. */
    @Test
    void shouldHaveTheChainsOfGdb() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        MadtRun gdb = MadtRun.command(
                directory,
                List.of(
                        "gdb",
                        "-q",
                        "-batch",
                        "-nx",
                        "-ex",
                        "break third",
                        "-ex",
                        "run",
                        "-ex",
                        "bt",
                        "./tails"));
        List<String> frames = new ArrayList<>();
        gdb.text()
                .lines()
                .map(FRAME::matcher)
                .filter(Matcher::find)
                .forEach(frame -> frames.add(frame.group(1)));
        Assumptions.assumeTrue(frames.contains("main"), gdb.text() + gdb.errors());
        Collections.reverse(frames);
        String chain = String.join(";", frames);
        List<String> chains = chains("calls");
        assertTrue(
                chains.stream().anyMatch(line -> line.replace("~", "").equals(chain + " 1")),
                () -> chain + " in " + chains);
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    private void released(String how, String... options) throws Exception {
        Files.writeString(directory.resolve("released.c"), RELEASED);
        MadtRun.command(directory, List.of("gcc", how, "-O2", "-g", "-o", "released", "released.c"))
                .expect(0);
        List<String> words = new ArrayList<>(List.of("trace", "-q", "-f", "-o", "r.madt"));
        words.addAll(List.of(options));
        words.addAll(List.of("--", "./released"));
        madt(words.toArray(String[]::new));
    }

    /** Nobody sees {@code free} return: what its caller does then is its caller's. */
    @ParameterizedTest
    @ValueSource(strings = {"-pie", "-fno-plt", "-static"})
    void shouldEndWhereItGoesOnInWhatIsNotRecorded(String how) throws Exception {
        released(how, "--record", "accesses,calls");
        List<String> rows = madt(
                "report",
                "--by",
                "path",
                "--format",
                "csv",
                "--columns",
                "calls,accesses,path",
                "r.madt");
        for (String row : List.of("50,50,(.*;)?main;release", "1,10\\d{4},(.*;)?main")) {
            assertTrue(rows.stream().anyMatch(one -> one.matches(row)), row + " in " + rows);
        }
        assertEquals(
                50,
                madt("print", "r.madt").stream()
                        .filter(line -> line.matches("X\\$\\d+:release,.*"))
                        .count());
    }

    /** The same of a function that is not chosen, which it goes on in. */
    @Test
    void shouldEndWhereItGoesOnInWhatIsNotChosen() throws Exception {
        released("-pie", "--calls", "pass", "--calls", "main");
        List<String> lines = madt("print", "r.madt");
        assertEquals(
                50,
                lines.stream().filter(line -> line.matches("B.*:pass,main,.*")).count());
        assertEquals(
                50,
                lines.stream().filter(line -> line.matches("X.*:pass,\\d.*")).count());
    }
}
