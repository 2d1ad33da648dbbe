package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.Type;

/**
 * A parameter or local variable of a function at an instruction.
 *
 * @param function the inlined function that has it, by its name for the linker; null if it is the
 *     one that the others are inlined into
 * @param base what {@code offset} counts from
 * @param register its DWARF number, for {@link Base#REGISTER} and {@link Base#VALUE}; else 0
 * @param offset bytes; the address for {@link Base#FIXED}, the value for {@link Base#CONSTANT}
 * @param computed whether the address is the variable's value, and not where that lies
 */
public record Local(
        String name,
        String function,
        Type type,
        boolean parameter,
        Base base,
        int register,
        long offset,
        boolean computed) {
    /** Says where a variable is. */
    public enum Base {
        /** In memory, from the canonical frame address: the stack pointer before the call. */
        FRAME,
        /** In memory, from the value of a register. */
        REGISTER,
        /** In memory at a fixed address. */
        FIXED,
        /** In a register. */
        VALUE,
        /** Nowhere: it has the same value wherever it has one. */
        CONSTANT,
        /** Nowhere at this instruction, or in a place that takes computing. */
        NONE
    }
}
