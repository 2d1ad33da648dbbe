package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.Browser;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.PerfettoText;
import dev.madt.testprogs.Slices;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timelines, compared with what {@code madt print} and {@code madt report} say of the trace. */
class TimelineIT {
    private static final Pattern EVENT = Pattern.compile(
            "\\{\"ph\":\"([BE])\",\"pid\":\\d+,\"tid\":(\\d+),\"ts\":(\\d+)\\.(\\d{3})"
                    + "(?:,\"name\":\"([^\"]*)\".*|,\"args\":\\{\"ns\":(\\d+),\"self_ns\":(\\d+)"
                    + "(?:,\"left\":\"(\\w+)\")?\\}\\})");

    @TempDir
    Path directory;

    private Path traced(String source, String... arguments) throws Exception {
        Path program = CallProgram.build(directory, source, "-O2", "-lm");
        Path trace = directory.resolve("program.madt");
        List<String> command = new ArrayList<>(List.of("trace", "-q", "-o", "" + trace, "--"));
        command.add("" + program);
        command.addAll(List.of(arguments));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
        return trace;
    }

    private Path drawn(Path trace, String extension) throws Exception {
        Path file = directory.resolve("timeline." + extension);
        MadtRun.madt(directory, "timeline", "--no-demangle", "-f", "-o", "" + file, "" + trace)
                .expect(0);
        return file;
    }

