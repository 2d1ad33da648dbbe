package dev.madt.resolver.line;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Bytes of lines on their way to a stream. Appending does not allocate, but when a single line
 * outgrows the buffer.
 */
final class LineBuffer {
    /** Eight bytes of an array as one number, the first byte lowest. */
    static final VarHandle WORD =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle HALF =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int SIZE = 1 << 16;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int SHORT = 128;
    private static final int FOUR_DIGITS = 10_000;
    /** The digits of 0 to 9,999 with leading zeros, the first in the lowest byte. */
    private static final int[] DIGITS = digits();

    private final OutputStream out;
    private byte[] bytes;
    private int used;

    LineBuffer(OutputStream out) {
        this(out, SIZE);
    }

    private LineBuffer(OutputStream out, int size) {
        this.out = out;
        this.bytes = new byte[size];
    }

    /** A buffer for a single name, which goes to no stream. */
    static LineBuffer detached() {
        return new LineBuffer(OutputStream.nullOutputStream(), SHORT);
    }

    private static int[] digits() {
        int[] digits = new int[FOUR_DIGITS];
        for (int i = 0; i < FOUR_DIGITS; i++) {
            digits[i] =
                    0x30303030 | i / 1000 | i / 100 % 10 << 8 | i / 10 % 10 << 16 | i % 10 << 24;
        }
        return digits;
    }

    /** Returns what has gathered since the last flush. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, used);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, used, StandardCharsets.UTF_8);
    }

    void character(char c) {
        room(1);
        bytes[used++] = (byte) c;
    }

    /** Takes back the last character, of a line that has not ended. */
    void back() {
        used--;
    }

    void pair(char first, char second) {
        room(2);
        bytes[used] = (byte) first;
        bytes[used + 1] = (byte) second;
        used += 2;
    }

    void text(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, bytes, used, text.length);
        used += text.length;
    }

    void text(PackedText text) {
        long[] words = text.words;
        room(words.length * Long.BYTES);
        for (int i = 0; i < words.length; i++) {
            WORD.set(bytes, used + i * Long.BYTES, words[i]);
        }
        used += text.length;
    }

    /** Decimal, unsigned. */
    void decimal(long value) {
        if (value >= 0 && value < FOUR_DIGITS) {
            room(Integer.BYTES);
            int small = (int) value;
            int zeros = small < 100 ? small < 10 ? 3 : 2 : small < 1000 ? 1 : 0;
            HALF.set(bytes, used, DIGITS[small] >>> zeros * Byte.SIZE);
            used += Integer.BYTES - zeros;
        } else {
            long front = value >= 0 ? value / FOUR_DIGITS : Long.divideUnsigned(value, FOUR_DIGITS);
            decimal(front);
            fourDigits((int) (value - front * FOUR_DIGITS));
        }
    }

    /** A number below 10,000 with leading zeros. */
    void fourDigits(int value) {
        room(Integer.BYTES);
        HALF.set(bytes, used, DIGITS[value]);
        used += Integer.BYTES;
    }

    /** {@code 0x} and lower-case digits without leading zeros. */
    void hexadecimal(long value) {
        room(18);
        bytes[used++] = '0';
        bytes[used++] = 'x';
        int shift = value == 0 ? 0 : (63 - Long.numberOfLeadingZeros(value)) / 4 * 4;
        for (; shift >= 0; shift -= 4) {
            bytes[used++] = HEX[(int) (value >>> shift) & 15];
        }
    }

    /** Ends a line. */
    void endLine() {
        character('\n');
        lineEnded();
    }

    /** A text has ended a line: passes on what has gathered when there is much of it. */
    void lineEnded() {
        if (used >= SIZE / 2) {
            flush();
        }
    }

    /** @throws UncheckedIOException if the stream takes no more */
    void flush() {
        try {
            out.write(bytes, 0, used);
            used = 0;
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void room(int more) {
        if (used + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, used + more));
        }
    }
}
