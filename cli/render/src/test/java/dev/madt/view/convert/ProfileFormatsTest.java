package dev.madt.view.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import dev.madt.view.ViewFeed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileFormatsTest {
    @ParameterizedTest
    @CsvSource({"1, false", "2, true", "3, false", "4, true"})
    void shouldAddUpToTheTotalsOfTheTrace(long seed, boolean byData) {
        List<String> raw = RandomConversion.raw(seed);
        List<String> profile = RandomConversion.to(
                TargetFormat.CALLGRIND, seed, RandomConversion.options(true, false, byData));
        long[] sum = new long[5];
        for (String line : profile) {
            if (Character.isDigit(line.isEmpty() ? ' ' : line.charAt(0))) {
                long[] numbers = Arrays.stream(line.split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
                for (int i = 0; i < 5; i++) {
                    sum[i] += numbers[i + 1];
                }
            }
        }
        assertEquals(RandomConversion.count(raw, "L#"), sum[0]);
        assertEquals(RandomConversion.count(raw, "S#"), sum[1]);
        long blocks = RandomConversion.count(raw, "Y#")
                + RandomConversion.count(raw, "W#")
                + RandomConversion.count(raw, "G#");
        assertEquals(blocks, sum[3]);
        String totals =
                "totals: " + sum[0] + " " + sum[1] + " " + sum[2] + " " + sum[3] + " " + sum[4];
        assertEquals(totals, profile.get(profile.size() - 1));
    }

    @Test
    void shouldTellFilesOfInlinedLinesFromTheFunctions() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ViewFeed feed = new ViewFeed(
                TargetFormat.CALLGRIND.writer(out, RandomConversion.options(true, false, false)));
        feed.define(new Definition.Region(RegionKind.CODE, 5, 0x1000, 0x2000, 0x1000, "[prog]"));
        feed.define(new Definition.Symbol(true, 0x1000, 0x100, "f"));
        SourceLevel inlined = new SourceLevel("g", "/g.h", 3, 1);
        SourceLevel own = new SourceLevel("f", "/f.c", 20, 1);
        feed.define(new Definition.Source(0x1000, List.of(own)));
        feed.define(new Definition.Source(0x1004, List.of(inlined, own)));
        for (int i = 0; i < 3; i++) {
            AccessSite site = new AccessSite(0x1000 + 4 * i, 4, AccessKind.LOAD, 8, 0, false);
            feed.access(i, 1, site, false, 0x5000);
        }
        feed.end(true);
        String text = out.toString(StandardCharsets.UTF_8);
        assertEquals(
                """
                ob=prog
                fl=???
                fn=f
                0 1 0 8 0 0
                fl=/f.c
                fn=f
                20 1 0 8 0 0
                fi=/g.h
                3 1 0 8 0 0

                totals: 3 0 24 0 0
                """,
                text.substring(text.indexOf("ob=")));
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6})
    void shouldCountSamplesOfEveryImageAndSymbol(long seed) {
        List<String> raw = RandomConversion.raw(seed);
        long loads = 0;
        long stores = 0;
        for (String line : RandomConversion.to(TargetFormat.OPROFILE, seed)) {
            String[] cells = line.trim().split(" +");
            if (cells[0].matches("\\d+")) {
                loads += Long.parseLong(cells[0]);
                stores += Long.parseLong(cells[2]);
            }
        }
        assertEquals(RandomConversion.count(raw, "L#"), loads);
        assertEquals(RandomConversion.count(raw, "S#"), stores);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15})
    void shouldFindThePeakExactly(long seed) {
        HeapModel model = new HeapModel();
        RandomConversion.give(seed, model);
        List<String> profile = RandomConversion.to(TargetFormat.MASSIF, seed);
        int peak = profile.indexOf("heap_tree=peak");
        assertTrue(model.peak > 1_000, "peak " + model.peak);
        assertEquals("mem_heap_B=" + model.peak, profile.get(peak - 3));
        assertEquals("time=" + model.peakTime, profile.get(peak - 4));
        assertEquals("mem_heap_B=" + model.bytes, lastStarting(profile, "mem_heap_B="));
    }

    @Test
    void shouldBeginMassifAndDhatWithInheritedBlocks() throws IOException {
        BlockTracker parent = new BlockTracker();
        parent.apply(TraceEvent.of(RingEventType.MALLOC, 1, 0, 0x5000, 4_111, 0, 0, "", 0x401005));
        parent.apply(
                TraceEvent.of(RingEventType.MMAP, 1, 1, 0x7000_0000, 8_192, 0, 0, "", 0x401005));
        for (TargetFormat format : List.of(TargetFormat.MASSIF, TargetFormat.DHAT)) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            ViewFeed feed =
                    new ViewFeed(format.writer(out, RandomConversion.options(true, false, false)));
            parent.inheritance().forEach(feed::ring);
            feed.access(
                    0, 1, new AccessSite(0x401010, 4, AccessKind.LOAD, 4, 0, false), false, 0x5000);
            feed.end(true);
            String text = out.toString(StandardCharsets.UTF_8);
            assertTrue(
                    text.contains(
                            format == TargetFormat.DHAT
                                    ? "\"tb\":4111,\"tbk\":1"
                                    : "time=0\nmem_heap_B=4111\n"),
                    text);
        }
    }

    private static String lastStarting(List<String> lines, String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void shouldWriteAtMostAHundredSnapshotsInTheOrderOfTime(long seed) {
        List<String> profile = RandomConversion.to(TargetFormat.MASSIF, seed);
        long before = -1;
        int snapshots = 0;
        for (String line : profile) {
            if (line.startsWith("time=")) {
                long time = Long.parseLong(line.substring(5));
                assertTrue(time >= before, time + " behind " + before);
                before = time;
                snapshots++;
            }
        }
        assertTrue(
                snapshots > 40 && snapshots <= MassifSnapshots.MOST + 3, snapshots + " snapshots");
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23})
    void shouldGiveEveryTreeTheBytesOfItsSnapshot(long seed) {
        List<String> profile = RandomConversion.to(TargetFormat.MASSIF, seed);
        int trees = 0;
        for (int i = 0; i < profile.size(); i++) {
            Matcher root = Pattern.compile("n(\\d+): (\\d+) .*").matcher(profile.get(i));
            if (root.matches()) {
                trees++;
                assertEquals("mem_heap_B=" + root.group(2), profile.get(i - 4));
                long sum = 0;
                for (int child = 1; child <= Integer.parseInt(root.group(1)); child++) {
                    sum += Long.parseLong(profile.get(i + child).split(" ")[2]);
                }
                assertEquals(Long.parseLong(root.group(2)), sum);
            }
        }
        assertTrue(trees >= 3, trees + " trees");
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33, 34, 35})
    void shouldTellDhatWhatAModelCounts(long seed) {
        HeapModel model = new HeapModel();
        RandomConversion.give(seed, model);
        String json = String.join("\n", RandomConversion.to(TargetFormat.DHAT, seed));
        assertEquals(model.allBytes, sum(json, "tb"));
        assertEquals(model.allBlocks, sum(json, "tbk"));
        assertEquals(model.lifetimes(), sum(json, "tl"));
        assertEquals(model.peak, sum(json, "gb"));
        assertEquals(model.bytes, sum(json, "eb"));
        assertEquals(model.read, sum(json, "rb"));
        assertEquals(model.written, sum(json, "wb"));
        assertTrue(json.contains("\"tg\":" + model.peakTime), "peak at " + model.peakTime);
    }

    private static long sum(String json, String key) {
        Matcher values = Pattern.compile("\"" + key + "\":(\\d+)").matcher(json);
        long sum = 0;
        while (values.find()) {
            sum += Long.parseLong(values.group(1));
        }
        return sum;
    }
}
