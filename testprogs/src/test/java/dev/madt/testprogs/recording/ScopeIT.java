package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With a scope the trace holds the accesses of the whole one that lie in it, in their order, and
 * nothing else.
 */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class ScopeIT {
    @Parameter
    String engine;

    private static final Pattern NUMBER = Pattern.compile("(?<=^[LSYWG]\\$)\\d+");

    @TempDir
    Path directory;

    private static final Map<String, List<String>> WHOLE = new ConcurrentHashMap<>();

    /** The access lines of the whole trace by an engine. */
    private static List<String> whole(String engine) {
        return WHOLE.computeIfAbsent(engine, name -> {
            try {
                return accesses(Recording.of(MadtRun.program("libcheavy.O0"), name));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Access lines without their numbers. */
    private static List<String> accesses(Path trace) throws IOException {
        return Recording.lines(trace, LineOptions.SYMBOLIC).stream()
                .filter(line -> "LS".indexOf(line.charAt(0)) >= 0)
                .map(line -> NUMBER.matcher(line).replaceFirst("0"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    --heap                  ; \\[(heap|anon)\\]
                    --data                  ; \\[\\.[a-z_]+\\]
                    --lib                   ; \\[lib[^:]*:[^\\]]*\\]
                    --only=libc.so.6        ; \\[libc\\.so\\.6:[^\\]]*\\]
                    --only=*.bss            ; \\[([^:]*:)?\\.bss\\]
                    --only=[heap]           ; \\[(heap|anon)\\]
                    --exclude=[heap]        ; (?!\\[(heap|anon)\\])\\[.*\\]
                    """)
    void shouldRecordWhatLiesInScopeAndNothingElse(String option, String regions) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || option.startsWith("--exclude"),
                "engine trap takes minutes for all");
        String program = MadtRun.program("libcheavy.O0").toString();
        Path trace = directory.resolve("part.madt");
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        trace.toString(),
                        option,
                        "--",
                        program)
                .expect(0);
        TraceFile.check(trace);
        Pattern wanted = Pattern.compile("[^,]*," + regions + ",.*");
        List<String> expected = whole(engine).stream()
                .filter(line -> wanted.matcher(line).matches())
                .toList();
        assertTrue(!expected.isEmpty(), "the program touches nothing there");
        assertEquals(expected, accesses(trace));
    }

    private static final String TRANSFERS =
            """
            #include <stdlib.h>
            #include <string.h>
            #include <unistd.h>
            #include <pthread.h>
            static char kept[16];
            static void *work(void *zero) {
                char here[16];
                if (read(*(int *)zero, here, 5) != 5) abort();
                memcpy(kept, here, 3);
                return NULL;
            }
            int main(void) {
                int ends[2];
                pthread_t thread;
                char *block = malloc(16);
                if (pipe(ends) || write(ends[1], "0123456789", 10) != 10) return 1;
                work(ends);
                pthread_create(&thread, NULL, work, ends);
                pthread_join(thread, NULL);
                memset(block, 1, 7);
                free(block);
            }
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "none",
            textBlock =
                    """
                    --data             ; G10 Y3 Y3
                    --heap             ; W7
                    --only=[stack]     ; W5 W5 Y3 Y3
                    --exclude=[stack]  ; G10 W7 Y3 Y3
                    """)
    void shouldHoldForTransfersToStacksToo(String option, String expected) throws Exception {
        Files.writeString(directory.resolve("transfers.c"), TRANSFERS);
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-fno-builtin",
                                "-pthread",
                                "-o",
                                "transfers",
                                "transfers.c"))
                .expect(0);
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        "t.madt",
                        option,
                        "--",
                        "./transfers")
                .expect(0);
        List<String> lines = MadtRun.madt(directory, "print", "t.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("[YWG]\\$.*,(work|main|pipe)\\+\\d+"))
                .toList();
        List<String> seen = lines.stream()
                .map(line ->
                        line.charAt(0) + line.replaceAll("^(Y[^,]*,[^,]*|[^,]*),(\\d+),.*", "$2"))
                .sorted()
                .toList();
        assertEquals(expected, String.join(" ", seen), () -> String.join("\n", lines));
    }

    @Test
    void shouldSayWhichPatternsMeanNothing() throws Exception {
        String program = MadtRun.program("heap.O0").toString();
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "--engine",
                        engine,
                        "-o",
                        "t.madt",
                        "--only",
                        "lubc.so.6",
                        "--only",
                        ".bss",
                        "--exclude",
                        "nothing.like.it",
                        "--",
                        program)
                .expect(0);
        assertTrue(
                run.errors()
                        .contains("--only 'lubc.so.6' matches no region or module. Did you mean"
                                + " 'libc.so.6'?"),
                run.errors());
        assertTrue(
                run.errors().contains("--exclude 'nothing.like.it' matches no region or module."),
                run.errors());
        assertTrue(
                run.errors().contains("There were: ")
                        && run.errors().contains("heap.O0, libc.so.6"),
                run.errors());
        assertTrue(!run.errors().contains("'.bss'"), run.errors());
    }

    @Test
    void shouldEndTheRecordingAndNotTheProgramAtTheSizeGiven() throws Exception {
        assumeTrue(engine.equals("splice") || Tier.SOAK, "engine trap takes minutes for all");
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "--engine",
                        engine,
                        "--max-size",
                        "240K",
                        "-o",
                        trace.toString(),
                        "--",
                        "perl",
                        "-e",
                        "my $n = 0; $n += $_ for 1..200000; print $n")
                .expect(0);
        assertEquals("20000100000", run.text());
        assertTrue(run.errors().contains("ended at the limit of --max-size"), run.errors());
        long size = Files.size(trace);
        assertTrue(size >= 240 << 10 && size < 4 << 20, size + " bytes");
        TraceFile.check(trace);
    }
}
