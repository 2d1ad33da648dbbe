package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what a child of vfork does in its parent's memory is in the parent's trace, between
 * what the parent did before and what it does then: stores, blocks, transfers; of a child of such a
 * child too, and of one that is killed.
 */
class VforkIT {
    private static final String SOURCE =
            """
            #define _GNU_SOURCE
            #include <signal.h>
            #include <stdlib.h>
            #include <sys/wait.h>
            #include <unistd.h>
            static volatile int cells[1013], before, behind, round;
            static int status;
            static char *volatile block;
            static char bytes[977];
            static void fill(void)
            {
                for (int i = 0; i < 1013; i++)
                    cells[i] = i;
            }
            static void end(int way, char *self)
            {
                int pipes[2];
                fill();
                switch (way) {
                case 0:
                    block = malloc(919);
                    block[7] = 1;
                    if (pipe(pipes) || write(pipes[1], bytes, 977) != 977)
                        _exit(1);
                    _exit(3);
                case 1:
                    kill(getpid(), SIGKILL);
                case 2:
                    execl(self, self, "end", (char *)0);
                case 3:
                    execl("/nonexistent/program", "program", (char *)0);
                    _exit(4);
                case 4:
                    if (vfork() == 0) {
                        fill();
                        _exit(5);
                    }
                    wait(0);
                    _exit(6);
                }
                _exit(9);
            }
            int main(int argc, char **argv)
            {
                if (argc > 1)
                    return 0;
                for (round = 0; round < 5; round++) {
                    before = round;
                    if (vfork() == 0)
                        end(round, argv[0]);
                    behind = round;
                    wait(&status);
                }
                free(block);
                return 0;
            }
            """;

    private static final Pattern STORE =
            Pattern.compile("S\\$\\d+:(before|behind|cells)\\+\\d+,.*");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldRecordWhatAChildDoesInItsParentsMemory(String engine) throws Exception {
        Path source = Files.writeString(directory.resolve("lent.c"), SOURCE);
        Path program = directory.resolve("lent");
        MadtRun.command(directory, List.of("gcc", "-g", "-O1", "" + source, "-o", "" + program))
                .expect(0);
        Path trace = directory.resolve("t.madt");
        MadtRun.madt(directory, "run", "--engine", engine, "-o", "" + trace, "--", "" + program)
                .expect(0);
        List<String> lines = MadtRun.madt(directory, "print", "" + trace)
                .expect(0)
                .text()
                .lines()
                .toList();
        StringBuilder order = new StringBuilder();
        for (String line : lines) {
            Matcher store = STORE.matcher(line);
            if (store.matches()) {
                order.append(
                        store.group(1).equals("cells") ? 'c' : store.group(1).charAt(2));
            }
        }
        String once = "f" + "c".repeat(1013) + "h";
        String twice = "f" + "c".repeat(2026) + "h";
        assertEquals(once.repeat(4) + twice, order.toString());
        assertEquals(1, count(lines, "M\\$\\d+:<malloc\\d+@end\\+\\d+>,919"), "malloc");
        assertEquals(1, count(lines, "S\\$\\d+:<malloc\\d+@end\\+\\d+>\\+7,.*"), "its store");
        assertEquals(1, count(lines, "G\\$\\d+:bytes\\+0,977,.*"), "write");
        String info = MadtRun.madt(directory, "info", "--strict", "" + trace)
                .expect(0)
                .text();
        Set<String> ends = new TreeSet<>();
        Matcher child =
                Pattern.compile("(?m)^ +\\d+ +\\S*/lent, child of \\d+, (.*)$").matcher(info);
        while (child.find()) {
            ends.add(child.group(1).replaceAll("\\.madt\\.\\d+", ".madt.N"));
        }
        assertEquals(
                Set.of(
                        "exit 0, t.madt",
                        "exit 0, t.madt.N",
                        "exit 3, t.madt",
                        "exit 4, t.madt",
                        "exit 5, t.madt",
                        "exit 6, t.madt",
                        "signal SIGKILL, t.madt"),
                ends,
                info);
        assertTrue(info.contains("trace is        complete\n"), info);
        MadtRun.madt(directory, "check", "" + trace).expect(0);
    }

    private static long count(List<String> lines, String pattern) {
        return lines.stream().filter(line -> line.matches(pattern)).count();
    }

    /** Behind its PTRACE_TRACEME it is no longer recorded. */
    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldCountChildrenThatAreTraced(String engine) throws Exception {
        Path source = Files.writeString(
                directory.resolve("traced.c"),
                """
                #include <sys/ptrace.h>
                #include <sys/wait.h>
                #include <unistd.h>
                volatile int cell;
                int main(void)
                {
                    if (vfork() == 0) {
                        ptrace(PTRACE_TRACEME, 0, 0, 0);
                        cell = 7;
                        _exit(0);
                    }
                    wait(0);
                    return cell - 7;
                }
                """);
        MadtRun.command(directory, List.of("gcc", "-O1", "" + source, "-o", "traced"))
                .expect(0);
        MadtRun run = MadtRun.madt(
                        directory, "run", "--engine", engine, "-o", "t.madt", "--", "./traced")
                .expect(0);
        String told = "complete but for 1 child of vfork that is traced by another process";
        assertTrue(run.errors().contains(told), run.errors());
        MadtRun info = MadtRun.madt(directory, "info", "--strict", "t.madt").expect(3);
        assertTrue(info.text().contains(told), info.text());
    }
}
