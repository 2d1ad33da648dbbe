package dev.madt.session;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ThreadPointerTest {
    private static byte[] vector(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
        for (long word : words) {
            bytes.putLong(word);
        }
        return bytes.array();
    }

    @Test
    void shouldReadWhatTheKernelSays() {
        assertTrue(ThreadPointer.isReadable(vector(16, 1, 26, 2, 0, 0)));
        assertTrue(ThreadPointer.isReadable(vector(26, 7, 0, 0)));
        assertFalse(ThreadPointer.isReadable(vector(26, 5, 16, 2, 0, 0)));
        assertFalse(ThreadPointer.isReadable(vector(2, 26, 0, 0)));
        assertFalse(ThreadPointer.isReadable(new byte[9]));
    }
}
