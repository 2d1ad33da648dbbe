package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTML heatmap as a user of a browser sees it: what it shows is what {@code print} and {@code report} say. */
class HtmlHeatmapIT {
    /** Two threads besides the main one, each with memory of its own; the second stores twice as much. */
    private static final String SOURCE = """
            #include <pthread.h>
            #include <stdlib.h>
            long shared[3001];
            static void *work(void *rounds)
            {
                long *own = malloc(701 * sizeof *own);
                for (long i = 0; i < (long)rounds; i++)
                    own[i % 701] = i;
                return own;
            }
            int main(void)
            {
                for (long rounds = 1003; rounds <= 2006; rounds += 1003) {
                    pthread_t thread;
                    void *own;
                    pthread_create(&thread, 0, work, (void *)rounds);
                    pthread_join(thread, &own);
                    free(own);
                }
                for (int i = 0; i < 3001; i++)
                    shared[i] += 3;
                return 0;
            }
            """;

    @TempDir
    static Path directory;

    private static Path trace;
    private static Path page;
    private static Browser browser;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path source = Files.writeString(directory.resolve("threads.c"), SOURCE);
        Path program = directory.resolve("threads");
        MadtRun.command(directory, List.of("gcc", "-O1", "-g", "-pthread", "-o", program.toString(), source.toString())).expect(0);
        trace = ConvertedTrace.record(directory, program).trace();
        page = directory.resolve("threads.html");
        MadtRun.madt(directory, "heatmap", "-o", page.toString(), trace.toString()).expect(0);
        browser = new Browser(directory);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private List<String> lines(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    /** Loads and stores of the rows of a report, by name. */
    private Map<String, long[]> report(String key) throws Exception {
        Map<String, long[]> rows = new HashMap<>();
        for (String row : lines("report", "--by", key, "--format", "csv", trace.toString()).stream().skip(1).toList()) {
            String[] cells = row.split(",");
            rows.put(cells[8], new long[] {Long.parseLong(cells[1]), Long.parseLong(cells[2]), Long.parseLong(cells[4])});
        }
        return rows;
    }

    private static long[] numbers(String text) {
        return Stream.of(text.replace(",", "").split("\\D+")).filter(part -> !part.isEmpty()).mapToLong(Long::parseLong).toArray();
    }

    private String status() throws Exception {
        return browser.evaluate("byId('status').textContent");
    }

    /** The middle of the element with an id. */
    private double[] middle(String id) throws Exception {
        String place = browser.evaluate("(box => (box.x + box.width / 2) + ' ' + (box.y + box.height / 2))(byId('" + id + "').getBoundingClientRect())");
        return Stream.of(place.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private void click(String id) throws Exception {
        double[] place = middle(id);
        browser.click(place[0], place[1]);
    }

    private void choose(String id, String value) throws Exception {
        browser.evaluate("byId('" + id + "').value = '" + value + "'; byId('" + id + "').dispatchEvent(new Event('change'))");
    }

    /** Moves the pointer to the square of a page and gives what the page then says. */
    private String hover(long address) throws Exception {
        String place = browser.evaluate("(() => { const wanted = " + (address >>> 12) + "n;"
                + "const item = items.find(each => each.kind === 'row' && wanted >= each.first && wanted < each.first + 64n"
                + " && wanted >= each.band.first && wanted <= each.band.last);"
                + "scroller.scrollTop = item.y - 60; draw(); const frame = map.getBoundingClientRect();"
                + "return (frame.left + LEFT + Number(wanted - item.first) * (state.size + 1) + state.size / 2)"
                + " + ' ' + (frame.top + item.y - scroller.scrollTop + state.size / 2); })()");
        String[] cells = place.split(" ");
        browser.pointer("mouseMoved", Double.parseDouble(cells[0]), Double.parseDouble(cells[1]));
        return browser.evaluate("getComputedStyle(byId('tip')).display + '\\n' + byId('tip').textContent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldShowWhatReportsCount(String scheme) throws Exception {
        browser.prefer(scheme);
        browser.open(page);
        assertEquals(scheme, browser.evaluate("document.documentElement.dataset.theme"));
        shouldTellOfAPageUnderThePointer();
        shouldZoom();
        shouldFilter();
        shouldSelectTime();
        assertEquals(List.of(), browser.complaints());
        assertEquals(List.of(page.toUri().toString()), browser.requests());
    }

    private void shouldTellOfAPageUnderThePointer() throws Exception {
        Map<String, long[]> pages = report("page");
        String hottest = Collections.max(pages.keySet(), Comparator.comparingLong(address -> pages.get(address)[0] + pages.get(address)[1]));
        assertTrue(browser.evaluate("byId('hottest').textContent").startsWith("hottest page: " + hottest + " in ["), hottest);
        for (Map.Entry<String, long[]> row : pages.entrySet()) {
            if (row.getValue()[2] > 0) {
                continue;
            }
            String tip = hover(Long.decode(row.getKey()));
            assertTrue(tip.startsWith("block\n" + row.getKey() + "  ["), tip + " for " + row.getKey());
            long loads = tip.lines().filter(line -> line.contains(" loads ")).mapToLong(line -> numbers(line)[0]).sum();
            long stores = tip.lines().filter(line -> line.contains(" loads ")).mapToLong(line -> numbers(line)[1]).sum();
            assertEquals(row.getValue()[0] + " " + row.getValue()[1], loads + " " + stores, tip);
        }
        browser.pointer("mouseMoved", 5, 5);
        assertEquals("none", browser.evaluate("getComputedStyle(byId('tip')).display"));
    }

    private void shouldZoom() throws Exception {
        int before = Integer.parseInt(browser.evaluate("state.size"));
        int tall = Integer.parseInt(browser.evaluate("height"));
        click("larger");
        click("larger");
        assertEquals(before + 4, Integer.parseInt(browser.evaluate("state.size")));
        assertTrue(Integer.parseInt(browser.evaluate("height")) > tall);
        click("smaller");
        click("smaller");
        assertEquals(before, Integer.parseInt(browser.evaluate("state.size")));
        click("map");
        browser.key("-");
        assertEquals(before - 2, Integer.parseInt(browser.evaluate("state.size")));
    }

    private void shouldFilter() throws Exception {
        long[] work = report("symbol").entrySet().stream().filter(row -> row.getKey().startsWith("<malloc@work+"))
                .findFirst().orElseThrow().getValue();
        assertEquals(3009, work[1]);
        click("symbol");
        browser.type("<malloc@work*");
        assertEquals("0 3009", numbers(status())[0] + " " + numbers(status())[1]);
        choose("kind", "load");
        assertEquals("0 0", numbers(status())[0] + " " + numbers(status())[1]);
        choose("kind", "all");
        Map<String, long[]> threads = report("thread");
        assertEquals(3, threads.size());
        long second = 0;
        for (String thread : threads.keySet()) {
            choose("thread", browser.evaluate("data.threads.indexOf('" + thread + "')"));
            second = Math.max(second, numbers(status())[1]);
        }
        assertEquals(2006, second);
        choose("thread", "-1");
    }

    /** The accesses to one symbol in the middle of the time line, as {@code print} numbers them. */
    private void shouldSelectTime() throws Exception {
        double[] middle = middle("timeline");
        double wide = Double.parseDouble(browser.evaluate("timeline.clientWidth"));
        browser.pointer("mousePressed", middle[0] - wide / 5, middle[1]);
        browser.pointer("mouseMoved", middle[0], middle[1]);
        browser.pointer("mouseReleased", middle[0] + wide / 10, middle[1]);
        long[] selected = numbers(browser.evaluate("timeline.getAttribute('aria-valuetext')"));
        assertTrue(selected[0] > 0 && selected[1] < selected[2], LongStream.of(selected).boxed().toList().toString());
        long expected = lines("print", "--symbol", "<malloc@work*", "--kind", "S", "--from", Long.toString(selected[0]), trace.toString())
                .stream().filter(line -> numbers(line)[0] < selected[1]).count();
        assertTrue(expected > 0);
        assertEquals(expected, numbers(status())[1]);
        click("whole");
        assertEquals(3009, numbers(status())[1]);
    }

    @Test
    void shouldShowPagesOverTime() throws Exception {
        browser.open(page);
        choose("view", "time");
        click("map");
        browser.key("ArrowDown");
        String said = browser.evaluate("byId('spoken').textContent");
        assertTrue(said.matches("(?s)0x[0-9a-f]+  \\[.*\naccesses [\\d,]+ to [\\d,]+\n.*"), said);
        assertEquals(List.of(), browser.complaints());
    }
}
