package dev.madt.trace.codec;

import dev.madt.trace.layout.EventsLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A growing row of small numbers of equal width, the first one in the lowest bits of the first
 * byte. There must be room before they are added.
 */
final class BitColumn {
    private final int width;
    private byte[] bytes = new byte[64];
    /** Whole longs in {@link #bytes}, in bytes. */
    private int at;
    /** Holds what does not fill a long yet, and its bits. */
    private long bits;

    private int used;

    /** @param width in bits: 1, 2, 4 … 32 */
    BitColumn(int width) {
        this.width = width;
    }

    /** Room for so many numbers more. */
    void makeRoom(int count) {
        int most = at + (int) ((long) count * width >>> 3) + 2 * Long.BYTES;
        if (most > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * most);
        }
    }

    void add(int number) {
        bits |= (long) number << used;
        used += width;
        if (used == Long.SIZE) {
            EventsLayout.LONG.set(bytes, at, bits);
            at += Long.BYTES;
            bits = 0;
            used = 0;
        }
    }

    /** Returns how many there are. */
    int size() {
        return (8 * at + used) / width;
    }

    /** Takes away all but the first ones. */
    void shorten(int size) {
        EventsLayout.LONG.set(bytes, at, bits);
        at = size * width / Long.SIZE * Long.BYTES;
        used = size * width % Long.SIZE;
        bits = (long) EventsLayout.LONG.get(bytes, at) & (1L << used) - 1;
    }

    /** Appends the numbers, in whole bytes; none is left. */
    void moveTo(ByteBuffer to) {
        EventsLayout.LONG.set(bytes, at, bits);
        to.put(bytes, 0, at + (used + 7 >>> 3));
        at = 0;
        bits = 0;
        used = 0;
    }

    /** Gives the memory back; nothing can be added any more. */
    void forget() {
        bytes = new byte[0];
    }
}
