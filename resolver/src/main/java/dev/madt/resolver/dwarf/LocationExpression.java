package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Computed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what an expression says of where a variable is, or of what its value is: of the whole of
 * it, or of each of its parts (DWARF 5, section 2.6). Expressions with branches and calls are left.
 */
final class LocationExpression {
    private static final int REGISTERS = 32;
    private static final int MOST = 128;

    /** Says what is known of a part. */
    enum Kind {
        /** It is in memory, at an address. */
        MEMORY,
        /** It is in a register. */
        REGISTER,
        /** It is nowhere, but has this value. */
        VALUE,
        /** It is nowhere, and points to a variable that need not be in memory. */
        POINTER,
        /** Nothing is known. */
        NOWHERE
    }

    /**
     * A part of a variable, or all of it.
     *
     * @param start its first byte
     * @param size bytes; -1: all
     * @param register its DWARF number, for {@link Kind#REGISTER}
     * @param computed the address, or the value
     * @param target the offset of the variable's entry, for {@link Kind#POINTER}
     * @param offset bytes from its beginning
     */
    record Part(
            long start,
            long size,
            Kind kind,
            int register,
            Computed computed,
            long target,
            long offset) {
        private static Part of(Kind kind, int register, Computed computed) {
            return new Part(0, -1, kind, register, computed, 0, 0);
        }

        private Part at(long start, long size) {
            return new Part(start, size, kind, register, computed, target, offset);
        }
    }

    private static final Part NOWHERE = Part.of(Kind.NOWHERE, 0, null);

    private final Unit unit;
    private final SectionReader in;
    private final boolean inFrame;
    private final StackValues stack;

    private LocationExpression(Unit unit, ByteBuffer expression, boolean inFrame) {
        this.unit = unit;
        this.in = new SectionReader(expression, 0);
        this.inFrame = inFrame;
        this.stack = new StackValues(unit);
    }

    /**
     * Reads one.
     *
     * @param unit that it stands in
     * @param inFrame whether it may count from the base of the function's frame
     * @return one part without a size, or several
     */
    static List<Part> read(Unit unit, ByteBuffer expression, boolean inFrame) {
        return new LocationExpression(unit, expression, inFrame).parts();
    }

    /** Reads one whose result is the value; null: it is not known. */
    static Computed value(Unit unit, ByteBuffer expression) {
        List<Part> parts = read(unit, expression, true);
        Part only = parts.size() == 1 && parts.get(0).size() < 0 ? parts.get(0) : NOWHERE;
        return only.kind() == Kind.MEMORY || only.kind() == Kind.VALUE
                ? only.computed()
                : only.kind() == Kind.REGISTER ? new Computed.Register(only.register()) : null;
    }

    private List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        long start = 0;
        while (in.hasMore() && parts.size() < MOST) {
            Part part = part();
            if (part == null) {
                return List.of(NOWHERE);
            }
            if (!in.hasMore()) {
                return parts.isEmpty() ? List.of(part) : List.of(NOWHERE);
            }
            if (in.u8() != Operations.PIECE) {
                return List.of(NOWHERE);
            }
            long size = in.uleb();
            parts.add(part.at(start, size));
            start += size;
        }
        return parts.isEmpty() ? List.of(NOWHERE) : parts;
    }

    /**
     * Reads up to the size of a part, or the end; null: it cannot be understood, nor where it ends.
     */
    private Part part() {
        stack.clear();
        for (int steps = 0; in.hasMore() && steps < MOST; steps++) {
            int before = in.position();
            int operation = in.u8();
            if (operation == Operations.PIECE) {
                in.seek(before);
                break;
            }
            Part whole = whole(operation);
            if (whole != null) {
                return whole;
            }
            if (!stack.step(operation, in, inFrame)) {
                return null;
            }
        }
        Computed address = stack.isEmpty() ? null : stack.top();
        return address == null ? NOWHERE : Part.of(Kind.MEMORY, 0, address);
    }

    /** Reads an operation that ends a part; null: it is another one. */
    private Part whole(int operation) {
        if (operation >= Operations.REG0 && operation < Operations.REG0 + REGISTERS) {
            return Part.of(Kind.REGISTER, operation - Operations.REG0, null);
        }
        return switch (operation) {
            case Operations.REGX -> Part.of(Kind.REGISTER, (int) in.uleb(), null);
            case Operations.STACK_VALUE ->
                stack.isEmpty() || stack.top() == null
                        ? NOWHERE
                        : Part.of(Kind.VALUE, 0, stack.top());
            case Operations.IMPLICIT_VALUE -> implicit();
            case Operations.IMPLICIT_POINTER, Operations.GNU_IMPLICIT_POINTER -> {
                boolean wide = unit.encoding().wideReference();
                long target = in.offset(wide);
                yield new Part(0, -1, Kind.POINTER, 0, null, target, in.sleb());
            }
            default -> null;
        };
    }

    private Part implicit() {
        long value = 0;
        long bytes = in.uleb();
        for (int i = 0; i < bytes && bytes <= Long.BYTES; i++) {
            value |= (long) in.u8() << Byte.SIZE * i;
        }
        if (bytes > Long.BYTES) {
            in.skip(bytes);
            return NOWHERE;
        }
        return Part.of(Kind.VALUE, 0, new Computed.Number(value));
    }
}
