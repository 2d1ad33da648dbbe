package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every view of a trace has the same counts. */
class CountsIT {
    private static final List<String> KEYS = List.of(
            "symbol",
            "block",
            "site",
            "type",
            "function",
            "page",
            "thread,symbol",
            "process,line,region");

    /** Loads, stores and bulk transfers; -1 where a view does not have them. */
    private record Counts(long loads, long stores, long blocks) {}

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    @Test
    void shouldBeTheSameInEveryView() throws Exception {
        String trace = Recording.of(MadtRun.program("cpp.O2")).toString();
        Counts counts = counts(madt("print", trace), "(?m)^(%s)[$#]");
        assertTrue(
                counts.loads() > 500 && counts.stores() > 100 && counts.blocks() > 0,
                counts.toString());
        String info = madt("info", trace);
        assertEquals(
                counts,
                new Counts(
                        number(info, "loads +([\\d,]+)"),
                        number(info, "stores +([\\d,]+)"),
                        number(info, "bulk transfers +([\\d,]+)")));
        assertEquals(counts, counts(madt("convert", "--to", "csv", trace), "(?m)^(%s),"));
        assertEquals(
                counts, counts(madt("convert", "--to", "jsonl", trace), "(?m)^.\"kind\":\"(%s)\""));
        for (String key : KEYS) {
            assertReport(counts, key, trace);
        }
        assertEquals(counts, ofPage(trace));
    }

    /** The total, and of accesses the sum of the rows. */
    private void assertReport(Counts counts, String key, String trace) throws Exception {
        String json = madt(
                "report",
                "--by",
                key,
                "--columns",
                "loads,stores,bulk_events",
                "--format",
                "json",
                trace);
        int end = json.indexOf("\"total\"");
        String total = json.substring(end);
        assertEquals(
                counts,
                new Counts(
                        number(total, "\"loads\": (\\d+)"),
                        number(total, "\"stores\": (\\d+)"),
                        number(total, "\"bulk_events\": (\\d+)")),
                key);
        assertEquals(counts.loads(), sum(json.substring(0, end), "loads"), key);
        assertEquals(counts.stores(), sum(json.substring(0, end), "stores"), key);
    }

    private static long sum(String json, String column) {
        return Pattern.compile("\"" + column + "\": (\\d+)")
                .matcher(json)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }

    /** Returns what the page of a heatmap adds up for its footer. */
    private Counts ofPage(String trace) throws Exception {
        Path page = directory.resolve("page.html");
        madt("heatmap", "-o", page.toString(), trace);
        String text = Files.readString(page);
        return new Counts(
                column(text, "cells", 6, 4),
                column(text, "cells", 6, 5),
                column(text, "transfers", 4, 3));
    }

    /** The sum of one column of an array of numbers, which ends in a 0. */
    static long column(String text, String array, int columns, int column) {
        int start = text.indexOf("\"" + array + "\":[") + array.length() + 4;
        String[] numbers = text.substring(start, text.indexOf(']', start))
                .replaceAll("\\s", "")
                .split(",");
        assertEquals(1, numbers.length % columns, array);
        long sum = 0;
        for (int i = column; i < numbers.length; i += columns) {
            sum += Long.parseLong(numbers[i]);
        }
        return sum;
    }

    private static Counts counts(String text, String line) {
        return new Counts(
                count(text, line, "L"), count(text, line, "S"), count(text, line, "[YWG]"));
    }

    private static long count(String text, String line, String letters) {
        return Pattern.compile(line.formatted(letters)).matcher(text).results().count();
    }

    private static long number(String text, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(text);
        assertTrue(found.find(), pattern + " in " + text);
        return Long.parseLong(found.group(1).replace(",", ""));
    }
}
