package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules whose plans find little room are recorded. */
class PlacesIT {
    @TempDir
    Path directory;

    private void compile(String source, String... options) throws Exception {
        Files.writeString(directory.resolve("program.c"), source);
        List<String> command = new ArrayList<>(List.of("gcc", "-g", "-O1", "program.c"));
        command.addAll(List.of(options));
        MadtRun.command(directory, command).expect(0);
    }

    private MadtRun record(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("run", "-f", "-o", "t.madt"));
        command.addAll(List.of(options));
        command.addAll(List.of("--", "./program"));
        MadtRun run = MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        TraceFile.check(directory.resolve("t.madt"));
        assertTrue(run.errors().contains(", complete\n"), run.errors());
        return run;
    }

    private long lines(String part) throws Exception {
        return MadtRun.madt(directory, "print", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.contains(part))
                .count();
    }

    /** As a Fortran program with static arrays does. */
    @ParameterizedTest
    @ValueSource(strings = {"-pie", "-no-pie"})
    void shouldRecordAModuleOfManyMegabytes(String form) throws Exception {
        compile(
                """
                #include <stdio.h>
                volatile int low[13];
                volatile char between[300 << 20];
                volatile int high[17];
                int main(void)
                {
                    for (int i = 0; i < 13; i++)
                        low[i] = i;
                    for (int i = 0; i < 17; i++)
                        high[i] = i;
                    between[299 << 20] = 1;
                    printf("%d\\n", low[12] + high[16]);
                    return 0;
                }
                """,
                form, form.equals("-pie") ? "-fpie" : "-fno-pie", "-o", "program");
        assertEquals("28\n", record().text());
        assertEquals(14, lines(":low+"));
        assertEquals(18, lines(":high+"));
        record("--stack");
        assertEquals(14, lines(":low+"));
    }

    /** All places that lie nearer than those of variant `far` are somebody else's. */
    @Test
    void shouldRecordADenseLibraryFarOffCpu() throws Exception {
        compile(
                """
                long cells[64];
                #define MOVE(to, from) cells[to] += cells[from]; cells[from] ^= cells[to] * to;
                #define FOUR(at) MOVE(at, at + 1) MOVE(at + 2, at + 3)
                #define MANY(at) FOUR(at) FOUR(at + 4) FOUR(at + 8) FOUR(at + 12)
                #define ALL MANY(0) MANY(16) MANY(32) MANY(44)
                #define PART(n) long part##n(void) \
                        { cells[n] = n; ALL ALL ALL ALL return cells[n]; }
                PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8) PART(9)
                """,
                "-O0",
                "-shared",
                "-fPIC",
                "-o",
                "libdense.so");
        compile(
                """
                #define _GNU_SOURCE
                #include <dlfcn.h>
                #include <stdio.h>
                #include <sys/mman.h>
                #define MIB (1l << 20)
                int main(void)
                {
                    long (*part)(void);
                    void *library = dlopen("./libdense.so", RTLD_NOW);
                    char *base = (char *)dlsym(library, "part1");
                    base -= (unsigned long)base % 4096;
                    dlclose(library);
                    for (int pages = -64; pages < 64; pages += 2)
                        mmap(base - 227 * MIB + 4096 * pages, 4096, PROT_READ,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
                    library = dlopen("./libdense.so", RTLD_NOW);
                    part = (long (*)(void))dlsym(library, "part7");
                    printf("%d\\n", part() != 0);
                    return 0;
                }
                """,
                "-o", "program");
        assertEquals("1\n", record("--stack").text());
        assertTrue(lines(",part7+") > 100);
    }
}
