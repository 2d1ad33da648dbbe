package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code --only-program} records the programs that it names wherever they run, and leaves the
 * others as they are.
 */
class OnlyProgramIT {
    private static final int STATUS = 7;

    /**
     * The program is executed by a shell, by a program that it executes, with an empty environment,
     * by libc itself, and when all others have ended.
     */
    private static final String SCRIPT =
            """
            ./chosen && ./alias
            sh -c './chosen; exec ./chosen'
            env -i ./chosen
            env | grep -c '^LD_PRELOAD=\\|^MADT_'
            perl -e 'system("./chosen; ./passed"); exec {"./passed"} "chosen"'
            (sleep 0.3; exec ./chosen) &
            exit 7
            """;

    private static final int RECORDED = 7;

    @TempDir
    Path directory;

    @BeforeEach
    void copy() throws IOException {
        Files.copy(Path.of("/bin/true"), directory.resolve("chosen"));
        Files.copy(Path.of("/bin/true"), directory.resolve("passed"));
        Files.createSymbolicLink(directory.resolve("alias"), directory.resolve("chosen"));
    }

    private MadtRun run(String engine, String pattern, String script) throws Exception {
        return MadtRun.madt(
                directory,
                "run",
                "--engine",
                engine,
                "-o",
                "t.madt",
                "--only-program",
                pattern,
                "--",
                "sh",
                "-c",
                script);
    }

    private long traces() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("t.madt"))
                    .count();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldRecordTheProgramWhereverItRuns(String engine) throws Exception {
        MadtRun plain = MadtRun.command(directory, List.of("sh", "-c", SCRIPT)).expect(STATUS);
        MadtRun run = run(engine, "chosen", SCRIPT).expect(STATUS);
        assertEquals(plain.text(), run.text());
        assertEquals(RECORDED, traces(), run.errors());
        assertTrue(
                run.errors()
                        .matches("(?s).*madt: passed by: \\d+ programs \\(.*\\) ran unrecorded, by"
                                + " --only-program\\..*"),
                run.errors());
        String info = MadtRun.madt(directory, "info", "t.madt").expect(0).text();
        assertTrue(
                info.lines()
                        .filter(line -> line.contains(", t.madt"))
                        .allMatch(line -> line.contains("/chosen, ")),
                info);
        assertTrue(
                info.lines()
                        .anyMatch(line -> line.matches(
                                "  \\d+ .*/passed, child of \\d+, passed by, not traced")),
                info);
    }

    @Test
    void shouldMatchTheNameAndThePathOfTheCallAndOfTheFile() throws Exception {
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-o",
                        "t.madt",
                        "--only-program",
                        "*/chos?n",
                        "--only-program",
                        "./alias",
                        "--only-program",
                        "*lias",
                        "--",
                        "sh",
                        "-c",
                        "./alias; ./passed")
                .expect(0);
        assertTrue(run.errors().contains("madt: passed by: 2 programs ("), run.errors());
        assertTrue(!run.errors().contains("names no program"), run.errors());
        assertEquals(1, traces());
    }

    /** Text of a process that is not recorded: one page, or two, where libc executes programs. */
    @Test
    void shouldLeaveTheCodeOfOtherProgramsAlone() throws Exception {
        String script =
                "awk '/^[0-9a-f]+-/ {code = $2 == \"r-xp\"} code && /^Private_Dirty:/ {sum += $2}"
                        + " END {print sum}' /proc/self/smaps";
        int kilobytes = Integer.parseInt(
                run("splice", "chosen", script).expect(0).text().strip());
        assertTrue(kilobytes <= 16, kilobytes + " kB of code are changed");
    }

    @Test
    void shouldSayThatAPatternNamesNoProgram() throws Exception {
        MadtRun run = run("splice", "choosen", "./chosen; exit 3").expect(3);
        assertTrue(
                run.errors()
                        .contains("madt: --only-program 'choosen' names no program of this run.\n"),
                run.errors());
        assertEquals(0, traces());
    }
}
