package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks how {@code madt sql} shows the rows of a query, and what it says where there are none. */
class SqlTablesIT {
    @TempDir
    Path directory;

    private static String trace() throws Exception {
        return Recording.of(MadtRun.program("heap.O0")).toString();
    }

    private MadtRun sql(String query) throws Exception {
        return MadtRun.madt(directory, "sql", trace(), query);
    }

    private List<String> shown(String query) throws Exception {
        return sql(query).expect(0).text().lines().toList();
    }

    @Test
    void shouldHaveAllColumnsThatAreAskedFor() throws Exception {
        assertEquals(
                "a  b  c  d",
                shown("select null::varchar as a, 1 as b, null::int c, '' d").get(0));
        assertTrue(shown("describe accesses").get(0).contains("key"));
    }

    @Test
    void shouldShowEachNullTheSameWay() throws Exception {
        assertEquals(
                List.of("a  b  c", "–  1  –", "x  –  –"),
                shown("select null::varchar as a, 1 as b, null::int c union all"
                        + " select 'x', null, null order by 1 nulls first"));
    }

    @Test
    void shouldDrawAPlanAsItIs() throws Exception {
        List<String> plan = shown("explain select function, count(*) from accesses group by all");
        String whole = String.join("\n", plan);
        assertTrue(plan.get(0).matches("╭─ Hash Group By ─+╮"), whole);
        assertTrue(plan.contains("│ Aggregates: count_star() │"), whole);
        assertFalse(whole.contains("…"), whole);
    }

    /** Lists, structures and the like are texts, and change nothing of other columns. */
    @Test
    void shouldFormatColumnsBesideLists() throws Exception {
        assertEquals(
                List.of(
                        "address       x  y          x      address           n",
                        "0x10     12,345  [1, 2, 3]  1.500  {'a': 1, 'b': 2}  0.333333"),
                shown("select 16::bigint address, 12345 x, [1, 2, 3] y, 1.5::decimal(5,3) x,"
                                + " {'a': 1, 'b': 2} address, 1/3 n")
                        .stream()
                        .map(String::strip)
                        .toList());
    }

    /** Nobody looks at the right edge of a pipe. */
    @Test
    void shouldShortenNothingInAPipe() throws Exception {
        String long1 = "x".repeat(150);
        assertEquals(
                long1 + "  " + long1,
                shown("select '" + long1 + "' as type, '" + long1 + "' as b").get(1));
    }

    @Test
    void shouldSayWhichArgumentIsWrong() throws Exception {
        String said = sql("from accesses(kind := 'foo')").expect(2).errors();
        assertTrue(said.startsWith("madt: the query has a fault. kind is a list of access,"), said);
        said = sql("from accesses(first := 'x')").expect(2).errors();
        assertTrue(said.startsWith("madt: the query has a fault. first "), said);
    }

    @Test
    void shouldSayWhichKindsThereAre() throws Exception {
        String said = sql("select count(*) from accesses where kind = 'load'")
                .expect(0)
                .errors();
        assertEquals(
                "madt: the column kind of accesses is 'L' for loads and 'S' for stores,"
                        + " never 'load'.\n",
                said);
        assertEquals("", sql("from accesses where kind = 'L' limit 1").expect(0).errors());
    }

    /** Lines of allocations, blocks and calls are in other tables. */
    @ParameterizedTest
    @ValueSource(strings = {"M", "Y", "Q", "allocation", "block", "call", "window"})
    void shouldCountNoAccessesOfOtherKinds(String kind) throws Exception {
        assertEquals(
                List.of("n", "0"),
                shown("select count(*) n from accesses(kind := '" + kind + "')"));
    }

    @Test
    void shouldShowWhatWasFoundBeforeAFault() throws Exception {
        MadtRun run = sql("select 5 n; select error('x')").expect(1);
        assertEquals("n\n5\n", run.text());
        assertEquals("madt: x\n", run.errors());
        run = sql("select 5 n; select nosuch").expect(2);
        assertEquals("n\n5\n", run.text());
    }

    @Test
    void shouldDrawNoRows() throws Exception {
        MadtRun run = MadtRun.madt(
                directory,
                "sql",
                "--chart",
                "bar",
                "-o",
                "empty.svg",
                trace(),
                "select kind, 1 from accesses where kind = 'x'");
        String said = run.expect(1).errors();
        assertTrue(said.endsWith("madt: the query has no rows to draw.\n"), said);
        assertFalse(Files.exists(directory.resolve("empty.svg")));
    }

