package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: where what is patched in a program finds its place. */
class AttachPlacesIT {
    /** Has a mapping where the first place of a program at 0x400000 is, as its heap may lie. */
    private static final String SOURCE =
            """
            #define _GNU_SOURCE
            #include <stdio.h>
            #include <sys/mman.h>
            #include <unistd.h>
            volatile long counted[64];
            int main(void)
            {
                mmap((void *)0x400cc000, 2 << 20, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS
                        | MAP_FIXED_NOREPLACE, -1, 0);
                puts("ready");
                fflush(stdout);
                for (;;) {
                    for (int i = 0; i < 64; i++)
                        counted[i]++;
                    usleep(1000);
                }
            }
            """;

    @TempDir
    Path directory;

    @Test
    void shouldRecordAProgramWhoseFirstPlaceIsTaken() throws Exception {
        Files.writeString(directory.resolve("low.c"), SOURCE);
        MadtRun.command(
                        directory,
                        List.of("gcc", "-O1", "-no-pie", "-fno-pie", "-o", "low", "low.c"))
                .expect(0);
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(directory.resolve("low").toString())
                .redirectOutput(said.toFile())
                .start();
        try {
            for (int i = 0; i < 500 && Files.size(said) == 0; i++) {
                Thread.sleep(10);
            }
            String maps = Files.readString(Path.of("/proc/" + process.pid() + "/maps"));
            assertTrue(maps.contains("00400000-"), maps);
            MadtRun run = MadtRun.madt(
                            directory,
                            ("run --no-hottest --for 200ms -o low.madt -p " + process.pid())
                                    .split(" "))
                    .expect(0);
            assertFalse(run.errors().contains("could not be patched"), run.errors());
        } finally {
            process.destroyForcibly();
        }
        MadtRun report =
                MadtRun.madt(directory, "report", "--by", "symbol", "low.madt").expect(0);
        assertTrue(report.text().contains("counted"), report.text());
    }
}
