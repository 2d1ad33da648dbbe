package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code madt run -p PID}: the blocks that a process had before are known, wherever they lie. */
class AttachBlocksIT {
    /** Stores of a function of attach/stacks each time. */
    private static final int WORDS = 100;

    @TempDir
    Path directory;

    /** Records what a program does that has got its blocks, for a while. */
    private void attach(String program, String... words) throws Exception {
        attach(
                "250ms",
                Stream.concat(Stream.of(MadtRun.program(program).toString()), Stream.of(words))
                        .toList());
    }

    private void attach(String time, List<String> command) throws Exception {
        Path output = directory.resolve("output");
        Process process =
                new ProcessBuilder(command).redirectOutput(output.toFile()).start();
        try {
            for (int looks = 0; looks < 3000 && Files.size(output) == 0; looks++) {
                Thread.sleep(10);
            }
            assertTrue(Files.readString(output).matches("ready\n|[0-9]+\n"));
            MadtRun.told(
                            directory,
                            "run",
                            "-p",
                            "" + process.pid(),
                            "--for",
                            time,
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

    /** They are as many bytes as the C library itself says that it has given out. */
    @Test
    void shouldKnowAsMuchAsTheCLibrary() throws Exception {
        attach("attach/mixed");
        long taken =
                Long.parseLong(Files.readString(directory.resolve("output")).strip());
        String csv = MadtRun.madt(directory, "report", "--by", "site", "--format", "csv", "a.madt")
                .expect(0)
                .text();
        List<Map<String, String>> sites = CsvLine.rows(csv).stream()
                .filter(row -> row.get("allocation_site").equals("<malloc@?>"))
                .toList();
        assertEquals(1, sites.size(), csv);
        long blocks = Long.parseLong(sites.get(0).get("blocks"));
        assertTrue(blocks > 3000, csv);
        // each has a word of the C library's in front of it
        assertEquals(taken, Long.parseLong(sites.get(0).get("allocated")) + blocks * Long.BYTES);
    }

    /**
     * Tells stacks from what is beside them, which may be one mapping with them. What
     * threads keep on their stacks is not recorded, also of those that began on one from before.
     */
    @Test
    void shouldTellStacksFromWhatIsBesideThem() throws Exception {
        attach("400ms", List.of(MadtRun.program("attach/stacks").toString()));
        Map<String, Long> stores = new HashMap<>();
        String csv = MadtRun.madt(
                        directory, "report", "--by", "function", "--format", "csv", "a.madt")
                .expect(0)
                .text();
        for (Map<String, String> row : CsvLine.rows(csv)) {
            if (row.get("module").equals("[stacks]")) {
                stores.put(row.get("function"), Long.parseLong(row.get("stores")));
            }
        }
        for (String function : List.of("below", "between", "above")) {
            assertEquals(stores.get("below"), stores.get(function), 2 * WORDS, function);
        }
        for (String function : List.of("first_block", "second_block", "common")) {
            assertEquals(stores.get("common"), stores.get(function), WORDS, function);
        }
        assertTrue(stores.get("below") > 20 * WORDS && stores.get("common") > 20 * WORDS);
        assertFalse(stores.containsKey("own_stack") || stores.containsKey("own_storage"));
    }

    /** The C library frees again what it keeps for a thread that ends. */
    @Test
    void shouldTakeNoEndOfAThreadForDefects() throws Exception {
        attach("attach/ends", "5000");
        String text = MadtRun.madt(directory, "defects", "a.madt").expect(0).text();
        assertTrue(text.startsWith("No defect"), text);
        String sites = MadtRun.madt(directory, "report", "--by", "site", "a.madt")
                .expect(0)
                .text();
        assertTrue(sites.contains("@work+"), sites);
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
