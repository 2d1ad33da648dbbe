package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.MadtRun;
import dev.madt.view.toolkit.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of all processes of a run: each has what it has alone. */
class ProcessPagesIT {
    @TempDir
    static Path folder;

    private static List<Path> traces;

    @BeforeAll
    static void record() throws Exception {
        Path run = Files.createDirectory(folder.resolve("run"));
        MadtRun.madt(
                        folder,
                        "run",
                        "-q",
                        "-o",
                        run + "/",
                        "--",
                        "sh",
                        "-c",
                        MadtRun.program("globals.O0") + "; " + MadtRun.program("heap.O0") + "; :")
                .expect(0);
        try (Stream<Path> files = Files.list(run)) {
            traces = files.filter(file -> file.toString().endsWith(".madt"))
                    .sorted()
                    .toList();
        }
        assertEquals(3, traces.size(), traces.toString());
    }

    /** The trace of the shell. */
    private static String first() {
        return traces.stream()
                .filter(trace -> trace.getFileName().toString().matches("(da|ba)?sh\\..*"))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    private static String page(String command, String trace, Path page, String... options)
            throws Exception {
        List<String> words = Stream.concat(
                        Stream.of(command, "-o", page.toString(), "-f"),
                        Stream.concat(Stream.of(options), Stream.of(trace)))
                .toList();
        MadtRun.madt(folder, words.toArray(String[]::new)).expect(0);
        return Files.readString(page);
    }

    @ParameterizedTest
    @ValueSource(strings = {"view", "heatmap"})
    void shouldHoldThePageOfEachProcess(String command) throws Exception {
        String all = page(command, first(), folder.resolve(command + ".html"), "--all");
        for (Path trace : traces) {
            String alone = page(command, trace.toString(), folder.resolve("alone.html"));
            assertTrue(
                    all.contains(
                            "{\"name\":" + JsonText.quoted(trace.getFileName().toString())
                                    + ",\"page\":" + JsonText.quoted(alone) + "}"),
                    trace.toString());
        }
        assertEquals(
                page(command, first(), folder.resolve("alone.html")),
                page(command, first(), folder.resolve("again.html")));
    }

    @Test
    void shouldDrawEachProcessAsText() throws Exception {
        String all = page("heatmap", first(), folder.resolve("all.txt"), "--all");
        for (Path trace : traces) {
            String alone = page("heatmap", trace.toString(), folder.resolve("alone.txt"));
            assertTrue(all.contains(trace.getFileName() + ":\n" + alone), all);
        }
        assertTrue(MadtRun.madt(folder, "heatmap", "--all", "-o", "all.png", first())
                .expect(2)
                .errors()
                .contains("--all draws several processes in one .html or .txt, not in .png."));
    }

    @Test
    void shouldShowOneProcessAtATime() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path file = folder.resolve("shown.html");
        page("view", traces.get(0).getParent().toString() + "/", file, "--all");
        try (Browser browser = new Browser(folder)) {
            browser.open(file, 1400, 900);
            for (int i = 0; i < traces.size(); i++) {
                browser.evaluate("location.hash = '" + (i + 1) + "'");
                browser.await("document.getElementById('process').value === '" + i + "'");
                browser.evaluate("window.got = null, fetch(document.getElementById('page').src)"
                        + ".then(answer => answer.text()).then(text => { window.got = text; })");
                browser.await("window.got !== null");
                String name = browser.evaluate("processes[" + i + "].name");
                String alone = page(
                        "view",
                        traces.get(0).resolveSibling(name).toString(),
                        folder.resolve("alone.html"));
                assertEquals(alone, browser.evaluate("window.got"));
            }
            assertEquals(List.of(), browser.complaints());
        }
    }
}
