package dev.madt.trace.instrument;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/** An expression of 64-bit integers, and of floating-point numbers. */
public sealed interface Expression {
    /** Returns its value, from those of its leaves. */
    Value evaluate(Function<Leaf, Value> leaves);

    /** Adds its leaves, in the order in which they are typed. */
    void addLeaves(Set<Leaf> leaves);

    /** Returns whether its value is a floating-point number, if those of some leaves are. */
    default boolean isReal(Predicate<Leaf> real) {
        if (this instanceof Taken taken) {
            return real.test(taken.leaf());
        }
        if (this instanceof Unary unary) {
            return unary.operator() == '-' && unary.operand().isReal(real);
        }
        return this instanceof Real
                || this instanceof Binary binary
                        && "+-*/".contains(binary.operator())
                        && (binary.left().isReal(real) || binary.right().isReal(real));
    }

    /**
     * Returns whether its value is an integer of 64 bits that has no sign, if those of some leaves
     * are: as in C, which computes with such where one takes part.
     */
    default boolean isUnsigned(Predicate<Leaf> unsigned) {
        if (this instanceof Taken taken) {
            return unsigned.test(taken.leaf());
        }
        if (this instanceof Unary unary) {
            return unary.operator() != '!' && unary.operand().isUnsigned(unsigned);
        }
        if (this instanceof Binary binary) {
            return binary.makesNumber() && binary.takesUnsigned(unsigned);
        }
        return this instanceof Constant constant && constant.isUnsigned();
    }

    /** Returns its leaves, in the order in which they are typed. */
    default Set<Leaf> leaves() {
        Set<Leaf> leaves = new LinkedHashSet<>();
        addLeaves(leaves);
        return leaves;
    }

    /** A floating-point number. */
    record Real(double value) implements Expression {
        @Override
        public Value evaluate(Function<Leaf, Value> leaves) {
            return Value.of(value, Double.BYTES);
        }

        @Override
        public void addLeaves(Set<Leaf> leaves) {}
    }

    /** A number. */
    record Constant(long value) implements Expression {
        /** Returns whether it has no sign: it is typed without one, and too large for others. */
        boolean isUnsigned() {
            return value < 0;
        }

        @Override
        public Value evaluate(Function<Leaf, Value> leaves) {
            return Value.of(value, isUnsigned());
        }

        @Override
        public void addLeaves(Set<Leaf> leaves) {}
    }

    /** Something of the program's. */
    record Taken(Leaf leaf) implements Expression {
        @Override
        public Value evaluate(Function<Leaf, Value> leaves) {
            return leaves.apply(leaf);
        }

        @Override
        public void addLeaves(Set<Leaf> leaves) {
            leaves.add(leaf);
        }
    }

    /** An operator in front of an operand. */
    record Unary(char operator, Expression operand) implements Expression {
        @Override
        public Value evaluate(Function<Leaf, Value> leaves) {
            Value value = operand.evaluate(leaves);
            if (!value.known()) {
                return value;
            }
            if (value.real() > 0) {
                return operator == '-'
                        ? Value.of(-value.number(), value.real())
                        : operator == '!' ? Value.of(value.isTrue() ? 0 : 1) : Value.UNKNOWN;
            }
            return switch (operator) {
                case '-' -> Value.of(-value.bits(), value.unsigned());
                case '~' -> Value.of(~value.bits(), value.unsigned());
                default -> Value.of(value.bits() == 0 ? 1 : 0);
            };
        }

        @Override
        public void addLeaves(Set<Leaf> leaves) {
            operand.addLeaves(leaves);
        }
    }

