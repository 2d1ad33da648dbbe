package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Virtual machines lose now and then what a debug exception was for (DR6.BS): Linux then calls a
 * step TRAP_BRKPT. Here gdb changes that word of the signal. A signal that meets a trampoline has
 * it stepped to its end.
 */
class LostStepIT {
    private static final int STEPS = 20;

    private static final String PROGRAM =
            """
            #include <fcntl.h>
            #include <signal.h>
            #include <stdio.h>
            #include <sys/prctl.h>
            #include <sys/time.h>
            #include <unistd.h>

            static volatile long table[64];
            static volatile sig_atomic_t alarms;

            static void on_alarm(int number)
            {
                (void)number;
                alarms++;
            }

            int main(void)
            {
                char byte;
                FILE *pid = fopen("pid.part", "w");

                prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
                fprintf(pid, "%d", getpid());
                fclose(pid);
                rename("pid.part", "pid");
                if (read(open("go", O_RDONLY), &byte, 1) != 1)
                    return 1;
                signal(SIGALRM, on_alarm);
                setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 500 }, { 0, 500 } }, NULL);
                while (alarms < 1009)
                    for (int i = 0; i < 64; i++)
                        table[i] += i;
                puts("done");
                return 0;
            }
            """;

    private static final String CHANGES =
            """
            set pagination off
            set $changed = 0
            handle SIGTRAP stop pass print
            handle SIGSEGV SIGALRM SIGSYS nostop noprint pass
            shell (echo go >go) &
            while $changed < %d
              continue
              if $_siginfo.si_code == 2
                set $_siginfo.si_code = 1
                set $changed = $changed + 1
              end
            end
            printf "changed %%d\\n", $changed
            detach
            """;

    /** In the background, until it has told its pid; then gdb, until it has changed the steps. */
    private static final String SCRIPT =
            """
            mkfifo go
            "$@" >out 2>err &
            while ! [ -e pid ]; do sleep 0.05; done
            gdb -q -nx -batch -p "$(cat pid)" -x changes >changed 2>&1
            wait $!
            """;

    @TempDir
    Path directory;

    @Test
    void shouldTakeAStepForOneWhateverItIsCalled() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/gdb")), "no gdb");
        Files.writeString(directory.resolve("alarmed.c"), PROGRAM);
        Files.writeString(directory.resolve("changes"), CHANGES.formatted(STEPS));
        MadtRun.command(directory, List.of("gcc", "-O1", "-o", "alarmed", "alarmed.c"))
                .expect(0);

        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "sh",
                        "-c",
                        SCRIPT,
                        "sh",
                        MadtRun.launcher().toString(),
                        "run",
                        "-o",
                        "t.madt",
                        "--",
                        "./alarmed"));

        String changed = Files.readString(directory.resolve("changed"));
        assertTrue(changed.contains("changed " + STEPS + "\n"), changed);
        assertEquals("done\n", Files.readString(directory.resolve("out")));
        assertEquals(0, run.status());
        String said = Files.readString(directory.resolve("err"));
        assertTrue(said.contains(", complete\n"), said);
    }
}
