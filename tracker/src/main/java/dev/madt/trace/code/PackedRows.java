package dev.madt.trace.code;

import java.nio.ByteBuffer;

/**
 * A packed table of a splice plan ({@code madt_rows.h}), read in place: rows of three numbers, by
 * ascending keys. Immutable.
 */
final class PackedRows {
    private static final int ROWS = SplicePlan.ROWS;
    private static final int BLOCK_BYTES = 8;

    private final ByteBuffer bytes;
    private final int index;
    private final int count;

    /**
     * @param index where its index lies in the bytes
     * @param count how many rows it has
     */
    PackedRows(ByteBuffer bytes, int index, int count) {
        this.bytes = bytes;
        this.index = index;
        this.count = count;
    }

    /** Returns whether an index for so many rows would lie within the bytes. */
    static boolean fits(ByteBuffer bytes, int index, int count) {
        return count >= 0 && index + (long) BLOCK_BYTES * (blocks(count) + 1) <= bytes.capacity();
    }

    private static int blocks(int count) {
        return count / ROWS + (count % ROWS == 0 ? 0 : 1);
    }

    /** A row at which the table is read. Changes as it turns to the next one. */
    final class Row {
        private final PlanNumbers numbers = new PlanNumbers(bytes);
        private int number;
        private int key;
        private int value;
        private int extra;

        private Row(int block) {
            number = block * ROWS - 1;
        }

        /** Turns to the next row: this one, or null behind the last. */
        Row next() {
            number++;
            if (number >= count) {
                return null;
            }
            if (number % ROWS == 0) {
                int block = index + number / ROWS * BLOCK_BYTES;
                key = bytes.getInt(block);
                value = 0;
                numbers.seek(index - bytes.getInt(block + 4));
            }
            key += (int) numbers.next();
            long second = numbers.next();
            value += PlanNumbers.signed((int) (second >>> 1));
            extra = (second & 1) == 0 ? 0 : (int) numbers.next();
            return this;
        }

        long key() {
            return key & 0xffffffffL;
        }

        int value() {
            return value;
        }

        int extra() {
            return extra;
        }
    }

    /** The first row; null if there is none. */
    Row first() {
        return new Row(0).next();
    }

    /** The last row with this key or a smaller one; null if there is none. */
    Row lastUpTo(long key) {
        int low = 0;
        int high = blocks(count);
        while (low < high) {
            int middle = (low + high) >>> 1;
            if ((bytes.getInt(index + middle * BLOCK_BYTES) & 0xffffffffL) <= key) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == 0) {
            return null;
        }
        Row ahead = new Row(low - 1).next();
        Row row = new Row(low - 1);
        while (ahead != null && ahead.key() <= key) {
            row.next();
            ahead = ahead.next();
        }
        return row;
    }
}
