package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
