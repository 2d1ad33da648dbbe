package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The tables of the page of {@code madt view} that say what threads do to each other: their rows
 * are those of {@code locks}, {@code sharing} and {@code races}, and lead to data and code.
 */
class ThreadsPageIT {
    private static final String LOCKED = "accesses,locks,calls";

    @TempDir
    static Path directory;

    private static Browser browser;
    /** Two threads that race over several paths. */
    private static Path paths;
    /** Threads that use locks of every kind. */
    private static Path locked;
    /** Threads that wait for a lock for milliseconds. */
    private static Path waiting;

    private static Path plain;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        paths = record("paths", LOCKED, "paths");
        locked = record("locked", LOCKED, "locked", "4", "11");
        waiting = record("waiting", LOCKED, "waits");
        plain = record("plain", "accesses", "paths");
        browser = new Browser(directory);
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    private static Path record(String name, String what, String program, String... arguments)
            throws Exception {
        Path trace = directory.resolve(name + ".madt");
        List<String> words = new ArrayList<>();
        words.add(MadtRun.program("locks/" + program).toString());
        words.addAll(List.of(arguments));
        new Recorder(directory)
                .into(trace)
                .with("--record", what)
                .run(words.toArray(String[]::new))
                .expect(0);
        view(trace);
        return trace;
    }

