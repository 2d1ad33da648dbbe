package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: the blocks that a process had before are known, wherever they lie. */
class AttachBlocksIT {
    @TempDir
    Path directory;

    /** Records what a program does that has got its blocks, for a while. */
    private void attach(String program) throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(MadtRun.program(program).toString())
                .redirectOutput(output.toFile())
                .start();
        try {
            for (int looks = 0; looks < 3000 && Files.size(output) == 0; looks++) {
                Thread.sleep(10);
            }
            assertEquals("ready\n", Files.readString(output));
            MadtRun.process(
                            directory,
                            "run",
                            "-p",
                            "" + process.pid(),
                            "--for",
                            "100ms",
                            "--no-hottest",
                            "-o",
                            "a.madt")
                    .expect(0);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Its heaps are gone through: each of 10,000 blocks is known, by thread and by mapping too. */
    @Test
    void shouldKnowTheBlocksFromBefore() throws Exception {
        attach("attach/keeps");
        String stores = MadtRun.madt(directory, "print", "a.madt").expect(0).text();
        List<String> outside = stores.lines()
                .filter(line -> line.startsWith("S$")
                        && line.contains(",main+")
                        && !line.contains("[.bss]")
                        && !line.contains(":<malloc"))
                .toList();
        assertEquals(List.of(), outside);
        assertTrue(stores.contains("@?>+"), "blocks of nobody knows whom");
        List<String> sites = MadtRun.madt(
                        directory, "report", "--by", "site", "--format", "csv", "a.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.contains("<malloc@?>"))
                .toList();
        assertEquals(1, sites.size(), sites.toString());
        assertTrue(sites.get(0).matches(".*,1[01]\\d{3},.*"), sites.get(0));
    }

    /** Heaps of arenas begin at such addresses, too. */
    @Test
    void shouldKnowABlockThatBeginsWhereAHeapMay() throws Exception {
        attach("attach/aligned");
        List<String> stores = MadtRun.madt(directory, "print", "a.madt")
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.matches("S\\$.*,main\\+\\d+"))
                .toList();
        assertFalse(stores.isEmpty());
        for (String store : stores) {
            assertTrue(store.matches("S\\$\\d+:<malloc\\d+@\\?>\\+\\d+,.*"), store);
        }
    }
}
