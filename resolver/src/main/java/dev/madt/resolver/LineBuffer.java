package dev.madt.resolver;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of lines on their way to a stream. Appending does not allocate, but when a single line outgrows the buffer. */
final class LineBuffer {
    private static final int SIZE = 1 << 16;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final int SHORT = 128;

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

    /** What has gathered since the last flush. */
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

    void text(byte[] text) {
        room(text.length);
        System.arraycopy(text, 0, bytes, used, text.length);
        used += text.length;
    }

    /** Decimal, unsigned. */
    void decimal(long value) {
        room(20);
        if (value >= 0) {
            small(value);
            return;
        }
        long tens = Long.divideUnsigned(value, 10);
        small(tens);
        bytes[used++] = (byte) ('0' + (value - tens * 10));
    }

    /** Decimal, not negative; signed division by a constant is a multiplication. */
    private void small(long value) {
        int end = used + digits(value);
        long rest = value;
        for (int i = end; i > used; ) {
            long quotient = rest / 10;
            bytes[--i] = (byte) ('0' + (rest - quotient * 10));
            rest = quotient;
        }
        used = end;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long power = 10; digits < 19 && value >= power; power *= 10) {
            digits++;
        }
        return digits;
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

    /** Ends a line; passes on what has gathered when there is much of it. */
    void endLine() {
        character('\n');
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
