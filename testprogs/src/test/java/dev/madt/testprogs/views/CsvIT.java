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
 * Checks that what sqlite3 reads of {@code madt convert --to csv} adds up to what other commands
 * say.
 */
class CsvIT {
    /** Rows that only one side has, then the kinds with their numbers of events. */
    private static final String COUNTS =
            """
            .mode csv
            .import events.csv events
            .import report.csv report
            create table a as select symbol, region, sum(kind = 'L') loads, sum(kind = 'S') \
            stores, sum(size) bytes
              from events where kind in ('L', 'S') group by symbol, region;
            create table b as select block, region, loads + 0, stores + 0, bytes + 0 from report \
            where loads + stores > 0;
            .mode list
            select count(*) > 2 from a;
            select 'only in events', * from (select * from a except select * from b) limit 9;
            select 'only in the report', * from (select * from b except select * from a) limit 9;
            select kind || count(*) from events group by kind order by kind;
            """;

    /** Accesses with their members, as print writes them. */
    private static final String MEMBERS =
            """
            .mode csv
            .import events.csv events
            .mode list
            select kind || '$' || number || ':' || symbol || case when member = '' then '+' || \
            offset when member like '[%' then member
              when symbol like '<%' then '->' || member else '.' || member end from events where \
            kind in ('L', 'S') order by number + 0;
            """;

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    private List<String> sqlite(String script) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/sqlite3")), "no sqlite3");
        Files.writeString(directory.resolve("script.sql"), script);
        return MadtRun.command(
                        directory, List.of("sqlite3", "-bail", ":memory:", ".read script.sql"))
                .expect(0)
                .text()
                .lines()
                .toList();
    }

    private void convert(String trace) throws Exception {
        Files.writeString(directory.resolve("events.csv"), madt("convert", "--to", "csv", trace));
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "stringops.O2"})
    void shouldAddUpToTheReport(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        convert(trace);
        Files.writeString(
                directory.resolve("report.csv"),
                // tables have the name of the function in full, events those of lines
                madt("report", "--by", "block", "--no-demangle", "--format", "csv", trace)
                        .replace("<realloc0", "<reallo0")
                        .replace("<mmap0", "<memmap0"));
        StringBuilder expected = new StringBuilder("1");
        madt("print", trace)
                .lines()
                .map(line -> line.charAt(0))
                .sorted()
                .collect(Collectors.groupingBy(
                        letter -> letter, TreeMap::new, Collectors.counting()))
                .forEach((letter, count) -> expected.append(' ').append(letter).append(count));
        assertEquals(expected.toString(), String.join(" ", sqlite(COUNTS)));
    }

    @Test
    void shouldNameMembersAsPrintDoes() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        Files.writeString(
                directory.resolve("events.csv"),
                madt("convert", "--to", "csv", "--blocks-by", "inner", trace));
        List<String> printed = madt("print", "--fields", "--kind", "access", trace)
                .lines()
                .map(line -> line.substring(0, line.indexOf(',')))
                .toList();
        assertTrue(
                printed.stream().filter(line -> line.contains("->")).count() > 100,
                printed.size() + " lines");
        assertEquals(printed, sqlite(MEMBERS));
    }
}
