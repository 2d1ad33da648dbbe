package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.LineDetail;
import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.testing.Tier;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.Needs;
import dev.madt.view.RandomEvents;
import dev.madt.view.ViewFeed;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.Table;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportTest {
    private static final int EVENTS = Tier.of(20_011, 5_003);
    private static final Pattern BLOCK =
            Pattern.compile("<(?<kind>[a-z]+):?(?<number>\\d+)@[^>]*>(,(?<size>\\d+))?");

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
        return printed.toString(StandardCharsets.UTF_8)
                .replaceAll("<reallo(?=[0-9@])", "<realloc") // as tables have them
                .replaceAll("<memmap(?=[0-9@])", "<mmap");
    }

    /** Loads and stores by a part of their lines. */
    private static Map<String, String> fromLines(long seed, Function<String, String> part) {
        return fromLines(lines(seed), part);
    }

    private static Map<String, String> fromLines(String lines, Function<String, String> part) {
        Map<String, long[]> counts = new TreeMap<>();
        lines.lines()
                .filter(line -> line.startsWith("L$") || line.startsWith("S$"))
                .forEach(line -> counts.computeIfAbsent(part.apply(line), name -> new long[2])[
                        line.charAt(0) == 'L' ? 0 : 1]++);
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
                fromLines(
                        seed,
                        line -> line.substring(line.lastIndexOf(',') + 1, line.lastIndexOf('+'))),
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

    /** Bulk transfers by the names of the rows. */
    private static Map<String, Long> bulkTransfers(Report report) {
        Map<String, Long> counts = new TreeMap<>();
        report.table(0)
                .rows()
                .forEach(row -> counts.merge((String) row[8], (Long) row[4], Long::sum));
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /** A copy counts in the rows of both its sides, and once where that is one row. */
    @ParameterizedTest
    @ValueSource(longs = {51, 52, 53})
    void shouldCountBulkTransfersAsLinesNameThem(long seed) {
        Map<String, Long> blocks = new TreeMap<>();
        Map<String, Long> functions = new TreeMap<>();
        int same = 0;
        for (String line :
                lines(seed).lines().filter(l -> l.matches("[YWG]\\$.*")).toList()) {
            String[] parts = line.substring(line.indexOf(':') + 1).split(",");
            boolean copy = line.charAt(0) == 'Y';
            Set<String> sides = new TreeSet<>();
            for (String data : List.of(parts).subList(0, copy ? 2 : 1)) {
                sides.add(data.startsWith("0x") ? "[?]" : data.substring(0, data.lastIndexOf('+')));
            }
            same += copy && sides.size() == 1 ? 1 : 0;
            sides.forEach(side -> blocks.merge(side, 1L, Long::sum));
            String code = parts[parts.length - 1];
            functions.merge(code.substring(0, code.lastIndexOf('+')), 1L, Long::sum);
        }
        assertTrue(same > EVENTS / 2_000, same + " copies within one row");
        assertEquals(blocks, bulkTransfers(report(seed, ReportKey.BLOCK, false)));
        assertEquals(functions, bulkTransfers(report(seed, ReportKey.FUNCTION, false)));
    }

    /** Loads, stores and bytes by one of the names of the rows. */
    private static Map<String, List<Long>> sums(Report report, ReportKey key) {
        Table table = report.table(0);
        int name = table.headings().indexOf(key.heading());
        Map<String, List<Long>> sums = new TreeMap<>();
        for (Object[] row : table.allRows()) {
            List<Long> counts = List.of((Long) row[1], (Long) row[2], (Long) row[3]);
            sums.merge((String) row[name], counts, (a, b) -> IntStream.range(0, a.size())
                    .mapToObj(i -> a.get(i) + b.get(i))
                    .toList());
        }
        sums.values().removeIf(counts -> counts.stream().allMatch(count -> count == 0));
        return sums;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "THREAD,SYMBOL",
                "FUNCTION,LINE",
                "PROCESS,MODULE",
                "BLOCK,FUNCTION",
                "SITE,SYMBOL",
                "REGION,PAGE,THREAD",
                "TYPE,SITE"
            })
    void shouldAddUpToTheRowsOfEachKey(String words) {
        List<ReportKey> keys =
                Stream.of(words.split(",")).map(ReportKey::valueOf).toList();
        for (long seed = 91; seed < 93; seed++) {
            Report crossed = new Report(keys, false, null);
            new RandomEvents(seed, new ViewFeed(crossed)).give(EVENTS);
            for (ReportKey key : keys) {
                Report single = report(seed, key, false);
                assertEquals(sums(single, key), sums(crossed, key), key.word());
                assertEquals(
                        Arrays.asList(single.table(0).total()).subList(1, 8),
                        Arrays.asList(crossed.table(0).total()).subList(1, 8));
            }
            assertEquals(
                    crossed.loads(),
                    crossed.table(0).rows().stream()
                            .mapToLong(row -> (Long) row[1])
                            .sum());
            Report records = new Report(keys, false, null);
            new RandomEvents(seed, inRecords(new ViewFeed(records))).give(EVENTS);
            assertEquals(CsvTable.render(crossed.table(0)), CsvTable.render(records.table(0)));
        }
    }

    @Test
    void shouldCountPairsAsLinesNameThem() {
        Report report = new Report(List.of(ReportKey.BLOCK, ReportKey.FUNCTION), false, null);
        new RandomEvents(35, new ViewFeed(report)).give(EVENTS);
        Map<String, String> pairs = new TreeMap<>();
        Table table = report.table(0);
        assertEquals(
                List.of("block", "function", "region", "module"),
                table.headings().subList(8, 12));
        Map<String, long[]> counts = new TreeMap<>();
        for (Object[] row : table.rows()) {
            long[] count = counts.computeIfAbsent(row[8] + " by " + row[9], absent -> new long[2]);
            count[0] += (Long) row[1];
            count[1] += (Long) row[2];
        }
        counts.forEach((pair, count) -> {
            if (count[0] + count[1] > 0) {
                pairs.put(pair, count[0] + " " + count[1]);
            }
        });
        assertEquals(
                fromLines(35, line -> {
                    String data = line.substring(line.indexOf(':') + 1, line.indexOf(','));
                    String function =
                            line.substring(line.lastIndexOf(',') + 1, line.lastIndexOf('+'));
                    return (data.startsWith("0x")
                                    ? "[?]"
                                    : data.substring(0, data.lastIndexOf('+')))
                            + " by " + function;
                }),
                pairs);
    }

    /**
     * A block has a row or nobody accesses it, never both. A block is known by its number: its call
     * may be called otherwise later.
     */
    @Test
    void shouldListBlocksThatNobodyAccesses() {
        Report report = report(36, ReportKey.BLOCK, false);
        Table untouched = report.untouched().table(0);
        assertEquals(report.untouched().count(), untouched.rows().size());
        Pattern name = Pattern.compile("<(?!freed|unmap)[a-z]+\\d+@");
        Set<String> made = new TreeSet<>();
        lines(36)
                .lines()
                .filter(line -> line.matches("[MCPRE]\\$.*"))
                .map(name::matcher)
                .forEach(line -> line.results().forEach(found -> made.add(found.group())));
        Set<String> told = new TreeSet<>();
        for (Object[] row : untouched.rows()) {
            assertTrue(told.add(((String) row[1]).replaceFirst("@.*", "@")), (String) row[1]);
        }
        assertTrue(told.size() > 5, told.size() + " untouched");
        Set<String> accessed = new TreeSet<>();
        report.table(0).rows().stream()
                .map(row -> name.matcher((String) row[8]))
                .filter(Matcher::lookingAt)
                .forEach(row -> accessed.add(row.group()));
        assertEquals(List.of(), told.stream().filter(accessed::contains).toList());
        told.addAll(accessed);
        assertEquals(made, told);
    }

    /**
     * Returns what a line of {@code print --fields} says of the data; what has no type in the
     * events loses its offset.
     */
    private static String member(String line) {
        String data = line.substring(line.indexOf(':') + 1, line.indexOf(','));
        if (data.startsWith("0x")) {
            return "[?]";
        }
        boolean typed = data.startsWith("<")
                ? data.endsWith("?")
                : data.startsWith("table") || data.startsWith("buffer");
        return typed ? data : data.substring(0, data.lastIndexOf('+'));
    }

    @ParameterizedTest
    @ValueSource(longs = {81, 82, 83})
    void shouldCountMembersAsLinesNameThem(long seed) {
        String lines = lines(
                seed, new LineDetail(LineDetail.Source.NONE, true, Demangler.NONE, Demangler.NONE));
        Map<String, String[]> blocks = new HashMap<>();
        lines.lines()
                .filter(line -> line.matches("[MCPRE]\\$\\d+:<.*"))
                .map(BLOCK::matcher)
                .filter(Matcher::find)
                .forEach(block -> blocks.put(
                        block.group("number"),
                        new String[] {block.group("kind"), block.group("size")}));
        for (ReportKey key : List.of(ReportKey.SYMBOL, ReportKey.BLOCK)) {
            MemberTypes types = new MemberTypes();
            Report report = new Report(key, false, types);
            new RandomEvents(seed, new ViewFeed(report, Demangler.NONE, types)).give(EVENTS);
            Map<String, String> expected =
                    fromLines(lines, line -> folded(member(line), key, blocks));
            assertTrue(
                    expected.keySet().stream()
                                    .filter(name -> name.contains("].rest["))
                                    .count()
                            > 20,
                    expected.size() + " rows");
            Map<String, String> actual = rows(report, key);
            assertEquals(
                    List.of(),
                    expected.keySet().stream()
                            .filter(name -> !actual.containsKey(name))
                            .limit(9)
                            .toList());
            assertEquals(
                    List.of(),
                    actual.keySet().stream()
                            .filter(name -> !expected.containsKey(name))
                            .limit(9)
                            .toList());
            assertEquals(expected, actual);
            assertEquals(report(seed, key, false).bytes(), report.bytes());
        }
    }

    /**
     * A name of {@code print --fields} with the indices that its row leaves out. {@code blocks}:
     * kind and size by number.
     */
    private static String folded(String member, ReportKey key, Map<String, String[]> blocks) {
        Matcher block = BLOCK.matcher(member);
        String[] made = block.find() ? blocks.get(block.group("number")) : null;
        if (key == ReportKey.SYMBOL) {
            // [0] is the whole of a block that holds one value
            String all = member.replaceAll("\\[\\d+](?!\\?)|(?<!>)\\[\\d+]", "[]");
            return made == null ? all : "<" + made[0] + all.substring(all.indexOf('@'));
        }
        String some = member.replaceFirst("^table\\[\\d+]", "table[]")
                .replaceFirst("open\\[\\d+]", "open[]");
        boolean large = made != null && !some.contains("->") && Long.parseLong(made[1]) > 16 * 16;
        return large ? some.replaceFirst(">\\[[1-9]?\\d+]\\.", ">[].") : some;
    }

    @ParameterizedTest
    @ValueSource(longs = {36, 37})
    void shouldCountSourceLines(long seed) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(printed, LineOptions.RAW)).give(EVENTS);
        Map<String, Long> expected = new TreeMap<>();
        printed.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.startsWith("L#") || line.startsWith("S#"))
                .forEach(line -> {
                    long code = Long.parseLong(line.substring(line.lastIndexOf(",0x") + 3), 16);
                    int number = RandomEvents.lineOf(code);
                    String file = code % 4 == 0 ? "inline.h:" : "one.c:";
                    expected.merge(number == 0 ? "?" : file + number, 1L, Long::sum);
                });
        Map<String, Long> actual = new TreeMap<>();
        Table table = report(seed, ReportKey.LINE, false).table(0);
        table.rows()
                .forEach(row ->
                        actual.merge((String) row[8], (Long) row[1] + (Long) row[2], Long::sum));
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
        assertEquals(
                loads, table.allRows().stream().mapToLong(row -> (Long) row[1]).sum());
        assertEquals(
                stores, table.allRows().stream().mapToLong(row -> (Long) row[2]).sum());
        assertEquals(
                report.bytes(),
                table.allRows().stream().mapToLong(row -> (Long) row[3]).sum());
    }

    @Test
    void shouldCountAReuseForEveryAccess() {
        Table table = report(51, ReportKey.REGION, true).table(0);
        int reuse = table.headings().indexOf("reuse");
        for (Object[] row : table.rows()) {
            long accesses = (Long) row[1] + (Long) row[2];
            long counted = row[reuse] == null
                    ? 0
                    : Table.histogram(row[reuse]).values().stream()
                            .mapToLong(n -> n)
                            .sum();
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

    /**
     * Passes the sites' accesses on as records of one site each, and everything else to the view as
     * it is.
     */
    private static EventConsumer inRecords(ViewFeed feed) {
        Map<AccessSite, RecordTemplate> templates = new IdentityHashMap<>();
        return (EventConsumer) Proxy.newProxyInstance(
                EventConsumer.class.getClassLoader(),
                new Class<?>[] {EventConsumer.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("access")) {
                        return method.invoke(feed, arguments);
                    }
                    AccessSite site = (AccessSite) arguments[2];
                    boolean store = (Boolean) arguments[3];
                    if (store || site.kind() == AccessKind.LOAD) {
                        RecordTemplate template = templates.computeIfAbsent(
                                site,
                                key -> new RecordTemplate(
                                        16 + templates.size(), new AccessSite[] {site}));
                        long first =
                                (Long) arguments[0] - (site.kind() == AccessKind.MODIFY ? 1 : 0);
                        feed.record(
                                first,
                                (Integer) arguments[1],
                                template,
                                new long[] {0, (Long) arguments[4]},
                                1);
                    }
                    return null;
                });
    }

    @ParameterizedTest
    @EnumSource(ReportKey.class)
    void shouldCountRecordsAsItCountsAccesses(ReportKey key) {
        for (long seed = 1; seed <= 5; seed++) {
            Report report = new Report(key, false);
            new RandomEvents(seed, inRecords(new ViewFeed(report))).give(EVENTS);
            Report single = report(seed, key, false);
            assertEquals(CsvTable.render(single.table(0)), CsvTable.render(report.table(0)));
            assertEquals(
                    CsvTable.render(single.defectTable()), CsvTable.render(report.defectTable()));
            assertEquals(single.bytes(), report.bytes());
        }
    }

    /** More instructions than are kept at once, each of which comes back later. */
    @Test
    void shouldForgetNoAccessOfManyInstructions() {
        int sites = 200_003;
        Report report = new Report(ReportKey.SYMBOL, false);
        ViewFeed feed = new ViewFeed(report);
        RecordTemplate[] templates = new RecordTemplate[sites];
        for (int i = 0; i < sites; i++) {
            templates[i] = new RecordTemplate(16 + i, new AccessSite[] {
                new AccessSite(0x401000 + i, 1, AccessKind.MODIFY, 4, 0, false)
            });
        }
        for (int i = 0; i < 2 * sites; i++) {
            feed.record(2L * i, 1, templates[i % sites], new long[] {0x5000}, 0);
        }
        feed.end(true);
        assertEquals(2L * sites, report.loads());
        assertEquals(2L * sites, report.stores());
        assertEquals(16L * sites, report.bytes());
    }

    @Test
    void shouldReportEveryAccessToADeadBlock() {
        long dead = lines(71)
                .lines()
                .filter(line -> line.startsWith("L$") || line.startsWith("S$"))
                .filter(line -> line.contains(":<freed:") || line.contains(":<unmap:"))
                .count();
        Report report = new Report(ReportKey.SYMBOL, false);
        long[] blockSides = new long[1];
        new RandomEvents(71, new ViewFeed(new Analysis() {
                    @Override
                    public Needs needs() {
                        return report.needs().counting(null);
                    }

                    @Override
                    public void accesses(Accesses batch) {
                        report.accesses(batch);
                    }

                    @Override
                    public void block(BlockAccess event) {
                        blockSides[0]++;
                    }
                }))
                .give(EVENTS);
        assertTrue(dead > 100, "only " + dead);
        assertTrue(blockSides[0] > 100, "only " + blockSides[0]);
        assertEquals(dead, report.deadAccesses());
        assertEquals(
                dead,
                report.defectTable().rows().stream()
                        .mapToLong(row -> (Long) row[0])
                        .sum());
    }
}
