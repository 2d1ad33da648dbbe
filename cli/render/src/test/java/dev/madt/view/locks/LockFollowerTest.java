package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.NamedEvent;
import dev.madt.view.toolkit.CsvTable;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import dev.madt.view.toolkit.TextTable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockFollowerTest {
    private static final long LOCK = 64;

    private final LockWaits waits = new LockWaits(false);
    private final LockRows rows = new LockRows(false);
    private final LockHistogram depths = new LockHistogram(LockHistogram.Of.DEPTH);
    private final LockFollower follower =
            new LockFollower(new MemberTypes(), List.of(waits, rows, depths));

    private void take(TraceEvent event) {
        follower.event(new NamedEvent(event, 1, 1, null, null, null));
        follower.ring(event);
    }

    private void got(int thread, long asked, long waited, String kind) {
        take(new TraceEvent.LockGot(thread, 0, LOCK, asked, waited, EventWord.word(kind), 0));
    }

    private void released(int thread, long time) {
        take(new TraceEvent.LockReleased(thread, 0, LOCK, time, 1, 0, 0));
    }

    private List<String> waited() {
        return waits.table(0, follower.threadNames()::of).rows().stream()
                .map(row -> row[4] + " for " + row[5])
                .sorted()
                .toList();
    }

    /** A text has them instead of bare numbers, and other programs beside these. */
    @Test
    void shouldNameThreads() {
        follower.meta(Map.of("clock_hz", "1000000000", "thread_names", "1,reader\n2,writer"));
        got(2, 0, 0, "write");
        released(2, 100);
        got(1, 10, 95, "read");
        got(3, 11, 95, "read");
        Table table = waits.table(0, follower.threadNames()::of);
        String text = new TextTable(false, 200).render(table);
        assertTrue(text.contains("  reader (1)  writer (2)  "), text);
        assertTrue(text.contains("  3           writer (2)  "), text);
        assertFalse(text.contains("thread name"), text);
        List<String> columns = List.of("thread", "thread name", "name of waited for", "waited for");
        assertEquals(
                "thread,thread_name,name_of_waited_for,waited_for\n1,reader,writer,2\n"
                        + "3,,writer,2\n",
                CsvTable.render(table.only(columns)));
        assertTrue(JsonTable.render(List.of(), table.only(columns)).contains("\"waited_for\": 2}"));
    }

    /** A reader that was there in between does not hide the writer that both waited for. */
    @Test
    void shouldTellEachReaderThatWaitedForAWriter() {
        follower.meta(Map.of("clock_hz", "1000000000"));
        got(1, 0, 0, "write");
        released(1, 100);
        got(2, 10, 95, "read");
        released(2, 110);
        got(3, 11, 105, "read");
        released(3, 120);
        got(4, 119, 2, "read"); // waits for none, for the writer had gone
        assertEquals(List.of("2 for 1", "3 for 1"), waited());
        got(5, 112, 20, "write");
        assertEquals(List.of("2 for 1", "3 for 1", "5 for 3"), waited());
    }

    /** A thread that gets a recursive lock again has no more locks than before. */
    @Test
    void shouldNotCountALockAsAnotherOneOfItself() {
        follower.meta(Map.of("clock_hz", "1000000000"));
        long other = LOCK + 64;
        for (long lock : List.of(LOCK, LOCK, LOCK, other, other, LOCK)) {
            take(new TraceEvent.LockGot(1, 0, lock, 0, 0, EventWord.word("mutex"), 0));
        }
        Table table = rows.table(0).only(List.of("lock", "alone", "with 1 other", "with 2 others"));
        assertEquals(
                "lock,alone,with_1_other,with_2_others\n0x40,3,1,0\n0x80,0,2,0\n",
                CsvTable.render(table));
        assertEquals(Map.of(0L, 3L, 1L, 3L), depths.counts());
    }
}
