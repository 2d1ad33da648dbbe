package dev.madt.view.convert;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Text on its way to a stream, numbers written without objects. Not for use by several threads. */
public final class TextBuffer {
    private static final int ROOM = 1 << 16;
    private static final int LONGEST_NUMBER = 20;
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;
    private final byte[] bytes = new byte[ROOM];
    private int count;

    public TextBuffer(OutputStream out) {
        this.out = out;
    }

    public TextBuffer character(char ascii) {
        if (count == ROOM) {
            flush();
        }
        bytes[count++] = (byte) ascii;
        return this;
    }

    public TextBuffer text(String text) {
        return utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    public TextBuffer utf8(byte[] text) {
        int length = text.length;
        if (length > ROOM - count) {
            return large(text);
        }
        System.arraycopy(text, 0, bytes, count, length);
        count += length;
        return this;
    }

    private TextBuffer large(byte[] text) {
        flush();
        if (text.length > ROOM) {
            write(text, text.length);
        } else {
            System.arraycopy(text, 0, bytes, 0, text.length);
            count = text.length;
        }
        return this;
    }

    public TextBuffer decimal(long number) {
        if (number < 0) {
            return text(Long.toString(number));
        }
        if (LONGEST_NUMBER > ROOM - count) {
            flush();
        }
        int length = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            length++;
        }
        long rest = number;
        for (int at = count + length - 1; at >= count; at--) {
            long tenth = rest / 10;
            bytes[at] = (byte) ('0' + (int) (rest - 10 * tenth));
            rest = tenth;
        }
        count += length;
        return this;
    }

    /** Unsigned, with leading zeros up to {@code width} digits. */
    public TextBuffer hexadecimal(long number, int width) {
        if (LONGEST_NUMBER > ROOM - count) {
            flush();
        }
        int digits = (Long.SIZE + 3 - Long.numberOfLeadingZeros(number)) / 4;
        int length = Math.max(width, digits);
        long rest = number;
        for (int at = count + length - 1; at >= count; at--) {
            bytes[at] = DIGITS[(int) rest & 15];
            rest >>>= 4;
        }
        count += length;
        return this;
    }

    /** Hands everything on. */
    public void flush() {
        write(bytes, count);
        count = 0;
    }

    private void write(byte[] from, int length) {
        try {
            out.write(from, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return new String(Arrays.copyOf(bytes, count), StandardCharsets.UTF_8);
    }
}
