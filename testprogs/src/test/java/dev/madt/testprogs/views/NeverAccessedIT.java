package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Checks that what nobody has accessed is told where all accesses to blocks are recorded, and there
 * alone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NeverAccessedIT {
    private static final String SOURCE =
            """
            #include <stdlib.h>
            static char *keep[40];
            __attribute__((noinline)) static void fill(char *p, int n) {
                for (int i = 0; i < n; i++) p[i] = i;
            }
            __attribute__((noinline)) void window(void) {
                for (int i = 20; i < 40; i++) { keep[i] = malloc(100); fill(keep[i], 70); }
            }
            int main(void) {
                for (int i = 0; i < 20; i++) { keep[i] = malloc(100); fill(keep[i], 91); }
                window();
                for (int i = 0; i < 40; i++) free(keep[i]);
                return 0;
            }
            """;

    @TempDir
    static Path directory;

    private String program;

    @BeforeAll
    void build() throws Exception {
        Path source = Files.writeString(directory.resolve("lives.c"), SOURCE);
        program = directory.resolve("lives").toString();
        MadtRun.command(directory, List.of("gcc", "-O1", "-g", "-o", program, source.toString()))
                .expect(0);
    }

    @AfterAll
    void forget() throws Exception {
        Files.deleteIfExists(Path.of(program));
    }

    private String record(String engine, String options) throws Exception {
        String trace = directory.resolve("lives.madt").toString();
        List<String> command = new ArrayList<>(List.of(options.split(" ")));
        command.addAll(List.of("-q", "-f", "--engine", engine, "-o", trace, "--", program));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        return trace;
    }

    private static String report(String trace, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", trace));
        command.addAll(List.of(options));
        return MadtRun.madt(directory, command.toArray(String[]::new)).expect(0).text();
    }

    @ParameterizedTest
    @CsvSource({"splice,run", "trap,run --heap"})
    void shouldCountWhatIsRecordedInFull(String engine, String options) throws Exception {
        String trace = record(engine, options);
        String csv = report(
                trace,
                "--by",
                "site",
                "--format",
                "csv",
                "--columns",
                "never_accessed,allocation_site");
        assertTrue(csv.contains("\n180,<malloc@main+"), csv);
        assertTrue(csv.contains("\n600,<malloc@window+"), csv);
        String part = report(trace, "--by", "site", "--kind", "load");
        assertTrue(part.contains("unknown, since the selection leaves out accesses."), part);
    }

    @ParameterizedTest
    @CsvSource({
        "splice,run --only lives,--only 'lives'",
        "trap,run --start func:window --stop return:window,only windows were recorded",
        "splice,'trace --record accesses,calls --below window',--below 'window'",
        "splice,run --max-events 300,the limit of --max-events"
    })
    void shouldSayThatItIsNotKnown(String engine, String options, String reason) throws Exception {
        String trace = record(engine, options);
        String text = report(trace, "--by", "site", "--wide");
        assertTrue(
                text.contains("\nNever accessed: unknown, since ") && text.contains(reason), text);
        assertEquals(
                2,
                report(
                                trace,
                                "--by",
                                "site",
                                "--format",
                                "csv",
                                "--columns",
                                "never_accessed,allocation_site")
                        .lines()
                        .filter(line -> line.startsWith(",<malloc@"))
                        .count());
        String blocks = report(trace, "--by", "block");
        assertTrue(blocks.contains(reason), blocks);
        assertFalse(blocks.contains("Never accessed: 4"), blocks);
    }

    @Test
    void shouldSayInInfoWhatWasChosen() throws Exception {
        String info = MadtRun.madt(directory, "info", record("splice", "run --only lives"))
                .expect(0)
                .text();
        assertTrue(info.contains("recording from main, --only 'lives'"), info);
    }
}
