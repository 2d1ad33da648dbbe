package dev.madt.trace.codec;

import dev.madt.trace.layout.EventsLayout;

/**
 * Holds what the short forms of allocation events of a frame say, front to back: the counterpart of
 * {@link AllocationColumns}. What is not there reads as 0, and {@link #failed} tells.
 */
final class AllocationNumbers {
    /** Codes of two bits. */
    private static final class Codes {
        private int at;
        private int next;
        private int count;

        void begin(int start, int codes) {
            at = start;
            next = 0;
            count = codes;
        }
    }

    /** Bytes, and numbers of seven bits a byte. */
    private static final class Numbers {
        private int at;
        private int end;
    }

    private byte[] bytes = {};
    private final Codes sizeCodes = new Codes();
    private final Codes placeCodes = new Codes();
    private final Codes endCodes = new Codes();
    private final Numbers sizes = new Numbers();
    private final Numbers places = new Numbers();
    private boolean failed;

    /** The columns begin at a byte, and are there. */
    void begin(byte[] in, int start, ColumnSizes columns) {
        bytes = in;
        failed = false;
        int codes = EventsLayout.kindBytes(columns.births());
        sizeCodes.begin(start, columns.births());
        placeCodes.begin(start + codes, columns.births());
        endCodes.begin(start + 2 * codes, columns.ends());
        sizes.at = start + 2 * codes + EventsLayout.kindBytes(columns.ends());
        sizes.end = sizes.at + columns.sizes();
        places.at = sizes.end;
        places.end = places.at + columns.places();
    }

    /** Returns whether more was taken than there is. */
    boolean failed() {
        return failed;
    }

    /** Returns whether everything has been taken. */
    boolean isEmpty() {
        return sizeCodes.next == sizeCodes.count
                && placeCodes.next == placeCodes.count
                && endCodes.next == endCodes.count
                && sizes.at == sizes.end
                && places.at == places.end;
    }

    int placeCode() {
        return code(placeCodes);
    }

    int endCode() {
        return code(endCodes);
    }

    /** The next size, of a site that had another one the last time, or the same. */
    long size(long last) {
        int code = code(sizeCodes);
        return switch (code) {
            case AllocationColumns.SAME_SIZE -> last;
            case AllocationColumns.OTHER_SIZE -> unsigned(sizes);
            default -> (code - 1 << Byte.SIZE | take(sizes)) + 1L;
        };
    }

    /** The next number of places, without a sign. */
    long unsigned() {
        return unsigned(places);
    }

    /** The next number of places, with its sign. */
    long signed() {
        long number = unsigned(places);
        return number >>> 1 ^ -(number & 1);
    }

    private int code(Codes codes) {
        if (codes.next == codes.count) {
            failed = true;
            return 0;
        }
        int code = bytes[codes.at + (codes.next >>> 2)] >>> 2 * (codes.next & 3) & 3;
        codes.next++;
        return code;
    }

    private int take(Numbers numbers) {
        if (numbers.at == numbers.end) {
            failed = true;
            return 0;
        }
        return bytes[numbers.at++] & 0xff;
    }

    private long unsigned(Numbers numbers) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int part = take(numbers);
            value |= (long) (part & 0x7f) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        failed = true;
        return 0;
    }
}