    private static void view(Path trace, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("view", "-f", "-o", page(trace)));
        command.addAll(List.of(options));
        command.add(trace.toString());
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
    }

    private static String page(Path trace) {
        return trace.toString().replace(".madt", ".html");
    }

    private static void open(Path trace) throws Exception {
        browser.open(Path.of(page(trace)), 1400, 900);
    }

    private static String answer(String statements) throws Exception {
        return browser.evaluate("(() => { " + statements + " })()");
    }

    /** Returns how rows of the page and of a command differ, in their order; empty: they do not. */
    private static String difference(Path trace, String kind, String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command.split(" ")));
        words.addAll(List.of("--format", "json", trace.toString()));
        String report =
                MadtRun.madt(directory, words.toArray(String[]::new)).expect(0).text();
        return answer("const report = " + report + ", table = TABLE_OF." + kind + ";"
                + "const cut = cell => cell.length > 300 ? cell.slice(0, 300) + '…' : cell;"
                + "const text = row => data.together[table].keys.map(key => cut([row[key] ?? '']"
                + ".flat().join(' ← '))).join('|');"
                + "const wanted = report[table].map(text), shown = rows." + kind + ".map(text);"
                + "return JSON.stringify(wanted) === JSON.stringify(shown) ? '' + shown.length"
                + " : JSON.stringify([wanted, shown]);");
    }

    @ParameterizedTest
    @CsvSource({
        "lock, locks",
        "wait, locks --waits",
        "shared, sharing",
        "moving, sharing --lines",
        "race, races"
    })
    void shouldHaveTheRowsOfCommands(String kind, String command) throws Exception {
        Set<Path> some = Map.of("wait", Set.of(waiting), "race", Set.of(paths))
                .getOrDefault(kind, Set.of(paths, locked));
        for (Path trace : List.of(paths, locked, waiting)) {
            open(trace);
            String rows = difference(trace, kind, command);
            assertTrue(rows.matches(some.contains(trace) ? "[1-9]\\d*" : "\\d+"), rows);
            assertEquals("0", browser.evaluate("more." + kind));
            browser.evaluate("showKind('" + kind + "'); panels.together.whole = true;"
                    + " drawPanel('together')");
            assertEquals(
                    rows.equals("0") ? "1" : rows,
                    browser.evaluate("byId('together').querySelectorAll('tbody tr').length"));
            assertEquals(
                    browser.evaluate("rows." + kind + ".map(row => row.name).join()"),
                    browser.evaluate("[...byId('together').querySelectorAll('td.name')]"
                            + ".map(cell => cell.textContent).join()"));
        }
        assertEquals(List.of(), browser.complaints());
    }

    private static String races() throws Exception {
        return browser.evaluate("shownRows('race').map(row => row.data).sort().join(' ')");
    }

    /** Data, functions and lines that rows name lead to theirs, and choose the rows. */
    @Test
    void shouldLeadToDataAndCode() throws Exception {
        open(paths);
        assertEquals(
                "",
                answer("const links = []; for (const kind of TOGETHER) { showKind(kind);"
                        + " links.push(...byId('together').querySelectorAll('tbody a')); }"
                        + "if (links.length < 20) return 'few links';"
                        + "return links.map(link => link.getAttribute('href')).filter(to => {"
                        + " const parts = /^#([a-z]+)-(\\d+)$/.exec(to);"
                        + " return !parts || !exists(parts[1], Number(parts[2])); }).join(' ');"));
        browser.evaluate("showKind('race')");
        String first = "[...byId('together').querySelectorAll('tbody tr')].find(row =>"
                + " row.textContent.includes('filled')).querySelectorAll('a')";
        assertEquals(
                "filled fill paths.c empty paths.c fill first empty",
                browser.evaluate("[..." + first
                        + "].map(link => link.textContent.replace(/:\\d+$/, ''))"
                        + ".join(' ')"));
        browser.evaluate(first + "[0].click()");
        browser.await("chosen && nameOf(chosen.kind, chosen.at) === 'filled'");
        assertEquals("filled", races());
        assertEquals(
                "empty fill",
                browser.evaluate("shownRows('function').map(row => row.name).sort().join(' ')"));
        browser.evaluate("location.hash = 'function-' + rows.function.findIndex(row =>"
                + " row.name === 'down')");
        browser.await("chosen && chosen.kind === 'function'");
        assertEquals("deep deep", races());
        String note = browser.evaluate(
                "byId('together').querySelector('.tabs + .note')" + ".textContent");
        assertEquals("2 rows about down", note);
        browser.evaluate("location.hash = 'region-' + data.bands.findIndex(band =>"
                + " band.regions.includes('[.bss]'))");
        browser.await("chosen && chosen.kind === 'region'");
        assertTrue(races().startsWith("after after deep deep filled raced"), races());
        browser.key("Escape");
        browser.await("chosen === null");
    }

    @Test
    void shouldDoWithKeysAlone() throws Exception {
        open(paths);
        browser.key("9");
        assertEquals("tab-lock", browser.evaluate("document.activeElement.id"));
        for (String kind : List.of("wait", "shared", "moving", "race")) {
            browser.key("ArrowRight");
            assertEquals("tab-" + kind, browser.evaluate("document.activeElement.id"));
        }
        for (int row = 0; row < 3; row++) {
            browser.key("ArrowDown");
            assertEquals(
                    browser.evaluate("rows.race[" + row + "].name"),
                    browser.evaluate("document.activeElement.textContent"));
        }
        browser.enter();
        browser.await("location.hash.startsWith('#symbol-')");
        assertEquals(
                browser.evaluate("rows.race[2].name"),
                browser.evaluate("nameOf(chosen.kind, chosen.at)"));
        browser.key("Escape");
        browser.key("/");
        browser.type("empty");
        assertTrue(browser.evaluate("byId('found').textContent").contains("1 in races"));
        assertEquals("filled", races());
        assertEquals("race", browser.evaluate("panels.together.kind"));
        browser.key("Escape");
        assertEquals(List.of(), browser.complaints());
    }

    /** Without locks the page shows what is shared, and says what records the rest. */
    @Test
    void shouldSayWhatRecordsLocks() throws Exception {
        open(plain);
        assertEquals("shared moving", browser.evaluate("[...TOGETHER].join(' ')"));
        String said = browser.evaluate("byId('together').querySelector('.lacking').textContent");
        assertTrue(
                said.matches("The trace has no locks: madt run --record accesses,locks [^.]*\\."),
                said);
        assertTrue(difference(plain, "shared", "sharing").matches("[1-9]\\d*"));
        String text = browser.evaluate("byId('together').textContent");
        assertTrue(text.contains("raced") && !text.contains("under"), text);
    }

    @Test
    void shouldHaveNoneOfOneThread() throws Exception {
        Path trace = directory.resolve("true.madt");
        new Recorder(directory)
                .into(trace)
                .with("--record", LOCKED)
                .run("/bin/true")
                .expect(0);
        view(trace);
        open(trace);
        assertEquals("true", browser.evaluate("String(byId('together').hidden)"));
        assertEquals("0", browser.evaluate("TOGETHER.size"));
        browser.key("9");
        assertEquals(List.of(), browser.complaints());
    }

    /** Checks that the tables are of everything: accesses that are not selected race, too. */
    @Test
    void shouldTellEverythingOfASelection() throws Exception {
        Path part = Files.copy(paths, directory.resolve("part.madt"));
        view(part, "--function", "add");
        open(part);
        assertEquals("add", browser.evaluate("rows.function.map(row => row.name).join()"));
        assertTrue(difference(paths, "race", "races").matches("[1-9]\\d*"));
        assertTrue(difference(paths, "shared", "sharing").matches("[1-9]\\d*"));
    }

    @ParameterizedTest
    @CsvSource({"light, 1400", "dark, 1400", "light, 1000", "dark, 1000"})
    void shouldFitTheWindow(String scheme, int width) throws Exception {
        browser.prefer(scheme);
        browser.open(Path.of(page(paths)), width, 700);
        for (String kind : List.of("lock", "wait", "shared", "moving", "race")) {
            browser.evaluate("showKind('" + kind + "'); ''");
            assertEquals(
                    "true", browser.evaluate("document.documentElement.scrollWidth <= innerWidth"));
            assertEquals(
                    "true",
                    browser.evaluate("[...byId('together').querySelectorAll('td.name')]"
                            + ".every(cell => cell.clientWidth > 100)"));
        }
        assertEquals(List.of(), browser.complaints());
        browser.prefer("light");
    }
}
