package dev.madt.view.defects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class WrittenBytesTest {
    private static final int SIZE = 9_001;
    private static final int OTHER = 4_999;

    /** An array of booleans does the same. */
    @Test
    void shouldKnowWhatAModelKnows() {
        Random random = new Random(20_261_122);
        for (int round = 0; round < 30; round++) {
            WrittenBytes bytes = new WrittenBytes(SIZE);
            WrittenBytes other = new WrittenBytes(OTHER);
            boolean[] model = new boolean[SIZE];
            boolean[] otherModel = new boolean[OTHER];
            for (int step = 0; step < 60; step++) {
                int offset = random.nextInt(SIZE);
                int length = 1 + random.nextInt(random.nextBoolean() ? 9 : 300);
                if (random.nextInt(3) == 0) {
                    int from = random.nextInt(OTHER);
                    bytes.copy(other, from, offset, length);
                    for (int i = 0; i < length && offset + i < SIZE; i++) {
                        model[offset + i] = from + i >= OTHER || otherModel[from + i];
                    }
                } else if (random.nextBoolean()) {
                    bytes.set(offset, length);
                    fill(model, offset, length);
                } else {
                    other.set(offset, length);
                    fill(otherModel, offset, length);
                }
                int at = random.nextInt(SIZE);
                int span = 1 + random.nextInt(100);
                assertEquals(any(model, at, span), bytes.any(at, span), at + " " + span);
            }
        }
    }

    private static void fill(boolean[] model, int offset, int length) {
        for (int i = offset; i < Math.min(model.length, offset + length); i++) {
            model[i] = true;
        }
    }

    private static boolean any(boolean[] model, int offset, int length) {
        for (int i = offset; i < Math.min(model.length, offset + length); i++) {
            if (model[i]) {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldTakeWhatLiesOutsideForWritten() {
        WrittenBytes bytes = new WrittenBytes(40);
        assertFalse(bytes.any(0, 40));
        assertTrue(bytes.any(40, 4));
        assertTrue(bytes.any(0, 0));
        bytes.set(-3, 4);
        assertTrue(bytes.any(0, 1));
        assertFalse(bytes.any(1, 39));
    }
}
