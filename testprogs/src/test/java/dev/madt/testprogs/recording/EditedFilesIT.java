package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what a program does follows from the bytes of its files, whatever build-id, size and
 * times they have, and whatever was recorded before.
 */
class EditedFilesIT {
    private static final String STEP = "488b074883c007488907c3"; // adds 7 to *rdi
    private static final String EDITED = "488b074883c009488907c3";

    private static final String STEP_SOURCE =
            """
            __asm__(".globl step; .type step, @function; step: .cfi_startproc; movq (%rdi), %rax;"
                    "addq $7, %rax; movq %rax, (%rdi); ret; .cfi_endproc; .size step, . - step");
            """;

    private static final String PROGRAM =
            """
            #include <stdio.h>
            extern void step(long *sum);
            int main(void)
            {
                long sum = 0;
                for (int i = 0; i < 10; i++)
                    step(&sum);
                printf("%ld\\n", sum);
                return 0;
            }
            """;

    /**
     * Opens a library, puts another in its place and opens it again, and at last writes the first
     * into that file, with its times.
     */
    private static final String OPENER =
            """
            #define _GNU_SOURCE
            #include <dlfcn.h>
            #include <fcntl.h>
            #include <stdio.h>
            #include <sys/stat.h>
            #include <unistd.h>
            static void use(void)
            {
                void *library = dlopen("./libstep.so", RTLD_NOW);
                void (*step)(long *) = (void (*)(long *))dlsym(library, "step");
                long sum = 0;
                for (int k = 0; k < 10; k++)
                    step(&sum);
                printf("%ld\\n", sum);
                dlclose(library);
            }
            int main(void)
            {
                static char bytes[1 << 20];
                struct stat before;
                int from = open("old.so", O_RDONLY);
                size_t size = read(from, bytes, sizeof bytes);
                use();
                rename("new.so", "libstep.so");
                use();
                int to = open("libstep.so", O_WRONLY);
                fstat(to, &before);
                write(to, bytes, size);
                futimens(to, (struct timespec[]){ before.st_atim, before.st_mtim });
                use();
                return 0;
            }
            """;

    @TempDir
    Path directory;

    @BeforeEach
    void writeSources() throws IOException {
        Files.writeString(directory.resolve("step.c"), STEP_SOURCE);
        Files.writeString(directory.resolve("program.c"), PROGRAM);
        Files.writeString(directory.resolve("opener.c"), OPENER);
        Files.writeString(directory.resolve("program9.c"), PROGRAM.replace("< 10", "< 13"));
    }

    private MadtRun shell(String script) throws Exception {
        return MadtRun.command(
                        directory,
                        List.of(
                                "env",
                                "XDG_CACHE_HOME=" + directory.resolve("cache"),
                                "MADT=" + MadtRun.launcher(),
                                "sh",
                                "-e",
                                "-c",
                                script))
                .expect(0);
    }

    /** Returns what a program prints that is recorded by an engine. */
    private String recorded(String engine, String command) throws Exception {
        Path trace = directory.resolve("t.madt");
        MadtRun run = shell("$MADT run -f --engine " + engine + " -o t.madt -- " + command);
        TraceFile.check(trace);
        assertTrue(run.errors().contains("complete"), run.errors());
        return run.text();
    }

    private void edit(String file) throws IOException {
        Path edited = directory.resolve(file);
        FileTime times = Files.getLastModifiedTime(edited);
        String bytes = HexFormat.of().formatHex(Files.readAllBytes(edited));
        assertEquals(bytes.indexOf(STEP), bytes.lastIndexOf(STEP));
        byte[] after = HexFormat.of().parseHex(bytes.replace(STEP, EDITED));
        try (FileChannel channel = FileChannel.open(edited, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(after));
        }
        Files.setLastModifiedTime(edited, times);
    }

    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldRunAProgramAsItWasEdited(String engine) throws Exception {
        shell("gcc -O1 -Wl,--build-id -o program program.c step.c");
        assertEquals("70\n", recorded(engine, "./program"));
        shell("cp -p program copy; ln program link");
        edit("copy");
        assertEquals("90\n", recorded(engine, "./copy"));
        edit("program");
        assertEquals("90\n", shell("./program").text());
        assertEquals("90\n", recorded(engine, "./link"));
        assertEquals("90\n", recorded(engine, "./program"));
    }

    @ParameterizedTest
    @ValueSource(strings = "trap")
    @SoakCases("splice")
    void shouldTellFilesWithOneBuildIdApart(String engine) throws Exception {
        shell("gcc -O1 -Wl,--build-id=0x0123456789abcdef -o one program.c step.c;"
                + " gcc -O2 -g -Wl,--build-id=0x0123456789abcdef -o two step.c program9.c");
        assertEquals("70\n", recorded(engine, "./one"));
        assertEquals("91\n", recorded(engine, "./two"));
        assertEquals("70\n", recorded(engine, "./one"));
    }

    @ParameterizedTest
    @ValueSource(strings = "splice")
    @SoakCases("trap")
    void shouldNotBePoisonedByALibraryWithLibcsBuildId(String engine) throws Exception {
        shell("libc=$(ldd /bin/true | sed -n 's/.*libc.so.6 => \\([^ ]*\\) .*/\\1/p');"
                + " id=$(readelf -n $libc | sed -n 's/.*Build ID: //p');"
                + " gcc -shared -fPIC -O1 -Wl,--build-id=0x$id -o libstep.so step.c;"
                + " gcc -O1 -o program program.c -L. -lstep -Wl,-rpath,.");
        assertEquals("70\n", recorded(engine, "./program"));
        assertEquals("70\n", recorded(engine, "./program"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldSeeThatALibraryIsReplacedOrEdited(String engine) throws Exception {
        shell("gcc -shared -fPIC -O1 -Wl,--build-id -o libstep.so step.c;"
                + " gcc -O1 -o opener opener.c; cp -p libstep.so new.so; cp -p libstep.so old.so");
        edit("new.so");
        assertEquals("70\n90\n70\n", shell("cp -p new.so kept.so; ./opener").text());
        shell("mv kept.so new.so; cp -p old.so libstep.so");
        assertEquals("70\n90\n70\n", recorded(engine, "./opener"));
    }

    /** The text in memory is what counts, where the file is another one by then. */
    @Test
    void shouldKeepWhatAProgramHasMadeOfItsText() throws Exception {
        Files.writeString(
                directory.resolve("changer.c"),
                """
                #include <madt.h>
                #include <stdio.h>
                #include <string.h>
                #include <sys/mman.h>
                #include <stdint.h>
                extern void step(long *sum);
                int main(void)
                {
                    long sum = 0;
                    uint8_t *page = (uint8_t *)((uintptr_t)step & -4096);
                    mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
                    ((uint8_t *)step)[6] = 9;
                    mprotect(page, 8192, PROT_READ | PROT_EXEC);
                    MadT_start();
                    for (int i = 0; i < 10; i++)
                        step(&sum);
                    printf("%ld\\n", sum);
                    MadT_stop();
                    return 0;
                }
                """);
        shell("gcc -O1 -I" + MadtRun.root() + "/madt-native/include -o changer changer.c step.c");
        MadtRun run = shell("$MADT run -f --start marker -o t.madt -- ./changer");
        assertEquals("90\n", run.text());
        TraceFile.check(directory.resolve("t.madt"));
        assertFalse(run.errors().contains(", complete\n"), run.errors());
        MadtRun info = shell("$MADT info t.madt");
        assertTrue(info.text().contains("changer: could not be patched"), info.text());
    }
}
