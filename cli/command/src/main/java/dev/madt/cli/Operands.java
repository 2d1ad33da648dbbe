package dev.madt.cli;

import java.util.List;

/**
 * Says what the arguments of a command are, for the completion of shells.
 *
 * @param words those that an argument is one of, for {@link Kind#WORD}
 */
record Operands(Kind kind, List<String> words) {
    enum Kind {
        TRACE,
        PROGRAM,
        WORD,
        NONE
    }

    static final Operands TRACES = new Operands(Kind.TRACE, List.of());
    /** A program and its arguments. */
    static final Operands PROGRAM = new Operands(Kind.PROGRAM, List.of());

    static final Operands NONE = new Operands(Kind.NONE, List.of());

    static Operands oneOf(List<String> words) {
        return new Operands(Kind.WORD, words);
    }
}
