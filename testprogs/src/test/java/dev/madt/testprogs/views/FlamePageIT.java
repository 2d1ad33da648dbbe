package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a flame graph in a browser. */
class FlamePageIT {
    @TempDir
    Path directory;

    private Path page() throws Exception {
        Path program = directory.resolve("threads");
        Path source = MadtRun.root().resolve("testprogs/calls/threads.c");
        MadtRun.command(
                        directory,
                        List.of("gcc", "-O2", "-pthread", "-o", "" + program, "" + source))
                .expect(0);
        Path trace = directory.resolve("threads.madt");
        MadtRun.madt(directory, "trace", "-q", "-o", "" + trace, "--", "" + program, "3")
                .expect(0);
        Path page = directory.resolve("threads.html");
        MadtRun.madt(directory, "flame", "--by", "calls", "-o", "" + page, "" + trace)
                .expect(0);
        return page;
    }

    /** Three threads make 7, 8 and 9 rounds, each with 16 leaves. */
    @Test
    void shouldShowSearchAndEnlarge() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = page();
        try (Browser browser = new Browser(directory)) {
            for (String colours : List.of("light", "dark")) {
                browser.prefer(colours);
                browser.open(page, 1200, 800);
                assertEquals("threads.madt", browser.evaluate("byId('title').textContent"));
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
}
