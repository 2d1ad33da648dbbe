package dev.madt.modules;

import java.util.List;

/**
 * Functions of a module whose calls are recorded.
 *
 * @param chosen whether only these are; else all, and these in their own way
 * @param ranges ascending
 */
record FunctionRanges(boolean chosen, List<Range> ranges) {
    /** All functions, and nothing besides. */
    static final FunctionRanges ALL = new FunctionRanges(false, List.of());

    /**
     * A function.
     *
     * @param start ELF virtual address of its first byte
     * @param end behind its last byte
     * @param enter what is recorded where it is entered, a bit for each {@code enum madt_value}
     * @param leave likewise where it is left
     */
    record Range(long start, long end, int enter, int leave) {}
}