    /** An operator between two operands. */
    record Binary(String operator, Expression left, Expression right) implements Expression {
        @Override
        public Value evaluate(Function<Leaf, Value> leaves) {
            Value first = left.evaluate(leaves);
            boolean and = operator.equals("&&");
            if (and && first.known() && !first.isTrue()) {
                return Value.of(0);
            }
            if (operator.equals("||") && first.isTrue()) {
                return Value.of(1);
            }
            Value second = right.evaluate(leaves);
            if (!first.known() || !second.known()) {
                return Value.UNKNOWN;
            }
            int bytes = Math.max(first.real(), second.real());
            boolean unsigned = first.unsigned() || second.unsigned() && !shifts();
            return bytes == 0
                    ? unsigned
                            ? unsigned(first.bits(), second.bits())
                            : result(first.bits(), second.bits())
                    : result(first.number(), second.number(), bytes);
        }

        /** Computes as C does: with doubles, and with floats where no double takes part. */
        private Value result(double a, double b, int bytes) {
            return switch (operator) {
                case "*" -> real(a * b, bytes);
                case "/" -> real(a / b, bytes);
                case "+" -> real(a + b, bytes);
                case "-" -> real(a - b, bytes);
                case "<" -> of(a < b);
                case "<=" -> of(a <= b);
                case ">" -> of(a > b);
                case ">=" -> of(a >= b);
                case "==" -> of(a == b);
                case "!=" -> of(a != b);
                case "&&" -> of(a != 0 && b != 0);
                case "||" -> of(a != 0 || b != 0);
                default -> Value.UNKNOWN;
            };
        }

        private static Value real(double value, int bytes) {
            return Value.of(bytes == Float.BYTES ? (float) value : value, bytes);
        }

        private Value result(long a, long b) {
            return switch (operator) {
                case "*" -> Value.of(a * b);
                case "/" -> b == 0 ? Value.UNKNOWN : Value.of(a / b);
                case "%" -> b == 0 ? Value.UNKNOWN : Value.of(a % b);
                case "+" -> Value.of(a + b);
                case "-" -> Value.of(a - b);
                case "<<" -> Value.of(b < 0 || b > 63 ? 0 : a << b);
                case ">>" -> Value.of(b < 0 || b > 63 ? (a < 0 ? -1 : 0) : a >> b);
                case "&" -> Value.of(a & b);
                case "^" -> Value.of(a ^ b);
                case "|" -> Value.of(a | b);
                case "<" -> of(a < b);
                case "<=" -> of(a <= b);
                case ">" -> of(a > b);
                case ">=" -> of(a >= b);
                case "==" -> of(a == b);
                case "!=" -> of(a != b);
                case "&&" -> of(a != 0 && b != 0);
                case "||" -> of(a != 0 || b != 0);
                default -> throw new IllegalStateException(operator);
            };
        }

        private Value unsigned(long a, long b) {
            return switch (operator) {
                case "/" -> b == 0 ? Value.UNKNOWN : Value.of(Long.divideUnsigned(a, b), true);
                case "%" -> b == 0 ? Value.UNKNOWN : Value.of(Long.remainderUnsigned(a, b), true);
                case ">>" -> Value.of(b < 0 || b > 63 ? 0 : a >>> b, true);
                case "<", "<=", ">", ">=" -> result(a ^ Long.MIN_VALUE, b ^ Long.MIN_VALUE);
                default -> {
                    Value value = result(a, b);
                    yield makesNumber() ? Value.of(value.bits(), true) : value;
                }
            };
        }

        private boolean shifts() {
            return operator.equals("<<") || operator.equals(">>");
        }

        /** Returns whether it is no comparison, and nothing that is true or false. */
        private boolean makesNumber() {
            return shifts() || operator.length() == 1 && !"<>".contains(operator);
        }

        /** Returns whether it computes as with integers that have no sign. */
        public boolean takesUnsigned(Predicate<Leaf> unsigned) {
            return left.isUnsigned(unsigned) || !shifts() && right.isUnsigned(unsigned);
        }

        private static Value of(boolean holds) {
            return Value.of(holds ? 1 : 0);
        }

        @Override
        public void addLeaves(Set<Leaf> leaves) {
            left.addLeaves(leaves);
            right.addLeaves(leaves);
        }
    }
}
