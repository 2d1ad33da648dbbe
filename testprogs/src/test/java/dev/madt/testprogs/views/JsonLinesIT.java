package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks that what python's reader of JSON makes of {@code madt convert --to jsonl} are the events
 * that other commands tell.
 */
class JsonLinesIT {
    /**
     * Counts accesses by data object as a report does, and prints how many events of each kind
     * there are.
     */
    private static final String SCRIPT =
            """
            import collections, csv, json, sys
            rows, kinds = collections.defaultdict(lambda: [0, 0, 0]), collections.Counter()
            for line in open('events.jsonl'):
                event = json.loads(line)
                kinds[event['kind']] += 1
                if event['kind'] in 'LS':
                    row = rows[event['symbol'], event['region']]
                    row['LS'.index(event['kind'])] += 1
                    row[2] += event['size']
                    assert int(event['address'], 16) >= event['offset'] >= 0, line
            report = {(row['block'], row['region']): [int(row['loads']), int(row['stores']), \
            int(row['bytes'])]
                      for row in csv.DictReader(open('report.csv')) if int(row['loads']) + \
            int(row['stores'])}
            assert dict(rows) == report, [(key, rows.get(key), report.get(key)) for key in \
            set(rows) | set(report) if rows.get(key) != report.get(key)]
            print(' '.join(f'{kind}{count}' for kind, count in sorted(kinds.items())))
            """;

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "stringops.O2"})
    void shouldHoldEveryEvent(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        Files.writeString(
                directory.resolve("events.jsonl"), madt("convert", "--to", "jsonl", trace));
        Files.writeString(
                directory.resolve("report.csv"),
                // tables have the name of the function in full, events those of lines
                madt("report", "--by", "block", "--no-demangle", "--format", "csv", trace)
                        .replace("<realloc0", "<reallo0")
                        .replace("<mmap0", "<memmap0"));
        Files.writeString(directory.resolve("count.py"), SCRIPT);
        StringBuilder printed = new StringBuilder();
        madt("print", trace)
                .lines()
                .map(line -> line.charAt(0))
                .sorted()
                .collect(Collectors.groupingBy(
                        letter -> letter, TreeMap::new, Collectors.counting()))
                .forEach((letter, count) -> printed.append(printed.isEmpty() ? "" : " ")
                        .append(letter)
                        .append(count));
        assertEquals(
                printed.toString(),
                MadtRun.command(directory, List.of("python3", "count.py"))
                        .expect(0)
                        .text()
                        .strip());
    }

    /** jq takes every line for an object, and adds up what the report has in its total. */
    @Test
    void shouldBeWhatJqAddsUpToTheReport() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/jq")), "no jq");
        String trace = Recording.of(MadtRun.program("cpp.O2")).toString();
        Path events = Files.writeString(
                directory.resolve("events.jsonl"), madt("convert", "--to", "jsonl", trace));
        Path report = Files.writeString(
                directory.resolve("report.json"), madt("report", "--format", "json", trace));
        String sums = MadtRun.command(
                        directory,
                        List.of(
                                "jq",
                                "-s",
                                "-c",
                                "map(select(.kind == \"L\" or .kind == \"S\"))"
                                        + " | [(map(select(.kind == \"L\")) | length),"
                                        + " (map(select(.kind == \"S\")) | length),"
                                        + " (map(.size) | add)]",
                                events.toString()))
                .expect(0)
                .text();
        String total = MadtRun.command(
                        directory,
                        List.of(
                                "jq",
                                "-c",
                                ".total | [.loads, .stores, .bytes]",
                                report.toString()))
                .expect(0)
                .text();
        assertTrue(total.matches("\\[[1-9][0-9]*,[1-9][0-9]*,[1-9][0-9]*\\]\n"), total);
        assertEquals(total, sums);
        assertEquals(
                Files.readAllLines(events).size() + "\n",
                MadtRun.command(
                                directory,
                                List.of(
                                        "jq",
                                        "-s",
                                        "map(select(type == \"object\" and .kind)) | length",
                                        events.toString()))
                        .expect(0)
                        .text());
    }

    @Test
    void shouldSelectAllocationsAsPrintDoes() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        long printed = madt("print", "--kind", "allocation", "--function", "append", trace)
                .lines()
                .count();
        assertTrue(printed > 5, printed + " lines");
        assertEquals(
                printed,
                madt(
                                "convert",
                                "--to",
                                "jsonl",
                                "--kind",
                                "allocation",
                                "--function",
                                "append",
                                trace)
                        .lines()
                        .count());
    }
}
