package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks where traces go: files that somebody removes, pipes, and what the program writes to
 * itself.
 */
class TraceFilesIT {
    private static final String LOST = ": the file was removed or replaced while it was written."
            + " The program went on; 0 accesses are saved.";

    @TempDir
    private Path directory;

    private Path trace;

    @BeforeEach
    void makeFolder() throws Exception {
        trace = Files.createDirectory(directory.resolve("made")).resolve("t.madt");
    }

    private MadtRun record(String script) throws Exception {
        return MadtRun.madt(
                directory,
                "run",
                "--no-follow",
                "--text",
                trace.resolveSibling("lines").toString(),
                "-o",
                trace.toString(),
                "--",
                "sh",
                "-c",
                script + "; exit 3");
    }

    @Test
    void shouldSayThatTheFolderOfATraceIsGone() throws Exception {
        MadtRun run = record("rm -r made").expect(3);
        assertTrue(run.errors().contains("cannot write " + trace + LOST), run.errors());
        assertTrue(run.errors().contains("the lines are lost: "), run.errors());
        assertFalse(run.errors().contains("wrote"), run.errors());
    }

    @Test
    void shouldSayThatAnotherFileHasTheNameOfATrace() throws Exception {
        MadtRun run = record("rm made/t.madt; echo > made/t.madt").expect(3);
        assertTrue(run.errors().contains("cannot write " + trace + LOST), run.errors());
        assertFalse(run.errors().contains("next:"), run.errors());
    }

    @Test
    void shouldNameATraceAsItIsCalledInTheEnd() throws Exception {
        MadtRun run = record("mv made kept").expect(3);
        Path moved = directory.toRealPath().resolve("kept/t.madt");
        assertTrue(run.errors().contains("wrote " + moved + ": "), run.errors());
        assertEquals("exit 3", TraceFile.check(moved).meta("ended"));
    }

    @Test
    void shouldSayThatATraceIsGoneThatHadBeenWritten() throws Exception {
        Path other = directory.resolve("other");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-o",
                        other + "/%n.madt",
                        "--",
                        "sh",
                        "-c",
                        "true; ls / >other/list; rm other/ls.madt; true")
                .expect(125);
        assertTrue(run.errors().contains("there is no directory"), run.errors());
        Files.createDirectory(other);
        run = MadtRun.madt(
                        directory,
                        "run",
                        "-o",
                        other + "/%n.%p.madt",
                        "--",
                        "sh",
                        "-c",
                        "ls / >/dev/null; sleep 0.5; rm other/ls.*; true")
                .expect(0);
        assertTrue(
                run.errors().contains("madt has been removed since then: nothing of it is saved."),
                run.errors());
    }

    @Test
    void shouldWriteToAPipeAsToAFile() throws Exception {
        MadtRun run = MadtRun.command(
                        directory,
                        List.of(
                                "bash",
                                "-c",
                                "\"$1\" run -o >(cat >copy.madt) -- sh -c 'exit 4'; s=$?; wait $!;"
                                        + " exit $s",
                                "bash",
                                MadtRun.launcher().toString()))
                .expect(4);
        assertFalse(run.errors().contains("next:"), run.errors());
        assertEquals("exit 4", TraceFile.check(directory.resolve("copy.madt")).meta("ended"));
    }

    @Test
    void shouldKeepWhatTheProgramPrintsOutOfATraceOnStandardOutput() throws Exception {
        MadtRun run = MadtRun.madt(
                        directory, "run", "-q", "-o", "-", "--", "sh", "-c", "echo printed; exit 5")
                .expect(5);
        assertEquals("printed\n", run.errors());
        Path copy = Files.write(directory.resolve("copy.madt"), run.output());
        assertEquals("exit 5", TraceFile.check(copy).meta("ended"));
    }

    @Test
    void shouldRefuseToWriteWhereTheProgramWrites() throws Exception {
        for (String name : List.of("/dev/stdout", "both")) {
            MadtRun run = MadtRun.command(
                            directory,
                            List.of(
                                    "sh",
                                    "-c",
                                    "exec \"$1\" run -f -o " + name + " -- ls / >both",
                                    "sh",
                                    MadtRun.launcher().toString()))
                    .expect(125);
            assertTrue(
                    run.errors().contains("the program writes its standard output there"),
                    run.errors());
        }
        assertEquals(0, Files.size(directory.resolve("both")));
    }

    @Test
    void shouldRefuseToWriteATraceToATerminal() throws Exception {
        String typed = MadtRun.launcher() + " run -o - -- ls";
        MadtRun run = MadtRun.command(directory, List.of("script", "-qec", typed, "/dev/null"));
        assertEquals(125, run.status(), run.text());
        assertTrue(run.text().contains("cannot write the trace to a terminal"), run.text());
    }

    /** Maps memory and unmaps it, again and again, and uses what is there. */
    private static final String MAPS =
            """
            #include <sys/mman.h>
            int main(void)
            {
                for (int i = 0; i < 5000; i++) {
                    volatile char *p = mmap(0, 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                    p[1] = i;
                    munmap((void *)p, 4096);
                }
                return 0;
            }
            """;

    @Test
    void shouldStayShortWhereMemoryComesAgainAsItWas() throws Exception {
        Path source = Files.writeString(directory.resolve("maps.c"), MAPS);
        MadtRun.command(directory, List.of("gcc", "-O1", "-o", "maps", source.toString()))
                .expect(0);
        MadtRun.madt(directory, "run", "-q", "-o", trace.toString(), "--", "./maps")
                .expect(0);
        TraceFile.check(trace);
        assertTrue(Files.size(trace) < 100_000, "bytes: " + Files.size(trace));
        long stores = MadtRun.madt(directory, "print", trace.toString())
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("[A-Z]\\$\\d+:<memmap\\d+@main\\+\\d+>\\+1,.*"))
                .count();
        assertEquals(5000, stores);
    }
}
