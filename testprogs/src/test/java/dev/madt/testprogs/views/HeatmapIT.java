package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.ConvertedTrace;
import dev.madt.testprogs.MadtRun;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heatmaps of real programs as pictures and text. */
class HeatmapIT {
    @TempDir
    Path directory;

    private ConvertedTrace trace;

    private void record(String program) throws Exception {
        trace = ConvertedTrace.record(directory, MadtRun.program(program));
    }

    private Path draw(String name, String... options) throws Exception {
        Path file = directory.resolve(name);
        String[] arguments = Stream.of(
                        Stream.of("heatmap", "-o", file.toString()),
                        Stream.of(options),
                        Stream.of(trace.trace().toString()))
                .flatMap(part -> part)
                .toArray(String[]::new);
        MadtRun.madt(directory, arguments).expect(0);
        return file;
    }

    /**
     * Of two images and the disparity map behind them: the images are touched evenly, the map's
     * width in its first page most.
     */
    @Test
    void shouldShowTheInputsOfDisparityAsAnEvenBandAndTheMapHot() throws Exception {
        record("disparity.image");
        List<long[]> blocks = MadtRun.madt(
                        directory,
                        "print",
                        "--raw",
                        "--kind",
                        "M",
                        trace.trace().toString())
                .expect(0)
                .text()
                .lines()
                .map(line -> line.split("[:,]"))
                .map(cells -> new long[] {Long.decode(cells[1]), Long.parseLong(cells[2])})
                .toList();
        Map<Long, Long> pages = accessesByPage();
        for (long[] image : blocks.subList(0, 2)) {
            long[] inner = LongStream.range((image[0] >> 12) + 1, image[0] + image[1] >> 12)
                    .map(page -> pages.get(page << 12))
                    .toArray();
            assertTrue(inner.length >= 4, inner.length + " pages");
            long most = LongStream.of(inner).max().orElseThrow();
            assertTrue(
                    LongStream.of(inner).min().orElseThrow() * 100 >= 95 * most,
                    Arrays.toString(inner));
        }
        long hot = blocks.get(3)[0] & -4096;
        long most = pages.values().stream().max(Long::compare).orElseThrow();
        assertEquals(most, pages.get(hot));
        String said = "hottest page: 0x" + Long.toHexString(hot);
        String svg = Files.readString(draw("image.svg", "--view", "space"));
        assertTrue(
                svg.contains(said)
                        && svg.contains(
                                String.format(Locale.ROOT, "0x%x: %,d accesses", hot, most)),
                said);
        BufferedImage picture =
                ImageIO.read(draw("image.png", "--view", "space").toFile());
        int outlined = 0;
        for (int i = 0; i < picture.getWidth() * picture.getHeight(); i++) {
            boolean outline =
                    (picture.getRGB(i % picture.getWidth(), i / picture.getWidth()) & 0xffffff)
                            == 0xe8590c;
            outlined += outline ? 1 : 0;
        }
        assertTrue(outlined >= 4 * 22, outlined + " pixels around the hottest page");
    }

    private Map<Long, Long> accessesByPage() throws Exception {
        String csv = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "page",
                        "--format",
                        "csv",
                        trace.trace().toString())
                .expect(0)
                .text();
        Map<Long, Long> pages = new HashMap<>();
        for (String row : csv.lines().skip(1).toList()) {
            String[] cells = row.split(",");
            pages.merge(
                    Long.decode(cells[8]),
                    Long.parseLong(cells[1]) + Long.parseLong(cells[2]) + Long.parseLong(cells[4]),
                    Long::sum);
        }
        return pages;
    }

    @Test
    void shouldDrawEveryFormatAndView() throws Exception {
        record("heap.O0");
        for (String view : List.of("space", "time")) {
            BufferedImage image =
                    ImageIO.read(draw(view + ".png", "--view", view).toFile());
            assertTrue(image.getWidth() > 600 && image.getHeight() > 200);
            assertTrue(Files.readString(draw(view + ".svg", "--view", view, "--kind", "store"))
                    .endsWith("</svg>\n"));
            String text = Files.readString(
                    draw(view + ".txt", "--view", view, "--page", "64B", "--symbol", "<calloc*"));
            assertTrue(text.contains("[heap]") && !text.contains("[.data]   "), text);
        }
    }
}
