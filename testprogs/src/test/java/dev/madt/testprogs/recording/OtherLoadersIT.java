package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs with another loader than glibc's run as alone; MadT says that it records nothing. */
class OtherLoadersIT {
    private static final String COMPILER = "/usr/bin/musl-gcc";
    private static final String LOADER = "/lib/ld-musl-x86_64.so.1";

    @TempDir
    Path directory;

    private String program;
    private String script;

    @BeforeEach
    void compile() throws Exception {
        assumeTrue(Files.isExecutable(Path.of(COMPILER)), "musl-tools");
        Path source = Files.writeString(
                directory.resolve("other.c"),
                """
                #include <stdio.h>
                #include <stdlib.h>
                int main(int argc, char **argv)
                {
                    printf("%d %s\\n", argc, getenv("LD_PRELOAD") ? "preloads" : "plain");
                    return 5;
                }
                """);
        program = "" + directory.resolve("other");
        MadtRun.command(directory, List.of(COMPILER, "" + source, "-o", program))
                .expect(0);
        script = "" + Files.writeString(directory.resolve("script"), "#!" + program + "\n");
        MadtRun.command(directory, List.of("chmod", "+x", script)).expect(0);
    }

    @Test
    void shouldRunThemUntraced() throws Exception {
        for (String first : List.of(program, script)) {
            MadtRun run = MadtRun.madt(directory, "run", "-f", "-o", "t.madt", "--", first)
                    .expect(5);
            assertEquals(first.equals(program) ? "1 plain\n" : "2 plain\n", run.text());
            assertTrue(run.errors().contains("runs untraced: its loader " + LOADER), run.errors());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldLeaveThemAloneWhereTheyAreExecuted(String engine) throws Exception {
        String trace = "" + directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "--engine",
                        engine,
                        "-o",
                        trace,
                        "--",
                        "sh",
                        "-c",
                        program + "; " + script + "; echo $?; exec " + program)
                .expect(5);
        assertEquals("1 plain\n2 plain\n5\n1 plain\n", run.text());
        assertTrue(
                run.errors().contains("not recorded: 3 programs (")
                        && run.errors().contains("(" + LOADER + "), ran untraced"),
                run.errors());
        MadtRun.madt(directory, "check", trace).expect(0);
    }
}
