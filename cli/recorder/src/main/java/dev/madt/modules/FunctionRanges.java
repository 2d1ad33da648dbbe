package dev.madt.modules;

import dev.madt.resolver.ElfModule;
import java.io.IOException;
import java.util.List;

/**
 * Functions of a module whose calls are recorded.
 *
 * @param chosen whether only these are; else all, and these in their own way
 * @param ranges ascending
 */
public record FunctionRanges(boolean chosen, List<Range> ranges) {
    /** All functions, and nothing besides. */
    public static final FunctionRanges ALL = new FunctionRanges(false, List.of());

    /**
     * A function.
     *
     * @param start ELF virtual address of its first byte
     * @param end behind its last byte
     * @param enter what is recorded where it is entered, a bit for each {@code enum madt_value}
     * @param leave likewise where it is left
     * @param role what is recorded beside that
     */
    public record Range(long start, long end, int enter, int leave, Role role) {
        Range(long start, long end, int enter, int leave) {
            this(start, end, enter, leave, Role.CALL);
        }
    }

    /** Says which probes a function has. */
    public enum Role {
        /** Means: where it is entered and left. */
        CALL,
        /** Also where it is called. */
        WITH_CALLER,
        /** Only where it is entered, also where it is called. */
        ENTERED,
        /** Only where it is left: a function that others go on to by a jump. */
        LEFT
    }

    /** Says which functions of a module are recorded for another purpose than calls are. */
    public interface Source {
        /** None. */
        Source NONE = (module, elf) -> FunctionRanges.NONE;

        /** Returns these functions, in the order of their addresses. */
        FunctionRanges of(String module, ElfModule elf) throws IOException;
    }

    /** No function. */
    public static final FunctionRanges NONE = new FunctionRanges(true, List.of());

    /** Returns whether the function at an address is among them. */
    public boolean include(long address) {
        return !chosen
                || ranges.stream().anyMatch(one -> one.start() <= address && address < one.end());
    }
}
