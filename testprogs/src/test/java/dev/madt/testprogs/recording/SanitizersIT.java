package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs built with a sanitizer, which takes over allocation, signals and threads, and wants most
 * of the address space for itself: they run, and find what they find alone.
 */
class SanitizersIT {
    private static final String SOURCE =
            """
            #include <pthread.h>
            #include <stdio.h>
            #include <stdlib.h>

            static int races;
            static int atomic;

            static void *work(void *unsafe)
            {
                int *block = malloc(40);

                block[1] = __atomic_add_fetch(&atomic, 1, __ATOMIC_SEQ_CST);
                if (unsafe)
                    races++;
                free(block);
                return unsafe ? block : NULL;
            }

            int main(int argc, char **argv)
            {
                pthread_t threads[2];
                void *freed;

                for (int i = 0; i < 2; i++)
                    pthread_create(&threads[i], NULL, work, argc > 1 ? argv : NULL);
                for (int i = 0; i < 2; i++)
                    pthread_join(threads[i], &freed);
                printf("%d\\n", atomic);
                fflush(stdout);
                if (freed)
                    printf("%d\\n", *(volatile int *)freed);
                return 3;
            }
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"address,unsafe,1,heap-use-after-free", "thread,,3,''"})
    @SoakCases({"address,'',3,''", "thread,unsafe,66,data race"})
    void shouldRunAndFindWhatTheyFindAlone(
            String sanitizer, String argument, int status, String found) throws Exception {
        Path source = Files.writeString(directory.resolve("work.c"), SOURCE);
        Path program = directory.resolve("work");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-g",
                                "-O1",
                                "-fsanitize=" + sanitizer,
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        List<String> command = List.of(
                "env", "ASAN_OPTIONS=symbolize=0", "TSAN_OPTIONS=symbolize=0", program.toString());
        if (argument != null) {
            command = Stream.concat(command.stream(), Stream.of(argument)).toList();
        }
        Path trace = directory.resolve("t.madt");
        List<String> traced = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--only-program",
                "work",
                "-o",
                trace.toString(),
                "--"));
        traced.addAll(command);
        for (List<String> words : List.of(command, traced)) {
            MadtRun run = MadtRun.command(directory, words).expect(status);
            assertTrue(run.text().startsWith("2\n"), run.text());
            assertTrue(run.errors().contains(found), run.errors());
            assertEquals(found.isEmpty(), run.errors().isEmpty(), run.errors());
        }
        assertTrue(TraceFile.check(trace).accesses() > 100);
    }
}
