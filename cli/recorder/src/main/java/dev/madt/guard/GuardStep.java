package dev.madt.guard;

import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.event.AccessKind;
import java.util.Arrays;
import java.util.List;

/** Steps of what says whether a hit is taken; the numbers are those of {@code enum madt_guard}. */
public enum GuardStep {
    SWITCH,
    TURN,
    EVERY,
    HITS,
    CONSTANT,
    REGISTER,
    ADDRESS,
    MEMORY,
    POINTER,
    NOWHERE,
    NEGATE,
    INVERT,
    NOT,
    MULTIPLY,
    DIVIDE,
    REMAINDER,
    ADD,
    SUBTRACT,
    LEFT,
    RIGHT,
    AND,
    XOR,
    OR,
    LESS,
    AT_MOST,
    MORE,
    AT_LEAST,
    EQUAL,
    UNEQUAL,
    BOTH,
    EITHER,
    END;

    /** {@code MADT_GUARD_SIZE}. */
    private static final int SIZE = 5;
    /** {@code MADT_GUARD_SIGNED}. */
    private static final int SIGNED = 0x80;
    /** {@code MADT_GUARD_UNSIGNED}. */
    private static final int UNSIGNED = 0x80;

    /** Returns one with numbers of its own. */
    public Word of(int... values) {
        return new Word(
                AccessKind.GUARD, 0, 0, ordinal(), Arrays.stream(values).boxed().toList());
    }

    /** Returns that of an operator, of integers without a sign if it has one of such. */
    Word of(boolean unsigned) {
        boolean has =
                switch (this) {
                    case DIVIDE, REMAINDER, RIGHT, LESS, AT_MOST, MORE, AT_LEAST -> true;
                    default -> false;
                };
        int piece = unsigned && has ? ordinal() | UNSIGNED : ordinal();
        return new Word(AccessKind.GUARD, 0, 0, piece, List.of());
    }

    /** Returns one that takes something from the program. */
    Word taking(Word from, int bytes, boolean signed) {
        int size = Integer.numberOfTrailingZeros(bytes) << SIZE;
        return new Word(
                AccessKind.GUARD,
                from.place(),
                from.loads(),
                ordinal() | size | (signed ? SIGNED : 0),
                from.displacements());
    }

    /** Returns one that is a number. */
    static Word number(long value) {
        return CONSTANT.of((int) value, (int) (value >>> Integer.SIZE));
    }

    /** Returns the step of an operator between two operands. */
    static GuardStep of(String operator) {
        return switch (operator) {
            case "*" -> MULTIPLY;
            case "/" -> DIVIDE;
            case "%" -> REMAINDER;
            case "+" -> ADD;
            case "-" -> SUBTRACT;
            case "<<" -> LEFT;
            case ">>" -> RIGHT;
            case "&" -> AND;
            case "^" -> XOR;
            case "|" -> OR;
            case "<" -> LESS;
            case "<=" -> AT_MOST;
            case ">" -> MORE;
            case ">=" -> AT_LEAST;
            case "==" -> EQUAL;
            case "!=" -> UNEQUAL;
            case "&&" -> BOTH;
            case "||" -> EITHER;
            default -> throw new IllegalStateException(operator);
        };
    }

    /** Returns the step of an operator in front of an operand. */
    static GuardStep of(char operator) {
        return switch (operator) {
            case '-' -> NEGATE;
            case '~' -> INVERT;
            default -> NOT;
        };
    }
}
