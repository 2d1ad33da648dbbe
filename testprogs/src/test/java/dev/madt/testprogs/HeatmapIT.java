package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Heatmaps of a real program, the HTML one as a browser runs it. */
class HeatmapIT {
    /** What the page is made to do, and where it leaves what it then shows. */
    private static final String SCRIPT = """
            <script>
            const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            const results = [byId('status').textContent];
            for (let i = 0; i < 9 && !byId('tip').textContent.includes('[heap]'); i++)
                press(map, i ? 'ArrowDown' : 'ArrowRight');
            results.push(byId('tip').textContent);
            byId('symbol').value = '<calloc@insert*';
            byId('symbol').dispatchEvent(new Event('input'));
            results.push(byId('status').textContent);
            byId('kind').value = 'store';
            byId('kind').dispatchEvent(new Event('change'));
            results.push(byId('status').textContent);
            press(timeline, 'ArrowRight');
            results.push(timeline.getAttribute('aria-valuetext'));
            byId('view').value = 'time';
            byId('view').dispatchEvent(new Event('change'));
            byId('theme').click();
            results.push(document.documentElement.dataset.theme + ' ' + byId('spoken').textContent.length);
            const shown = document.createElement('pre');
            shown.id = 'results';
            shown.textContent = results.join('\\n==\\n');
            document.body.append(shown);
            </script></body>""";

    @TempDir
    Path directory;

    private ConvertedTrace trace;

    @BeforeEach
    void record() throws Exception {
        record("heap.O0");
    }

    private void record(String program) throws Exception {
        trace = ConvertedTrace.record(directory, MadtRun.program(program));
    }

    private Path draw(String name, String... options) throws Exception {
        Path file = directory.resolve(name);
        String[] arguments = Stream.of(Stream.of("heatmap", "-o", file.toString()), Stream.of(options),
                Stream.of(trace.trace().toString())).flatMap(part -> part).toArray(String[]::new);
        MadtRun.madt(directory, arguments).expect(0);
        return file;
    }

    @Test
    void shouldShowInABrowserWhatTheReportCounts() throws Exception {
        boolean browser = Files.isExecutable(Path.of("/usr/bin/chromium"));
        assumeTrue(browser, "no /usr/bin/chromium");
        long[] totals = trace.reportTotals("symbol");
        Path page = draw("heap.html");
        Files.writeString(page, Files.readString(page).replace("</body>", SCRIPT));
        String dom = MadtRun.command(directory, List.of("chromium", "--headless", "--no-sandbox", "--disable-gpu",
                "--user-data-dir=" + directory.resolve("profile"), "--virtual-time-budget=5000", "--dump-dom", page.toUri().toString()))
                .expect(0).text();
        int start = dom.indexOf("<pre id=\"results\">");
        assertTrue(start > 0, "the page's program failed");
        String[] results = dom.substring(dom.indexOf('>', start) + 1, dom.indexOf("</pre>", start))
                .replace("&lt;", "<").replace("&gt;", ">").split("\n==\n");
        long[] shown = numbers(results[0]);
        // block events count here too, once on each page
        assertTrue(shown[0] >= totals[1] && shown[0] <= totals[1] + 3 * totals[4], results[0]);
        assertTrue(shown[1] >= totals[2] && shown[1] <= totals[2] + 3 * totals[4], results[0]);
        assertTrue(results[1].contains("[heap]") && results[1].contains("<calloc@main+"), results[1]);
        long[] insert = reported("<calloc@insert");
        assertEquals(insert[0] + " " + insert[1], numbers(results[2])[0] + " " + numbers(results[2])[1]);
        assertEquals("0 " + insert[1], numbers(results[3])[0] + " " + numbers(results[3])[1]);
        assertTrue(results[4].matches("accesses 0 to [\\d,]+ of [\\d,]+"), results[4]);
        assertTrue(results[5].matches("(dark|light) \\d{2,}"), results[5]);
    }

    private static long[] numbers(String text) {
        return Stream.of(text.replace(",", "").split("\\D+")).filter(part -> !part.isEmpty()).mapToLong(Long::parseLong).toArray();
    }

    /** Loads and stores of the first row whose name begins so. */
    private long[] reported(String name) throws Exception {
        String csv = MadtRun.madt(directory, "report", "--format", "csv", trace.trace().toString()).expect(0).text();
        String row = csv.lines().filter(line -> line.contains(name)).findFirst().orElseThrow();
        return new long[] {Long.parseLong(row.split(",")[1]), Long.parseLong(row.split(",")[2])};
    }

    /** Of two images and the disparity map behind them: the images are touched evenly, the map's width in its first page most. */
    @Test
    void shouldShowTheInputsOfDisparityAsAnEvenBandAndTheMapHot() throws Exception {
        record("disparity.image");
        List<long[]> blocks = MadtRun.madt(directory, "print", "--raw", "--kind", "M", trace.trace().toString()).expect(0).text().lines()
                .map(line -> line.split("[:,]")).map(cells -> new long[] {Long.decode(cells[1]), Long.parseLong(cells[2])}).toList();
        Map<Long, Long> pages = accessesByPage();
        for (long[] image : blocks.subList(0, 2)) {
            long[] inner = LongStream.range((image[0] >> 12) + 1, image[0] + image[1] >> 12).map(page -> pages.get(page << 12)).toArray();
            assertTrue(inner.length >= 4, inner.length + " pages");
            long most = LongStream.of(inner).max().orElseThrow();
            assertTrue(LongStream.of(inner).min().orElseThrow() * 100 >= 95 * most, Arrays.toString(inner));
        }
        long hot = blocks.get(3)[0] & -4096;
        long most = pages.values().stream().max(Long::compare).orElseThrow();
        assertEquals(most, pages.get(hot));
        String said = "hottest page: 0x" + Long.toHexString(hot);
        String svg = Files.readString(draw("image.svg"));
        assertTrue(svg.contains(said) && svg.contains(String.format(Locale.ROOT, "0x%x: %,d accesses", hot, most)), said);
        BufferedImage picture = ImageIO.read(draw("image.png").toFile());
        int outlined = 0;
        for (int i = 0; i < picture.getWidth() * picture.getHeight(); i++) {
            boolean outline = (picture.getRGB(i % picture.getWidth(), i / picture.getWidth()) & 0xffffff) == 0xe8590c;
            outlined += outline ? 1 : 0;
        }
        assertTrue(outlined >= 4 * 22, outlined + " pixels around the hottest page");
    }

    private Map<Long, Long> accessesByPage() throws Exception {
        String csv = MadtRun.madt(directory, "report", "--by", "page", "--format", "csv", trace.trace().toString()).expect(0).text();
        Map<Long, Long> pages = new HashMap<>();
        for (String row : csv.lines().skip(1).toList()) {
            String[] cells = row.split(",");
            pages.merge(Long.decode(cells[8]), Long.parseLong(cells[1]) + Long.parseLong(cells[2]) + Long.parseLong(cells[4]), Long::sum);
        }
        return pages;
    }

    @Test
    void shouldDrawEveryFormatAndView() throws Exception {
        for (String view : List.of("space", "time")) {
            BufferedImage image = ImageIO.read(draw(view + ".png", "--view", view).toFile());
            assertTrue(image.getWidth() > 600 && image.getHeight() > 200);
            assertTrue(Files.readString(draw(view + ".svg", "--view", view, "--kind", "store")).endsWith("</svg>\n"));
            String text = Files.readString(draw(view + ".txt", "--view", view, "--page", "64B", "--symbol", "<calloc*"));
            assertTrue(text.contains("[heap]") && !text.contains("[.data]   "), text);
        }
    }
}