    /** Addresses that tables show can be put into a condition. */
    @Test
    void shouldTakeAddressesAsTheyAreShown() throws Exception {
        String address = shown("select address from accesses limit 1").get(1);
        for (String constant : List.of("'" + address + "'", "('" + address + "')::bigint")) {
            assertEquals(
                    List.of("n", "yes"),
                    shown("select case when count(*) > 0 then 'yes' end n from accesses"
                            + " where address = " + constant));
        }
    }

    /** So that rows are shown as they come, and not kept. */
    @Test
    void shouldBeginAnewWhereRowsAreMany() throws Exception {
        Map<Boolean, Long> lines = sql("select range::varchar number from range(25000)")
                .expect(0)
                .text()
                .lines()
                .filter(line -> !line.isEmpty())
                .collect(Collectors.partitioningBy("number"::equals, Collectors.counting()));
        assertEquals(Map.of(true, 3L, false, 25_000L), lines);
    }

    @Test
    void shouldSayWhatWasNotRecorded() throws Exception {
        assertEquals(
                "madt: " + trace() + " has no calls. Record them: madt trace -- PROG\n",
                sql("from calls; select count(*) from calls").expect(0).errors());
        assertEquals("", sql("from calls(function := 'main') limit 0").expect(0).errors());
        assertEquals("", sql("from accesses where function = 'none'").expect(0).errors());
        String program = MadtRun.program("heap.O0").toString();
        MadtRun.madt(directory, "trace", "-q", "-o", "c.madt", "--", program).expect(0);
        assertEquals(
                "madt: c.madt has no accesses. Record them: madt run -- PROG\n",
                MadtRun.madt(directory, "sql", "c.madt", "from transfers; from functions")
                        .expect(0)
                        .errors());
    }

    /** Numbers that JSON has not, also within others. */
    @Test
    void shouldWriteJsonThatOthersRead() throws Exception {
        String query = "select 'nan'::double a, ['-inf'::double, 1] b, {'c': 'inf'::float} c";
        String expected = "{\"a\":null,\"b\":[null,1.0],\"c\":{\"c\":null}}\n";
        assertEquals(
                expected,
                MadtRun.madt(directory, "sql", "--format", "json", trace(), query)
                        .expect(0)
                        .text());
        MadtRun.madt(directory, "sql", "--format", "json", "-o", "j", trace(), query)
                .expect(0);
        assertEquals(expected, Files.readString(directory.resolve("j")));
    }

    /** Libraries need more than Java does. */
    @ParameterizedTest
    @ValueSource(ints = {1_000_000, 1_500_000, 2_200_000})
    void shouldSayInALineThatMemoryIsLimited(int limit) throws Exception {
        MadtRun run = MadtRun.command(
                directory,
                List.of(
                        "sh",
                        "-c",
                        "ulimit -v " + limit + "; " + MadtRun.launcher() + " sql " + trace()
                                + " 'select 1'"));
        assertTrue(run.status() <= 1, run.errors());
        assertTrue(run.errors().lines().allMatch(line -> line.startsWith("madt: ")), run.errors());
    }

    /** A terminal of script(1), in which a user brings back what they typed, and a line more. */
    @Test
    void shouldBringBackAStatementAsAWhole() throws Exception {
        Path typed = Files.writeString(
                directory.resolve("typed"), "select 6\n  * 7\n  as answer;\n\033OA\n.quit\n");
        String said = MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                "TERM=xterm NO_COLOR=1 XDG_CACHE_HOME=" + directory
                                        + " script -qec 'stty cols 120 rows 40; "
                                        + MadtRun.launcher() + " sql " + trace()
                                        + "' /dev/null <" + typed))
                .expect(0)
                .text();
        assertEquals(2, said.split("answer\\s*\\R\\s+42", -1).length - 1, said);
    }

    /** Ctrl-D on a line that continues a statement; what is typed behind it comes too late. */
    @Test
    void shouldEndWithinAStatement() throws Exception {
        String type = "until grep -q '%s' said; do sleep 0.1; done; printf '%s'; ";
        MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                "touch said; { " + type.formatted("madt> ", "select 6\\n")
                                        + type.formatted("  [.][.][.] ", "\\004")
                                        + "printf 'select 7;\\n'; } | TERM=xterm XDG_CACHE_HOME="
                                        + directory + " script -qefc 'stty cols 120 rows 40; "
                                        + MadtRun.launcher() + " sql " + trace() + "' said"))
                .expect(0);
        String said = Files.readString(directory.resolve("said"));
        assertFalse(said.contains("fault"), said);
    }
}
