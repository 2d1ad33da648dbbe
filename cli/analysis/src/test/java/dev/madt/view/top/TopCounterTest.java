package dev.madt.view.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.testing.Tier;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.RepeatedRecords;
import dev.madt.view.RepeatedRecords.Form;
import dev.madt.view.ViewFeed;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.toolkit.Table;
import java.util.Map;
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
            assertEquals(reported(ReportKey.SYMBOL, "region", seed), rows(sums, TopKind.DATA));
            assertEquals(
                    reported(ReportKey.FUNCTION, "module", seed), rows(sums, TopKind.FUNCTIONS));
            assertEquals(reported(ReportKey.THREAD, "", seed), rows(sums, TopKind.THREADS));
            assertEquals(bySite(seed), rows(sums, TopKind.SITES));
        }
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
