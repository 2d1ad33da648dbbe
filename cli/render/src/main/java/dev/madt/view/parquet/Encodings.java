package dev.madt.view.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Encodings of values in pages (apache/parquet-format, Encodings.md). */
final class Encodings {
    static final int PLAIN = 0;
    static final int RLE = 3;
    static final int DELTA = 5;
    static final int DICTIONARY = 8;

    private static final int GROUP = 8;
    private static final int BLOCK = 128;
    private static final int PARTS = 4;
    private static final int PART = BLOCK / PARTS;

    private Encodings() {}

    /**
     * Bytes that an index takes. Whole bytes are packed by copying, and compress better than bits.
     *
     * @param count how many values there are
     */
    static int width(int count) {
        return count <= 1 << 8 ? 1 : count <= 1 << 16 ? 2 : count <= 1 << 24 ? 3 : 4;
    }

    /** Writes a run of equal small numbers, each of one byte. */
    static void run(int value, int count, ByteSink out) {
        if (count > 0) {
            out.varint((long) count << 1);
            out.put(value);
        }
    }

    /**
     * Writes the numbers that rows have by their cells, in groups of eight: what the last group
     * lacks is 0. Equal neighbours are left to compression.
     *
     * @param width bytes of a number
     */
    static void indexes(int[] cells, int rows, int[] codes, int width, ByteSink out) {
        int at = groups(rows, width, out);
        byte[] bytes = out.bytes();
        switch (width) {
            case 1 -> {
                for (int i = 0; i < rows; i++) {
                    bytes[at++] = (byte) codes[cells[i]];
                }
            }
            case 2 -> {
                for (int i = 0; i < rows; i++) {
                    int code = codes[cells[i]];
                    bytes[at++] = (byte) code;
                    bytes[at++] = (byte) (code >> 8);
                }
            }
            default -> {
                for (int i = 0; i < rows; i++) {
                    put(bytes, at, codes[cells[i]], width);
                    at += width;
                }
            }
        }
    }

    private static void put(byte[] bytes, int at, int code, int width) {
        for (int i = 0; i < width; i++) {
            bytes[at + i] = (byte) (code >> Byte.SIZE * i);
        }
    }

    /** Writes the head of so many groups of eight, and makes room for them. */
    private static int groups(int count, int width, ByteSink out) {
        int groups = (count + GROUP - 1) / GROUP;
        out.varint((long) groups << 1 | 1);
        int at = out.reserve(groups * GROUP * width);
        Arrays.fill(out.bytes(), at + count * width, at + groups * GROUP * width, (byte) 0);
        return at;
    }

    /** Writes which rows have a number that is not negative: a bit each. */
    static void levels(int[] cells, int rows, int[] codes, ByteSink out) {
        int groups = (rows + GROUP - 1) / GROUP;
        out.varint((long) groups << 1 | 1);
        int at = out.reserve(groups);
        byte[] bytes = out.bytes();
        for (int i = 0; i < rows; at++) {
            int bits = 0;
            for (int bit = 0; bit < GROUP && i < rows; bit++, i++) {
                bits |= (~codes[cells[i]] >>> Integer.SIZE - 1) << bit;
            }
            bytes[at] = (byte) bits;
        }
    }

    /** Writes numbers that mostly grow by as much (DELTA_BINARY_PACKED). */
    static void deltas(long[] values, int count, ByteSink out) {
        out.varint(BLOCK);
        out.varint(PARTS);
        out.varint(count);
        out.zigzag(count == 0 ? 0 : values[0]);
        long[] deltas = new long[BLOCK];
        for (int at = 1; at < count; at += BLOCK) {
            int some = Math.min(BLOCK, count - at);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < some; i++) {
                deltas[i] = values[at + i] - values[at + i - 1];
                least = Math.min(least, deltas[i]);
            }
            out.zigzag(least);
            block(deltas, some, least, out);
        }
    }

    private static void block(long[] deltas, int some, long least, ByteSink out) {
        int widths = out.reserve(PARTS);
        for (int part = 0; part < PARTS; part++) {
            long all = 0;
            int from = part * PART;
            for (int i = from; i < from + PART; i++) {
                deltas[i] = i < some ? deltas[i] - least : 0;
                all |= deltas[i];
            }
            int bytes = (Long.SIZE - Long.numberOfLeadingZeros(all) + Byte.SIZE - 1) / Byte.SIZE;
            out.bytes()[widths + part] = (byte) (bytes * Byte.SIZE);
            for (int i = from; i < from + PART && bytes > 0 && from < some; i++) {
                out.little(deltas[i], bytes);
            }
        }
    }

    /** Writes numbers as they are, of eight bytes. */
    static void plain(long[] values, int count, ByteSink out) {
        int at = out.reserve(count * Long.BYTES);
        ByteBuffer.wrap(out.bytes(), at, count * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .put(values, 0, count);
    }
}
