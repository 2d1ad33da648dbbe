package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.LineDetail;
import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import dev.madt.view.Accesses;
import dev.madt.view.BlockAccess;
import dev.madt.view.RandomEvents;
import dev.madt.view.TraceView;
import dev.madt.view.ViewFeed;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final int EVENTS = 20_011;
    private static final Pattern BLOCK = Pattern.compile("<(?<kind>[a-z]+):?(?<number>\\d+)@[^>]*>(,(?<size>\\d+))?");

    private static Report report(long seed, ReportKey key, boolean patterns) {
        Report report = new Report(key, patterns);
        new RandomEvents(seed, new ViewFeed(report)).give(EVENTS);
        return report;
    }

    private static String lines(long seed) {
        return lines(seed, LineDetail.PLAIN);
    }

    private static String lines(long seed, LineDetail detail) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.SYMBOLIC, detail)).give(EVENTS);
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Loads and stores by a part of their lines. */
    private static Map<String, String> fromLines(long seed, Function<String, String> part) {
        return fromLines(lines(seed), part);
    }

    private static Map<String, String> fromLines(String lines, Function<String, String> part) {
        Map<String, long[]> counts = new TreeMap<>();
        lines.lines().filter(line -> line.startsWith("L$") || line.startsWith("S$")).forEach(line ->
                counts.computeIfAbsent(part.apply(line), name -> new long[2])[line.charAt(0) == 'L' ? 0 : 1]++);
        Map<String, String> result = new TreeMap<>();
        counts.forEach((name, count) -> result.put(name, count[0] + " " + count[1]));
        return result;
    }

    private static Map<String, String> fromReport(long seed, ReportKey key) {
        return rows(report(seed, key, false), key);
    }

    private static Map<String, String> rows(Report report, ReportKey key) {
        Table table = report.table(0);
        int name = table.headings().indexOf(key.word());
        Map<String, long[]> counts = new TreeMap<>();
        for (Object[] row : table.rows()) {
            long[] count = counts.computeIfAbsent((String) row[name], absent -> new long[2]);
            count[0] += (Long) row[1];
            count[1] += (Long) row[2];
        }
        Map<String, String> result = new TreeMap<>();
        counts.forEach((row, count) -> {
            if (count[0] + count[1] > 0) {
                result.put(row, count[0] + " " + count[1]);
            }
        });
        return result;
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void shouldCountFunctionsAsLinesNameThem(long seed) {
        assertEquals(
                fromLines(seed, line -> line.substring(line.lastIndexOf(',') + 1, line.lastIndexOf('+'))),
                fromReport(seed, ReportKey.FUNCTION));
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33, 34})
    void shouldCountBlocksAsLinesNameThem(long seed) {
        Function<String, String> name = line -> {
            String data = line.substring(line.indexOf(':') + 1, line.indexOf(','));
            return data.startsWith("0x") ? "[?]" : data.substring(0, data.lastIndexOf('+'));
        };
        assertEquals(fromLines(seed, name), fromReport(seed, ReportKey.BLOCK));
    }

    /** What a line of {@code print --fields} says of the data; what has no type in the events loses its offset. */
    private static String member(String line) {
        String data = line.substring(line.indexOf(':') + 1, line.indexOf(','));
        if (data.startsWith("0x")) {
            return "[?]";
        }
        boolean typed = data.startsWith("<") ? data.endsWith("?") : data.startsWith("table") || data.startsWith("buffer");
        return typed ? data : data.substring(0, data.lastIndexOf('+'));
    }

    @ParameterizedTest
    @ValueSource(longs = {81, 82, 83})
    void shouldCountMembersAsLinesNameThem(long seed) {
        String lines = lines(seed, new LineDetail(LineDetail.Source.NONE, true, Demangler.NONE, Demangler.NONE));
        Map<String, String[]> blocks = new HashMap<>();
        lines.lines().filter(line -> line.matches("[MCPRE]\\$\\d+:<.*")).map(BLOCK::matcher).filter(Matcher::find)
                .forEach(block -> blocks.put(block.group("number"), new String[] {block.group("kind"), block.group("size")}));
        for (ReportKey key : List.of(ReportKey.SYMBOL, ReportKey.BLOCK)) {
            MemberTypes types = new MemberTypes();
            Report report = new Report(key, false, types);
            new RandomEvents(seed, new ViewFeed(report, Demangler.NONE, types)).give(EVENTS);
            Map<String, String> expected = fromLines(lines, line -> folded(member(line), key, blocks));
            assertTrue(expected.keySet().stream().filter(name -> name.contains("].rest[")).count() > 20, expected.size() + " rows");
            Map<String, String> actual = rows(report, key);
            assertEquals(List.of(), expected.keySet().stream().filter(name -> !actual.containsKey(name)).limit(9).toList());
            assertEquals(List.of(), actual.keySet().stream().filter(name -> !expected.containsKey(name)).limit(9).toList());
            assertEquals(expected, actual);
            assertEquals(report(seed, key, false).bytes(), report.bytes());
        }
    }

    /** A name of {@code print --fields} with the indices that its row leaves out. {@code blocks}: kind and size by number. */
    private static String folded(String member, ReportKey key, Map<String, String[]> blocks) {
        Matcher block = BLOCK.matcher(member);
        String[] made = block.find() ? blocks.get(block.group("number")) : null;
        if (key == ReportKey.SYMBOL) {
            // [0] is the whole of a block that holds one value
            String all = member.replaceAll("\\[\\d+](?!\\?)|(?<!>)\\[\\d+]", "[]");
            return made == null ? all : "<" + made[0] + all.substring(all.indexOf('@'));
        }
        String some = member.replaceFirst("^table\\[\\d+]", "table[]").replaceFirst("open\\[\\d+]", "open[]");
        boolean large = made != null && !some.contains("->") && Long.parseLong(made[1]) > 16 * 16;
        return large ? some.replaceFirst(">\\[[1-9]?\\d+]\\.", ">[].") : some;
    }

    @ParameterizedTest
    @ValueSource(longs = {36, 37})
    void shouldCountSourceLines(long seed) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.RAW)).give(EVENTS);
        Map<String, Long> expected = new TreeMap<>();
        printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.startsWith("L#") || line.startsWith("S#"))
                .forEach(line -> {
                    long code = Long.parseLong(line.substring(line.lastIndexOf(",0x") + 3), 16);
                    int number = RandomEvents.lineOf(code);
                    String file = code % 4 == 0 ? "inline.h:" : "one.c:";
                    expected.merge(number == 0 ? "?" : file + number, 1L, Long::sum);
                });
        Map<String, Long> actual = new TreeMap<>();
        Table table = report(seed, ReportKey.LINE, false).table(0);
        table.rows().forEach(row -> actual.merge((String) row[8], (Long) row[1] + (Long) row[2], Long::sum));
        actual.values().removeIf(count -> count == 0);
        assertEquals(expected, actual);
    }

    @ParameterizedTest
    @EnumSource
    void shouldAddUpToTheWholeTrace(ReportKey key) {
        String lines = lines(41);
        Report report = report(41, key, true);
        long loads = lines.lines().filter(line -> line.startsWith("L$")).count();
        long stores = lines.lines().filter(line -> line.startsWith("S$")).count();
        assertEquals(loads, report.loads());
        assertEquals(stores, report.stores());
        Table table = report.table(0);
        assertEquals(loads, table.rows().stream().mapToLong(row -> (Long) row[1]).sum());
        assertEquals(stores, table.rows().stream().mapToLong(row -> (Long) row[2]).sum());
        assertEquals(report.bytes(), table.rows().stream().mapToLong(row -> (Long) row[3]).sum());
    }

    @Test
    void shouldCountAReuseForEveryAccess() {
        Table table = report(51, ReportKey.REGION, true).table(0);
        int reuse = table.headings().indexOf("reuse");
        for (Object[] row : table.rows()) {
            long accesses = (Long) row[1] + (Long) row[2];
            long counted = row[reuse] == null ? 0 : Table.histogram(row[reuse]).values().stream().mapToLong(n -> n).sum();
            assertEquals(accesses, counted, row[8].toString());
        }
    }

    @Test
    void shouldPutTheHottestFirstAndSayHowManyAreLeftOut() {
        Report report = report(61, ReportKey.BLOCK, false);
        Table all = report.table(0);
        Table few = report.table(3);
        assertEquals(3, few.rows().size());
        assertEquals(all.rows().size() - 3, few.hidden());
        long before = Long.MAX_VALUE;
        for (Object[] row : all.rows()) {
            long accesses = (Long) row[1] + (Long) row[2];
            assertTrue(accesses <= before, accesses + " behind " + before);
            before = accesses;
        }
    }

    /** Passes the sites' accesses on as runs of one site each, and everything else to the view as it is. */
    private static EventConsumer inRuns(ViewFeed feed) {
        Map<Site, Run> runs = new IdentityHashMap<>();
        return (EventConsumer) Proxy.newProxyInstance(EventConsumer.class.getClassLoader(), new Class<?>[] {EventConsumer.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("access")) {
                        return method.invoke(feed, arguments);
                    }
                    Site site = (Site) arguments[2];
                    boolean store = (Boolean) arguments[3];
                    if (store || site.kind() == AccessKind.LOAD) {
                        Run run = runs.computeIfAbsent(site, key -> new Run(16 + runs.size(), new Site[] {site}));
                        long first = (Long) arguments[0] - (site.kind() == AccessKind.MODIFY ? 1 : 0);
                        feed.run(first, (Integer) arguments[1], run, new long[] {0, (Long) arguments[4]}, 1);
                    }
                    return null;
                });
    }

    @ParameterizedTest
    @EnumSource(ReportKey.class)
    void shouldCountRunsAsItCountsAccesses(ReportKey key) {
        for (long seed = 1; seed <= 5; seed++) {
            Report report = new Report(key, false);
            new RandomEvents(seed, inRuns(new ViewFeed(report))).give(EVENTS);
            Report single = report(seed, key, false);
            assertEquals(CsvTable.render(single.table(0)), CsvTable.render(report.table(0)));
            assertEquals(CsvTable.render(single.defectTable()), CsvTable.render(report.defectTable()));
            assertEquals(single.bytes(), report.bytes());
        }
    }

    /** More instructions than are kept at once, each of which comes back later. */
    @Test
    void shouldForgetNoAccessOfManyInstructions() {
        int sites = 200_003;
        Report report = new Report(ReportKey.SYMBOL, false);
        ViewFeed feed = new ViewFeed(report);
        Run[] runs = new Run[sites];
        for (int i = 0; i < sites; i++) {
            runs[i] = new Run(16 + i, new Site[] {new Site(0x401000 + i, 1, AccessKind.MODIFY, 4, 0, false)});
        }
        for (int i = 0; i < 2 * sites; i++) {
            feed.run(2L * i, 1, runs[i % sites], new long[] {0x5000}, 0);
        }
        feed.end(true);
        assertEquals(2L * sites, report.loads());
        assertEquals(2L * sites, report.stores());
        assertEquals(16L * sites, report.bytes());
    }

    @Test
    void shouldReportEveryAccessToADeadBlock() {
        long dead = lines(71).lines()
                .filter(line -> line.startsWith("L$") || line.startsWith("S$"))
                .filter(line -> line.contains(":<freed:") || line.contains(":<unmap:"))
                .count();
        Report report = new Report(ReportKey.SYMBOL, false);
        long[] blockSides = new long[1];
        new RandomEvents(71, new ViewFeed(new TraceView() {
            @Override
            public void accesses(Accesses batch) {
                report.accesses(batch);
            }

            @Override
            public void block(BlockAccess event) {
                blockSides[0]++;
            }
        })).give(EVENTS);
        assertTrue(dead > 100, "only " + dead);
        assertTrue(blockSides[0] > 100, "only " + blockSides[0]);
        assertEquals(dead, report.deadAccesses());
        assertEquals(dead, report.defectTable().rows().stream().mapToLong(row -> (Long) row[0]).sum());
    }
}
