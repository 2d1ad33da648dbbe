package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LockRowsTest {
    private static Holding asked(String single, String common, int thread) {
        return new Holding(new LockName(single, common), 0, thread, 0, null, false, 0);
    }

    private static LockRows of(boolean common) {
        LockRows rows = new LockRows(common);
        for (int i = 0; i < 30; i++) {
            rows.failed(asked("<malloc" + i + "@f+1>+8", "<malloc@f+1>+8", 1), 1, null, false);
        }
        rows.failed(asked("all+0", "all+0", 2), 1, null, false);
        rows.failed(asked("all+0", "all+0", 3), 1, null, false);
        return rows;
    }

    @Test
    void shouldCountLocksAndClasses() {
        LockRows single = of(false);
        assertEquals(31, single.count());
        assertEquals(2, single.classes());
        LockRows classes = of(true);
        assertEquals(2, classes.count());
        assertEquals(2, classes.classes());
    }

    /** A text has columns of locks that were held besides as far as there were any. */
    @Test
    void shouldLeaveOutColumnsThatTellNothing() {
        LockRows rows = new LockRows(false);
        got(rows, 0);
        assertEquals(
                Set.of(
                        "unpaired",
                        "failed",
                        "alone",
                        "with 1 other",
                        "with 2 others",
                        "with 3+ others"),
                rows.table(0).extra());
        assertEquals(0, rows.nested());
        got(rows, 2);
        assertEquals(
                Set.of("unpaired", "failed", "with 3+ others"), rows.table(0).extra());
        got(rows, 5);
        assertEquals(Set.of("unpaired", "failed"), rows.table(0).extra());
        assertEquals(2, rows.nested());
    }

    private static void got(LockRows rows, int depth) {
        LockName name = new LockName("all+0", "all+0");
        Holding lock = new Holding(name, 0, 1, 0, null, false, depth);
        rows.got(lock, "mutex", 0, null, List.of(), false);
    }
}
