package dev.madt.view.toolkit;

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

    /** Digits of the numbers below 100. */
    private static final byte[] TENS = new byte[100];

    private static final byte[] ONES = new byte[100];
    /** Of ten: the least numbers with one digit more than their place says. */
    private static final long[] POWERS = new long[19];

    static {
        for (int i = 0; i < TENS.length; i++) {
            TENS[i] = (byte) ('0' + i / 10);
            ONES[i] = (byte) ('0' + i % 10);
        }
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = 10 * POWERS[i - 1];
        }
    }

    private final OutputStream out;
    private final byte[] bytes = new byte[ROOM];
    private int count;
    /** Holds what {@link #following} wrote last, and the number after it. */
    private final byte[] last = new byte[LONGEST_NUMBER];

    private int lastLength;
    private long follower = -1;

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
        int end = count + digits(number);
        put(number, end);
        count = end;
        return this;
    }

    /** As {@link #decimal}, but quicker where each number is the one before and one more. */
    public TextBuffer following(long number) {
        if (LONGEST_NUMBER > ROOM - count) {
            flush();
        }
        if (number != follower || !increment()) {
            int length = digits(number);
            put(number, count + length);
            System.arraycopy(bytes, count, last, 0, length);
            lastLength = length;
        } else {
            System.arraycopy(last, 0, bytes, count, lastLength);
        }
        count += lastLength;
        follower = number + 1;
        return this;
    }

    /** Adds one to the last number; not to one of nines. */
    private boolean increment() {
        int at = lastLength - 1;
        while (at >= 0 && last[at] == '9') {
            last[at--] = '0';
        }
        if (at < 0) {
            return false;
        }
        last[at]++;
        return true;
    }

    private static int digits(long number) {
        int fewest = (Long.SIZE - Long.numberOfLeadingZeros(number | 1)) * 1233 >>> 12;
        return number >= POWERS[fewest] ? fewest + 1 : Math.max(1, fewest);
    }

    /** Writes the digits of a number in front of {@code end}. */
    private void put(long number, int end) {
        int at = end;
        long large = number;
        while (large > Integer.MAX_VALUE) {
            long hundredth = large / 100;
            at = pair((int) (large - 100 * hundredth), at);
            large = hundredth;
        }
        int rest = (int) large;
        while (rest >= 100) {
            int hundredth = rest / 100;
            at = pair(rest - 100 * hundredth, at);
            rest = hundredth;
        }
        if (rest >= 10) {
            pair(rest, at);
        } else {
            bytes[at - 1] = (byte) ('0' + rest);
        }
    }

    private int pair(int value, int end) {
        bytes[end - 2] = TENS[value];
        bytes[end - 1] = ONES[value];
        return end - 2;
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
