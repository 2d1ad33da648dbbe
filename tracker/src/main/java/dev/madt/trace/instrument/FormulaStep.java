package dev.madt.trace.instrument;

import java.util.Locale;

/**
 * Operators of a {@link Formula}: of 64-bit words, which are integers or the bits of a double. What
 * has no result, such as a division by zero, is null.
 */
public enum FormulaStep {
    ADD(2),
    SUBTRACT(2),
    MULTIPLY(2),
    DIVIDE(2),
    DIVIDE_UNSIGNED(2),
    REMAINDER(2),
    REMAINDER_UNSIGNED(2),
    AND(2),
    OR(2),
    XOR(2),
    LEFT(2),
    RIGHT(2),
    /** Keeps the sign. */
    RIGHT_SIGNED(2),
    EQUAL(2),
    LESS(2),
    AT_MOST(2),
    LESS_UNSIGNED(2),
    AT_MOST_UNSIGNED(2),
    NEGATE(1),
    INVERT(1),
    ABSOLUTE(1),
    SIGNED_BYTE(1),
    SIGNED_SHORT(1),
    SIGNED_INT(1),
    BYTE(1),
    SHORT(1),
    INT(1),
    ADD_REAL(2),
    SUBTRACT_REAL(2),
    MULTIPLY_REAL(2),
    DIVIDE_REAL(2),
    EQUAL_REAL(2),
    LESS_REAL(2),
    AT_MOST_REAL(2),
    NEGATE_REAL(1),
    ABSOLUTE_REAL(1),
    /** Makes a double of the bits of a float. */
    OF_FLOAT(1),
    /** Makes the bits of a float of a double. */
    TO_FLOAT(1),
    /** Makes a double of an integer. */
    OF_SIGNED(1),
    /** Makes an integer of a double, without what is behind the point. */
    TO_SIGNED(1);

    private final int operands;

    FormulaStep(int operands) {
        this.operands = operands;
    }

    /** Returns how many operands it has. */
    public int operands() {
        return operands;
    }

    /** Returns how files have it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the result; null: there is none. Of one operand, it is {@code b}. */
    Long apply(long a, long b) {
        return switch (this) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> b == 0 ? null : Long.valueOf(a / b);
            case DIVIDE_UNSIGNED -> b == 0 ? null : Long.valueOf(Long.divideUnsigned(a, b));
            case REMAINDER -> b == 0 ? null : Long.valueOf(a % b);
            case REMAINDER_UNSIGNED -> b == 0 ? null : Long.valueOf(Long.remainderUnsigned(a, b));
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
            case LEFT -> b < 0 || b >= Long.SIZE ? null : Long.valueOf(a << b);
            case RIGHT -> b < 0 || b >= Long.SIZE ? null : Long.valueOf(a >>> b);
            case RIGHT_SIGNED -> b < 0 || b >= Long.SIZE ? null : Long.valueOf(a >> b);
            case EQUAL -> of(a == b);
            case LESS -> of(a < b);
            case AT_MOST -> of(a <= b);
            case LESS_UNSIGNED -> of(Long.compareUnsigned(a, b) < 0);
            case AT_MOST_UNSIGNED -> of(Long.compareUnsigned(a, b) <= 0);
            case NEGATE -> -b;
            case INVERT -> ~b;
            case ABSOLUTE -> Math.abs(b);
            case SIGNED_BYTE -> (long) (byte) b;
            case SIGNED_SHORT -> (long) (short) b;
            case SIGNED_INT -> (long) (int) b;
            case BYTE -> b & 0xff;
            case SHORT -> b & 0xffff;
            case INT -> b & 0xffff_ffffL;
            default -> real(a, b);
        };
    }

    private Long real(long a, long b) {
        double first = Double.longBitsToDouble(a);
        double second = Double.longBitsToDouble(b);
        return switch (this) {
            case ADD_REAL -> Double.doubleToRawLongBits(first + second);
            case SUBTRACT_REAL -> Double.doubleToRawLongBits(first - second);
            case MULTIPLY_REAL -> Double.doubleToRawLongBits(first * second);
            case DIVIDE_REAL -> Double.doubleToRawLongBits(first / second);
            case EQUAL_REAL -> of(first == second);
            case LESS_REAL -> of(first < second);
            case AT_MOST_REAL -> of(first <= second);
            case NEGATE_REAL -> Double.doubleToRawLongBits(-second);
            case ABSOLUTE_REAL -> Double.doubleToRawLongBits(Math.abs(second));
            case OF_FLOAT -> LeafForm.real(b, Float.BYTES);
            case TO_FLOAT -> Float.floatToRawIntBits((float) second) & 0xffff_ffffL;
            case OF_SIGNED -> Double.doubleToRawLongBits(b);
            case TO_SIGNED -> Math.abs(second) < 0x1p63 ? Long.valueOf((long) second) : null;
            default -> throw new IllegalStateException(name());
        };
    }

    private static long of(boolean holds) {
        return holds ? 1 : 0;
    }
}
