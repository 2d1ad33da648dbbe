package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The blocks of {@code --at FUNC:block(N)} are those that {@code madt cfg} draws. */
class InstrumentBlocksIT {
    private static final Pattern BLOCK = Pattern.compile("(.*):block\\((\\d+)\\)");
    private static final String AFTER = ":after";
    private static final Pattern DRAWN =
            Pattern.compile("(?m)^block (\\d+) {2}0x([0-9a-f]+)-(.*)$");
    private static final Pattern TEXT = Pattern.compile(" \\.text +PROGBITS +([0-9a-f]+)");
    private static final int ENDBR_BYTES = 4;

    @TempDir
    Path directory;

    /**
     * An instrument stands behind the endbr64 that a block begins with. Where another one stands at
     * the end of the block, both have as many hits.
     */
    @Test
    void shouldNumberBlocksAsTheirGraphDoes() throws Exception {
        MadtRun.told(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        "t.madt",
                        "--at",
                        "gzip:*:block(*)",
                        "count",
                        "--at",
                        "gzip:*:block(*):after",
                        "count",
                        "--",
                        "gzip",
                        "--version")
                .expect(0);
        Map<String, Map<Integer, Long>> functions = new TreeMap<>();
        Map<String, String> before = new TreeMap<>();
        Map<String, String> after = new TreeMap<>();
        for (String line : MadtRun.madt(directory, "points", "--format", "csv", "t.madt")
                .expect(0)
                .text()
                .lines()
                .toList()) {
            List<String> cells = CsvLine.cells(line);
            String place = cells.size() == 5 ? cells.get(1) : "";
            if (place.endsWith(AFTER)) {
                after.put(place.replace(AFTER, ""), cells.get(0));
            }
            Matcher block = BLOCK.matcher(place);
            if (block.matches()) {
                before.put(place, cells.get(0));
                functions
                        .computeIfAbsent(block.group(1), absent -> new TreeMap<>())
                        .put(
                                Integer.parseInt(block.group(2)),
                                Long.parseLong(cells.get(4).substring(2), 16));
            }
        }
        assertTrue(functions.size() > 50, functions.keySet().toString());
        before.keySet().retainAll(after.keySet()); // there may be room in front or behind alone
        after.keySet().retainAll(before.keySet());
        assertTrue(before.size() > 1_000, () -> before.size() + " blocks with both");
        assertEquals(before, after);
        long text = text();
        int compared = 0;
        int row = 0;
        for (Map.Entry<String, Map<Integer, Long>> function : functions.entrySet()) {
            if (row++ % 10 > 0) {
                continue;
            }
            String name = function.getKey().replaceFirst("^func@", "");
            String graph = MadtRun.madt(directory, "cfg", "/usr/bin/gzip", name)
                    .expect(0)
                    .text();
            Matcher drawn = DRAWN.matcher(graph);
            while (drawn.find()) {
                Long placed = function.getValue().get(Integer.parseInt(drawn.group(1)));
                long start = Long.parseLong(drawn.group(2), 16);
                if (start < text) {
                    continue; // stubs of the PLT, which an unwind range takes for one function
                }
                if (placed != null) {
                    long distance = placed - start;
                    assertTrue(distance == 0 || distance == ENDBR_BYTES, drawn.group());
                    compared++;
                } else {
                    assertTrue(drawn.group(3).contains("in front: "), drawn.group());
                }
            }
        }
        assertTrue(compared > 100, compared + " blocks");
    }

    /** The address of the section of code. */
    private long text() throws Exception {
        Matcher section =
                TEXT.matcher(MadtRun.command(directory, List.of("readelf", "-SW", "/usr/bin/gzip"))
                        .text());
        assertTrue(section.find());
        return Long.parseLong(section.group(1), 16);
    }
}
