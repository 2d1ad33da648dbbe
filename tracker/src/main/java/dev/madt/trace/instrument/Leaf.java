package dev.madt.trace.instrument;

import java.util.List;

/**
 * Says what an expression takes from the program at a hit: it begins with a register or a variable,
 * and goes on by members, elements and what pointers point to.
 *
 * @param kind of what it begins with
 * @param root what that is called
 * @param steps how it goes on
 * @param bytes of a text at most, which lies there; 0: it is no text
 * @param text all of it, without blanks
 * @param column of its first character, from 0
 */
public record Leaf(Kind kind, String root, List<Step> steps, int bytes, String text, int column) {
    /** Names of the general registers, as instructions number them. */
    public static final List<String> REGISTERS = List.of(
            "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12",
            "r13", "r14", "r15");
    /** Callers of a place that are told, if nobody says how many. */
    public static final int CALLERS = 20;
    /** Callers of a place that are told, at most. */
    public static final int MOST_CALLERS = 63;
    /** Is how the time since the hit before is called. */
    public static final String APART = "apart";
    /** No variable is called so. */
    static final String STACK = "stack()";
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
        /** The time since the recording began, in nanoseconds. */
        ELAPSED,
        /** The time since the hit of the instrument before, in nanoseconds. */
        APART,
        /** A variable. */
        NAME,
        /** The calls that control is in: a node of a chain; the root is how many callers. */
        STACK
    }

    /** Returns the calls that control is in: the place, and so many callers. */
    static Leaf stack(int callers, int column) {
        return new Leaf(Kind.STACK, Integer.toString(callers), List.of(), 0, STACK, column);
    }

    /** Returns how many calls a stack has at most, with that of the place's own function. */
    public int calls() {
        return 1 + Integer.parseInt(root);
    }

    /**
     * A step on the way from a variable.
     *
     * @param member its name; null: an element, or what a pointer points to
     * @param through whether the member is that of what a pointer points to
     * @param index of the element
     * @param column of the step, from 0
     */
    public record Step(String member, boolean through, long index, int column) {}

    /** Returns whether it is nothing of the program's. */
    boolean isOfRecording() {
        return kind == Kind.THREAD || kind == Kind.ELAPSED || kind == Kind.APART;
    }

    /** Returns how a time is read; null: it is none. */
    public LeafForm timeForm() {
        return kind == Kind.ELAPSED ? LeafForm.WHOLE : kind == Kind.APART ? LeafForm.SPAN : null;
    }

    /** Returns whether a text is taken. */
    public boolean isText() {
        return bytes > 0;
    }

    /** Returns the number of the register that it begins with; -1: it is no register. */
    public int register() {
        return switch (kind) {
            case REGISTER -> REGISTERS.indexOf(root);
            case ARGUMENT -> ARGUMENTS[root.charAt(root.length() - 1) - '0'];
            case RESULT -> RESULT;
            case THREAD, ELAPSED, APART, NAME, STACK -> -1;
        };
    }
}
