package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that what a command that reads a whole trace needs of memory does not depend on the length
 * of the trace.
 */
class ReadingMemoryIT {
    private static final int MOST_MIB = 256;
    private static final double MOST_GROWTH = 1.2;
    private static final int COMMANDS = 6;

    @TempDir
    Path directory;

    /**
     * 9 million accesses against 3 million; in the soak profile 1,000 million against 10 million.
     */
    @Test
    void shouldNotGrowWithTheLengthOfTheTrace() throws Exception {
        boolean soak = Tier.SOAK;
        Path out = directory.resolve("out.txt");
        Process process = new ProcessBuilder(
                        MadtRun.launcher().toString(),
                        "bench",
                        "memory",
                        "--accesses",
                        soak ? "1000000000" : "9000000")
                .redirectOutput(out.toFile())
                .redirectErrorStream(true)
                .start();
        assertTrue(process.waitFor(soak ? 60 : 10, TimeUnit.MINUTES));
        List<String> lines = Files.readAllLines(out);
        assertEquals(0, process.exitValue(), () -> String.join("\n", lines));
        List<String[]> rows = lines.stream()
                .filter(line -> line.matches(".* \\d+ +\\d+ +\\d\\.\\d\\d"))
                .map(line -> line.split(" {2,}"))
                .toList();
        assertEquals(COMMANDS, rows.size(), () -> String.join("\n", lines));
        for (String[] row : rows) {
            assertTrue(Integer.parseInt(row[2]) <= MOST_MIB, () -> String.join("\n", lines));
            assertTrue(Double.parseDouble(row[3]) <= MOST_GROWTH, () -> String.join("\n", lines));
        }
    }
}
