package dev.madt.natives;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Which functions have probes, and what these record besides ({@code struct madtcode_choice}).
 *
 * @param chosen whether only the functions of the ranges have probes
 * @param ranges of four numbers each, ascending: ELF virtual addresses of the first byte and of the
 *     one behind the last; bits for what is recorded where the function is entered, and left
 */
public record ProbeChoice(boolean chosen, int[] ranges) {
    /** All functions, and nothing besides. */
    public static final ProbeChoice ALL = new ProbeChoice(false, new int[0]);

    private static final int RANGE_INTS = 4;
    private static final int HEAD_INTS = 4;

    /** The structure, in memory. */
    public byte[] bytes(int variant, int flags) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * (HEAD_INTS + ranges.length))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(variant)
                .putInt(flags)
                .putInt(chosen ? 1 : 0)
                .putInt(ranges.length / RANGE_INTS);
        for (int number : ranges) {
            bytes.putInt(number);
        }
        return bytes.array();
    }

    /** Whether it is that of {@link #ALL}. */
    public boolean isAll() {
        return !chosen && ranges.length == 0;
    }
}
