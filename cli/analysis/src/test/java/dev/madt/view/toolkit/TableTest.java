package dev.madt.view.toolkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
    private static Table sample() {
        return new Table("rows", List.of("share", "loads", "name", "strides"))
                .row(new Table.Share(0.75), 12_345L, "a,\"b\"", Map.of("+4", 7L))
                .row(new Table.Share(0.05), 7L, null, null)
                .total(null, 12_352L, "total", null)
                .hidden(3);
    }

    @Test
    void shouldAlignText() {
        assertEquals(
                """
                 share   loads  name
                75.0 %  12,345  a,"b"
                        strides: +4 × 7
                 5.0 %       7
                … 3 more
                        12,352  total
                """,
                new TextTable(false, TextTable.WIDE).render(sample()));
    }

    private static Table chains() {
        return new Table("rows", List.of("times", "calls", "data"))
                .row(2L, new Table.Chain(List.of("add", "=left", "main")), "x")
                .row(1L, null, "y");
    }

    @Test
    void shouldHaveChainsBelowTheirRows() {
        assertEquals(
                """
                times  data
                    2  x
                        calls: add ← =left ← main
                    1  y
                """,
                new TextTable(false, 33).render(chains()));
        assertEquals(
                """
                times  data
                    2  x
                        calls: add ← =left ← …
                    1  y
                """,
                new TextTable(false, 32).render(chains()));
        assertEquals("times,calls,data\n2,add ← =left ← main,x\n1,,y\n", CsvTable.render(chains()));
        assertTrue(JsonTable.render(List.of(), chains())
                .contains("\"calls\": [\"add\", \"=left\", \"main\"], \"data\": \"x\"}"));
    }

    @Test
    void shouldColourOnlyWhenAsked() {
        assertEquals(true, new TextTable(true, TextTable.WIDE).render(sample()).contains("\033["));
        assertEquals(
                false, new TextTable(false, TextTable.WIDE).render(sample()).contains("\033["));
    }

    @Test
    void shouldFitTheWidthByWordsAlone() {
        Table table = new Table("rows", List.of("loads", "secret", "life", "name", "place"))
                .extra(List.of("secret"))
                .row(
                        12_345_678L,
                        1L,
                        7L,
                        "std::vector<…>::emplace_back<…>+45",
                        "a/long/folder/main.cpp:12")
                .row(3L, 2L, null, "short", null)
                .rest(4L, 3L, null, "(no block)", null)
                .total(12_345_685L, 6L, null, "total", null)
                .hidden(2);
        assertEquals(
                """
                     loads  life  name                            place
                12,345,678     7  …::emplace_back<…>+45           a/long/fo…n.cpp:12
                         3     –  short
                … 2 more
                         4        (no block)
                12,345,685        total
                """,
                new TextTable(false, 68).render(table));
        String narrow = new TextTable(false, 40).render(table);
        assertEquals(
                "12,345,678     7  …::emplace_back<…>+45",
                narrow.lines().toList().get(1));
        assertEquals(
                "     loads  secret  life  name                                place",
                new TextTable(false, TextTable.WIDE)
                        .render(table)
                        .lines()
                        .findFirst()
                        .get());
        assertEquals(
                "name,none\nstd::vector<…>::emplace_back<…>+45,\nshort,\n(no block),\n",
                CsvTable.render(table.only(List.of("name", "none"))));
        assertEquals(
                "name,secret\nstd::vector<…>::emplace_back<…>+45,1\nshort,2\n(no block),3\n",
                CsvTable.render(table.only(List.of("name", "secret"))));
    }

    /** OWASP, CSV injection; numbers stay numbers. */
    @Test
    void shouldKeepSpreadsheetsFromTakingNamesForFormulas() {
        Table table = new Table("rows", List.of("name", "difference"))
                .row("=HYPERLINK(\"http://x\")", -3L)
                .row("+9?", "+4.5")
                .row("@SUM(1,2)", 7L)
                .row("-1+1", "-7")
                .row("\tx", "-x")
                .row("a=b", null);
        assertEquals(
                "name,difference\n\"'=HYPERLINK(\"\"http://x\"\")\",-3\n'+9?,+4.5\n"
                        + "\"'@SUM(1,2)\",7\n'-1+1,-7\n'\tx,'-x\na=b,\n",
                CsvTable.render(table));
    }

    @Test
    void shouldSpareColumnsRatherThanTheNamesOfRows() {
        Table table = new Table("rows", List.of("name", "calls", "least", "p99", "most"))
                .spare(List.of("least", "p99"))
                .row("std::vector<…>::emplace_back<…>+45", 12_345L, 1L, 77_777L, 99_999L);
        assertEquals(List.of("name", "calls", "least", "p99", "most"), shown(table, 65));
        assertEquals(List.of("name", "calls", "p99", "most"), shown(table, 58));
        assertEquals(List.of("name", "calls", "most"), shown(table, 57));
        assertEquals(List.of("name", "calls", "most"), shown(table, 30));
        assertEquals(
                List.of("name", "calls", "least", "p99", "most"), shown(table, TextTable.WIDE));
    }

    /** Some of the parts alone would not add up. */
    @Test
    void shouldShowAllPartsOrNone() {
        Table table = new Table("rows", List.of("name", "all", "none", "one", "more", "threads"))
                .spare(List.of("none"))
                .parts(List.of("none", "one", "more"))
                .row("a_variable_with_a_name", 12_345L, 12_000L, 300L, 45L, 3L);
        assertEquals(table.headings(), shown(table, 61));
        assertEquals(List.of("name", "all", "threads"), shown(table, 45));
        assertEquals(List.of("name", "all", "threads"), shown(table.with(table.rows()), 45));
        table.spare(List.of());
        assertEquals(List.of("name", "all"), shown(table, 30));
    }

    @Test
    void shouldKeepToNarrowLines() {
        Table table = new Table("rows", List.of("share", "loads", "name", "type", "threads"))
                .row(
                        new Table.Share(0.5),
                        12_345L,
                        "a_variable_with_a_name",
                        "unsigned long[4]",
                        3L)
                .row(new Table.Share(0.5), 7L, "another", "std::vector<int>", 12_345L);
        for (int width : List.of(30, 40, 50, 60)) {
            String text = new TextTable(false, width).bars(true).render(table);
            text.lines().forEach(line -> assertTrue(line.length() <= width, text));
            assertTrue(text.contains("a_"), text);
        }
        assertEquals(List.of("share", "loads", "name", "threads"), shown(table, 40));
        assertEquals(List.of("share", "loads", "name"), shown(table, 30));
        List<String> all = List.of("share", "loads", "name", "type", "threads");
        assertEquals(all, shown(table.only(all), 30)); // what was asked for stays
    }

    private static List<String> shown(Table table, int width) {
        String headings =
                new TextTable(false, width).render(table).lines().toList().get(0);
        return List.of(headings.trim().split(" +"));
    }

    @Test
    void shouldQuoteCsv() {
        assertEquals(
                """
                share,loads,name,strides
                0.750000,12345,"a,""b""\",+4:7
                0.050000,7,,
                """,
                CsvTable.render(sample()));
    }

    @Test
    void shouldLeaveEmptyCellsOutOfJson() {
        assertEquals(
                """
                {
                "traces": ["one.madt", "two.madt"],
                "units": {},
                "rows": [
                  {"share": 0.750000, "loads": 12345, "name": "a,\\"b\\"", "strides": {"+4": 7}},
                  {"share": 0.050000, "loads": 7}
                ],
                "total": {"loads": 12352, "name": "total"}
                }
                """,
                JsonTable.render(List.of("one.madt", "two.madt"), sample()));
    }

    @Test
    void shouldHaveKeysThatScriptsCanUse() {
        Table table = new Table("rows", List.of("bulk transfers", "block bytes", "mean life"))
                .row(1L, 2L, 3L);
        assertEquals("bulk_events,bulk_bytes,mean_life\n1,2,3\n", CsvTable.render(table));
        assertEquals(
                """
                {
                "traces": [],
                "units": {"bulk_bytes": "bytes", "mean_life": "accesses"},
                "rows": [
                  {"bulk_events": 1, "bulk_bytes": 2, "mean_life": 3}
                ]
                }
                """,
                JsonTable.render(List.of(), table));
    }

    @Test
    void shouldEscapeWhatWouldBreakJsonOrAScript() {
        assertEquals("\"\\u000a\\u003c\\\\\"", JsonText.quoted("\n<\\"));
    }

    @Test
    void shouldRefuseARowOfTheWrongWidth() {
        Table table = new Table("rows", List.of("one"));
        assertThrows(IllegalArgumentException.class, () -> table.row(1L, 2L));
    }

    /** Whoever reads CSV or JSON is told the unit by the key. */
    @Test
    void shouldEndKeysOfTimesOnTheirUnit() {
        List<String> times = List.of("self", "cpu", "waited", "preempted", "syscalls", "p99");
        Object[] cells = times.stream().map(name -> new Table.Time(7)).toArray();
        Table table = new Table("functions", times).row(cells);
        assertEquals(
                "self_ns,cpu_ns,waited_ns,preempted_ns,syscalls_ns,p99_ns\n7,7,7,7,7,7\n",
                CsvTable.render(table));
        assertTrue(
                JsonTable.render(List.of(), table).contains("\"waited_ns\": 7"),
                () -> JsonTable.render(List.of(), table));
    }
}
