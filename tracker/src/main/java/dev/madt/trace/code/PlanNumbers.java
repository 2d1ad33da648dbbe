package dev.madt.trace.code;

import java.nio.ByteBuffer;

/** Numbers of a splice plan's packed tables, one behind the other: LEB128. */
final class PlanNumbers {
    private final ByteBuffer bytes;
    private int at;

    PlanNumbers(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** Goes on at this byte. */
    void seek(int place) {
        at = place;
    }

    /** Returns where the next number lies. */
    int place() {
        return at;
    }

    /** The next number. */
    long next() {
        long number = 0;
        byte digit;
        int shift = 0;
        do {
            digit = bytes.get(at++);
            number |= (digit & 0x7fL) << shift;
            shift += 7;
        } while (digit < 0);
        return number;
    }

    /** {@code madt_plan_zigzag_of}: 0, -1, 1, -2 and so on. */
    static int signed(int zigzag) {
        return zigzag >>> 1 ^ -(zigzag & 1);
    }
}
