package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LockRowsTest {
    private static LockRows of(boolean common) {
        LockRows rows = new LockRows(common);
        for (int i = 0; i < 30; i++) {
            rows.failed(new LockName("<malloc" + i + "@f+1>+8", "<malloc@f+1>+8"), 1);
        }
        rows.failed(new LockName("all+0", "all+0"), 2);
        rows.failed(new LockName("all+0", "all+0"), 3);
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
