package dev.madt.trace.codec;

import dev.madt.trace.layout.EventsLayout;
import java.nio.ByteBuffer;

/**
 * The last words in the head of an EVTS frame: how long its columns are.
 *
 * @param control bytes, as {@code residuals}
 * @param births allocations in a short form
 * @param ends of blocks in a short form
 * @param sizes bytes, as {@code places}
 */
public record ColumnSizes(int control, int residuals, int births, int ends, int sizes, int places) {
    /** Bytes of all these columns. */
    long bytes() {
        return (long) control
                + residuals
                + 2L * EventsLayout.kindBytes(births)
                + EventsLayout.kindBytes(ends)
                + sizes
                + places;
    }

    boolean possible() {
        return control >= 0
                && residuals >= 0
                && births >= 0
                && births <= EventsLayout.MOST_WORDS
                && ends >= 0
                && ends <= EventsLayout.MOST_WORDS
                && sizes >= 0
                && places >= 0;
    }

    void put(ByteBuffer head) {
        head.putInt(control)
                .putInt(residuals)
                .putInt(births)
                .putInt(ends)
                .putInt(sizes)
                .putInt(places);
    }
}
