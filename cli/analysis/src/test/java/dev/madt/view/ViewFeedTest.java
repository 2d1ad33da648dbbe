package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewFeedTest {
    /** Prints the lines of accesses and bulk transfers once more, from what a view is told. */
    private static final class Lines implements Analysis {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void accesses(Accesses batch) {
            for (int i = 0; i < batch.count(); i++) {
                text.append(batch.store(i) ? "S$" : "L$")
                        .append(batch.first() + i)
                        .append(':')
                        .append(named(batch.object(i), batch.address(i)))
                        .append(',')
                        .append(batch.object(i).region())
                        .append(',')
                        .append(batch.place(i).name())
                        .append('\n');
            }
        }

        private static String named(DataObject object, long address) {
            return object.name() + '+' + (address - object.start());
        }

        @Override
        public void block(BlockAccess event) {
            text.append(event.kind().letter())
                    .append('$')
                    .append(event.number())
                    .append(':')
                    .append(named(event.target(), event.to()));
            if (event.source() != null) {
                text.append(',').append(named(event.source(), event.from()));
            }
            text.append(',')
                    .append(event.length())
                    .append(',')
                    .append(event.place().name())
                    .append('\n');
        }
    }

    /**
     * Lines without what the view is not told: allocation events, and the regions of bulk
     * transfers.
     */
    private static List<String> comparable(String lines) {
        return lines.lines()
                .filter(line -> "LSYWG".indexOf(line.charAt(0)) >= 0)
                // a block that spans regions, and memory of which no map tells, have no region of
                // their own
                .map(line -> line.replaceAll(",\\[[^,]*\\],", ",").replaceAll(",\\[[^,]*\\],", ","))
                .map(line -> line.replaceAll(":0x[0-9a-f]+", ":unmapped")
                        .replaceAll(":\\[\\?\\]\\+\\d+", ":unmapped"))
                .map(line -> line.replaceAll(",0x[0-9a-f]+", ",unmapped")
                        .replaceAll(",\\[\\?\\]\\+\\d+", ",unmapped"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
    void shouldNameAsLinesDo(long seed) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.SYMBOLIC)).give(20_011);
        Lines lines = new Lines();
        new RandomEvents(seed, new ViewFeed(lines)).give(20_011);
        List<String> expected = comparable(printed.toString(StandardCharsets.UTF_8));
        List<String> actual = comparable(lines.text.toString());
        assertTrue(expected.size() > 15_000, "only " + expected.size() + " lines");
        for (int i = 0; i < expected.size(); i++) {
            assertEquals(expected.get(i), actual.get(i), "line " + i);
        }
        assertEquals(expected.size(), actual.size());
    }

    /** A program may ask memset for more than there is; views must not believe it. */
    @ParameterizedTest
    @ValueSource(longs = {0, 7, 70_000, 0x20_0000, 0x7fff_ffff_ffff_ffffL, -1, Long.MIN_VALUE})
    void shouldReachNoFartherThanMemory(long length) {
        long[] reach = new long[1];
        ViewFeed feed = new ViewFeed(new Analysis() {
            @Override
            public void accesses(Accesses batch) {
                throw new AssertionError("no access");
            }

            @Override
            public void block(BlockAccess event) {
                assertEquals(length, event.length());
                reach[0] = event.reach();
            }
        });
        feed.define(new Definition.Region(
                RegionKind.HEAP, 3, 0x10_0000, 0x20_0000, 0x10_0000, "[heap]"));
        feed.define(new Definition.Region(
                RegionKind.ANONYMOUS, 3, 0x20_0000, 0x28_0000, 0x20_0000, "[anon]"));
        feed.block(0, 1, BlockKind.STORE, 0x18_0000, 0, length, 0x401000);
        assertEquals(Math.max(0, Math.min(length, 0x10_0000)), reach[0]);
    }
}
