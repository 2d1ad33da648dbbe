package dev.madt.view.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.testing.Tier;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.RepeatedRecords;
import dev.madt.view.RepeatedRecords.Form;
import dev.madt.view.ViewFeed;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.Table;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TopCounterTest {
    private static final int EVENTS = Tier.of(9_001, 4_001);
    private static final int SEEDS = Tier.of(3, 2);

    /** Rows of a kind as loads and stores by name and what tells names apart. */
    private static Map<String, String> rows(TopSums sums, TopKind kind) {
        Map<String, String> rows = new TreeMap<>();
        sums.of(kind).stream()
                .filter(row -> row.accesses() > 0)
                .forEach(row -> rows.put(
                        row.name() + ' ' + row.besides(), row.loads() + " " + row.stores()));
        return rows;
    }

    private static Map<String, String> reported(ReportKey key, String besides, long seed) {
        Report report = new Report(key, false);
        RepeatedRecords.give(seed, EVENTS, Form.ACCESSES, new ViewFeed(report));
        Table table = report.table(0);
        Map<String, String> rows = new TreeMap<>();
        for (Object[] row : table.allRows()) {
            Long loads = (Long) row[table.headings().indexOf("loads")];
            Long stores = (Long) row[table.headings().indexOf("stores")];
            Object name = row[table.headings().indexOf(key.word())];
            int at = table.headings().indexOf(besides);
            Object more = at < 0 || name.equals(row[at]) ? "" : row[at];
            if (loads + stores > 0) {
                rows.put(name + " " + more, loads + " " + stores);
            }
        }
        return rows;
    }

    /** Accesses by the name of their instruction. */
    private static Map<String, String> bySite(long seed) {
        Map<String, long[]> counts = new TreeMap<>();
        Analysis counter = new Analysis() {
            @Override
            public void accesses(Accesses batch) {
                for (int i = 0; i < batch.count(); i++) {
                    counts.computeIfAbsent(
                                    batch.place(i).name() + ' ' + batch.place(i).module(),
                                    absent -> new long[2])[batch.store(i) ? 1 : 0]++;
                }
            }
        };
        RepeatedRecords.give(seed, EVENTS, Form.ACCESSES, new ViewFeed(counter));
        Map<String, String> rows = new TreeMap<>();
        counts.forEach((name, count) -> rows.put(name, count[0] + " " + count[1]));
        return rows;
    }

    /** Asks for sums now and then, which changes nothing. */
    private static EventConsumer asking(TopProcesses top) {
        return new EventConsumer() {
            private int times;

            @Override
            public void access(
                    long number, int thread, AccessSite site, boolean store, long address) {
                ask();
            }

            @Override
            public void block(
                    long number,
                    int thread,
                    BlockKind kind,
                    long to,
                    long from,
                    long length,
                    long code) {
                ask();
            }

            @Override
            public void ring(TraceEvent event) {
                ask();
            }

            private void ask() {
                if (++times % 97 == 0) {
                    assertTrue(top.sums().accesses() >= 0);
                }
            }
        };
    }

    @ParameterizedTest
    @EnumSource
    void shouldCountAsReports(Form form) {
        for (int seed = 0; seed < SEEDS; seed++) {
            TopProcesses top = new TopProcesses();
            TopProcesses.Counted process = top.begin(Demangler.NONE);
            RepeatedRecords.give(
                    seed, EVENTS, form, new ConsumerPair(process.consumer(), asking(top)));
            TopSums live = top.sums();
            process.end();
            TopSums sums = top.sums();
            for (TopKind kind : TopKind.values()) {
                assertEquals(rows(live, kind), rows(sums, kind));
            }
            Map<String, String> data = reported(ReportKey.SYMBOL, "region", seed);
            if (form == Form.TIMES) { // what is where it was done again is not looked up
                assertEquals(sum(data), sum(rows(sums, TopKind.DATA)));
            } else {
                assertEquals(data, rows(sums, TopKind.DATA));
            }
            assertEquals(
                    reported(ReportKey.FUNCTION, "module", seed), rows(sums, TopKind.FUNCTIONS));
            assertEquals(reported(ReportKey.THREAD, "", seed), rows(sums, TopKind.THREADS));
            assertEquals(bySite(seed), rows(sums, TopKind.SITES));
        }
    }

    /** Loads and stores of rows. */
    private static List<Long> sum(Map<String, String> rows) {
        long loads = 0;
        long stores = 0;
        for (String row : rows.values()) {
            String[] counts = row.split(" ");
            loads += Long.parseLong(counts[0]);
            stores += Long.parseLong(counts[1]);
        }
        return List.of(loads, stores);
    }

    /**
     * Two instructions in turn: one accesses eight data objects at random, the first of them most
     * often, and the other sweeps over all of them.
     */
    private static TopCounter swept(boolean hurry) {
        TopCounter counter = new TopCounter();
        counter.hurry(hurry);
        ViewFeed feed = new ViewFeed(counter);
        for (int i = 0; i < 8; i++) {
            feed.define(new Definition.Region(
                    RegionKind.FILE, 3, at(i), at(i + 1), at(i), "/lib/object" + i + ".so"));
        }
        RecordTemplate template = new RecordTemplate(16, new AccessSite[] {
            new AccessSite(0x4000, 4, AccessKind.LOAD, 8, 0, false),
            new AccessSite(0x4004, 4, AccessKind.STORE, 8, 0, false)
        });
        RecordRows rows = new RecordRows(2);
        Random random = new Random(11);
        for (int frame = 0; frame < 20; frame++) {
            rows.begin(20_000L * frame, 1, RecordRows.FULL);
            int place = rows.place(template);
            for (int i = 0; i < 10_000; i++) {
                int object = Math.min(7, random.nextInt(12) * random.nextInt(12) / 8);
                rows.words()[rows.used()] = at(object) + random.nextInt(64);
                rows.words()[rows.used() + 1] = at(i / 5 % 8) + i % 5 * 8;
                rows.add(place, RecordRows.WORDS, 2);
            }
            feed.rows(rows);
        }
        feed.tell();
        counter.settle();
        return counter;
    }

    private static long at(int object) {
        return 0x10_0000 + 0x1000L * object;
    }

    /** Places and threads are counted, not sampled; and of data, all but some per cent. */
    @Test
    void shouldCountAllButDataExactlyInAHurry() {
        TopCounter exact = swept(false);
        TopCounter quick = swept(true);
        assertTrue(quick.hurries());
        assertFalse(exact.hurries());
        for (TopKind kind : TopKind.values()) {
            Map<String, Long> wanted = accesses(exact, kind);
            Map<String, Long> found = accesses(quick, kind);
            if (kind != TopKind.DATA) {
                assertEquals(wanted, found);
                continue;
            }
            double all = wanted.values().stream().mapToLong(Long::longValue).sum();
            assertEquals(8, wanted.size());
            assertEquals(all, found.values().stream().mapToLong(Long::longValue).sum());
            assertNotEquals(wanted, found);
            wanted.forEach((name, times) ->
                    assertEquals(times / all, found.getOrDefault(name, 0L) / all, 0.01, name));
        }
    }

    private static Map<String, Long> accesses(TopCounter counter, TopKind kind) {
        Map<String, Long> accesses = new TreeMap<>();
        counter.rows(kind).forEach(row -> accesses.merge(row.key(), row.accesses(), Long::sum));
        return accesses;
    }

    @Test
    void shouldAddUpProcessesAndTakeDifferences() {
        TopProcesses top = new TopProcesses();
        TopProcesses.Counted first = top.begin(Demangler.NONE);
        RepeatedRecords.give(1, EVENTS, Form.ROWS, first.consumer());
        TopSums before = top.sums();
        first.end();
        TopProcesses.Counted second = top.begin(Demangler.NONE);
        RepeatedRecords.give(1, EVENTS, Form.ROWS, second.consumer());
        TopSums after = top.sums();
        assertEquals(2 * before.accesses(), after.accesses());
        assertEquals(2, after.processes());
        assertEquals(1, after.running());
        for (TopKind kind : TopKind.values()) {
            assertEquals(rows(before, kind), rows(after.since(before), kind));
        }
        assertEquals(0, after.since(after).accesses());
    }
}
