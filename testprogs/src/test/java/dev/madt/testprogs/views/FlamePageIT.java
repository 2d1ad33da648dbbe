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

    /** Three threads make 7, 8 and 9 rounds, each with 16 leaves. */
    @Test
    void shouldShowSearchAndEnlarge() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = page(traced("3"));
        try (Browser browser = new Browser(directory)) {
            for (String colours : List.of("light", "dark")) {
                browser.prefer(colours);
                browser.open(page, 1200, 800);
                assertEquals("threads3.madt", browser.evaluate("byId('title').textContent"));
                String calls = "nodes.filter(node => node.name === 'leaf')"
                        + ".reduce((sum, node) => sum + node.calls, 0)";
                assertEquals("384", browser.evaluate("String(" + calls + ")"));
                assertEquals(
                        "true",
                        browser.evaluate("String(start.callees.reduce((sum, node) => sum"
                                + " + node.all[measure], 0) === start.all[measure])"));
                String box = "boxes.find(box => box.node.name === 'works')";
                double x = Double.parseDouble(browser.evaluate(
                        "String(" + box + ".x + 5 + canvas.getBoundingClientRect().left)"));
                double y = Double.parseDouble(browser.evaluate("String((" + box
                        + ".depth + 0.5) * ROW + canvas.getBoundingClientRect().top)"));
                browser.click(x, y);
                assertEquals("works", browser.evaluate("focus.name"));
                assertEquals(
                        "true", browser.evaluate("String(" + box + ".width > innerWidth * 0.9)"));
                browser.evaluate("byId('search').value = 'lea'; search(); ''");
                assertTrue(
                        browser.evaluate("byId('found').textContent").endsWith("such functions"));
            }
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
            assertEquals("" + calls(before), browser.evaluate("start.before[measure]"));
            assertEquals("" + calls(after), browser.evaluate("start.all[measure]"));
            assertEquals(
                    "true",
                    browser.evaluate("nodes.every(node => node.width[measure]"
                            + " >= Math.max(node.all[measure], node.before[measure]))"));
            assertTrue(browser.evaluate("compared(nodes.find(node => node.name === 'leaf'))")
                    .contains("+"));
            assertEquals(List.of(), browser.complaints());
        }
    }
}
