package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.PerfettoText;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Timelines of three windows say where each is and why, as {@code madt info} does. */
class TimelineWindowsIT {
    private static final String CAUSES = "opened by func:frame, closed by return:frame";

    @TempDir
    Path directory;

    private Path trace;

    @BeforeEach
    void record() throws Exception {
        trace = recorded();
    }

    private Path recorded(String... options) throws Exception {
        Path made = directory.resolve("t" + options.length + ".madt");
        List<String> command = new ArrayList<>(List.of("trace", "-qf", "-o", "" + made));
        command.addAll(List.of(options));
        command.addAll(List.of("--start", "func:frame", "--stop", "return:frame"));
        command.addAll(List.of("--windows", "3", "--"));
        command.addAll(List.of("" + CallProgram.build(directory, "windows.c"), "rounds", "5"));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        return made;
    }

    private Path drawn(Path of, String extension) throws Exception {
        Path file = directory.resolve("timeline." + extension);
        MadtRun.madt(directory, "timeline", "-f", "-o", "" + file, "" + of).expect(0);
        return file;
    }

    private static List<String> found(String pattern, String text) {
        List<String> found = new ArrayList<>();
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        while (matcher.find()) {
            found.add(matcher.group(1));
        }
        return found;
    }

    /** Returns where windows open, in seconds. */
    private List<String> opened() throws Exception {
        String info = MadtRun.madt(directory, "info", "" + trace).expect(0).text();
        List<String> opened =
                found("(?m)^  \\d +at ([0-9.]+) s, .*: func:frame until return:frame$", info);
        assertEquals(3, opened.size(), info);
        return opened;
    }

    @Test
    void shouldNameThemInCharacters() throws Exception {
        String text = Files.readString(drawn(trace, "txt"));
        List<String> lines = text.lines()
                .filter(line -> line.startsWith("window "))
                .map(line -> line.replaceAll(" s, [^:]*:", ":"))
                .toList();
        List<String> expected = new ArrayList<>();
        for (String at : opened()) {
            expected.add("window " + (expected.size() + 1) + " at " + at + ": " + CAUSES);
        }
        assertEquals(expected, lines);
        assertTrue(text.lines().anyMatch(line -> line.matches("[ =1-3]*=[ =1-3]*")), text);
        text.lines().forEach(line -> assertTrue(line.length() <= 100, line));
    }

    @Test
    void shouldNameThemWithoutTimes() throws Exception {
        Path untimed = recorded("--time", "none");
        List<String> begins = found(
                "(?m)^window \\d at \\$(\\d+), \\d+ events: " + CAUSES + "$",
                Files.readString(drawn(untimed, "txt")));
        String print = MadtRun.madt(
                        directory, "print", "--kind", "call", "--function", "frame", "" + untimed)
                .expect(0)
                .text();
        assertEquals(found("B\\$(\\d+):frame", print), begins);
    }

    @Test
    void shouldDrawThemAsBars() throws Exception {
        String picture = Files.readString(drawn(trace, "svg"));
        assertEquals(
                List.of("window 1", "window 2", "window 3"),
                found("<rect class=\"w\"[^>]*><title>(.*): " + CAUSES + "</title>", picture));
    }

    @Test
    void shouldWriteThemForChrome() throws Exception {
        String begins = MadtRun.command(
                        directory,
                        List.of(
                                "jq",
                                "-r",
                                ".traceEvents[] | select(.name // \"\" | startswith(\"window \"))"
                                        + " | [.name, .ts, .args[\"opened by\"],"
                                        + " .args[\"closed by\"]] | join(\",\")",
                                "" + drawn(trace, "json")))
                .expect(0)
                .text();
        List<String> expected = new ArrayList<>();
        for (String at : opened()) {
            expected.add("window " + (expected.size() + 1) + "," + at);
        }
        List<String> written = begins.lines()
                .map(line -> line.split(","))
                .peek(cells -> assertEquals("func:frame", cells[2]))
                .peek(cells -> assertEquals("return:frame", cells[3]))
                .map(cells -> cells[0] + ","
                        + new BigDecimal(cells[1])
                                .movePointLeft(6)
                                .setScale(6, java.math.RoundingMode.HALF_UP))
                .toList();
        assertEquals(expected, written);
    }

    @Test
    void shouldWriteThemForPerfetto() throws Exception {
        String text = PerfettoText.decoded(directory, drawn(trace, "pftrace"));
        assertEquals(
                List.of("window 1", "window 2", "window 3"),
                found("\\b\\w+: \"(window \\d)\"", text));
        assertEquals(3, found("\\b\\w+: \"(func:frame)\"", text).size());
        assertEquals(3, found("\\b\\w+: \"(return:frame)\"", text).size());
    }

    @Test
    void shouldGoToThemInThePage() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path page = drawn(trace, "html");
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1400, 900);
            assertEquals("3", browser.evaluate("windows.length"));
            assertEquals("the process", browser.evaluate("data.originOf"));
            String panel = browser.evaluate("panel.textContent");
            Stream.of("window 1", "window 2", "window 3", CAUSES)
                    .forEach(text -> assertTrue(panel.contains(text), panel));
            browser.evaluate("canvas.focus()");
            for (int i = 0; i < 4; i++) {
                browser.key("r");
                assertEquals(
                        "true",
                        browser.evaluate("(one => one.start >= view.from - 1 &&"
                                + " one.end <= view.to + 1 &&"
                                + " view.to - view.from < 1.2 * (one.end - one.start))"
                                + "(windows[" + i % 3 + "])"));
            }
            browser.key("Home");
            double x = Double.parseDouble(browser.evaluate("boxes.find(box => box.window"
                    + " === windows[1]).x + canvas.getBoundingClientRect().left + 1"));
            double y = Double.parseDouble(
                    browser.evaluate("canvas.getBoundingClientRect().top + AXIS - 3"));
            browser.click(x, y);
            assertEquals(
                    "true",
                    browser.evaluate("view.to - view.from"
                            + " < 1.2 * (windows[1].end - windows[1].start)"));
            assertEquals(List.of(), browser.complaints());
        }
    }
}
