package dev.madt.console;

import java.util.List;

/**
 * Says what the arguments of a command are, for the completion of shells.
 *
 * @param words those that an argument is one of, for {@link Kind#WORD}
 */
public record Operands(Kind kind, List<String> words) {
    /** Says what an argument is. */
    public enum Kind {
        TRACE,
        PROGRAM,
        FILE,
        WORD,
        NONE
    }

    public static final Operands TRACES = new Operands(Kind.TRACE, List.of());
    /** A program and its arguments. */
    public static final Operands PROGRAM = new Operands(Kind.PROGRAM, List.of());

    public static final Operands FILES = new Operands(Kind.FILE, List.of());

    public static final Operands NONE = new Operands(Kind.NONE, List.of());

    public static Operands oneOf(List<String> words) {
        return new Operands(Kind.WORD, words);
    }
}
