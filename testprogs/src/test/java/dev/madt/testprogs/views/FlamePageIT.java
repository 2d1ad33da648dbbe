package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a flame graph in a browser. */
class FlamePageIT {
    @TempDir
    Path directory;

    private Path traced(String threads) throws Exception {
        Path program = CallProgram.build(directory, "threads.c", "-O2");
        Path trace = directory.resolve("threads" + threads + ".madt");
        MadtRun.madt(directory, "trace", "-q", "-o", "" + trace, "--", "" + program, threads)
                .expect(0);
        return trace;
    }

    private Path page(Path trace) throws Exception {
        Path page = directory.resolve("threads.html");
        MadtRun.madt(directory, "flame", "--by", "calls", "-o", "" + page, "" + trace)
                .expect(0);
        return page;
    }

    /** The calls of a function in all paths. */
    private static String callsOf(String name) {
        return "String(functions.find(fn => fn.name === '" + name + "').self[calls])";
    }

    private static void pointAt(Browser browser, String box) throws Exception {
        double x = Double.parseDouble(browser.evaluate(
                "String(" + box + ".x + 5 + active.canvas.getBoundingClientRect().left)"));
        double y = Double.parseDouble(browser.evaluate("String(active.top(" + box
                + ".depth) + 5 + active.canvas.getBoundingClientRect().top)"));
        browser.click(x, y);
    }

    private static void prepare(Browser browser) throws Exception {
        browser.evaluate("window.calls = MEASURES.indexOf('calls');"
                + " window.chosen = () => nameOf(active.tree, active.chosen);"
                + " window.view = () => active.view.to - active.view.from; ''");
    }

