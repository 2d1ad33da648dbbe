package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Computed;
import dev.madt.trace.instrument.FormulaStep;
import java.util.ArrayList;
import java.util.List;

/**
 * The stack of an expression, whose values have types (DWARF 5, section 2.5.1): addresses, or what
 * the debug information says. Values of sorts that are not followed, such as integers of 128 bits,
 * are null, and so is all that is made of them.
 */
final class StackValues {
    /** A kind of number. */
    private enum Form {
        /** An address, which computes as an integer with a sign does. */
        ADDRESS,
        SIGNED,
        UNSIGNED,
        REAL
    }

    /**
     * The type of a value.
     *
     * @param bytes 1, 2, 4 or 8
     */
    private record Sort(Form form, int bytes) {
        private boolean isReal() {
            return form == Form.REAL;
        }

        /** Returns whether they compute with each other. */
        private boolean joins(Sort other) {
            return equals(other) || bytes == other.bytes && isSigned() && other.isSigned();
        }

        private boolean isSigned() {
            return form == Form.ADDRESS || form == Form.SIGNED;
        }
    }

    /** A value; integers fill 64 bits by their sign, floating-point numbers are doubles. */
    private record Typed(Computed value, Sort sort) {}

    private static final Sort ADDRESS = new Sort(Form.ADDRESS, Long.BYTES);
    private static final Typed UNKNOWN = new Typed(null, ADDRESS);
    private static final int REGISTERS = 32;

    private final Unit unit;
    private final List<Typed> stack = new ArrayList<>();

    StackValues(Unit unit) {
        this.unit = unit;
    }

    void clear() {
        stack.clear();
    }

    boolean isEmpty() {
        return stack.isEmpty();
    }

    /** Returns the bits of the topmost value, as a variable of its type has them; or null. */
    Computed top() {
        Typed top = stack.get(stack.size() - 1);
        boolean single = top.sort().isReal() && top.sort().bytes() == Float.BYTES;
        return top.value() == null || !single
                ? top.value()
                : new Computed.Unary(FormulaStep.TO_FLOAT, top.value());
    }

    private Typed pop() {
        return stack.isEmpty() ? UNKNOWN : stack.remove(stack.size() - 1);
    }

    private boolean push(Computed value, Sort sort) {
        stack.add(new Typed(value, sort));
        return true;
    }

    private boolean address(Computed value) {
        return push(value, ADDRESS);
    }

    private boolean number(long value) {
        return address(new Computed.Number(value));
    }

    /** Carries out an operation; false: it makes no sense, or it is not known how long it is. */
    boolean step(int operation, SectionReader in, boolean inFrame) {
        if (operation >= Operations.LIT0 && operation <= Operations.LIT31) {
            return number(operation - Operations.LIT0);
        }
        if (operation >= Operations.BREG0 && operation < Operations.BREG0 + REGISTERS) {
            return address(new Computed.Register(operation - Operations.BREG0).plus(in.sleb()));
        }
        return switch (operation) {
            case Operations.ADDR -> address(new Computed.Fixed(in.u64()));
            case Operations.ADDRX, Operations.GNU_ADDR_INDEX ->
                address(new Computed.Fixed(unit.address(in.uleb())));
            case Operations.CONSTX, Operations.GNU_CONST_INDEX -> number(unit.address(in.uleb()));
            case Operations.CONST1U -> number(in.u8());
            case Operations.CONST1S -> number((byte) in.u8());
            case Operations.CONST2U -> number(in.u16());
            case Operations.CONST2S -> number((short) in.u16());
            case Operations.CONST4U -> number(in.u32() & 0xffff_ffffL);
            case Operations.CONST4S -> number((int) in.u32());
            case Operations.CONST8U, Operations.CONST8S -> number(in.u64());
            case Operations.CONSTU -> number(in.uleb());
            case Operations.CONSTS -> number(in.sleb());
            case Operations.BREGX ->
                address(new Computed.Register((int) in.uleb()).plus(in.sleb()));
            case Operations.FBREG -> {
                Computed there = new Computed.FrameBase().plus(in.sleb());
                yield address(inFrame ? there : null);
            }
            case Operations.CALL_FRAME_CFA -> address(new Computed.Frame());
            case Operations.FORM_TLS_ADDRESS, Operations.GNU_PUSH_TLS_ADDRESS ->
                address(threadLocal(pop().value()));
            case Operations.ENTRY_VALUE, Operations.GNU_ENTRY_VALUE -> entry(in);
            case Operations.NOP -> true;
            case Operations.DEREF -> load(Long.BYTES, ADDRESS);
            case Operations.DEREF_SIZE -> load(in.u8(), ADDRESS);
            default -> typed(operation, in) || moved(operation, in) || applied(operation, in);
        };
    }

