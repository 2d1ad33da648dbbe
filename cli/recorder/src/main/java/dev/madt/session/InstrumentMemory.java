package dev.madt.session;

import dev.madt.trace.layout.SharedLayout.Switch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * Says what memory instruments share with the launcher.
 *
 * @param counts that each thread has; 0: there are none
 * @param switches room for so many; 0: there are none
 * @param off those that are off when a process begins
 * @param turned those that the program itself may switch on
 * @param counting whether threads have counts from the beginning
 * @param library functions that they call; null: there are none
 */
public record InstrumentMemory(
        int counts,
        int switches,
        BitSet off,
        BitSet turned,
        boolean counting,
        InstrumentLibrary library) {
    /** There are no instruments. */
    public static final InstrumentMemory NONE =
            new InstrumentMemory(0, 0, new BitSet(), new BitSet(), false, null);

    /** Returns the switches as a process begins with them. */
    ByteBuffer bytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(Switch.BYTES * switches).order(ByteOrder.LITTLE_ENDIAN);
        put(off, Switch.OFF, bytes);
        put(turned, Switch.TURNS, bytes);
        return bytes;
    }

    private static void put(BitSet numbers, int word, ByteBuffer bytes) {
        numbers.stream().forEach(number -> bytes.putInt(Switch.BYTES * number + word, 1));
    }
}
