package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        trace = ConvertedTrace.record(directory, MadtRun.program("heap.O0"));
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
