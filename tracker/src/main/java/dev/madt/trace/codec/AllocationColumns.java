package dev.madt.trace.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Holds what the short forms of allocation events say, as a writer puts it together
 * (docs/FORMAT.md, template 12): codes of two bits, and numbers where a code asks for one.
 * {@link AllocationNumbers} is its counterpart.
 */
final class AllocationColumns {
    static final int SAME_SIZE = 0;
    static final int SMALL = 1;
    static final int MEDIUM = 2;
    static final int OTHER_SIZE = 3;
    /** Sizes from 1 on have codes of their own: 256 of each. */
    static final int CODED_SIZES = 2 << Byte.SIZE;

    static final int AT_LAST = 0;
    static final int AT_EARLIER = 1;
    static final int AT_TOP = 2;
    static final int ELSEWHERE = 3;

    static final int IN_CELL = 0;
    static final int KNOWN = 1;
    static final int OTHER_BLOCK = 2;

    private static final int MOST_NUMBER = 10;

    /** Numbers of seven bits a byte, and bytes. */
    private static final class Numbers {
        private byte[] bytes = new byte[64];
        private int size;

        void add(int value) {
            if (size + MOST_NUMBER > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * bytes.length);
            }
            bytes[size++] = (byte) value;
        }

        void unsigned(long value) {
            long rest = value;
            while ((rest & ~0x7f) != 0) {
                add((int) rest | 0x80);
                rest >>>= 7;
            }
            add((int) rest);
        }

        void signed(long value) {
            unsigned(value << 1 ^ value >> 63);
        }

        void moveTo(ByteBuffer to) {
            to.put(bytes, 0, size);
            size = 0;
        }
    }

    private final BitColumn sizeCodes = new BitColumn(2);
    private final BitColumn placeCodes = new BitColumn(2);
    private final BitColumn endCodes = new BitColumn(2);
    private final Numbers sizes = new Numbers();
    private final Numbers places = new Numbers();

    /** The size of an allocation, whose site had another one the last time, or the same. */
    void size(long size, long last) {
        long less = size - 1;
        if (size == last) {
            code(sizeCodes, SAME_SIZE);
        } else if (less >= 0 && less < CODED_SIZES) {
            code(sizeCodes, SMALL + (int) (less >> Byte.SIZE));
            sizes.add((int) less);
        } else {
            code(sizeCodes, OTHER_SIZE);
            sizes.unsigned(size);
        }
    }

    /** An allocation where a freed block was. */
    void rank(int rank) {
        code(placeCodes, rank == 0 ? AT_LAST : AT_EARLIER);
        if (rank != 0) {
            places.unsigned(rank);
        }
    }

    /** An allocation at another place, so far behind the one that is expected. */
    void elsewhere(long distance) {
        code(placeCodes, distance == 0 ? AT_TOP : ELSEWHERE);
        if (distance != 0) {
            places.signed(distance);
        }
    }

    /** The end of the block of a cell. */
    void endInCell() {
        code(endCodes, IN_CELL);
    }

    /** The end of the block that is the so manieth last one. */
    void endOfKnown(int distance) {
        code(endCodes, KNOWN);
        places.unsigned(distance);
    }

    /** The end of another block, so far behind the last one of these. */
    void endOfOther(long distance) {
        code(endCodes, OTHER_BLOCK);
        places.signed(distance);
    }

    private static void code(BitColumn column, int code) {
        column.makeRoom(1);
        column.add(code);
    }

    /** The sizes of all columns of a frame. */
    ColumnSizes withRecords(int control, int residuals) {
        return new ColumnSizes(
                control, residuals, sizeCodes.size(), endCodes.size(), sizes.size, places.size);
    }

    /** Appends the columns; they are empty afterwards. */
    void moveTo(ByteBuffer to) {
        sizeCodes.moveTo(to);
        placeCodes.moveTo(to);
        endCodes.moveTo(to);
        sizes.moveTo(to);
        places.moveTo(to);
    }
}