    /** Three threads make 7, 8 and 9 rounds, each with 16 leaves. */
    @Test
    void shouldShowSearchAndEnlarge() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = page(traced("3"));
        try (Browser browser = new Browser(directory)) {
            for (String colours : List.of("light", "dark")) {
                browser.prefer(colours);
                browser.open(page, 1200, 800);
                prepare(browser);
                assertEquals("threads3.madt", browser.evaluate("byId('title').textContent"));
                assertEquals(colours, browser.evaluate("document.documentElement.dataset.theme"));
                assertEquals("384", browser.evaluate(callsOf("leaf")));
                assertEquals(
                        "true",
                        browser.evaluate("tree.callees(0).reduce((sum, node) => sum"
                                + " + tree.all[calls][node], 0) === tree.all[calls][0]"));
                String box =
                        "active.boxes.find(box => box.node && nameOf(tree, box.node) === 'works')";
                pointAt(browser, box);
                assertEquals("works", browser.evaluate("chosen()"));
                assertEquals(
                        "true",
                        browser.evaluate(box + ".width > 0.99 * active.canvas.clientWidth"));
                browser.key("Escape");
                assertEquals("1", browser.evaluate("view()"));
                browser.key("/");
                browser.type("LEAF");
                assertTrue(browser.evaluate("byId('found').textContent").endsWith("boxes")
                        || browser.evaluate("byId('found').textContent").endsWith("box"));
                assertEquals(
                        "leaf",
                        browser.evaluate("functions.filter((fn, at) => marked[at])"
                                + ".map(fn => fn.name).join()"));
                assertEquals(List.of(), browser.complaints());
            }
            assertEquals(1, browser.requests().size(), "no network: " + browser.requests());
        }
    }

    /** All that a pointer does keys do, too. */
    @Test
    void shouldDoEverythingByKeys() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = page(traced("3"));
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1000, 700);
            prepare(browser);
            browser.key("?");
            assertEquals("true", browser.evaluate("byId('help').open"));
            browser.evaluate("byId('help').close(); ''");
            assertEquals("calls", browser.evaluate("MEASURES[measure]"));
            browser.key("m");
            assertEquals("0", browser.evaluate("(calls + 1) % MEASURES.length - measure"));
            browser.evaluate("setMeasure(calls); ''");
            browser.key("o");
            assertEquals("first", browser.evaluate("order"));
            browser.key("o");
            threadsByKeys(browser);
            recursionByKeys(browser);
            searchByKeys(browser);
            zoomByKeys(browser);
            sandwichByKeys(browser);
            assertEquals(List.of(), browser.complaints());
        }
    }

    /** Of three threads one has made 7 rounds, one 8 and one 9. */
    private void threadsByKeys(Browser browser) throws Exception {
        String all = browser.evaluate("tree.all[calls][0]");
        browser.key("b");
        assertEquals("4", browser.evaluate("tree.callees(0).length"));
        assertEquals(
                "true",
                browser.evaluate("tree.callees(0).every(node =>"
                        + " functions[tree.fn[node]].kind === THREAD)"));
        assertEquals(all, browser.evaluate("tree.all[calls][0]"));
        assertEquals(
                "112,128,144",
                browser.evaluate("tree.callees(0).map(top => {"
                        + " let sum = 0;"
                        + " for (let node = 0; node < tree.size; node++)"
                        + "  if (nameOf(tree, node) === 'leaf' && tree.path(node).includes(top))"
                        + "   sum += tree.self[calls][node];"
                        + " return sum;"
                        + "}).filter(sum => sum).sort((a, b) => a - b).join()"));
        browser.key("b");
        assertEquals(all, browser.evaluate("tree.all[calls][0]"));
        assertEquals("384", browser.evaluate(callsOf("leaf")));
    }

    /** A branch calls itself four times within each other. */
    private void recursionByKeys(Browser browser) throws Exception {
        String all = browser.evaluate("tree.all[calls][0]");
        String nested = "tree.fn.some((fn, node) => node && functions[fn].name === 'branch'"
                + " && tree.fn[tree.parent[node]] === fn)";
        assertEquals("true", browser.evaluate(nested));
        browser.key("r");
        assertEquals("false", browser.evaluate(nested));
        assertEquals(all, browser.evaluate("tree.all[calls][0]"));
        assertEquals("" + 24 * 31, browser.evaluate(callsOf("branch")));
        browser.key("r");
        assertEquals("true", browser.evaluate(nested));
    }

    private void searchByKeys(Browser browser) throws Exception {
        browser.key("/");
        browser.type("branch");
        long calls = Long.parseLong(browser.evaluate(callsOf("branch")));
        assertEquals(24 * 31, calls);
        for (int i = 0; i < 3; i++) {
            browser.enter();
            assertEquals("branch", browser.evaluate("chosen()"));
            assertEquals("" + i, browser.evaluate("hits.at"));
        }
        assertEquals(
                "true",
                browser.evaluate("hits.list.every((node, at) => !at || tree.all[calls][node]"
                        + " <= tree.all[calls][hits.list[at - 1]])"));
        assertTrue(browser.evaluate("byId('found').textContent").contains("% in "));
        browser.key("Escape");
        assertEquals("null", browser.evaluate("marked"));
        browser.key("p");
        assertEquals("branch", browser.evaluate("chosen()"));
    }

    private void zoomByKeys(Browser browser) throws Exception {
        browser.evaluate("active.past = []; active.view = {from: 0, to: 1};"
                + " active.choose(active.tree.callees(0)[0]); ''");
        browser.key("ArrowDown");
        assertEquals("2", browser.evaluate("tree.depth[active.chosen]"));
        browser.key("ArrowUp");
        assertEquals("1", browser.evaluate("tree.depth[active.chosen]"));
        browser.key("ArrowRight");
        assertEquals("1", browser.evaluate("tree.callees(0).indexOf(active.chosen)"));
        browser.key("Enter");
        assertEquals(
                "true",
                browser.evaluate("(range => Math.abs(range.from - active.view.from) < 1e-9"
                        + " && Math.abs(range.to - active.view.to) < 1e-9)"
                        + "(tree.range(active.chosen))"));
        browser.key("Escape");
        assertEquals("1", browser.evaluate("view()"));
        browser.key("+");
        assertEquals("true", browser.evaluate("view() < 0.7"));
        String from = browser.evaluate("active.view.from");
        browser.key("a");
        browser.key("d");
        browser.key("d");
        assertTrue(!from.equals(browser.evaluate("active.view.from")));
        browser.key("-");
        browser.key("0");
        assertEquals("1", browser.evaluate("view()"));
    }

    private void sandwichByKeys(Browser browser) throws Exception {
        browser.evaluate("active.past = []; active.choose(Number("
                + "tree.fn.findIndex(fn => functions[fn].name === 'branch'))); ''");
        browser.key("c");
        assertTrue(browser.evaluate("copied").endsWith("works;branch"), browser.evaluate("copied"));
        browser.key("f");
        assertEquals("sandwich", browser.evaluate("mode"));
        assertEquals("branch", browser.evaluate("nameOf(panes.above.tree, 0)"));
        String whole = browser.evaluate("functions.find(fn => fn.name === 'branch').total[calls]");
        assertEquals("" + 24 * (31 + 16), whole);
        assertEquals(whole, browser.evaluate("panes.below.tree.all[calls][0]"));
        assertEquals(whole, browser.evaluate("panes.above.tree.all[calls][0]"));
        assertEquals(
                "works",
                browser.evaluate("panes.above.tree.callees(0).map(node =>"
                        + " nameOf(panes.above.tree, node)).join()"));
        browser.evaluate("panes.above.canvas.focus(); ''");
        browser.key("ArrowUp");
        assertEquals("works", browser.evaluate("chosen()"));
        browser.key("c");
        assertEquals("works;branch", browser.evaluate("copied"));
        browser.key("t");
        browser.key("ArrowDown");
        browser.enter();
        assertEquals("false", browser.evaluate("functions[centre].name === 'branch'"));
        browser.key("g");
        assertEquals("flame", browser.evaluate("mode"));
    }

    /** 349,524 paths and those of main: the small ones are drawn together, and nothing is lost. */
    @Test
    void shouldDrawManyPaths() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path program = CallProgram.build(directory, "paths.c", "-O2");
        Path trace = directory.resolve("paths.madt");
        MadtRun.madt(
                        directory,
                        "trace",
                        "-q",
                        "--calls",
                        "paths:*",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "9")
                .expect(0);
        Path page = directory.resolve("paths.html");
        MadtRun.madt(directory, "flame", "--by", "calls", "-o", "" + page, "" + trace)
                .expect(0);
        assertTrue(Files.size(page) < 20 << 20, Files.size(page) + " bytes");
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1000, 700);
            prepare(browser);
            long cut = Long.parseLong(browser.evaluate("data.cut"));
            assertTrue(cut > 100_000, cut + " are cut");
            assertEquals(
                    "" + calls(trace), browser.evaluate("tree.all[MEASURES.indexOf('calls')][0]"));
            assertTrue(browser.evaluate("byId('facts').textContent")
                    .contains(String.format(Locale.ROOT, "%,d smaller paths", cut)));
            browser.key("+");
            assertEquals(
                    "true",
                    browser.evaluate("active.boxes.some(box => box.rest !== undefined)"
                            + " && active.boxes.every(box => box.width >= LEAST)"));
            assertEquals(List.of(), browser.complaints());
        }
    }

    private long calls(Path trace) throws Exception {
        return MadtRun.madt(directory, "flame", "--by", "calls", "" + trace)
                .expect(0)
                .text()
                .lines()
                .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Two threads make 15 rounds with 16 leaves each, three make 24. */
    @Test
    void shouldCompareWithAnEarlierTrace() throws Exception {
        Path before = traced("2");
        Path after = traced("3");
        Pattern path = Pattern.compile("(.*) (\\d+) (\\d+)");
        long[] sums = new long[4];
        List<String> lines = MadtRun.madt(
                        directory, "flame", "--by", "calls", "--diff", "" + before, "" + after)
                .expect(0)
                .text()
                .lines()
                .toList();
        for (String line : lines) {
            Matcher numbers = path.matcher(line);
            assertTrue(numbers.matches(), line);
            sums[0] += Long.parseLong(numbers.group(2));
            sums[1] += Long.parseLong(numbers.group(3));
            if (numbers.group(1).endsWith(";leaf")) {
                sums[2] += Long.parseLong(numbers.group(2));
                sums[3] += Long.parseLong(numbers.group(3));
            }
        }
        assertEquals(
                List.of(calls(before), calls(after), 240L, 384L),
                Arrays.stream(sums).boxed().toList());
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = directory.resolve("grown.html");
        MadtRun.madt(
                        directory,
                        "flame",
                        "--by",
                        "calls",
                        "--diff",
                        "" + before,
                        "-o",
                        "" + page,
                        "" + after)
                .expect(0);
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1200, 800);
            assertEquals("" + calls(before), browser.evaluate("tree.before[measure][0]"));
            assertEquals("" + calls(after), browser.evaluate("tree.all[measure][0]"));
            assertEquals(
                    "true",
                    browser.evaluate("tree.width[measure].every((width, node) => width >="
                            + " Math.max(tree.all[measure][node], tree.before[measure][node]))"));
            assertTrue(browser.evaluate("described(active, {node: tree.fn.findIndex("
                            + "fn => functions[fn].name === 'leaf')})")
                    .contains("+"));
            assertEquals(List.of(), browser.complaints());
        }
    }
}