    /** Reads the register whose value at the entry of the function is meant. */
    private boolean entry(SectionReader in) {
        long end = in.uleb() + in.position();
        int operation = in.u8();
        boolean typed =
                operation == Operations.REGVAL_TYPE || operation == Operations.GNU_REGVAL_TYPE;
        boolean plain = operation >= Operations.REG0 && operation < Operations.REG0 + REGISTERS;
        int register = typed ? (int) in.uleb() : operation - Operations.REG0;
        Sort sort = typed ? sort(in.uleb()) : ADDRESS;
        boolean whole = (typed || plain) && in.position() == end;
        in.seek(end);
        return pushBits(whole ? new Computed.Entry(register) : null, sort);
    }

    /** Compilers write the offset as a number, or as if it were an address. */
    private static Computed threadLocal(Computed offset) {
        return offset instanceof Computed.Number number
                ? new Computed.ThreadLocal(number.value())
                : offset instanceof Computed.Fixed fixed
                        ? new Computed.ThreadLocal(fixed.address())
                        : null;
    }

    private boolean load(int bytes, Sort sort) {
        Computed from = pop().value();
        boolean known = from != null && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
        return push(known ? new Computed.Memory(from, bytes) : null, sort);
    }

    /* ------------------------------------------------------------ types */

    private boolean typed(int operation, SectionReader in) {
        return switch (operation) {
            case Operations.CONST_TYPE, Operations.GNU_CONST_TYPE -> {
                Sort sort = sort(in.uleb());
                int bytes = in.u8();
                long bits = 0;
                for (int i = 0; i < bytes; i++) {
                    bits |= (in.u8() & 0xffL) << Byte.SIZE * (i % Long.BYTES);
                }
                yield pushBits(new Computed.Number(bits), bytes > Long.BYTES ? null : sort);
            }
            case Operations.REGVAL_TYPE, Operations.GNU_REGVAL_TYPE -> {
                Computed register = new Computed.Register((int) in.uleb());
                yield pushBits(register, sort(in.uleb()));
            }
            case Operations.DEREF_TYPE, Operations.GNU_DEREF_TYPE -> {
                int bytes = in.u8();
                Sort sort = sort(in.uleb());
                load(bytes, ADDRESS);
                yield pushBits(pop().value(), sort == null || sort.bytes() != bytes ? null : sort);
            }
            case Operations.CONVERT, Operations.GNU_CONVERT -> {
                long type = in.uleb();
                Sort sort = type == 0 ? ADDRESS : sort(type);
                Typed top = pop();
                yield sort == null || top.value() == null
                        ? stack.add(UNKNOWN)
                        : push(converted(top, sort), sort);
            }
            case Operations.REINTERPRET, Operations.GNU_REINTERPRET -> {
                long type = in.uleb();
                Sort sort = type == 0 ? ADDRESS : sort(type);
                Computed bits = stack.isEmpty() ? null : top();
                boolean same = sort != null && pop().sort().bytes() == sort.bytes();
                yield pushBits(bits, same ? sort : null);
            }
            default -> false;
        };
    }

    /** Adds a value from its bits in a register or in memory. */
    private boolean pushBits(Computed bits, Sort sort) {
        return bits == null || sort == null
                ? stack.add(UNKNOWN)
                : push(
                        sort.isReal()
                                ? sort.bytes() == Float.BYTES
                                        ? new Computed.Unary(FormulaStep.OF_FLOAT, bits)
                                        : bits
                                : cut(bits, sort),
                        sort);
    }

