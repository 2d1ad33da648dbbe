package dev.madt.resolver.local;

import dev.madt.resolver.type.Type;
import java.util.List;

/**
 * A parameter or local variable of a function at an instruction.
 *
 * @param function the inlined function that has it, by its name for the linker; null if it is the
 *     one that the others are inlined into
 * @param base what {@code offset} counts from
 * @param register its DWARF number, for {@link Base#REGISTER} and {@link Base#VALUE}; else 0
 * @param offset bytes; the address for {@link Base#FIXED}, the value for {@link Base#CONSTANT}
 * @param computed whether the address is the variable's value, and not where that lies
 * @param indirect whether the address of the variable lies at that place
 * @param framed whether the register is the function's frame base, which its first instructions set
 * @param pieces where each of its parts is, for {@link Base#PIECES}; else empty
 * @param computation what is to be computed, for {@link Base#COMPUTED}; else null
 * @param target where that is, in any type, what it points to, {@code offset} bytes in front, for
 *     {@link Base#POINTER}; else null
 */
public record Local(
        String name,
        String function,
        Type type,
        boolean parameter,
        Base base,
        int register,
        long offset,
        boolean computed,
        boolean indirect,
        boolean framed,
        List<Piece> pieces,
        Computed computation,
        Local target) {
    /**
     * A part of a variable.
     *
     * @param start its first byte in the variable
     * @param size bytes
     * @param base where it is, with the next five, as of a whole variable
     */
    public record Piece(
            long start,
            long size,
            Base base,
            int register,
            long offset,
            boolean computed,
            boolean framed,
            Computed computation) {}

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
        /** In parts, each somewhere else. */
        PIECES,
        /** Nowhere, or in memory: what it is, or its address, is computed. */
        COMPUTED,
        /** Nowhere: it points to another variable, which may be in no memory. */
        POINTER,
        /** Nowhere at this instruction, or not known. */
        NONE
    }
}
