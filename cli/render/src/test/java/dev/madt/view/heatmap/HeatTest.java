package dev.madt.view.heatmap;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import dev.madt.view.NamePattern;
import dev.madt.view.RandomEvents;
import dev.madt.view.ViewFeed;
import dev.madt.view.heatmap.HeatRegions.Region;
import dev.madt.view.heatmap.SpaceLayout.Line;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

class HeatTest {
    private static final int EVENTS = 9_973;
    private static final HeatView SPACE = new HeatView(false, false);
    private static final HeatSelection ALL = new HeatSelection(true, true, null, -1);

    private static Heat heat(long seed, int bits, HeatSelection selection, boolean named) {
        Heat heat = new Heat(bits, selection, named);
        new RandomEvents(seed, new ViewFeed(heat)).give(EVENTS);
        return heat;
    }

    /**
     * Accesses by page, counted from raw lines; a bulk transfer counts once on each of its pages.
     */
    private static Map<Long, Long> fromLines(long seed, int bits, String loads, String stores) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.RAW)).give(EVENTS);
        Map<Long, Long> pages = new TreeMap<>();
        printed.toString(StandardCharsets.UTF_8).lines().forEach(line -> {
            String[] fields = line.substring(line.indexOf(':') + 1).split(",");
            char letter = line.charAt(0);
            if (letter == 'Y') {
                touch(pages, fields[0], fields[2], bits, stores.indexOf('Y') >= 0);
                touch(pages, fields[1], fields[2], bits, loads.indexOf('Y') >= 0);
            } else if ((loads + stores).indexOf(letter) >= 0) {
                touch(
                        pages,
                        fields[0],
                        letter == 'L' || letter == 'S' ? "1" : fields[1],
                        bits,
                        true);
            }
        });
        return pages;
    }

    private static void touch(
            Map<Long, Long> pages, String address, String length, int bits, boolean counted) {
        long first = Long.parseLong(address.substring(2), 16);
        long last = first + Math.max(1, Long.parseLong(length)) - 1;
        for (long page = first >>> bits; counted && page <= last >>> bits; page++) {
            pages.merge(page, 1L, Long::sum);
        }
    }

    private static Map<Long, Long> totals(Heat heat) {
        Map<Long, Long> totals = new TreeMap<>();
        long[] counts = heat.totals();
        for (int i = 0; i < counts.length; i++) {
            totals.put(heat.page(i), counts[i]);
        }
        return totals;
    }

    @ParameterizedTest
    @CsvSource({"1, 12", "2, 6", "3, 21"})
    void shouldCountWhatLinesShow(long seed, int bits) {
        assertEquals(fromLines(seed, bits, "LYG", "SYW"), totals(heat(seed, bits, ALL, false)));
        assertEquals(fromLines(seed, bits, "LYG", "SYW"), totals(heat(seed, bits, ALL, true)));
        assertEquals(
                fromLines(seed, bits, "LYG", ""),
                totals(heat(seed, bits, new HeatSelection(true, false, null, -1), false)));
        assertEquals(
                fromLines(seed, bits, "", "SYW"),
                totals(heat(seed, bits, new HeatSelection(false, true, null, -1), false)));
    }

    @Test
    void shouldSelectThreadsAndSymbols() {
        long all = totals(heat(4, 12, ALL, false)).values().stream()
                .mapToLong(n -> n)
                .sum();
        long one =
                totals(heat(4, 12, new HeatSelection(true, true, null, 1), false)).values().stream()
                        .mapToLong(n -> n)
                        .sum();
        long two =
                totals(heat(4, 12, new HeatSelection(true, true, null, 2), false)).values().stream()
                        .mapToLong(n -> n)
                        .sum();
        assertTrue(one > 0 && two > 0);
        assertEquals(all, one + two);
        Map<Long, Long> table = totals(
                heat(4, 12, new HeatSelection(true, true, new NamePattern("table"), -1), false));
        assertEquals(List.of(0x404L), List.copyOf(table.keySet()));
    }

    @ParameterizedTest
    @ValueSource(longs = {5, 6, 7})
    void shouldShowEveryPageOnceInSpace(long seed) {
        Heat heat = heat(seed, 6, ALL, false);
        Map<Long, Long> expected = totals(heat);
        long pages = Band.of(heat).stream()
                .filter(band -> band.touched() > 0)
                .mapToLong(Band::pages)
                .sum();
        for (Line line : new SpaceLayout(heat, seed % 2 == 0).lines()) {
            if (line.row() != null) {
                for (int i = 0; i < SpaceLayout.COLUMNS; i++) {
                    long count = line.row().counts()[i];
                    pages -= count >= 0 ? 1 : 0;
                    if (count >= 0) {
                        assertEquals(count, expected.getOrDefault(line.row().firstPage() + i, 0L));
                        expected.remove(line.row().firstPage() + i);
                    }
                }
            } else if (line.fold() != null) {
                Matcher folded = Pattern.compile(".*?([\\d,]+) pages? not .*").matcher(line.fold());
                assertTrue(folded.matches(), line.fold());
                pages -= Long.parseLong(folded.group(1).replace(",", ""));
            }
        }
        assertEquals(Map.of(), expected);
        assertEquals(0, pages, "pages neither shown nor folded");
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 9})
    void shouldShowEveryAccessInTime(long seed) {
        Heat heat = heat(seed, 6, ALL, false);
        long all = totals(heat).values().stream().mapToLong(n -> n).sum();
        TimeLayout layout = new TimeLayout(heat, true);
        assertEquals(
                all,
                layout.parts().stream()
                        .flatMap(part -> part.rows().stream())
                        .flatMapToLong(row -> Arrays.stream(row.counts()))
                        .sum());
        assertTrue(
                layout.slices() > 30 && layout.slices() <= HeatCells.MOST_SLICES,
                layout.slices() + " slices");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldGiveEachAddressToItsLatestRegion(long seed) {
        Random random = new Random(seed);
        HeatRegions regions = new HeatRegions();
        int[] model = new int[400];
        for (int i = 1; i < 60; i++) {
            int start = random.nextInt(model.length - 1);
            int end = start + 1 + random.nextInt(Math.min(60, model.length - start - 1) + 1);
            end = Math.min(end, model.length);
            regions.add(RegionKind.HEAP, start, end, "r" + i);
            Arrays.fill(model, start, end, i);
        }
        int[] found = new int[model.length];
        for (Region region : regions.all()) {
            Arrays.fill(
                    found,
                    (int) region.start(),
                    (int) region.end(),
                    Integer.parseInt(region.label().substring(1)));
        }
        assertArrayEquals(model, found);
    }

    @Test
    void shouldDrawText() throws IOException {
        Heat heat = new Heat(12, ALL, false);
        ViewFeed feed = new ViewFeed(heat);
        feed.meta(Map.of("command", "prog"));
        feed.define(
                new Definition.Region(RegionKind.CODE, 5, 0x401000, 0x403000, 0x401000, "[prog]"));
        feed.define(
                new Definition.Region(RegionKind.HEAP, 3, 0x500000, 0x510000, 0x500000, "[heap]"));
        feed.define(new Definition.Region(
                RegionKind.ANONYMOUS, 3, 0x600000, 0x601000, 0x600000, "[anon]"));
        AccessSite site = new AccessSite(0x401000, 3, AccessKind.LOAD, 8, 0, false);
        for (int i = 0; i < 100; i++) {
            feed.access(i, 1, site, false, i < 10 ? 0x502000 : 0x500000);
        }
        feed.end(true);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HeatFormat.TXT.write(heat, SPACE, out);
        assertEquals(
                """
                prog: loads and stores
                accesses per page of 4 KiB, logarithmic scale:  · 1  + 10  @ 90  . not accessed

                [heap]   100 accesses to 2 of 16 pages
                0x500000        @.+.............

                not shown: 1 region (1 page) not accessed; 1 region (2 pages) not traced
                """,
                out.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawAWellFormedPictureOfAllAccesses(boolean time) throws Exception {
        Heat heat = heat(11, 6, ALL, false);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HeatFormat.SVG.write(heat, new HeatView(time, false), out);
        Document picture = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(out.toByteArray()));
        NodeList titles = picture.getElementsByTagName("title");
        long sum = 0;
        for (int i = 0; i < titles.getLength(); i++) {
            String title = titles.item(i).getTextContent();
            if (title.startsWith("…")) {
                continue; // pages not accessed
            }
            sum += Long.parseLong(title.substring(title.lastIndexOf(": ") + 2)
                    .replace(" accesses", "")
                    .replace(",", ""));
        }
        assertEquals(totals(heat).values().stream().mapToLong(n -> n).sum(), sum);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDrawPixelsInTheColoursOfTheScale(boolean time) throws Exception {
        Heat heat = heat(12, 6, ALL, false);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HeatFormat.PNG.write(heat, new HeatView(time, false), out);
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(out.toByteArray()));
        Scale scale =
                time ? new TimeLayout(heat, false).scale() : new SpaceLayout(heat, false).scale();
        int dark = 0;
        for (int y = Legend.HEIGHT; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                dark += (image.getRGB(x, y) & 0xffffff) == scale.colour(scale.most()) ? 1 : 0;
            }
        }
        assertTrue(dark > 8, dark + " pixels of the page with most accesses");
    }

    @Test
    void shouldGetDarkerWithTheCount() {
        Scale scale = new Scale(12_345);
        int before = 3 * 255;
        for (long count : new long[] {1, 3, 10, 100, 999, 5_000, 12_345}) {
            int colour = scale.colour(count);
            int light = (colour >> 16 & 255) + (colour >> 8 & 255) + (colour & 255);
            assertTrue(light < before, count + ": " + light);
            before = light;
        }
        assertEquals(Scale.WHITE, scale.colour(0));
    }

    @ParameterizedTest
    @EnumSource(HeatFormat.class)
    void shouldDrawATraceWithoutAccesses(HeatFormat format) throws IOException {
        Heat heat = new Heat(12, ALL, true);
        ViewFeed feed = new ViewFeed(heat);
        feed.define(
                new Definition.Region(RegionKind.HEAP, 3, 0x500000, 0x510000, 0x500000, "[heap]"));
        feed.end(true);
        for (boolean time : new boolean[] {false, true}) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            format.write(heat, new HeatView(time, false), out);
            assertTrue(out.size() > 50);
        }
    }

    @Test
    void shouldPutTheWholeTraceIntoOneFile() throws IOException {
        Heat heat = heat(13, 12, ALL, true);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        HeatFormat.HTML.write(heat, SPACE, out);
        String page = out.toString(StandardCharsets.UTF_8);
        long cells = sum(page, "cells", 6, 4, 5);
        long blocks = sum(page, "blocks", 6, 4, 5);
        assertEquals(totals(heat).values().stream().mapToLong(n -> n).sum(), cells + blocks);
        assertTrue(cells > 0 && blocks > 0);
        assertEquals(cells, sum(page, "uses", 5, 2, 3));
        long[] made = lines(13);
        assertEquals(made[0], cells, "loads and stores");
        assertEquals(made[1], sum(page, "transfers", 4, 3, 3) / 2, "bulk transfers, each once");
        assertFalse(
                Pattern.compile("https?://|src=|@import|url\\(").matcher(page).find(),
                "something from outside");
    }

    /**
     * The sum of two columns of a table of the page, whose rows have so many numbers; a 0 ends the
     * table.
     */
    private static long sum(String page, String table, int columns, int one, int other) {
        int from = page.indexOf("\"" + table + "\":[") + table.length() + 4;
        String[] numbers = page.substring(from, page.indexOf(']', from)).strip().split("[,\\s]+");
        assertEquals(1, numbers.length % columns, table);
        long sum = 0;
        for (int i = 0; i + columns <= numbers.length; i += columns) {
            sum += Long.parseLong(numbers[i + one]) + Long.parseLong(numbers[i + other]);
        }
        return sum;
    }

    /** Loads and stores, and bulk transfers, as lines show them. */
    private static long[] lines(long seed) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.RAW)).give(EVENTS);
        long[] made = new long[2];
        printed.toString(StandardCharsets.UTF_8).lines().forEach(line -> {
            made[0] += "LS".indexOf(line.charAt(0)) >= 0 ? 1 : 0;
            made[1] += "YGW".indexOf(line.charAt(0)) >= 0 ? 1 : 0;
        });
        return made;
    }

    @Test
    void shouldBeginWithTheRegionOfTheHottestPage() {
        Heat heat = heat(14, 12, ALL, false);
        List<Band> hot = Band.touched(heat, false);
        List<Band> addresses = Band.touched(heat, true);
        assertTrue(hot.size() > 2);
        assertEquals(
                totals(heat).values().stream().mapToLong(n -> n).max().orElseThrow(),
                hot.get(0).hottest());
        for (int i = 1; i < hot.size(); i++) {
            assertTrue(hot.get(i - 1).hottest() >= hot.get(i).hottest());
            assertTrue(Long.compareUnsigned(
                            addresses.get(i - 1).lastPage(), addresses.get(i).firstPage())
                    < 0);
        }
        assertEquals(Set.copyOf(hot), Set.copyOf(addresses));
    }
}
