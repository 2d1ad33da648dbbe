package dev.madt.trace.instrument;

import java.util.List;

/**
 * Names what an expression takes from the program at a hit.
 *
 * @param kind of what it is
 * @param text as the user typed it; of a register its name
 * @param column of its first character, from 0
 */
public record Leaf(Kind kind, String text, int column) {
    /** Names of the general registers, as instructions number them. */
    public static final List<String> REGISTERS = List.of(
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
            "r13", "r14", "r15");
    /** The registers of arguments, in their order. */
    private static final int[] ARGUMENTS = {7, 6, 2, 1, 8, 9};
    /** The register of a result. */
    private static final int RESULT = 0;

    /** Kinds of leaves. */
    public enum Kind {
        /** A general register. */
        REGISTER,
        /** An argument of the function that is entered. */
        ARGUMENT,
        /** The result of the function that returns. */
        RESULT,
        /** The number of the thread. */
        THREAD,
        /** A variable, with what leads on from it. */
        NAME
    }

    /** Returns the number of its register; -1: it has none. */
    public int register() {
        return switch (kind) {
            case REGISTER -> REGISTERS.indexOf(text);
            case ARGUMENT -> ARGUMENTS[text.charAt(text.length() - 1) - '0'];
            case RESULT -> RESULT;
            case THREAD, NAME -> -1;
        };
    }
}
