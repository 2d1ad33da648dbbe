package dev.madt.view.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.view.ViewFeed;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamingFormatsTest {
    private static final AccessSite LOAD =
            new AccessSite(0x401000, 4, AccessKind.LOAD, 8, 0, false);
    private static final AccessSite STORE =
            new AccessSite(0x401000, 4, AccessKind.STORE, 8, 1, false);
    private static final AccessSite MODIFY =
            new AccessSite(0x40_1004, 3, AccessKind.MODIFY, 2, 0, false);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private long number;

    private ViewFeed feed(TargetFormat format, boolean instructions, boolean blocks) {
        return new ViewFeed(
                format.writer(out, RandomConversion.options(instructions, blocks, false)));
    }

    private void assertWritten(String... lines) {
        assertEquals(
                List.of(lines), out.toString(StandardCharsets.UTF_8).lines().toList());
    }

    /** A move from memory to memory twice, then an increment twice. */
    private void give(ViewFeed feed) {
        for (long offset : new long[] {0, 8}) {
            feed.access(number++, 1, LOAD, false, 0x5000 + offset);
            feed.access(number++, 1, STORE, true, 0x7fff_0000_6000L + offset);
        }
        for (int i = 0; i < 2; i++) {
            feed.access(number++, 1, MODIFY, false, 0x77);
            feed.access(number++, 1, MODIFY, true, 0x77);
        }
        feed.block(number++, 1, BlockKind.COPY, 0x2000, 0x3004, 13, 0x401010);
        feed.end(true);
    }

    @Test
    void shouldWriteLackeysLines() {
        give(feed(TargetFormat.LACKEY, true, false));
        assertWritten(
                "I  00401000,4",
                " L 00005000,8",
                " S 7fff00006000,8",
                "I  00401000,4",
                " L 00005008,8",
                " S 7fff00006008,8",
                "I  00401004,3",
                " M 00000077,2",
                "I  00401004,3",
                " M 00000077,2");
    }

    @Test
    void shouldLeaveInstructionsOutAndExpandBlocksWhenAsked() {
        give(feed(TargetFormat.LACKEY, false, true));
        assertWritten(
                " L 00005000,8",
                " S 7fff00006000,8",
                " L 00005008,8",
                " S 7fff00006008,8",
                " M 00000077,2",
                " M 00000077,2",
                " L 00003004,4",
                " S 00002000,8",
                " L 00003008,8",
                " S 00002008,5",
                " L 00003010,1");
    }

    @Test
    void shouldWriteDineroLabels() {
        give(feed(TargetFormat.DINERO, true, false));
        assertWritten(
                "2 401000 4",
                "0 5000 8",
                "1 7fff00006000 8",
                "2 401000 4",
                "0 5008 8",
                "1 7fff00006008 8",
                "2 401004 3",
                "0 77 2",
                "1 77 2",
                "2 401004 3",
                "0 77 2",
                "1 77 2");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepEveryAccessInItsOrder(long seed) {
        List<String> expected = new ArrayList<>();
        for (String line : RandomConversion.raw(seed)) {
            if (line.startsWith("L#") || line.startsWith("S#")) {
                expected.add((line.charAt(0) == 'L' ? "0 " : "1 ")
                        + line.substring(line.indexOf(":0x") + 3, line.indexOf(',')));
            }
        }
        List<String> actual = RandomConversion.to(
                        TargetFormat.DINERO, seed, RandomConversion.options(false, false, false))
                .stream()
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .toList();
        assertTrue(expected.size() > 10_000);
        assertEquals(expected, actual);
    }

    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void shouldWriteACsvRowForEveryEvent(long seed) {
        List<String> rows = RandomConversion.to(TargetFormat.CSV, seed);
        List<String> raw = RandomConversion.raw(seed).stream()
                .filter(line -> "LSYWG".indexOf(line.charAt(0)) >= 0)
                .toList();
        int columns = rows.get(0).split(",").length;
        List<String> accesses = new ArrayList<>();
        int allocations = 0;
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", -1);
            assertEquals(columns, cells.length, row);
            if (cells[1].isEmpty()) {
                allocations++;
                assertFalse(cells[2].isEmpty(), row);
                assertTrue("MCPREFU".contains(cells[0].substring(0, 1)), row);
            } else {
                accesses.add(cells[1] + cells[0] + cells[4]);
            }
        }
        assertEquals(
                raw.stream()
                        .map(line -> line.substring(2, line.indexOf(':'))
                                + line.charAt(0)
                                + line.substring(line.indexOf(':') + 1, line.indexOf(',')))
                        .toList(),
                accesses);
        assertEquals(RandomConversion.to(TargetFormat.JSONL, seed).size(), rows.size() - 1);
        assertTrue(allocations > 100, allocations + " allocation events");
    }
}
