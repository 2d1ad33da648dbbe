package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.ConvertedTrace;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The HTML heatmap as a user of a browser sees it: what it shows is what {@code print} and
 * {@code report} say.
 */
class HtmlHeatmapIT {
    /**
     * Two threads besides the main one, each with memory of its own; the second stores twice as
     * much. One bulk transfer for certain: whether libc has others depends on the processor.
     */
    private static final String SOURCE =
            """
            #include <fcntl.h>
            #include <pthread.h>
            #include <stdlib.h>
            #include <unistd.h>
            long shared[3001], copy[3001];
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
                return read(open("/dev/zero", O_RDONLY), copy, sizeof copy) < 0;
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
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-g",
                                "-pthread",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        trace = ConvertedTrace.record(directory, program).trace();
        page = directory.resolve("threads.html");
        MadtRun.madt(directory, "heatmap", "-o", page.toString(), trace.toString())
                .expect(0);
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
        for (String row : lines("report", "--by", key, "--format", "csv", trace.toString()).stream()
                .skip(1)
                .toList()) {
            String[] cells = row.split(",");
            rows.put(cells[8], new long[] {
                Long.parseLong(cells[1]), Long.parseLong(cells[2]), Long.parseLong(cells[4])
            });
        }
        return rows;
    }

    private static long[] numbers(String text) {
        return Stream.of(text.replace(",", "").split("\\D+"))
                .filter(part -> !part.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
    }

    private String status() throws Exception {
        return browser.evaluate("byId('status').textContent");
    }

    /** The middle of the element with an id. */
    private double[] middle(String id) throws Exception {
        String place = browser.evaluate(
                "(box => (box.x + box.width / 2) + ' ' + (box.y + box.height / 2))(byId('" + id
                        + "').getBoundingClientRect())");
        return Stream.of(place.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }

    private void click(String id) throws Exception {
        double[] place = middle(id);
        browser.click(place[0], place[1]);
    }

    private void choose(String id, String value) throws Exception {
        browser.evaluate("byId('" + id + "').value = '" + value + "'; byId('" + id
                + "').dispatchEvent(new Event('change'))");
    }

    /** Moves the pointer to the square of a page and gives what the page then says. */
    private String hover(long address) throws Exception {
        String place = browser.evaluate("(() => { const wanted = "
                + (address >>> 12)
                + "n;const item = items.find(each => each.kind === 'row' &&"
                + " each.cells.some(cell => cell.unit.first === wanted));const cell"
                + " = item.cells.find(each => each.unit.first ==="
                + " wanted);scroller.scrollTop = item.y - 60; draw(); const frame ="
                + " map.getBoundingClientRect();return (frame.left + cell.x +"
                + " size() / 2) + ' ' + (frame.top + item.y - scroller.scrollTop +"
                + " size() / 2); })()");
        String[] cells = place.split(" ");
        browser.pointer("mouseMoved", Double.parseDouble(cells[0]), Double.parseDouble(cells[1]));
        return browser.evaluate(
                "getComputedStyle(byId('tip')).display + '\\n' + byId('tip').textContent");
    }

    /** Loads and stores in the lines of names that the page tells of. */
    private static long[] told(String tip) {
        long[] sums = new long[2];
        Matcher line =
                Pattern.compile("(?m)^ *([\\d,]+) loads +([\\d,]+) stores ").matcher(tip);
        while (line.find()) {
            sums[0] += numbers(line.group(1))[0];
            sums[1] += numbers(line.group(2))[0];
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldShowWhatReportsCount(String scheme) throws Exception {
        browser.prefer(scheme);
        browser.open(page);
        assertEquals(scheme, browser.evaluate("document.documentElement.dataset.theme"));
        shouldCountWhatTheReportCounts();
        choose("view", "space");
        browser.evaluate("zoom(5)"); // each square is a page
        shouldTellOfAPageUnderThePointer();
        shouldZoom();
        shouldFilter();
        shouldSelectTime();
        assertEquals(List.of(), browser.complaints());
        assertEquals(List.of(page.toUri().toString()), browser.requests());
    }

    /** The footer and the report: a bulk transfer counts once, be it a copy or not. */
    private void shouldCountWhatTheReportCounts() throws Exception {
        long[] total = new long[3];
        for (long[] row : report("thread").values()) {
            for (int i = 0; i < total.length; i++) {
                total[i] += row[i];
            }
        }
        assertTrue(total[2] > 0);
        assertEquals(Arrays.toString(total), Arrays.toString(Arrays.copyOf(numbers(status()), 3)));
        for (Map.Entry<String, long[]> thread : report("thread").entrySet()) {
            choose("thread", browser.evaluate("data.threads.indexOf('" + thread.getKey() + "')"));
            assertEquals(
                    Arrays.toString(thread.getValue()),
                    Arrays.toString(Arrays.copyOf(numbers(status()), 3)),
                    thread.getKey());
        }
        choose("thread", "-1");
    }

    private void shouldTellOfAPageUnderThePointer() throws Exception {
        Map<String, long[]> pages = report("page");
        String hottest = Collections.max(
                pages.keySet(),
                Comparator.comparingLong(address -> pages.get(address)[0] + pages.get(address)[1]));
        assertTrue(
                browser.evaluate("byId('hottest').textContent")
                        .startsWith("hottest page: " + hottest + " in ["),
                hottest);
        int exact = 0;
        for (Map.Entry<String, long[]> row : pages.entrySet()) {
            String tip = hover(Long.decode(row.getKey()));
            assertTrue(
                    tip.startsWith("block\n" + row.getKey() + "  ["), tip + " for " + row.getKey());
            long[] told = told(tip);
            if (tip.contains("\n… ")) {
                assertTrue(told[0] <= row.getValue()[0] && told[1] <= row.getValue()[1], tip);
            } else {
                assertEquals(
                        row.getValue()[0] + " " + row.getValue()[1], told[0] + " " + told[1], tip);
                exact++;
            }
        }
        assertTrue(exact >= 8, exact + " pages with few names of " + pages.size());
        browser.pointer("mouseMoved", 5, 5);
        assertEquals("none", browser.evaluate("getComputedStyle(byId('tip')).display"));
    }

    private void shouldZoom() throws Exception {
        browser.evaluate("zoom(-5)");
        int before = Integer.parseInt(browser.evaluate("size()"));
        int tall = Integer.parseInt(browser.evaluate("height"));
        click("larger");
        click("larger");
        assertEquals(before + 6, Integer.parseInt(browser.evaluate("size()")));
        assertTrue(Integer.parseInt(browser.evaluate("height")) > tall);
        click("smaller");
        click("smaller");
        assertEquals(before, Integer.parseInt(browser.evaluate("size()")));
        click("map");
        browser.key("-");
        assertEquals(before - 3, Integer.parseInt(browser.evaluate("size()")));
    }

    private void shouldFilter() throws Exception {
        long[] work = report("symbol").entrySet().stream()
                .filter(row -> row.getKey().startsWith("<malloc@work+"))
                .findFirst()
                .orElseThrow()
                .getValue();
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
        assertTrue(
                selected[0] > 0 && selected[1] < selected[2],
                LongStream.of(selected).boxed().toList().toString());
        long expected = lines(
                        "print",
                        "--symbol",
                        "<malloc@work*",
                        "--kind",
                        "S",
                        "--from",
                        Long.toString(selected[0]),
                        trace.toString())
                .stream()
                .filter(line -> numbers(line)[0] < selected[1])
                .count();
        assertTrue(expected > 0);
        assertEquals(expected, numbers(status())[1]);
        click("whole");
        assertEquals(3009, numbers(status())[1]);
    }

    @Test
    void shouldHaveRoomForTheMapInASmallWindow() throws Exception {
        for (String colours : List.of("light", "dark")) {
            browser.prefer(colours);
            browser.open(page, 500, 700);
            String room = browser.evaluate("[scroller.clientWidth >= 490,"
                    + " scroller.clientWidth - leftEdge() >= 240,"
                    + " byId('key').getBoundingClientRect().height <= 100,"
                    + " byId('legend').getBoundingClientRect().right <= 500,"
                    + " byId('how').getBoundingClientRect().right <= 500,"
                    + " scroller.clientHeight >= 150].join(' ')");
            assertEquals("true true true true true true", room);
            assertEquals("500", browser.evaluate("document.documentElement.scrollWidth"));
        }
        browser.open(page, 1280, 900);
    }

    @Test
    void shouldShowPagesOverTime() throws Exception {
        browser.open(page);
        assertEquals("time", browser.evaluate("byId('view').value"));
        click("map");
        browser.key("ArrowDown");
        String said = browser.evaluate("byId('spoken').textContent");
        assertTrue(
                said.matches("(?s)0x[0-9a-f]+( to 0x[0-9a-f]+)?  \\[.*\n"
                        + "accesses [\\d,]+ to [\\d,]+\n"
                        + ".*"),
                said);
        assertEquals(List.of(), browser.complaints());
    }

    /** A name in the panel leads to the functions that touch it. */
    @Test
    void shouldLeadFromAPageToItsNamesAndFromANameToItsFunctions() throws Exception {
        browser.open(page);
        choose("view", "space");
        browser.evaluate("zoom(5)");
        String tip = hover(Long.decode(address("shared")));
        assertTrue(tip.contains("  shared\n"), tip);
        String[] place = browser.evaluate(
                        "(box => (box.x + box.wide / 2 + map.getBoundingClientRect().left)"
                                + " + ' ' + (box.y - scroller.scrollTop + box.tall / 2 +"
                                + " map.getBoundingClientRect().top))(boxOf(state.cursor))")
                .split(" ");
        browser.click(Double.parseDouble(place[0]), Double.parseDouble(place[1]));
        assertTrue(browser.evaluate("byId('chosen').textContent")
                .startsWith("Names in page " + address("shared")));
        clickRow("names", "shared");
        assertEquals("Functions that touch shared", browser.evaluate("byId('user').textContent"));
        assertEquals("6,002 main", row("functions", 0));
        assertTrue(browser.evaluate("document.querySelector('#functions .row').title")
                .endsWith("main: 3,001 loads, 3,001 stores"));
        click("only");
        assertEquals(
                "3001 3001 0",
                numbers(status())[0] + " " + numbers(status())[1] + " " + numbers(status())[2]);
        assertEquals(List.of(), browser.complaints());
    }

    /** The first page of a variable. */
    private String address(String variable) throws Exception {
        String line = lines(
                        "print", "--raw", "--symbol", variable, "--count", "1", trace.toString())
                .get(0);
        return "0x"
                + Long.toHexString(
                        Long.decode(line.substring(line.indexOf(':') + 1, line.indexOf(',')))
                                & -4096);
    }

    private String row(String list, int index) throws Exception {
        return browser.evaluate("[...document.querySelectorAll('#" + list + " .row')[" + index
                + "].children].map(part => part.textContent).join(' ')");
    }

    private void clickRow(String list, String label) throws Exception {
        String[] place = browser.evaluate("(box => (box.x + 20) + ' ' + (box.y + box.height /"
                        + " 2))([...document.querySelectorAll('#"
                        + list
                        + " .row')].find(row => row.lastChild.textContent === '"
                        + label
                        + "').getBoundingClientRect())")
                .split(" ");
        browser.click(Double.parseDouble(place[0]), Double.parseDouble(place[1]));
    }

    /** Containers of the C++ library, one of them accessed most. */
    private static final String CONTAINERS =
            """
            #include <map>
            #include <string>
            #include <vector>
            static std::map<int, std::string> names;
            static std::vector<long> table;
            static long hits[4001];
            int main()
            {
                for (int i = 0; i < 5003; i++) {
                    names[i * 7919 % 5003] = "the name with the number " + std::to_string(i);
                    table.push_back(i);
                }
                for (int round = 0; round < 20; round++)
                    for (int i = 0; i < 401; i++)
                        hits[i] += table[i * 11];
                return hits[7] == 1;
            }
            """;

    /**
     * At 1,400 × 900, as it opens: the hottest page, and three regions with something in them; the
     * page's name leads to its functions.
     */
    @ParameterizedTest
    @CsvSource({"time, heat", "space, heat", "time, address", "space, address"})
    void shouldShowTheHottestPageAndThreeRegionsOnTheFirstScreen(String view, String order)
            throws Exception {
        if (containers == null) {
            Path source = Files.writeString(directory.resolve("containers.cpp"), CONTAINERS);
            Path program = directory.resolve("containers");
            MadtRun.command(
                            directory,
                            List.of(
                                    "g++",
                                    "-O1",
                                    "-g",
                                    "-o",
                                    program.toString(),
                                    source.toString()))
                    .expect(0);
            containers = ConvertedTrace.record(directory, program).trace();
        }
        Path picture = directory.resolve("containers-" + view + "-" + order + ".html");
        MadtRun.madt(
                        directory,
                        "heatmap",
                        "--view",
                        view,
                        "--order",
                        order,
                        "-o",
                        picture.toString(),
                        containers.toString())
                .expect(0);
        browser.open(picture, 1400, 900);
        assertEquals("1400 900", browser.evaluate("innerWidth + ' ' + innerHeight"));
        Matcher said = Pattern.compile(
                        "hottest page: (0x[0-9a-f]+) in (\\[.*\\]), [\\d,]+ accesses, most"
                                + " of them to (.*) \\(outlined\\)")
                .matcher(browser.evaluate("byId('hottest').textContent"));
        assertTrue(said.matches(), "the hottest page is named");
        String visible =
                browser.evaluate("items.filter((item, i) => item.kind === 'head' && item.y >="
                        + " scroller.scrollTop && items[i + 1].y + items[i + 1].tall <="
                        + " scroller.scrollTop + scroller.clientHeight).map(item =>"
                        + " item.band.label).join('|')");
        assertTrue(visible.split("\\|").length >= 3, "regions: " + visible);
        shouldOutlineAndTellOfTheHottest(said.group(1), said.group(3));
        assertTrue(browser.evaluate("byId('chosen').textContent")
                .startsWith("Names in page " + said.group(1)));
        clickRow("names", said.group(3));
        assertEquals(
                "Functions that touch " + said.group(3),
                browser.evaluate("byId('user').textContent"));
        assertTrue(row("functions", 0).matches("[\\d,]+ .+"), row("functions", 0));
        assertEquals(List.of(), browser.complaints());
    }

    private static Path containers;

    /**
     * The outline of the hottest page is on the screen, in its colour, and the pointer on it gives
     * the page's most accessed name.
     */
    private void shouldOutlineAndTellOfTheHottest(String address, String name) throws Exception {
        String[] place = browser.evaluate(
                        "(() => { const item = items.findIndex(each => each.kind !== 'head'"
                                + " && (each.unit ? [each] : each.cells).some(cell =>"
                                + " cell.unit.pages.includes(counts.hottest)));const column ="
                                + " items[item].unit ? [...Array(slices).keys()].find(slice =>"
                                + " counts.grid.get(counts.hottest * slices + slice)) :"
                                + " items[item].cells.findIndex(cell =>"
                                + " cell.unit.pages.includes(counts.hottest));const box ="
                                + " boxOf({item, column}), frame = map.getBoundingClientRect(),"
                                + " left = items[item].unit ? leftEdge() : box.x;const pixel ="
                                + " map.getContext('2d').getImageData(left + 3, box.y -"
                                + " scroller.scrollTop, 1, 1).data;return [frame.left + box.x +"
                                + " box.wide / 2, frame.top + box.y - scroller.scrollTop +"
                                + " box.tall / 2, frame.bottom, frame.right, pixel[0],"
                                + " pixel[1], pixel[2]].join(' '); })()")
                .split(" ");
        double x = Double.parseDouble(place[0]);
        double y = Double.parseDouble(place[1]);
        assertTrue(
                y < Math.min(900, Double.parseDouble(place[2]))
                        && x < Math.min(1400, Double.parseDouble(place[3])),
                "at " + x + ", " + y);
        assertTrue(
                Integer.parseInt(place[4]) > 200 && Integer.parseInt(place[6]) < 90,
                "no outline: " + String.join(" ", place));
        browser.pointer("mouseMoved", x, y);
        String tip = browser.evaluate(
                "getComputedStyle(byId('tip')).display + ' ' + byId('tip').textContent");
        assertTrue(tip.startsWith("block 0x") && tip.contains(name), tip + " for " + address);
    }
}