    private List<String> printed(Path trace) throws Exception {
        return MadtRun.madt(directory, "print", "--no-demangle", "--kind", "call", "" + trace)
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"threads.c,3", "ways.c,''", "throws.cpp,''"})
    void shouldWriteTheCallsForChrome(String source, String argument) throws Exception {
        Path trace = traced(source, argument.isEmpty() ? new String[0] : new String[] {argument});
        Path json = drawn(trace, "json");
        Slices slices = new Slices();
        for (String line : Files.readAllLines(json)) {
            Matcher event =
                    EVENT.matcher(line.endsWith(",") ? line.substring(0, line.length() - 1) : line);
            boolean offCpu = event.matches() && Long.parseLong(event.group(2)) >= 3 << 29;
            if (event.matches() && !offCpu) {
                long at = Long.parseLong(event.group(3) + event.group(4));
                if (event.group(1).equals("B")) {
                    slices.begin(event.group(2), event.group(5), at);
                } else {
                    slices.end(
                            event.group(2),
                            at,
                            Long.parseLong(event.group(6)),
                            Long.parseLong(event.group(7)),
                            event.group(8));
                }
            }
        }
        List<String> lines = printed(trace);
        slices.assertEqual(lines);
        if (Files.isExecutable(Browser.PROGRAM) && source.equals("threads.c")) {
            assertParsed(json, lines);
        }
        String count = MadtRun.command(
                        directory,
                        List.of(
                                "jq",
                                "[.traceEvents[] | select(.ph == \"B\" and .cat != null)] | length",
                                "" + json))
                .expect(0)
                .text()
                .strip();
        assertEquals(
                lines.stream().filter(line -> line.startsWith("B")).count(), Long.parseLong(count));
    }

    /** Checks what a browser takes from the file: each thread's events, ends behind begins. */
    private void assertParsed(Path json, List<String> lines) throws Exception {
        try (Browser browser = new Browser(directory)) {
            browser.open(json);
            browser.evaluate("window.open = {}; window.begun = 0; window.valid = true;"
                    + " for (const event of JSON.parse(document.body.textContent).traceEvents) {"
                    + " if (event.ph === 'M') continue;"
                    + " const stack = open[event.tid] ||= []; begun += event.cat ? 1 : 0;"
                    + " if (event.ph === 'B') stack.push(event.ts);"
                    + " else valid &&= stack.length > 0 && stack.pop() <= event.ts; } ''");
            assertEquals("true", browser.evaluate("valid"));
            assertEquals(
                    "" + lines.stream().filter(line -> line.startsWith("B")).count(),
                    browser.evaluate("begun"));
            assertEquals("0", browser.evaluate("Object.values(open).flat().length"));
        }
    }

    @ParameterizedTest
    @CsvSource({"threads.c,3", "ways.c,''", "throws.cpp,''"})
    void shouldWriteTheCallsForPerfetto(String source, String argument) throws Exception {
        Path trace = traced(source, argument.isEmpty() ? new String[0] : new String[] {argument});
        Slices slices = new Slices();
        String text = PerfettoText.decoded(directory, drawn(trace, "pftrace"));
        new PerfettoText(slices).read(text.lines().toList());
        slices.assertEqual(printed(trace));
    }

    @Test
    void shouldDrawCharacters() throws Exception {
        Path trace = traced("threads.c", "3");
        String text = MadtRun.madt(directory, "timeline", "" + trace).expect(0).text();
        assertTrue(text.startsWith("program.madt: "), text);
        assertEquals(
                4,
                text.lines()
                        .filter(line -> line.matches("threads \\d+, threads \\(\\d+\\)"))
                        .count());
        assertTrue(text.contains("[main--"), text);
        text.lines().forEach(line -> assertTrue(line.length() <= 100, line));
    }

    /** Three threads make 7, 8 and 9 rounds, each with 16 leaves. */
    @Test
    void shouldShowSelectZoomAndSearch() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path trace = traced("threads.c", "3");
        Path page = drawn(trace, "html");
        String leaf = MadtRun.madt(
                        directory,
                        "report",
                        "--by",
                        "call",
                        "--function",
                        "leaf",
                        "--format",
                        "csv",
                        "--columns",
                        "function,calls,total,self,min,mean,p99,max",
                        "" + trace)
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.startsWith("leaf,"))
                .findFirst()
                .orElseThrow();
        try (Browser browser = new Browser(directory)) {
            for (String colours : List.of("light", "dark")) {
                browser.prefer(colours);
                browser.open(page, 1400, 900);
                assertEquals("program.madt", browser.evaluate("byId('title').textContent"));
                assertEquals("4", browser.evaluate("lanes.length"));
                shouldBeginWithMain(browser);
                shouldHaveNoEmptyRows(browser);
                String numbers = browser.evaluate("(fn => [fn.calls, fn.total, fn.self, fn.min,"
                        + " fn.mean, fn.p99, fn.max].join(','))"
                        + "(functions.find(fn => fn.name === 'leaf'))");
                assertEquals(leaf, "leaf," + numbers);
                assertEquals(
                        "384",
                        browser.evaluate("callsOf(functions.find(fn => fn.name === 'leaf')"
                                + ".number).length"));
                keys(browser);
                pointer(browser);
                search(browser);
                browser.open(page, 500, 700);
                String room = browser.evaluate(
                        "[canvas.clientWidth >= 470, scroll.clientHeight >= 150].join()");
                assertEquals("true,true", room);
                assertEquals(List.of(), browser.complaints());
                assertEquals(1, browser.requests().size());
            }
        }
    }

    /**
     * Checks that what a function touches adds up, and the command for a call reports what the call
     * did.
     */
    @Test
    void shouldSayWhichDataCallsTouch() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        Path program = CallProgram.build(directory, "threads.c", "-O2");
        Path trace = directory.resolve("both.madt");
        MadtRun.madt(
                        directory,
                        "trace",
                        "-q",
                        "--record",
                        "accesses,calls",
                        "-o",
                        "" + trace,
                        "--",
                        "" + program,
                        "3")
                .expect(0);
        Path page = drawn(trace, "html");
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1400, 900);
            assertEquals(
                    "true",
                    browser.evaluate("functions.every(fn => fn.touched.reduce((sum, one, at) =>"
                            + " at % 3 ? sum + one : sum, fn.others) === fn.bytes)"));
            String leaf = "functions.find(fn => fn.name === 'leaf')";
            assertTrue(browser.evaluate(leaf + ".touched.includes('sink')").equals("true"));
            browser.evaluate(
                    "goTo(callsOf(functions.find(fn => fn.name === 'works')" + ".number)[0]); ''");
            List<String> command = new ArrayList<>(List.of(
                    browser.evaluate("panel.querySelector('code').textContent").split(" ")));
            command.addAll(List.of("--format", "csv", "--columns", "loads,stores"));
            long accesses = MadtRun.madt(
                            directory, command.subList(1, command.size()).toArray(String[]::new))
                    .expect(0)
                    .text()
                    .lines()
                    .skip(1)
                    .flatMap(line -> List.of(line.split(",")).stream())
                    .mapToLong(Long::parseLong)
                    .sum();
            assertTrue(accesses > 0);
            assertEquals("" + accesses, browser.evaluate("rowOf(chosen).accesses[chosen.at]"));
            assertEquals(List.of(), browser.complaints());
        }
    }

    private static void keys(Browser browser) throws Exception {
        String name = "functions[rowOf(chosen).fn[chosen.at]].name";
        browser.evaluate("canvas.focus()");
        browser.key("ArrowDown");
        assertEquals("main", browser.evaluate(name));
        browser.key("ArrowDown");
        assertEquals("1", browser.evaluate("chosen.depth"));
        browser.key("ArrowRight");
        assertTrue(!browser.evaluate("chosen.at").equals("0"));
        browser.key("ArrowUp");
        assertEquals("main", browser.evaluate(name));
        browser.key("o");
        assertEquals("true", browser.evaluate("lanes.every(lane => rowsOf(lane).length <= FEW)"));
        browser.evaluate("goTo(callsOf(functions.find(fn => fn.name === 'leaf').number)[0]); ''");
        assertEquals(
                "true",
                browser.evaluate("(lane => chosen.depth >= lane.from && chosen.depth < lane.to)"
                        + "(lanes[chosen.lane])"));
        browser.key("o");
        assertEquals("true", browser.evaluate("lanes.every(lane => lane.open)"));
        browser.evaluate("goTo(callsOf(functions.find(fn => fn.name === 'works').number)[0]); ''");
        browser.enter();
        assertEquals(
                "true",
                browser.evaluate("(width => width > 0.8 && width < 1)("
                        + "rowOf(chosen).length[chosen.at] / (view.to - view.from))"));
        assertTrue(browser.evaluate("panel.textContent").contains("all calls of works"));
        String start = browser.evaluate("rowOf(chosen).start[chosen.at]");
        browser.key("n");
        assertEquals("works", browser.evaluate(name));
        assertTrue(!start.equals(browser.evaluate("rowOf(chosen).start[chosen.at]")));
        browser.key("p");
        assertEquals(start, browser.evaluate("rowOf(chosen).start[chosen.at]"));
        browser.key("Home");
        assertEquals("true", browser.evaluate("view.from === whole.from && view.to === whole.to"));
        browser.key("Escape");
        assertEquals("null", browser.evaluate("chosen"));
    }

    private static void pointer(Browser browser) throws Exception {
        String range = "view.to - view.from";
        double before = Double.parseDouble(browser.evaluate(range));
        browser.wheel(500, 300, -120);
        browser.await("(" + range + ") < " + before * 0.9);
        browser.key("Home");
        String box = "boxes.find(box => box.lane === 0 && box.depth === 0)";
        double x = Double.parseDouble(
                browser.evaluate(box + ".x + 30 + canvas.getBoundingClientRect().left"));
        double y = Double.parseDouble(
                browser.evaluate(box + ".y + 8 + canvas.getBoundingClientRect().top"));
        browser.click(x, y);
        assertEquals("main", browser.evaluate("panel.querySelector('h2').textContent"));
        browser.key("Escape");
    }

    private static void search(Browser browser) throws Exception {
        browser.key("/");
        browser.type("lea");
        browser.await("byId('found').textContent !== ''");
        assertEquals("true", browser.evaluate("matches.some(found => found)"));
        assertTrue(browser.evaluate("byId('found').textContent").contains(" calls"));
        browser.key("Escape");
        assertEquals("", browser.evaluate("byId('found').textContent"));
    }

    /** The axis has 0 where main begins, however late after the recording. */
    private static void shouldBeginWithMain(Browser browser) throws Exception {
        assertTrue(
                browser.evaluate("byId('said').textContent").startsWith("Time since main began"));
        assertEquals(
                "true",
                browser.evaluate("data.origin > 0 && data.first >= data.origin"
                        + " && data.first - data.origin < data.last - data.first"));
        assertEquals("0 ns", browser.evaluate("position(data.origin, 1)"));
        assertEquals("−2.5 ms", browser.evaluate("position(data.origin - 2500000, 100000)"));
        assertEquals("0", browser.evaluate("(firstTick(1000) - data.origin) % 1000"));
    }

    /** Rows in which nothing can be seen are not there until one looks closer. */
    private static void shouldHaveNoEmptyRows(Browser browser) throws Exception {
        assertEquals(
                "true",
                browser.evaluate("lanes.every(lane => rowsOf(lane).slice(1).every(row =>"
                        + " isSeen(row, canvas.clientWidth / (view.to - view.from))))"));
        assertEquals(
                "true",
                browser.evaluate("lanes.every((lane, at) => tops[at + 1] - tops[at]"
                        + " - ROW * Math.max(1, rowsOf(lane).length) <= 21)"));
    }
}