    private static Computed cut(Computed value, Sort sort) {
        FormulaStep step =
                switch (sort.bytes()) {
                    case 1 -> sort.isSigned() ? FormulaStep.SIGNED_BYTE : FormulaStep.BYTE;
                    case 2 -> sort.isSigned() ? FormulaStep.SIGNED_SHORT : FormulaStep.SHORT;
                    case 4 -> sort.isSigned() ? FormulaStep.SIGNED_INT : FormulaStep.INT;
                    default -> null;
                };
        return step == null ? value : new Computed.Unary(step, value);
    }

    private static Computed converted(Typed from, Sort to) {
        if (from.sort().isReal()) {
            return to.isReal()
                    ? single(from.value(), to)
                    : cut(new Computed.Unary(FormulaStep.TO_SIGNED, from.value()), to);
        }
        boolean large = from.sort().form() == Form.UNSIGNED && from.sort().bytes() == Long.BYTES;
        return !to.isReal()
                ? cut(from.value(), to)
                : large
                        ? null
                        : single(new Computed.Unary(FormulaStep.OF_SIGNED, from.value()), to);
    }

    /** Rounds a double to a float, if that is its type. */
    private static Computed single(Computed value, Sort sort) {
        return sort.bytes() == Float.BYTES
                ? new Computed.Unary(
                        FormulaStep.OF_FLOAT, new Computed.Unary(FormulaStep.TO_FLOAT, value))
                : value;
    }

    /** Returns null for a type that is not followed. */
    private Sort sort(long offset) {
        Die type = Die.at(unit, unit.offset() + offset);
        int bytes = (int) type.constant(Attribute.BYTE_SIZE, 0);
        boolean whole = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
        return switch (whole ? (int) type.constant(Attribute.ENCODING, 0) : 0) {
            case 0x04 -> bytes < Float.BYTES ? null : new Sort(Form.REAL, bytes);
            case 0x05, 0x06 -> new Sort(Form.SIGNED, bytes);
            case 0x02, 0x07, 0x08, 0x10 -> new Sort(Form.UNSIGNED, bytes);
            default -> null;
        };
    }

    /* ------------------------------------------------------------ operators */

    private boolean moved(int operation, SectionReader in) {
        int size = stack.size();
        return switch (operation) {
            case Operations.DUP -> pick(0);
            case Operations.OVER -> pick(1);
            case Operations.PICK -> pick(in.u8());
            case Operations.DROP -> pop() != null;
            case Operations.SWAP -> size >= 2 && stack.add(stack.remove(size - 2));
            case Operations.ROT -> {
                if (size >= 3) {
                    stack.add(size - 3, stack.remove(size - 1));
                }
                yield size >= 3;
            }
            default -> false;
        };
    }

    private boolean pick(int below) {
        int at = stack.size() - 1 - below;
        return at >= 0 && stack.add(stack.get(at));
    }

    private boolean applied(int operation, SectionReader in) {
        switch (operation) {
            case Operations.PLUS_UCONST -> {
                long number = in.uleb();
                Typed top = pop();
                boolean plain = top.value() != null && top.sort().equals(ADDRESS);
                return address(plain ? top.value().plus(number) : null);
            }
            case Operations.ABS, Operations.NEG, Operations.NOT -> {
                Typed top = pop();
                FormulaStep step = unary(operation, top.sort().isReal());
                Computed value = top.value() == null || step == null
                        ? null
                        : new Computed.Unary(step, top.value());
                return push(
                        value == null || top.sort().isReal() ? value : cut(value, top.sort()),
                        top.sort());
            }
            default -> {
                return operation >= Operations.AND
                        && operation <= Operations.NE
                        && operation != Operations.BRA
                        && binary(operation);
            }
        }
    }

    private static FormulaStep unary(int operation, boolean real) {
        return switch (operation) {
            case Operations.ABS -> real ? FormulaStep.ABSOLUTE_REAL : FormulaStep.ABSOLUTE;
            case Operations.NEG -> real ? FormulaStep.NEGATE_REAL : FormulaStep.NEGATE;
            default -> real ? null : FormulaStep.INVERT;
        };
    }

