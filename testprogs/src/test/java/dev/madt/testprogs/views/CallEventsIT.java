package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.Browser;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.PerfettoText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls, their arguments and results, and windows in lists of events and in timelines: the lines of
 * {@code madt print} can be made of them again.
 */
class CallEventsIT {
    private static final String LINE =
            "if .kind == \"O\" or .kind == \"Q\" then \"\\(.kind)$\\(.window):\\(.cause)\""
                    + " + (if .time then \",t=\\(.time)\" else \"\" end)"
                    + " elif .kind == \"B\" then \"B$\\(.number):\\(.function)\""
                    + " + (if .arguments then \"(\\(.arguments))\" else \"\" end)"
                    + " + \",\\(.caller // \"?\")\""
                    + " + (if .time then \",t=\\(.time)\" else \"\" end)"
                    + " elif .kind == \"X\" then \"X$\\(.number):\\(.function)\""
                    + " + (if .result then \"=\\(.result)\" else \"\" end)"
                    + " + (if .elapsed then \",\\(.elapsed),\\(.self)\" else \"\" end)"
                    + " else empty end";
    private static final Pattern GIVEN = Pattern.compile("B\\$\\d+:[^(,]*\\((.*)\\),[^)]*");
    private static final Pattern RETURNED = Pattern.compile("X\\$\\d+:[^,=]*=(.*),\\d+,\\d+");

    private static final int LINES = 9;
    /** Lines of windows of a time, in which a busy machine may do next to nothing. */
    private static final int WINDOWS = 2;

    @TempDir
    Path directory;

    private Path trace;

