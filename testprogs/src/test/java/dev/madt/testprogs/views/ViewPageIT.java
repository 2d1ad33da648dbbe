package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.ConvertedTrace;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The page of {@code madt view} in a browser: its numbers are those of {@code report}, its links
 * lead somewhere, and keys alone suffice.
 */
class ViewPageIT {
    /**
     * A table that is hot, a list of blocks, a variable that one function alone writes, an access
     * to a freed block.
     */
    private static final String SOURCE =
            """
            #include <stdlib.h>
            #include <string.h>
            struct item { struct item *next; long value; char note[40]; };
            long table[1009];
            static long hits;
            static struct item *list;
            __attribute__((noinline)) static void push(long value)
            {
                struct item *item = malloc(sizeof *item);
                item->next = list;
                item->value = value;
                list = item;
            }
            __attribute__((noinline)) static long sum(void)
            {
                long all = 0;
                for (struct item *item = list; item; item = item->next)
                    all += item->value;
                return all;
            }
            __attribute__((noinline)) static void hit(long at)
            {
                table[at % 1009]++;
                hits++;
            }
            int main(void)
            {
                char *copy = calloc(1, 2003);
                for (long i = 0; i < 103; i++)
                    push(i);
                for (long i = 0; i < 5003; i++)
                    hit(i * sum());
                memcpy(copy, table, 2003);
                free(copy);
                return ((volatile char *)copy)[17] & 0;
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
        Path source = Files.writeString(directory.resolve("items.c"), SOURCE);
        Path program = directory.resolve("items");
        MadtRun.command(
                        directory,
                        List.of(
                                "gcc",
                                "-O1",
                                "-g",
                                "-Wno-use-after-free",
                                "-o",
                                program.toString(),
                                source.toString()))
                .expect(0);
        trace = ConvertedTrace.record(directory, program).trace();
        page = directory.resolve("items.html");
        MadtRun said = MadtRun.madt(directory, "view", "-o", page.toString(), trace.toString())
                .expect(0);
        assertEquals("madt: wrote " + page + "\n", said.errors());
        browser = new Browser(directory);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        browser.prefer("light");
        browser.open(page, 1400, 900);
    }

    private static String report(String key, Path of) throws Exception {
        return MadtRun.madt(directory, "report", "--by", key, "--format", "json", of.toString())
                .expect(0)
                .text();
    }

    private static String answer(String statements) throws Exception {
        return browser.evaluate("(() => { " + statements + " })()");
    }

    /**
     * Returns what is different in the page's rows of a kind and a report's: a text, empty if that
     * is nothing.
     */
    private static String difference(
            String report, String kind, String name, String region, String more) throws Exception {
        return answer("const report = "
                + report
                + "; const numbers = 'loads stores bytes bulk_events bulk_bytes lines pages"
                + " "
                + more
                + "'.trim().split(' ');const text = (row, name, region) => [row[name],"
                + " row[region]].concat(numbers.map(key => row[key])).join(' ');const"
                + " wanted = report.rows.filter(row => '"
                + kind
                + "' !== 'site' || 'blocks' in row).map(row => text(row, '"
                + name
                + "', '"
                + region
                + "')).sort();"
                + "const shown = rows."
                + kind
                + ".map(row => text(row, 'name', '"
                + (region.isEmpty() ? "" : "region")
                + "')).sort();return wanted.length === 0 ? 'nothing' : wanted.join('|') ==="
                + " shown.join('|') ? '' : JSON.stringify([wanted, shown]);");
    }

    @ParameterizedTest
    @CsvSource({
        "symbol, symbol, region, ''",
        "function, function, module, ''",
        "line, line, function, ''",
        "site, allocation_site, '', blocks allocated alive mean_life longest_life never_accessed"
    })
    void shouldShowTheNumbersOfReports(String kind, String name, String region, String more)
            throws Exception {
        assertEquals("", difference(report(kind, trace), kind, name, region, more));
        assertEquals("0", browser.evaluate("more." + kind));
    }

    @Test
    void shouldNameTheTotalsAndWhatIsHot() throws Exception {
        String total = answer("const total = "
                + report("symbol", trace)
                + ".total;return `${number(total.loads + total.stores)} accesses,"
                + " ${number(total.loads)} loads, ${number(total.stores)} stores,"
                + " `;");
        String facts = answer("return [...document.querySelectorAll('#facts div')].map(fact =>"
                + " fact.querySelector('dd').textContent + ' ' +"
                + " fact.querySelector('dt').textContent).join(', ');");
        assertTrue(facts.startsWith(total), facts + " and " + total);
        assertTrue(facts.endsWith(", 1 thread, complete trace"), facts);
        String said = browser.evaluate("byId('answer').textContent");
        assertTrue(
                said.matches(
                        "Hottest: <malloc@push\\+\\d+> in \\[heap\\], allocated at items\\.c:\\d+,"
                                + " takes 9\\d\\.\\d % of all accesses; sum makes 9\\d\\.\\d %,"
                                + " line"
                                + " items\\.c:\\d+ 4\\d\\.\\d %\\."),
                said);
    }

    /** Checks that what is hot is seen without scrolling, in a window of usual size. */
    @ParameterizedTest
    @ValueSource(strings = {"light", "dark"})
    void shouldAnswerOnTheFirstScreen(String scheme) throws Exception {
        browser.prefer(scheme);
        browser.open(page, 1400, 900);
        assertEquals(
                scheme.equals("dark") ? "rgb(20, 23, 27)" : "rgb(255, 255, 255)",
                browser.evaluate("getComputedStyle(document.body).backgroundColor"));
        String inside = answer("const inside = element => { const box ="
                + " element.getBoundingClientRect();return box.height > 0 && box.top >="
                + " 0 && box.bottom <= innerHeight && box.right <= innerWidth; };return"
                + " ['#answer', '#data tbody tr:nth-child(8)', '#code tbody"
                + " tr:nth-child(3)', '.band canvas', '#legend'].filter(each =>"
                + " !inside(document.querySelector(each))).join(' ');");
        assertEquals("", inside);
        assertEquals(
                "true", browser.evaluate("document.documentElement.scrollWidth <= innerWidth"));
        assertEquals(List.of(), browser.complaints());
        assertEquals(List.of(page.toUri().toString()), browser.requests());
    }

    /** The canvas of the hottest band is not empty, and the cells of each band add up. */
    @Test
    void shouldDrawTheBands() throws Exception {
        String drawn = answer("const canvas = document.querySelector('.band canvas');const pixels ="
                + " canvas.getContext('2d').getImageData(0, 0, canvas.width,"
                + " canvas.height).data;let filled = 0; for (let i = 3; i <"
                + " pixels.length; i += 4) filled += pixels[i] > 0; return filled;");
        assertTrue(Integer.parseInt(drawn) > 500, drawn);
        String events = answer("const sum = row => counts(row).reduce((all, cell) => all + cell[1],"
                + " 0);return data.bands.every(band => band.rows.reduce((all, row) =>"
                + " all + sum(row), 0) === band.events);");
        assertEquals("true", events);
    }

    /** A chosen name is coloured, and the rest pale; its cells are all that was counted of it. */
    @Test
    void shouldColourWhatIsChosen() throws Exception {
        browser.evaluate("location.hash = 'symbol-' + rows.symbol.findIndex(row => row.name ==="
                + " 'hits')");
        browser.await("byId('pictured').textContent.startsWith('Coloured: hits;')");
        String wrong = answer("const row = rows.symbol[chosen.at]; let sum = 0;"
                + "for (const count of pictured.values()) sum += count;"
                + "return sum === row.loads + row.stores + row.bulk_events ? '' :"
                + " sum + ' of ' + JSON.stringify(row);");
        assertEquals("", wrong);
        String inks = answer("return [...document.querySelectorAll('.band canvas')].map(canvas => {"
                + " const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width,"
                + " canvas.height).data; let blue = 0; for (let i = 0; i < pixels.length; i += 4)"
                + " blue += pixels[i + 3] > 0 && pixels[i + 2] - pixels[i] > 40;"
                + " return blue > 0; }).join(' ');");
        String expected = answer("return drawnBands().map(at => data.bands[at].regions.includes("
                + "rows.symbol[chosen.at].region)).join(' ');");
        assertTrue(expected.contains("true") && expected.contains("false"), expected);
        assertEquals(expected, inks);
        browser.evaluate("location.hash = ''");
        browser.await("!byId('pictured').textContent.startsWith('Coloured')");
    }

    @Test
    void shouldHaveATargetForEveryLink() throws Exception {
        String broken =
                answer("const links = [...document.querySelectorAll('a')]; if (links.length < 20)"
                        + " return 'few links';return links.map(link =>"
                        + " link.getAttribute('href')).filter(to => { const parts ="
                        + " /^#([a-z]+)-(\\d+)$/.exec(to); return parts ? !exists(parts[1],"
                        + " Number(parts[2])) : !to.startsWith('#') || !byId(to.slice(1));"
                        + " }).join(' ');");
        assertEquals("", broken);
        String sums = answer("const wrong = []; for (const row of rows.symbol) { const found ="
                + " sums(WANTED.symbol(row.at));for (const kind of ['symbol',"
                + " 'function', 'line']) { let sum = 0; for (const each of"
                + " found[kind].values()) sum += each.loads + each.stores;if (sum !=="
                + " row.loads + row.stores) wrong.push(row.name + ' ' + kind); } }"
                + " return wrong.join(' ');");
        assertEquals("", sums);
    }

    /**
     * A variable leads to the functions and lines that touch it, a function to the data, as a
     * report of that selection says; a region to what lies in it.
     */
    @Test
    void shouldLeadFromDataToCodeAndBack() throws Exception {
        selectsAsReport("symbol", "hits", "--symbol", "function", "module");
        selectsAsReport("symbol", "hits", "--symbol", "line", "function");
        selectsAsReport("function", "hit", "--function", "symbol", "region");
        selectsAsReport("function", "sum", "--function", "symbol", "region");
        browser.evaluate("location.hash = 'region-' + data.bands.findIndex(band =>"
                + " band.regions.includes('[.bss]'))");
        browser.await("byId('chosen').textContent.startsWith('region')");
        String names = browser.evaluate("[...byId('data').querySelectorAll('td.name')].map(cell =>"
                + " cell.textContent).join(' ')");
        assertTrue(
                names.contains("table") && names.contains("hits") && !names.contains("<malloc"),
                names);
    }

    private static void selectsAsReport(
            String kind, String name, String option, String key, String region) throws Exception {
        String report = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        key,
                        option,
                        name,
                        "--format",
                        "json",
                        trace.toString())
                .expect(0)
                .text();
        browser.evaluate("location.hash = '" + kind + "-' + rows." + kind
                + ".findIndex(row => row.name === '" + name + "')");
        browser.await("byId('chosen').textContent.includes('" + name + "')");
        String shown = answer("const wanted = ("
                + report
                + ").rows.map(row => [row."
                + key
                + ", row."
                + region
                + ", row.loads, row.stores].join(' ')).sort();"
                + "const shown = shownRows('"
                + key
                + "').map(row => [row.name, row.region, row.loads,"
                + " row.stores].join(' ')).sort();return wanted.length > 0 &&"
                + " wanted.join('|') === shown.join('|') ? '' :"
                + " JSON.stringify([wanted, shown]);");
        assertEquals("", shown);
    }

    /** Returns the lines of a report by type, as {@code type,loads,stores}, sorted. */
    private static String types(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("report", "--by", "type"));
        command.addAll(List.of(options));
        command.addAll(List.of("--format", "csv", "--columns", "type,loads,stores", "" + trace));
        return MadtRun.madt(directory, command.toArray(String[]::new))
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .sorted()
                .collect(Collectors.joining("|"));
    }

    @Test
    void shouldShowTypesAndMembersAsReportsDo() throws Exception {
        String shown = ".map(row => [row.name, row.loads, row.stores].join()).sort().join('|')";
        assertEquals(types(), browser.evaluate("rows.type" + shown));
        assertEquals(types("--fields"), browser.evaluate("rows.member" + shown));
        browser.key("8");
        assertEquals("tab-member", browser.evaluate("document.activeElement.id"));
        String text = browser.evaluate("byId('data').textContent");
        assertTrue(text.contains("item.value") && text.contains("item.next"), text);
    }

    @Test
    void shouldSayWhereASearchHits() throws Exception {
        browser.key("/");
        browser.type("sum");
        assertTrue(browser.evaluate("byId('found').textContent").contains("1 in functions"));
        browser.key("Escape");
        assertEquals("", browser.evaluate("byId('found').textContent"));
        assertEquals("symbol", browser.evaluate("panels.data.kind"));
        browser.key("/");
        browser.type("item.next");
        assertEquals("member", browser.evaluate("panels.data.kind"));
        assertTrue(browser.evaluate("byId('found').textContent").contains("1 in members"));
        browser.evaluate("byId('search').value = 'nothing has it'; byId('search')"
                + ".dispatchEvent(new Event('input')); ''");
        assertEquals("in no table", browser.evaluate("byId('found').textContent"));
    }

    /** The line of the loop has its text beside its counts, and so have its neighbours. */
    @Test
    void shouldShowTheSourceBesideCounts() throws Exception {
        List<String> lines = SOURCE.lines().toList();
        String loop = "all += item->value;";
        int number = 1 + lines.indexOf("        " + loop);
        assertTrue(number > 0);
        assertEquals("true", browser.evaluate("String(byId('source').hidden)"));
        browser.evaluate("location.hash = 'line-' + rows.line.findIndex(row => row.name ==="
                + " 'items.c:" + number + "'); ''");
        browser.await("!byId('source').hidden");
        String row = "byId('source').querySelector('[aria-selected]')";
        assertEquals(loop, browser.evaluate(row + ".querySelector('.code').textContent.trim()"));
        assertEquals("" + number, browser.evaluate(row + ".querySelector('a').textContent"));
        assertEquals(
                "true",
                browser.evaluate(row + ".children[1].textContent ==="
                        + " number(rows.line[chosen.at].loads)"));
        assertEquals(
                lines.get(number - 2).trim(),
                browser.evaluate(
                        row + ".previousSibling.querySelector('.code').textContent.trim()"));
        browser.evaluate("location.hash = 'function-'"
                + " + rows.function.findIndex(row => row.name === 'hit'); ''");
        browser.await("byId('source').textContent.includes('table[at % 1009]++;')");
        browser.key("Escape");
        browser.await("byId('source').hidden");
    }

    @Test
    void shouldDoWithKeysAlone() throws Exception {
        browser.key("/");
        assertEquals("search", browser.evaluate("document.activeElement.id"));
        browser.type("hit");
        assertEquals("hits", browser.evaluate("byId('data').querySelector('td.name').textContent"));
        browser.enter();
        assertEquals("hits", browser.evaluate("document.activeElement.textContent"));
        browser.enter();
        browser.await("location.hash.startsWith('#symbol-')");
        assertEquals("hit", browser.evaluate("byId('code').querySelector('td.name').textContent"));
        assertTrue(browser.evaluate("byId('chosen').textContent")
                .contains("madt print --symbol 'hits' "));
        browser.key("Escape");
        browser.await("location.hash === '' && byId('search').value === '' && chosen === null");
        browser.key("3");
        assertEquals("tab-function", browser.evaluate("document.activeElement.id"));
        browser.key("ArrowRight");
        assertEquals("tab-line", browser.evaluate("document.activeElement.id"));
        assertEquals("line", browser.evaluate("panels.code.kind"));
        for (int row = 0; row < 2; row++) {
            browser.key("ArrowDown");
            assertEquals(
                    browser.evaluate("rows.line[" + row + "].name"),
                    browser.evaluate("document.activeElement.textContent"));
        }
        browser.key("ArrowUp");
        assertEquals(
                browser.evaluate("rows.line[0].name"),
                browser.evaluate("document.activeElement.textContent"));
        browser.key("5");
        browser.key("ArrowRight");
        String said = browser.evaluate("byId('said').textContent");
        assertTrue(said.matches("\\[heap\\], events 0 to [\\d,]+: [\\d,]+ access(es)?"), said);
        browser.key("?");
        assertEquals("true", browser.evaluate("byId('help').open"));
        assertEquals(List.of(), browser.complaints());
    }

    /** A program of others, without source lines. */
    @Test
    void shouldDoWithKeysAloneOnSqlite3() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sqlite3")), "no sqlite3");
        Path recorded = directory.resolve("sqlite3.madt");
        String statements = "create table t(a, b); with recursive n(i) as (select 1 union all"
                + " select i + 1 from n where i < 101) insert into t select i, 'row ' || i from n;"
                + " create index b on t(b); select sum(a) from t where b like '%7%';";
        MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        recorded.toString(),
                        "--",
                        "/usr/bin/sqlite3",
                        ":memory:",
                        statements)
                .expect(0);
        Path shown = directory.resolve("sqlite3.html");
        MadtRun.madt(directory, "view", "-o", shown.toString(), recorded.toString())
                .expect(0);
        assertTrue(Files.size(shown) < 5_000_000);
        browser.open(shown, 1400, 900);
        assertTrue(browser.evaluate("byId('answer').textContent").startsWith("Hottest: "));
        browser.key("/");
        browser.enter();
        String hottest = browser.evaluate("rows.symbol[0].name");
        assertEquals(hottest, browser.evaluate("document.activeElement.textContent"));
        browser.enter();
        browser.await("location.hash === '#symbol-0'");
        assertTrue(browser.evaluate("byId('chosen').textContent").contains(hottest));
        assertEquals(
                browser.evaluate("accesses(rows.symbol[0])"),
                browser.evaluate(
                        "shownRows('function').reduce((sum, row) => sum + accesses(row), 0)"));
        browser.key("Escape");
        browser.await("location.hash === '' && chosen === null");
        browser.key("3");
        assertEquals("tab-function", browser.evaluate("document.activeElement.id"));
        browser.key("2");
        assertEquals("tab-site", browser.evaluate("document.activeElement.id"));
        browser.key("5");
        browser.key("ArrowRight");
        String said = browser.evaluate("byId('said').textContent");
        assertTrue(said.contains(", events 0 to "), said);
        browser.key("6");
        String note = browser.evaluate("document.querySelector('#defects .note').textContent");
        assertTrue(note.contains("madt defects sqlite3.madt"), note);
        browser.key("?");
        assertEquals("true", browser.evaluate("byId('help').open"));
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void shouldSortByEachColumn() throws Exception {
        browser.evaluate("byId('tab-site').click()");
        browser.evaluate("[...byId('data').querySelectorAll('th button')].find(each =>"
                + " each.textContent.startsWith('untouched')).focus()");
        browser.enter();
        assertEquals(
                "true",
                answer("const shown = sorted('site', panels.data, KINDS.site.columns).map(row =>"
                        + " row.never_accessed);return shown.length > 1 && shown.every((value,"
                        + " i) => i === 0 || value <= shown[i - 1]);"));
        assertEquals(
                "descending",
                browser.evaluate("document.activeElement.parentElement.getAttribute('aria-sort')"));
        assertTrue(browser.evaluate("byId('data').querySelector('td.name').textContent")
                .startsWith("<malloc@push+"));
    }

    @Test
    void shouldShowDefects() throws Exception {
        assertEquals("1 defect: below", browser.evaluate("byId('warning').textContent"));
        String rows = browser.evaluate("[...byId('defects').querySelectorAll('tbody tr')]"
                + ".map(row => row.firstChild.textContent).join(' ')");
        assertEquals("after-free never-freed", rows);
        String row = browser.evaluate("byId('defects').querySelector('tbody tr').textContent");
        assertTrue(row.startsWith("after-freeyes1<freed:0001@main+"), row);
        assertEquals( // lines that only call have no rows
                "main items.c:35 main main",
                answer("const links = [...byId('defects').querySelector('tbody tr')"
                        + ".querySelectorAll('td:nth-child(n+8) a')];"
                        + "return links.map(link => link.textContent).join(' ');"));
        assertTrue(browser.evaluate(
                        "byId('defects').querySelector('tbody td:nth-child(4) a').textContent")
                .startsWith("<freed:0001@main+"));
    }

    @Test
    void shouldBeOneSmallFileWithoutNetwork() throws Exception {
        String text = Files.readString(page);
        assertTrue(text.length() < 5_000_000);
        assertFalse(text.matches("(?s).*(https?:|src=|@import|url\\().*"));
    }

    /**
     * Of a selection the page shows what a report of it does; the file is named after the trace
     * where nobody names it.
     */
    @Test
    void shouldTakeASelection() throws Exception {
        Path part = Files.copy(trace, directory.resolve("part.madt"));
        MadtRun said = MadtRun.madt(directory, "view", "--function", "hit", part.toString())
                .expect(0);
        assertTrue(
                said.errors().startsWith("madt: wrote part.html\nmadt: the selection has "),
                said.errors());
        browser.open(directory.resolve("part.html"));
        String selected = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "symbol",
                        "--function",
                        "hit",
                        "--format",
                        "json",
                        trace.toString())
                .expect(0)
                .text();
        assertEquals("", difference(selected, "symbol", "symbol", "region", ""));
        MadtRun again = MadtRun.madt(directory, "view", part.toString()).expect(1);
        assertEquals(
                "madt: cannot write part.html: the file exists. Use -f to overwrite it.\n",
                again.errors());
    }
}
