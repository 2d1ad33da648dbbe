package dev.madt.view.parquet;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes in a row, which become more. */
final class ByteSink {
    private static final int FIRST = 1 << 12;
    private static final int SEVEN = 7;

    private byte[] bytes = new byte[FIRST];
    private int size;

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** Makes room for so many more bytes, and returns where they begin. */
    int reserve(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
        }
        int at = size;
        size += more;
        return at;
    }

    void put(int value) {
        int at = reserve(1);
        bytes[at] = (byte) value;
    }

    void put(byte[] from, int count) {
        int at = reserve(count);
        System.arraycopy(from, 0, bytes, at, count);
    }

    /** A number of so many bytes, the low ones first. */
    void little(long value, int count) {
        int at = reserve(count);
        byte[] to = bytes;
        for (int i = 0; i < count; i++) {
            to[at + i] = (byte) (value >>> Byte.SIZE * i);
        }
    }

    void setInt(int at, int value) {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[at + i] = (byte) (value >>> Byte.SIZE * i);
        }
    }

    /** ULEB128. */
    void varint(long value) {
        long rest = value;
        for (; (rest & -1L << SEVEN) != 0; rest >>>= SEVEN) {
            put((int) (rest & 0x7f | 0x80));
        }
        put((int) rest);
    }

    void zigzag(long value) {
        varint(value << 1 ^ value >> Long.SIZE - 1);
    }

    /** A text with its length in front, in four bytes. */
    void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        little(utf8.length, Integer.BYTES);
        put(utf8, utf8.length);
    }
}
