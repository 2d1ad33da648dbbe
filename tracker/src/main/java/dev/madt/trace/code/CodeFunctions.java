package dev.madt.trace.code;

import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Says where the functions of one module are, as the analyser has read it from the module itself: a
 * table of its code map, read in place. By start, of one start the longer first; ranges may nest,
 * and several may begin at one address. Addresses are ELF virtual addresses. Immutable.
 */
public final class CodeFunctions {
    /** Of a module that was not analysed. */
    public static final CodeFunctions NONE = new CodeFunctions(ByteBuffer.allocate(0));

    private final ByteBuffer rows;
    private final int count;

    /** @param rows of {@code struct madt_code_function}, sound */
    CodeFunctions(ByteBuffer rows) {
        this.rows = rows.order(ByteOrder.LITTLE_ENDIAN);
        this.count = rows.limit() / SharedLayout.CodeFunction.BYTES;
    }

    /** Returns the number of rows. */
    public int count() {
        return count;
    }

    public long start(int row) {
        return number(row, SharedLayout.CodeFunction.START);
    }

    /** Returns the address behind its last byte; the start where nobody knows how long it is. */
    public long end(int row) {
        return number(row, SharedLayout.CodeFunction.END);
    }

    /** Tells whether a row is of one of these kinds, {@code FUNCTION_…} of {@link SharedLayout}. */
    public boolean is(int row, int kinds) {
        return (number(row, SharedLayout.CodeFunction.KINDS) & kinds) != 0;
    }

    /** Returns the FDE of an unwind range, or the slot of a stub; 0 if there is none. */
    public long where(int row) {
        return number(row, SharedLayout.CodeFunction.WHERE);
    }

    /**
     * Returns where the longest function ends that begins at an address; the address itself if none
     * of a known length does. An unwind range that begins with a stub covers many of them, and is
     * none.
     */
    public long endOf(long start) {
        int first = firstFrom(start);
        for (int row = first; row < count && start(row) == start; row++) {
            if (is(row, SharedLayout.FUNCTION_STUB)) {
                return start;
            }
        }
        return first < count && start(first) == start ? end(first) : start;
    }

    /** Returns the row of the unwind range around an address, or -1. */
    public int unwindAround(long address) {
        int row = firstFrom(address + 1) - 1;
        while (row >= 0 && !is(row, SharedLayout.FUNCTION_UNWIND)) {
            row--;
        }
        return row >= 0 && address < end(row) ? row : -1;
    }

    private long number(int row, int field) {
        return rows.getInt(row * SharedLayout.CodeFunction.BYTES + field) & 0xffffffffL;
    }

    /** Returns the first row at or above an address. */
    private int firstFrom(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (start(middle) < address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
