package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that the work of an allocator that a program has instead of the C library's is no defect,
 * and that what the program does wrong to its blocks is one.
 */
class AllocatorsIT {
    private static final Path LIBRARIES = Path.of("/usr/lib/x86_64-linux-gnu");
    /** Blocks of all sizes in threads that end; with an argument also three defects. */
    private static final String SOURCE =
            """
            #include <malloc.h>
            #include <pthread.h>
            #include <stdlib.h>
            #include <string.h>
            static char *volatile one, *volatile two, *volatile three;
            static void *work(void *arg) {
                unsigned seed = *(unsigned *)arg;
                char *blocks[200] = {0};
                for (int i = 0; i < 3000; i++) {
                    seed = seed * 1103515245 + 12345;
                    int k = (seed >> 8) % 200;
                    size_t size = i % 97 ? 16 + (seed >> 16) % 3000 : 1 << 20;
                    free(blocks[k]);
                    blocks[k] = malloc(size);
                    blocks[k][0] = 1;
                    if (i % 11 == 0) blocks[k] = realloc(blocks[k], size * 2);
                    if (malloc_usable_size(blocks[k]) < size) abort();
                }
                for (int k = 0; k < 200; k++) free(blocks[k]);
                return NULL;
            }
            int main(int argc, char **argv) {
                pthread_t threads[2];
                unsigned seeds[] = {1, 2, 3};
                (void)argv;
                if (argc > 1) {
                    one = memset(malloc(40), 1, 40);
                    two = memset(malloc(100), 2, 100);
                    three = memset(malloc(56), 3, 56);
                    free(one);
                    one[8] = 7;
                    two[100] = 1;
                    free(three);
                    free(three);
                    free(two);
                    return 0;
                }
                two = malloc(10 << 20);
                one = realloc(malloc(1 << 20), 5 << 20);
                free(one);
                for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &seeds[i]);
                for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
                work(&seeds[2]);
                free(two);
                return 0;
            }
            """;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"libtcmalloc_minimal.so.4", "libjemalloc.so.2", "libmimalloc.so.2"})
    void shouldTellWhatTheProgramDoesAndNotWhatItsAllocatorDoes(String library) throws Exception {
        assumeTrue(Files.exists(LIBRARIES.resolve(library)), () -> library + " is not installed");
        Files.writeString(directory.resolve("blocks.c"), SOURCE);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-w",
                                "-pthread",
                                "-o",
                                "blocks",
                                "blocks.c",
                                "-Wl,--no-as-needed",
                                "-l:" + library))
                .expect(0);
        new Recorder(directory).run("./blocks").expect(0);
        String correct = MadtRun.madt(directory, "defects", "--fail", "t.madt").text();
        assertTrue(correct.startsWith("No defect."), correct);
        assertEquals(
                List.of(),
                MadtRun.madt(directory, "print", "t.madt")
                        .expect(0)
                        .text()
                        .lines()
                        .filter(line -> line.matches("[LSYWG]\\$.*,(lib|tcmalloc::)[^,]*"))
                        .toList());
        String kept = MadtRun.madt(directory, "defects", "--", "./blocks").text();
        assertTrue(kept.startsWith("No defect."), kept);
        String faulty = MadtRun.madt(directory, "defects", "--fail", "--", "./blocks", "faulty")
                .expect(4)
                .text();
        assertEquals(
                List.of(
                        "3 defects.",
                        "1. Store of 1 byte at offset 8 of <freed> (40 bytes), after its end",
                        "2. Store of 1 byte at offset 100 of <malloc> (100 bytes), 1 byte beyond"
                                + " its end",
                        "3. Free of <freed> (56 bytes), which has been freed before"),
                faulty.lines()
                        .filter(line -> line.matches("\\d\\.? .*"))
                        .map(line -> line.replaceAll("<(freed|malloc)[^>]*>", "<$1>"))
                        .toList());
    }
}
