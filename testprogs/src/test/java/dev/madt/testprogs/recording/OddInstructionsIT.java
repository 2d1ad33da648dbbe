package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Instructions that are no accesses, and such that begin within another one. */
class OddInstructionsIT {
    private static final String FLUSHES =
            """
            #include <cpuid.h>
            static long line[512] __attribute__((aligned(4096)));
            static unsigned features(void)
            {
                unsigned a, b = 0, c, d;
                return __get_cpuid_count(7, 0, &a, &b, &c, &d) ? b : 0;
            }
            int main(void)
            {
                register long *r8 __asm__("r8") = line;
                register long r9 __asm__("r9") = 9;
                unsigned has = features();
                line[1] = 1;
                __asm__ volatile("clflush (%0)\\n\\tclflush 8(%0,%1,8)" : : "r"(r8), "r"(r9));
                if (has >> 23 & 1)
                    __asm__ volatile("clflushopt 64(%0)" : : "r"(r8));
                if (has >> 24 & 1)
                    __asm__ volatile("clwb %0" : : "m"(line[17]));
                return 0;
            }
            """;

    @TempDir
    Path directory;

    /** The lines about a symbol. */
    private List<String> lines(String engine, String symbol, Path program) throws Exception {
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-f",
                        "--engine",
                        engine,
                        "-o",
                        "t.madt",
                        "--",
                        program.toString())
                .expect(0);
        TraceFile.check(directory.resolve("t.madt"));
        return MadtRun.madt(directory, "print", "--symbol", symbol, "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"splice", "trap"})
    void shouldRecordNoFlushOfALine(String engine) throws Exception {
        Files.writeString(directory.resolve("flushes.c"), FLUSHES);
        MadtRun.command(directory, List.of("gcc", "-O1", "flushes.c", "-o", "flushes"))
                .expect(0);
        List<String> lines = lines(engine, "line*", directory.resolve("flushes"));
        assertEquals(1, lines.size(), lines.toString());
        assertTrue(lines.get(0).startsWith("S"), lines.toString());
    }

    /** The entries of the program's jump table lead there: a load and a store each, of its size. */
    @Test
    void shouldRecordWhatIsWithinAnotherInstruction() throws Exception {
        Path program = MadtRun.program("battery/overlapping_code");
        EnginePair pair = EnginePair.record(directory, List.of(), List.of(program.toString()));
        assertTrue(pair.agree() > 100);
        for (Path trace : List.of(pair.trap(), pair.splice())) {
            String counts = MadtRun.madt(
                            directory,
                            "report",
                            "--symbol",
                            "memory",
                            "--function",
                            "hidden",
                            "--columns",
                            "loads,stores,bytes",
                            "--format",
                            "csv",
                            trace.toString())
                    .expect(0)
                    .text();
            /* 3 rounds: 9 modifications of 8 bytes and one of 4 */
            assertEquals("loads,stores,bytes\n30,30,456\n", counts);
        }
    }
}
