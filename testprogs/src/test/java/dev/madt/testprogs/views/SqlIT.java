package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.testprogs.CsvLine;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.Recording;
import dev.madt.testprogs.TraceFile;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.parquet.AccessFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that what {@code madt sql} says of a trace is what other commands say of it. */
class SqlIT {
    private static final String SUMS =
            "count(*) filter (kind = 'L') loads, count(*) filter (kind = 'S') stores,"
                    + " sum(size) bytes from accesses group by all";

    @TempDir
    Path directory;

    private String madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text();
    }

    /** The rows of a query, each as its values by the names of the columns. */
    private List<Map<String, String>> query(String trace, String query, String... options)
            throws Exception {
        Path file = directory.resolve("rows.csv");
        List<String> all =
                new ArrayList<>(List.of("sql", "-f", "-o", file.toString(), "--format", "csv"));
        all.addAll(List.of(options));
        all.addAll(List.of(trace, query));
        madt(all.toArray(String[]::new));
        return CsvLine.rows(Files.readString(file));
    }

    private List<Map<String, String>> csv(String... arguments) throws Exception {
        return CsvLine.rows(madt(arguments));
    }

    /** Loads, stores and bytes by a name, of rows that have any. */
    private static Map<String, String> sums(
            List<Map<String, String>> rows, Function<Map<String, String>, String> name) {
        Map<String, String> sums = new TreeMap<>();
        for (Map<String, String> row : rows) {
            if (!row.get("loads").equals("0") || !row.get("stores").equals("0")) {
                String sum = row.get("loads") + " " + row.get("stores") + " " + row.get("bytes");
                assertEquals(null, sums.put(name.apply(row), sum), () -> "two of " + row);
            }
        }
        return sums;
    }

    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "stringops.O2", "matrix.O2"})
    void shouldCountWhatReportsCount(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        Map<String, String> functions = sums(
                csv("report", "--by", "function", "--format", "csv", trace),
                row -> row.get("function") + " " + row.get("module").replaceAll("^\\[|\\]$", ""));
        assertTrue(functions.size() > 3, functions.toString());
        assertEquals(
                functions,
                sums(
                        query(trace, "select function, module, " + SUMS),
                        row -> row.get("function") + " " + row.get("module")));
        assertEquals(
                sums(
                        csv("report", "--by", "symbol", "--format", "csv", trace),
                        row -> row.get("symbol") + " " + row.get("region")),
                sums(
                        query(trace, "select data, region, " + SUMS),
                        row -> row.get("data") + " " + row.get("region")));
        assertEquals(
                sums(
                        csv("report", "--by", "thread", "--format", "csv", trace),
                        row -> row.get("thread")),
                sums(query(trace, "select thread, " + SUMS), row -> row.get("thread")));
    }

    @Test
    void shouldSayWhichFileCannotBeWritten() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String query = "copy (select * from accesses) to '/dev/full' (use_tmp_file false)";
        MadtRun run = MadtRun.madt(directory, "sql", trace, query).expect(1);
        assertEquals("madt: cannot write /dev/full: no space left on device.\n", run.errors());
    }

    /** Threads that do the same in turn, with and without the order of the trace. */
    @ParameterizedTest
    @ValueSource(strings = {"thread", "thread, function", "thread, data", "thread, kind, line"})
    void shouldGiveEachThreadItsAccesses(String columns) throws Exception {
        Recorder recorder = new Recorder(directory);
        recorder.run(MadtRun.program("threads/churn").toString(), "7", "30").expect(0);
        String trace = recorder.trace().toString();
        String counted = "select " + columns + ", count(*) n from accesses";
        String grouped = " group by all order by all";
        List<Map<String, String>> expected = query(trace, counted + " where number >= 0" + grouped);
        long threads =
                expected.stream().map(row -> row.get("thread")).distinct().count();
        assertTrue(threads > 20, threads + " threads");
        assertEquals(expected, query(trace, counted + grouped));
        assertEquals(
                query(trace, counted + " where number >= 0 and function = 'work'" + grouped),
                query(trace, counted + "(function := 'work')" + grouped));
    }

    /** Blocks of one call come together where no column tells them apart. */
    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2", "names/kinds", "freed.O0"})
    void shouldSayTheSameOfDataOfEachAccess(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        for (String columns : List.of("data, region", "site, allocated_at", "type, function")) {
            String counted = "select " + columns + ", kind, count(*) n from accesses";
            String grouped = " group by all order by all";
            List<Map<String, String>> each = query(trace, counted + " where number >= 0" + grouped);
            assertTrue(each.size() > 3, each.toString());
            assertEquals(each, query(trace, counted + grouped));
        }
    }

    /** Every column of every row, in the order of the trace. */
    @ParameterizedTest
    @ValueSource(strings = {"heap.O0", "cpp.O2"})
    void shouldHaveTheRowsThatOthersAreGiven(String program) throws Exception {
        String trace = Recording.of(MadtRun.program(program)).toString();
        String columns = "number,thread,kind,address,size,symbol,member,offset,region,block,site,"
                + "allocated_at,function,code,module,file,line";
        List<String> expected = csv("convert", "--to", "csv", "--demangle", trace).stream()
                .filter(row -> row.get("kind").matches("[LS]"))
                .map(row -> text(row, columns))
                .toList();
        assertTrue(expected.size() > 1000, expected.size() + " rows");
        assertEquals(
                expected,
                query(
                                trace,
                                "select "
                                        + columns.replace(
                                                        "address,",
                                                        "printf('0x%x', address) address,")
                                                .replace("offset", "\"offset\"")
                                        + " from accesses order by number")
                        .stream()
                        .map(row -> text(row, columns))
                        .toList());
    }

    private static String text(Map<String, String> row, String columns) {
        return List.of(columns.split(",")).stream()
                .map(column -> column + "=" + row.get(column).replaceAll("^'(?=[-=+@])", ""))
                .collect(Collectors.joining(" "));
    }

    private Path recorded(String kinds, String program) throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", kinds);
        recorder.run(MadtRun.program(program).toString());
        return recorder.trace();
    }

    /** Every row, in the same order. */
    @ParameterizedTest
    @CsvSource({"accesses,heap.O0", "accesses,cpp.O2", "'accesses,calls',dispatch.O2"})
    void shouldHaveTheSameRowsInFilesOfParquet(String kinds, String program) throws Exception {
        Path trace = recorded(kinds, program);
        Path one = directory.resolve("one");
        madt("convert", "--to", "parquet", "-o", one.toString(), trace.toString());
        checkSame(trace, "from accesses", "from '" + one + "/*.parquet'");
        Path linked = directory.resolve("linked");
        madt(
                "convert",
                "--to",
                "parquet",
                "--no-demangle",
                "-o",
                linked.toString(),
                trace.toString());
        checkSame(trace, "from accesses", "from '" + linked + "/*.parquet'", "--no-demangle");
    }

    /** Checks that neither row groups nor files change what is in them. */
    @Test
    void shouldHaveTheSameRowsInManyFilesOfParquet() throws Exception {
        Path trace = recorded("accesses,calls", "dispatch.O2");
        Path one = Files.createDirectory(directory.resolve("one"));
        Path many = Files.createDirectory(directory.resolve("many"));
        MemberTypes types = new MemberTypes();
        AccessFiles files = new AccessFiles(many, "a", types, 997, 3);
        Reading reading =
                new Reading(Selection.ALL).add(files).add(new AccessFiles(one, "a", types));
        TraceFile.read(trace, reading.consumer(Demangler.NONE, types));
        assertTrue(files.files() > 1, files.files() + " files");
        checkSame(trace, "from '" + one + "/*.parquet'", "from '" + many + "/*.parquet'");
    }

    private void checkSame(Path trace, String expected, String actual, String... names)
            throws Exception {
        assertEquals(
                List.of(Map.of("missing", "0", "added", "0", "counts", "0", "unsorted", "0")),
                query(
                        trace.toString(),
                        "select (select count(*) from (" + expected + " except " + actual
                                + ")) missing, (select count(*) from (" + actual + " except "
                                + expected + ")) added, (select count(*) " + expected
                                + ") - (select count(*) " + actual + ") counts,"
                                + " (select count(*) from (select number < lag(number) over () u "
                                + actual + ") where u) unsorted",
                        names));
    }

    @Test
    void shouldDrawTheRowsOfAQuery() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String svg = madt(
                "sql",
                "--chart",
                "bar",
                trace,
                "select kind, count(*) from accesses group by all order by 1");
        List<Map<String, String>> rows =
                query(trace, "select kind, count(*) n from accesses group by all order by 1");
        for (Map<String, String> row : rows) {
            String count = String.format("%,d", Long.parseLong(row.get("n")));
            assertTrue(svg.contains("<title>" + row.get("kind") + ": " + count + "</title>"), svg);
        }
        Path page = directory.resolve("page.html");
        madt(
                "sql",
                "--chart",
                "heat",
                "-o",
                page.toString(),
                trace,
                "select number // 100 \"time\", region, count(*) from accesses group by all");
        assertTrue(Files.readString(page).contains("[heap]"));
        assertTrue(
                madt("sql", "--chart", "line", trace, "select 1 a, 2 b, 'x' c").contains("x"));
        MadtRun.madt(directory, "sql", "--chart", "heat", trace, "select 1 a, 2 b")
                .expect(2);
    }

    /** Checks that a selection while the trace is read is what a condition selects. */
    @Test
    void shouldSelectByArgumentsAsByConditions() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String counts = "select function, kind, count(*) n, min(number) least from accesses";
        for (String[] both : new String[][] {
            {"function := 'append'", "function = 'append'"},
            {"kind := 'store'", "kind = 'S'"},
            {"region := '[heap]'", "region = '[heap]'"},
            {"first := 100, last := 2000", "number between 100 and 2000"}
        }) {
            String grouped = " group by all order by all";
            List<Map<String, String>> expected =
                    query(trace, counts + " where (" + both[1] + ") is true" + grouped);
            assertTrue(!expected.isEmpty(), both[1]);
            assertEquals(expected, query(trace, counts + " where " + both[1] + grouped));
            assertEquals(
                    expected, query(trace, counts + "(" + both[0] + ") group by all order by all"));
        }
    }

    /** Compares conditions that reach the reader with such as do not. */
    @ParameterizedTest
    @ValueSource(strings = {"function", "region", "file", "kind"})
    void shouldFindTheRowsOfEachValue(String column) throws Exception {
        String trace = Recording.of(MadtRun.program("cpp.O2")).toString();
        String counted = "select count(*) n, min(number) least from accesses where ";
        for (Map<String, String> row : query(
                trace,
                "select distinct " + column + " from accesses where " + column
                        + " is not null order by all limit 3")) {
            String condition = column + " = '" + row.get(column) + "'";
            List<Map<String, String>> expected =
                    query(trace, counted + "(" + condition + ") is true");
            assertTrue(!expected.get(0).get("n").equals("0"), condition);
            assertEquals(expected, query(trace, counted + condition));
            if (!column.equals("kind")) { // whose argument has names of its own
                String argument = "(" + condition.replace("=", ":=") + ") where ";
                assertEquals(expected, query(trace, counted.replace(" where ", argument) + "true"));
            }
        }
    }

    @Test
    void shouldSayWhatIsWrongWithAQuery() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String said = MadtRun.madt(directory, "sql", trace, "select functoin from accesses")
                .expect(2)
                .errors();
        assertTrue(
                said.contains("functoin") && said.contains("function") && said.contains("LINE 1:"),
                said);
        assertTrue(
                MadtRun.madt(directory, "sql", trace, "select sum(line) frm accesses where")
                        .expect(2)
                        .errors()
                        .contains("syntax error"),
                said);
        String kind = MadtRun.madt(directory, "sql", trace, "from accesses(kind := 'x')")
                .expect(2)
                .errors();
        assertTrue(kind.startsWith("madt: the query has a fault. kind is a list of access,"), kind);
    }

    @Test
    void shouldSayWhichTraceIsNotThere() throws Exception {
        for (String query : List.of("select 1", "select count(*) from accesses")) {
            MadtRun run = MadtRun.madt(directory, "sql", "none.madt", query).expect(1);
            assertEquals("madt: none.madt: no such file or directory\n", run.errors());
            assertEquals("", run.text());
        }
    }

    /** Statements in front of the last one make what it reads; all forms have the same rows. */
    @Test
    void shouldWriteFilesThatItReads() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        Path parquet = directory.resolve("rows.parquet");
        madt(
                "sql",
                "-f",
                "--format",
                "parquet",
                "-o",
                parquet.toString(),
                trace,
                "create view mine as from accesses; select * from mine");
        Path json = directory.resolve("rows.json");
        madt("sql", "-f", "--format", "json", "-o", json.toString(), trace, "from accesses");
        String same = "select count(*) n, sum(hash(a)) h from ";
        assertEquals(query(trace, same + "accesses a"), query(trace, same + "'" + parquet + "' a"));
        assertEquals(
                query(trace, "select count(*) n, sum(address) a from accesses"),
                query(trace, "select count(*) n, sum(address) a from '" + json + "'"));
    }

    /** Standard output that cannot be opened by a name: a socket. */
    @ParameterizedTest
    @ValueSource(strings = {"csv", "json", "parquet"})
    void shouldWriteToASocket(String format) throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        String query = "select number, kind, address from accesses";
        Path file = directory.resolve("rows");
        madt("sql", "--format", format, "-o", file.toString(), trace, query);
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<byte[]> taken = CompletableFuture.supplyAsync(() -> {
                try (Socket socket = listening.accept()) {
                    return socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            String port = "/dev/tcp/127.0.0.1/" + listening.getLocalPort();
            shell("sql --format " + format + " " + trace + " '" + query + "' >" + port);
            assertArrayEquals(Files.readAllBytes(file), taken.get(1, TimeUnit.MINUTES));
        }
    }

    /** Carries out a line of a shell in which {@code madt} begins, with its temporary files. */
    private void shell(String line) throws Exception {
        Path temporary = Files.createDirectories(directory.resolve("temporary"));
        MadtRun.command(
                        directory,
                        List.of(
                                "bash",
                                "-c",
                                "export TMPDIR=" + temporary + "; " + MadtRun.launcher() + " "
                                        + line))
                .expect(0);
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList());
        }
    }

    /** The rows go behind what is in the file already, and in front of what comes then. */
    @Test
    void shouldWriteBehindWhatIsThere() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        Path all = Files.writeString(directory.resolve("all"), "first\n");
        shell("sql --format csv " + trace + " 'select 6 * 7 as x' >>" + all);
        shell("sql --format json " + trace + " 'select 6 * 7 as x' >>" + all);
        assertEquals("first\nx\n42\n{\"x\":42}\n", Files.readString(all));
    }

    /** A reader that has seen enough ends the query. */
    @Test
    void shouldEndWhereNobodyReads() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        shell("sql --format csv " + trace + " 'select i from range(100000000000) t(i)'"
                + " 2>said | head -2 >few");
        assertEquals("i\n0\n", Files.readString(directory.resolve("few")));
        assertEquals("", Files.readString(directory.resolve("said")).replaceAll("Picked.*\n", ""));
    }

    @Test
    void shouldGiveTheSoundPartOfADamagedTrace() throws Exception {
        byte[] whole = Files.readAllBytes(Recording.of(MadtRun.program("heap.O0")));
        Path cut = directory.resolve("cut.madt");
        Files.write(cut, Arrays.copyOf(whole, whole.length * 2 / 3));
        MadtRun report = MadtRun.madt(
                directory, "report", "--by", "thread", "--format", "csv", cut.toString());
        MadtRun sql = MadtRun.madt(directory, "sql", cut.toString(), "select thread, " + SUMS);
        assertEquals(report.status(), sql.status());
        assertEquals(report.errors(), sql.errors());
        List<Map<String, String>> sound = CsvLine.rows(report.text());
        assertTrue(
                sql.text().replace(",", "").contains(sound.get(0).get("loads")),
                sql.text() + report.text());
    }

    /** A program with threads, one with heap blocks and one that copies, all with their calls. */
    private List<String> traces() throws Exception {
        List<String> traces = new ArrayList<>();
        for (String program : List.of("locks/lines", "heap.O0", "strings.O2")) {
            Recorder recorder = new Recorder(directory)
                    .into(directory.resolve(program.replace('/', '.') + ".madt"))
                    .with("--record", "accesses,calls");
            recorder.run(MadtRun.program(program).toString()).expect(0);
            traces.add(recorder.trace().toString());
        }
        return traces;
    }

    @Test
    void shouldAnswerTheQuestionsOfTheDocument() throws Exception {
        List<String> traces = traces();
        shouldAnswerTheQuestions(traces);
        shouldHaveTheCalls(traces.get(1));
        shouldHaveTheBlocks(traces.get(1));
        shouldHaveTheTransfers(traces.get(2));
        assertEquals(
                sums(
                        csv("report", "--by", "thread", "--format", "csv", traces.get(0)),
                        row -> row.get("thread") + row.get("thread_name")),
                sums(
                        query(traces.get(0), "from threads"),
                        row -> row.get("thread") + row.get("name")));
    }

    /** Each query of the document has rows, over all traces at once. */
    private void shouldAnswerTheQuestions(List<String> traces) throws Exception {
        List<String> queries = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(MadtRun.root().resolve("docs/SQL.md")))
                .results()
                .map(query -> query.group(1))
                .toList();
        assertTrue(queries.size() >= 40, queries.size() + " queries");
        Path file = Files.writeString(directory.resolve("all.sql"), String.join("\n", queries));
        List<String> command = new ArrayList<>(List.of("sql", "--query", file.toString()));
        command.addAll(traces);
        String[] answers = madt(command.toArray(String[]::new)).split("\n\n");
        assertEquals(queries.size(), answers.length);
        for (int i = 0; i < answers.length; i++) {
            assertTrue(answers[i].lines().count() > 1, queries.get(i) + answers[i]);
        }
    }

    private void shouldHaveTheCalls(String trace) throws Exception {
        String columns = "number,kind,thread,function,code,line,caller,result,time,elapsed,self";
        List<String> expected = csv("convert", "--to", "csv", trace).stream()
                .filter(row -> row.get("kind").matches("[BX]"))
                .map(row -> text(row, columns))
                .toList();
        assertTrue(expected.size() > 100, expected.size() + " calls");
        assertEquals(
                expected,
                query(trace, "select " + columns + " from calls order by number").stream()
                        .map(row -> text(row, columns))
                        .toList());
    }

    /** Blocks by the call that allocated them, with what a report by site says of them. */
    private void shouldHaveTheBlocks(String trace) throws Exception {
        List<String> expected = csv("report", "--by", "site", "--format", "csv", trace).stream()
                .filter(row -> !row.get("blocks").isEmpty())
                .map(row -> String.join(
                        " ",
                        row.get("allocation_site"),
                        row.get("blocks"),
                        row.get("allocated"),
                        row.get("alive"),
                        row.get("loads"),
                        row.get("stores")))
                .sorted()
                .toList();
        assertTrue(expected.size() > 3, expected.toString());
        assertEquals(
                expected,
                query(
                                trace,
                                "select data, count(*) n, sum(size) a, count(*) filter (ended is"
                                        + " null) e, sum(loads) l, sum(stores) s from blocks"
                                        + " group by data")
                        .stream()
                        .map(row -> String.join(
                                " ",
                                row.get("data"),
                                row.get("n"),
                                row.get("a"),
                                row.get("e"),
                                row.get("l"),
                                row.get("s")))
                        .sorted()
                        .toList());
    }

    private void shouldHaveTheTransfers(String trace) throws Exception {
        String columns = "number,thread,kind,size,symbol,offset,region,block,from_symbol,"
                + "from_offset,from_region,from_block,function,code,module,file,line";
        List<String> expected = csv("convert", "--to", "csv", trace).stream()
                .filter(row -> row.get("kind").matches("[YWG]"))
                .map(row -> text(row, columns))
                .toList();
        assertTrue(expected.size() > 3, expected.size() + " transfers");
        assertEquals(
                expected,
                query(
                                trace,
                                "select " + columns.replace(",offset", ",\"offset\"")
                                        + " from transfers order by number")
                        .stream()
                        .map(row -> text(row, columns))
                        .toList());
    }

    /** A terminal of script(1), into which a user types. */
    @Test
    void shouldTalkAtAPrompt() throws Exception {
        String trace = Recording.of(MadtRun.program("heap.O0")).toString();
        Path typed = Files.writeString(
                directory.resolve("typed"),
                ".schema threads\nselect functoin from accesses;\nselect 6 * 7\n  as answer;\n"
                        + "\033[Aselect 'still ' || 'here';\nhelp\n EXIT; \nselect 4 * 17;\n");
        String said = MadtRun.command(
                        directory,
                        List.of(
                                "sh",
                                "-c",
                                "TERM=dumb"
                                        + " XDG_CACHE_HOME=" + directory + " script -qec 'stty cols"
                                        + " 120 rows 40; " + MadtRun.launcher() + " sql " + trace
                                        + "' /dev/null <" + typed))
                .expect(0)
                .text();
        assertTrue(said.contains("threads (trace VARCHAR, process INTEGER, thread"), said);
        assertTrue(said.contains("Candidate bindings: \"function\""), said);
        assertTrue(said.contains("answer") && said.contains("42"), said);
        assertTrue(said.contains("still here"), said);
        assertTrue(said.contains(".tables"), said);
        assertFalse(said.contains("68"), said);
        assertTrue(Files.readString(directory.resolve("madt/sql-history")).contains("6 * 7"));
    }
}
