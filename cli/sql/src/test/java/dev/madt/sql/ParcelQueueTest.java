package dev.madt.sql;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ParcelQueueTest {
    /** Whoever is told that nobody reads on may still try to write its last rows. */
    @Test
    @Timeout(20)
    void shouldNeverWaitForWhoDoesNotReadOn() {
        ParcelQueue queue = new ParcelQueue(() -> new Parcel(List.of()));
        queue.close();
        for (int i = 0; i < 10; i++) {
            assertThrows(ParcelQueue.Unwanted.class, queue::toFill);
        }
    }
}