    private boolean binary(int operation) {
        Typed right = pop();
        Typed left = pop();
        Sort sort = left.sort();
        boolean shifts = operation == Operations.SHL
                || operation == Operations.SHR
                || operation == Operations.SHRA;
        boolean joined =
                shifts ? !sort.isReal() && !right.sort().isReal() : sort.joins(right.sort());
        if (left.value() == null || right.value() == null) {
            return stack.add(UNKNOWN);
        }
        if (!joined) {
            return false;
        }
        if (operation >= Operations.EQ) {
            return address(compared(operation, left, right));
        }
        if (sort.isReal()) {
            FormulaStep step = real(operation);
            return step == null
                    ? stack.add(UNKNOWN)
                    : push(
                            single(new Computed.Binary(step, left.value(), right.value()), sort),
                            sort);
        }
        FormulaStep step = integer(operation, sort);
        if (step == null) {
            return stack.add(UNKNOWN);
        }
        Computed from = operation == Operations.SHR && sort.isSigned()
                ? cut(left.value(), new Sort(Form.UNSIGNED, sort.bytes()))
                : operation == Operations.SHRA && !sort.isSigned()
                        ? cut(left.value(), new Sort(Form.SIGNED, sort.bytes()))
                        : left.value();
        return push(cut(joined(step, from, right.value()), sort), sort);
    }

    private static Computed joined(FormulaStep step, Computed left, Computed right) {
        if (right instanceof Computed.Number number && step == FormulaStep.ADD) {
            return left.plus(number.value());
        }
        if (right instanceof Computed.Number number && step == FormulaStep.SUBTRACT) {
            return left.plus(-number.value());
        }
        if (left instanceof Computed.Number number && step == FormulaStep.ADD) {
            return right.plus(number.value());
        }
        return new Computed.Binary(step, left, right);
    }

    private static FormulaStep integer(int operation, Sort sort) {
        return switch (operation) {
            case Operations.PLUS -> FormulaStep.ADD;
            case Operations.MINUS -> FormulaStep.SUBTRACT;
            case Operations.MUL -> FormulaStep.MULTIPLY;
            case Operations.DIV ->
                sort.isSigned() ? FormulaStep.DIVIDE : FormulaStep.DIVIDE_UNSIGNED;
            case Operations.MOD ->
                sort.form() == Form.SIGNED ? FormulaStep.REMAINDER : FormulaStep.REMAINDER_UNSIGNED;
            case Operations.AND -> FormulaStep.AND;
            case Operations.OR -> FormulaStep.OR;
            case Operations.XOR -> FormulaStep.XOR;
            case Operations.SHL -> FormulaStep.LEFT;
            case Operations.SHR -> FormulaStep.RIGHT;
            case Operations.SHRA -> FormulaStep.RIGHT_SIGNED;
            default -> null;
        };
    }

    private static FormulaStep real(int operation) {
        return switch (operation) {
            case Operations.PLUS -> FormulaStep.ADD_REAL;
            case Operations.MINUS -> FormulaStep.SUBTRACT_REAL;
            case Operations.MUL -> FormulaStep.MULTIPLY_REAL;
            case Operations.DIV -> FormulaStep.DIVIDE_REAL;
            default -> null;
        };
    }

    private static Computed compared(int operation, Typed left, Typed right) {
        boolean real = left.sort().isReal();
        FormulaStep equal = real ? FormulaStep.EQUAL_REAL : FormulaStep.EQUAL;
        FormulaStep less = real
                ? FormulaStep.LESS_REAL
                : left.sort().isSigned() ? FormulaStep.LESS : FormulaStep.LESS_UNSIGNED;
        FormulaStep most = real
                ? FormulaStep.AT_MOST_REAL
                : left.sort().isSigned() ? FormulaStep.AT_MOST : FormulaStep.AT_MOST_UNSIGNED;
        Computed a = left.value();
        Computed b = right.value();
        return switch (operation) {
            case Operations.EQ -> new Computed.Binary(equal, a, b);
            case Operations.LT -> new Computed.Binary(less, a, b);
            case Operations.GT -> new Computed.Binary(less, b, a);
            case Operations.LE -> new Computed.Binary(most, a, b);
            case Operations.GE -> new Computed.Binary(most, b, a);
            case Operations.NE ->
                new Computed.Binary(
                        FormulaStep.EQUAL,
                        new Computed.Binary(equal, a, b),
                        new Computed.Number(0));
            default -> null;
        };
    }
}
