package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that the loader prepares and that begin without the C library, which calls no {@code
 * main} of theirs, are recorded from their begin; programs that end in front of main are said to.
 */
class OtherStartsIT {
    private static final String BEGINS =
            """
            #include <unistd.h>
            static long table[1000];
            __attribute__((noinline)) static void fill(int i) { table[i] += i; }
            __attribute__((force_align_arg_pointer)) void _start(void)
            {
                for (int i = 0; i < 1000; i++)
                    fill(i);
                _exit(write(1, "filled\\n", 7) != 7);
            }
            """;
    private static final String ENDS =
            """
            #include <unistd.h>
            __attribute__((constructor)) static void end(void) { _exit(3); }
            int main(void) { return 0; }
            """;

    @TempDir
    Path directory;

    private void build(String source, String options) throws Exception {
        Files.writeString(directory.resolve("program.c"), source);
        sh("gcc -g -O1 " + options + " -o program program.c");
    }

    private void sh(String command) throws Exception {
        MadtRun.command(directory, List.of("sh", "-c", command)).expect(0);
    }

    /** Loads and stores of a variable. */
    private String accesses(String variable) throws Exception {
        String csv = MadtRun.madt(
                        directory, "report", "--by", "symbol", "--format", "csv", "t.madt")
                .expect(0)
                .text();
        return CsvLine.rows(csv).stream()
                .filter(row -> row.get("symbol").equals(variable))
                .map(row -> row.get("loads") + " " + row.get("stores"))
                .findFirst()
                .orElse("none");
    }

    private void record(String command) throws Exception {
        MadtRun run = MadtRun.madt(directory, command, "-f", "-o", "t.madt", "--", "./program")
                .expect(0);
        assertFalse(run.errors().contains("main was never reached"), run.errors());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-pie", "-no-pie", "-pie -rdynamic -Wl,--hash-style=sysv"})
    void shouldRecordWhatBeginsWithoutTheLibrary(String options) throws Exception {
        build(BEGINS, "-nostartfiles " + options);
        record("run");
        assertEquals("1000 1000", accesses("table"));
        record("trace");
        String calls = MadtRun.madt(directory, "print", "t.madt").expect(0).text();
        assertEquals(
                1000,
                calls.lines().filter(line -> line.matches("B.*\\bfill\\b.*")).count());
    }

    /** The linker makes no table of the symbols of a program that defines none. */
    @ParameterizedTest
    @ValueSource(strings = {"-pie", "-no-pie", "-pie -rdynamic", "-pie -Wl,--hash-style=sysv"})
    void shouldRecordOthersFromMain(String options) throws Exception {
        build(
                "static long early, late; __attribute__((constructor)) static void begin(void)"
                        + " { early++; } int main(void) { late++; return late != 1; }",
                "-O0 " + options);
        record("run");
        assertEquals("none", accesses("early"));
        assertEquals("2 1", accesses("late"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "trace"})
    void shouldSayThatMainWasNeverReached(String command) throws Exception {
        build(ENDS, "");
        MadtRun run = MadtRun.told(directory, command, "-o", "t.madt", "--", "./program")
                .expect(3);
        assertTrue(
                run.errors()
                        .contains("madt: nothing was recorded: main was never reached. --start load"
                                + " records from the program's begin.\n"),
                run.errors());
        run = MadtRun.madt(directory, command, "--start", "load", "--", "./program")
                .expect(3);
        assertFalse(run.errors().contains("nothing was recorded"), run.errors());
    }

    @Soak
    @Test
    void shouldRecordGoThatTheLoaderPrepares() throws Exception {
        assumeTrue(
                MadtRun.command(Path.of("/"), List.of("sh", "-c", "command -v go"))
                                .status()
                        == 0,
                "golang-go");
        Files.writeString(
                directory.resolve("main.go"),
                """
                package main

                var table [100]int

                func main() {
                \tfor i := range table {
                \t\ttable[i] += i
                \t}
                }
                """);
        sh("GOCACHE=$PWD/cache GO111MODULE=off go build -buildmode=pie -o program main.go");
        record("run");
        assertEquals("100 100", accesses("main.table"));
    }
}