    private void record(String source, String options, String... arguments) throws Exception {
        Path program = CallProgram.build(directory, source, "-g", "-lm");
        trace = directory.resolve("t.madt");
        List<String> command = new ArrayList<>(List.of("trace", "-qf", "-o", "" + trace));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of("--", "" + program));
        command.addAll(List.of(arguments));
        MadtRun.madt(directory, command.toArray(String[]::new)).expect(0);
    }

    private void recordArguments() throws Exception {
        record("args.c", "--calls args:* --args args:*");
    }

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** @param least lines that there are */
    private List<String> printed(int least) throws Exception {
        List<String> lines =
                madt("print", "--kind", "call,window", "" + trace).lines().toList();
        assertTrue(lines.size() >= least, lines.toString());
        return lines;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "args.c --calls args:* --args args:*",
                "windows.c --start func:frame --for 1ms --windows 2 --time none rounds 5",
                "ways.c --calls ways:*"
            })
    @SoakCases({
        "args.c --calls args:* --args args:* --time none",
        "windows.c --start func:frame --stop return:frame --windows 3 rounds 5"
    })
    void shouldTellCallsInLists(String what) throws Exception {
        String source = what.substring(0, what.indexOf(' '));
        String options = what.substring(source.length() + 1).replace(" rounds 5", "");
        record(source, options, what.endsWith(" rounds 5") ? "rounds 5".split(" ") : new String[0]);
        Path json = directory.resolve("events.jsonl");
        madt("convert", "-f", "--to", "jsonl", "-o", "" + json, "" + trace);
        List<String> lines = printed(what.contains(" --for ") ? WINDOWS : LINES).stream()
                .map(line -> line.replaceAll("^(X\\$\\d+:[^?=]*)\\?", "$1"))
                .toList();
        assertEquals(
                lines,
                MadtRun.command(directory, List.of("jq", "-r", LINE, "" + json))
                        .expect(0)
                        .text()
                        .lines()
                        .toList());
        // a table does not tell arguments that are not known from none
        assertEquals(lines.stream().map(line -> line.replace("()", "")).toList(), ofTable());
    }

    /** The lines that rows of CSV mean. */
    private List<String> ofTable() throws Exception {
        List<String> rows = madt("convert", "--to", "csv", "" + trace).lines().toList();
        List<String> keys = CsvLine.cells(rows.get(0));
        List<String> lines = new ArrayList<>();
        for (String text : rows.subList(1, rows.size())) {
            List<String> cells = CsvLine.cells(text);
            assertEquals(keys.size(), cells.size(), text);
            Map<String, String> row = new TreeMap<>();
            for (int i = 0; i < keys.size(); i++) {
                row.put(keys.get(i), cells.get(i));
            }
            String line = line(row);
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private static String line(Map<String, String> row) {
        String kind = row.get("kind");
        String head = kind + "$" + row.get("number") + ":" + row.get("function");
        return switch (kind) {
            case "O", "Q" ->
                kind + "$" + row.get("window") + ":" + row.get("cause") + after(",t=", row, "time");
            case "B" ->
                head
                        + (row.get("arguments").isEmpty() ? "" : "(" + row.get("arguments") + ")")
                        + "," + (row.get("caller").isEmpty() ? "?" : row.get("caller"))
                        + after(",t=", row, "time");
            case "X" ->
                head
                        + after("=", row, "result")
                        + after(",", row, "elapsed")
                        + after(",", row, "self");
            default -> "";
        };
    }

    private static String after(String mark, Map<String, String> row, String key) {
        return row.get(key).isEmpty() ? "" : mark + row.get(key);
    }

    private List<String> matches(Pattern pattern) throws Exception {
        List<String> found = printed(LINES).stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
        assertTrue(found.size() > 3, pattern.pattern());
        return found;
    }

    private Path drawn(String extension) throws Exception {
        Path file = directory.resolve("timeline." + extension);
        madt("timeline", "--no-demangle", "-f", "-o", "" + file, "" + trace);
        return file;
    }

    @Test
    void shouldWriteArgumentsForChrome() throws Exception {
        recordArguments();
        Path json = drawn("json");
        assertEquals(matches(GIVEN), selected(json, "arguments"));
        assertEquals(matches(RETURNED), selected(json, "result"));
    }

    private List<String> selected(Path json, String key) throws Exception {
        String filter = ".traceEvents[].args." + key + " // empty";
        return MadtRun.command(directory, List.of("jq", "-r", filter, "" + json))
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    private List<String> calls(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("print", "--kind", "call"));
        command.addAll(List.of(options));
        command.add("" + trace);
        return madt(command.toArray(String[]::new)).lines().map(String::strip).toList();
    }

    /**
     * Checks that what is read by people has the names of the source, lines for programs the
     * linker's.
     */
    @Test
    void shouldNameFunctionsAsTheSourceDoesInTrees() throws Exception {
        record("args.cpp", "--calls args:*");
        assertTrue(String.join("\n", calls()).contains(":_Z"));
        assertEquals(calls("--demangle"), calls("--tree"));
        assertEquals(calls(), calls("--tree", "--no-demangle"));
        for (String view : List.of("flame", "timeline")) {
            assertTrue(!madt(view, "" + trace).contains("_Z"), view);
        }
    }

    @Test
    void shouldWriteArgumentsForPerfetto() throws Exception {
        recordArguments();
        List<String> texts = PerfettoText.decoded(directory, drawn("pftrace"))
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("string_value: "))
                .map(line -> line.substring("string_value: \"".length(), line.length() - 1))
                .map(line -> line.replace("\\'", "'").replace("\\\"", "\"").replace("\\\\", "\\"))
                .filter(line -> !line.equals("unseen") && !line.equals("never"))
                .toList();
        List<String> expected = new ArrayList<>();
        for (String line : printed(LINES)) {
            for (Pattern pattern : List.of(GIVEN, RETURNED)) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.matches()) {
                    expected.add(matcher.group(1));
                }
            }
        }
        assertEquals(expected, texts);
    }

    @Test
    void shouldShowArgumentsInThePage() throws Exception {
        assumeTrue(Files.isExecutable(Browser.PROGRAM), "no chromium");
        recordArguments();
        Path page = drawn("html");
        List<String> given = matches(GIVEN);
        try (Browser browser = new Browser(directory)) {
            browser.open(page, 1400, 900);
            assertEquals("" + given.size(), browser.evaluate("data.said.length"));
            assertEquals("0", browser.evaluate("data.unsaid"));
            for (String text : given) {
                String quoted = text.replace("\\", "\\\\").replace("'", "\\'");
                assertEquals(
                        "true",
                        browser.evaluate("data.said.some(one => one[3] === '(" + quoted + ")' ||"
                                + " one[3].startsWith('(" + quoted + ")='))"),
                        text);
            }
            browser.evaluate("goTo({lane: data.said[0][0], depth: data.said[0][1],"
                    + " at: data.said[0][2]}); ''");
            assertEquals("true", browser.evaluate("panel.textContent.includes(data.said[0][3])"));
            assertEquals(
                    "true",
                    browser.evaluate("describedCalls({...chosen, spans: 1, calls: 1})"
                            + ".includes(data.said[0][3])"));
            assertEquals(List.of(), browser.complaints());
        }
    }
}
