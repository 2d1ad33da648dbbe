package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.Type;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The parameters and local variables of a function and of all that is inlined into it: it is read
 * once and asked about many instructions.
 */
final class Locals {
    private static final int ADDR = 0x03;
    private static final int CONST1U = 0x08;
    private static final int CONST1S = 0x09;
    private static final int CONST2U = 0x0a;
    private static final int CONST2S = 0x0b;
    private static final int CONST4U = 0x0c;
    private static final int CONST4S = 0x0d;
    private static final int CONST8U = 0x0e;
    private static final int CONST8S = 0x0f;
    private static final int CONSTU = 0x10;
    private static final int CONSTS = 0x11;
    private static final int LIT0 = 0x30;
    private static final int LIT31 = 0x4f;
    private static final int IMPLICIT_VALUE = 0x9e;
    private static final int REG0 = 0x50;
    private static final int BREG0 = 0x70;
    private static final int REGISTERS = 32;
    private static final int REGX = 0x90;
    private static final int FBREG = 0x91;
    private static final int BREGX = 0x92;
    private static final int CALL_FRAME_CFA = 0x9c;
    private static final int STACK_VALUE = 0x9f;
    private static final int DEREF = 0x06;
    private static final int PIECE = 0x93;
    /** Stands for the end of an expression. */
    private static final int END = -1;

    private static final int ADDRX = 0xa1;
    private static final int MOST = 1 << 14;
    private static final int DEEPEST = 256;

    /**
     * A place of which only the sum is left.
     *
     * @param fromFrame whether the offset counts from the function's frame base
     * @param computed whether it is the value, and not where that lies
     * @param indirect whether the address lies there
     * @param pieces of a variable that is nowhere as a whole
     */
    private record Place(
            Local.Base base,
            int register,
            long offset,
            boolean fromFrame,
            boolean computed,
            boolean indirect,
            List<Piece> pieces) {
        private static Place of(Local.Base base, int register, long offset) {
            return new Place(base, register, offset, false, false, false, List.of());
        }

        private static Place of(List<Piece> pieces) {
            return new Place(Local.Base.PIECES, 0, 0, false, false, false, pieces);
        }

        private static Place inFrame(long offset) {
            return new Place(Local.Base.NONE, 0, offset, true, false, false, List.of());
        }

        private static Place constant(long value) {
            return of(Local.Base.CONSTANT, 0, value);
        }

        private boolean isAddress() {
            return fromFrame
                    || base == Local.Base.REGISTER
                    || base == Local.Base.FRAME
                    || base == Local.Base.FIXED;
        }

        private Place asValue() {
            return new Place(base, register, offset, fromFrame, true, false, List.of());
        }

        private Place asPointer() {
            return new Place(base, register, offset, fromFrame, false, true, List.of());
        }

        /** Returns it in a function with this frame base. */
        private Place in(Place frame) {
            if (!fromFrame) {
                return this;
            }
            boolean inMemory = frame.base == Local.Base.VALUE
                    || frame.base == Local.Base.FRAME
                    || frame.base == Local.Base.REGISTER;
            return !inMemory
                    ? NOWHERE
                    : new Place(
                            frame.base == Local.Base.VALUE ? Local.Base.REGISTER : frame.base,
                            frame.register,
                            frame.offset + offset,
                            true,
                            computed,
                            indirect,
                            List.of());
        }
    }

    private record Piece(long start, long size, Place place) {
        private Local.Piece in(Place frame) {
            Place there = place.in(frame);
            return new Local.Piece(
                    start,
                    size,
                    there.base,
                    there.register,
                    there.offset,
                    there.computed,
                    there.fromFrame);
        }
    }

    private static final Place NOWHERE = Place.of(Local.Base.NONE, 0, 0);

    /** Says where something is for instructions of a range. */
    private record Placed(long start, long end, Place place) {
        private boolean holds(long pc) {
            return start == 0 && end == -1 || pc >= start && pc < end;
        }
    }

    /**
     * A function, inlined or not, or a block in one.
     *
     * @param number among those of the function, in whose order outer ones come first
     * @param ranges starts and ends; null: wherever the outer one is
     */
    private record Scope(int number, Scope outer, int depth, String function, long[] ranges) {
        /** Returns whether it holds an instruction that its outer one holds. */
        private boolean holds(long pc) {
            if (ranges == null) {
                return true;
            }
            for (int i = 0; i < ranges.length; i += 2) {
                if (pc >= ranges[i] && pc < ranges[i + 1]) {
                    return true;
                }
            }
            return false;
        }
    }

    private static final class Variable {
        private final Die die;
        private final Scope scope;
        private final String name;
        private List<Placed> places;
        private Type type;

        private Variable(Die die, Scope scope, String name) {
            this.die = die;
            this.scope = scope;
            this.name = name;
        }
    }

    private final TypeReader types;
    private final Die function;
    private final List<Placed> frame;
    private final List<Scope> scopes = new ArrayList<>();
    private final List<Variable> variables = new ArrayList<>();

    /** @param function the outermost one: its frame is that of all that is inlined into it */
    Locals(TypeReader types, Die function) {
        this.types = types;
        this.function = function;
        this.frame = places(function, Attribute.FRAME_BASE, false);
        read();
        variables.sort(Comparator.comparingInt(variable -> -variable.scope.depth()));
    }

    /** Returns what is in scope at an instruction, the innermost first. */
    List<Local> at(long pc) {
        boolean[] open = new boolean[scopes.size()];
        for (Scope scope : scopes) {
            open[scope.number()] =
                    (scope.outer() == null || open[scope.outer().number()]) && scope.holds(pc);
        }
        List<Local> found = new ArrayList<>();
        for (Variable variable : variables) {
            if (open[variable.scope.number()]) {
                found.add(local(variable, pc));
            }
        }
        return found;
    }

    private void read() {
        Deque<Scope> open = new ArrayDeque<>();
        open.push(new Scope(0, null, 0, null, null));
        scopes.add(open.element());
        DieWalk walk = DieWalk.below(function);
        while (walk.next() && variables.size() < MOST) {
            while (walk.depth() <= open.element().depth()) {
                open.pop();
            }
            switch (walk.tag()) {
                case Tag.FORMAL_PARAMETER, Tag.VARIABLE -> {
                    add(walk.die(), open.element());
                    walk.skipChildren();
                }
                case Tag.LEXICAL_BLOCK, Tag.INLINED_SUBROUTINE -> {
                    if (open.size() < DEEPEST) {
                        open.push(scope(walk, open.element()));
                        scopes.add(open.element());
                    } else {
                        walk.skipChildren();
                    }
                }
                default -> walk.skipChildren();
            }
        }
    }

    private Scope scope(DieWalk walk, Scope outer) {
        boolean inlined = walk.tag() == Tag.INLINED_SUBROUTINE;
        String function = outer.function();
        if (inlined) {
            String linked = walk.die().linkageName();
            String name = linked == null ? walk.die().name() : linked;
            function = name == null ? "?" : name;
        }
        boolean everywhere = !inlined && !AddressRanges.possible(walk.abbreviation());
        return new Scope(
                scopes.size(),
                outer,
                walk.depth(),
                function,
                everywhere ? null : ranges(walk.die()));
    }

    private static long[] ranges(Die die) {
        List<Long> ranges = new ArrayList<>();
        AddressRanges.of(die, (start, end) -> {
            if (start > 0) {
                ranges.add(start);
                ranges.add(end);
            }
        });
        return ranges.stream().mapToLong(Long::longValue).toArray();
    }

    private void add(Die die, Scope scope) {
        String name = die.name();
        if (name != null) {
            variables.add(new Variable(die, scope, name));
        }
    }

    private Local local(Variable variable, long pc) {
        if (variable.places == null) {
            variable.type = types.of(variable.die.type());
            variable.places = variable.die.isConstant(Attribute.CONST_VALUE)
                    ? List.of(new Placed(
                            0, -1, Place.constant(variable.die.constant(Attribute.CONST_VALUE, 0))))
                    : places(variable.die, Attribute.LOCATION, true);
        }
        Place base = at(frame, pc);
        Place place = at(variable.places, pc).in(base);
        return new Local(
                variable.name,
                variable.scope.function(),
                variable.type,
                variable.die.tag() == Tag.FORMAL_PARAMETER,
                place.base(),
                place.register(),
                place.offset(),
                place.computed(),
                place.indirect(),
                place.fromFrame(),
                place.pieces().stream().map(piece -> piece.in(base)).toList());
    }

    private static Place at(List<Placed> places, long pc) {
        for (Placed placed : places) {
            if (placed.holds(pc)) {
                return placed.place();
            }
        }
        return NOWHERE;
    }

    private List<Placed> places(Die die, int attribute, boolean inFrame) {
        List<Placed> places = new ArrayList<>();
        LocationLists.each(
                die,
                attribute,
                (start, end, expression) ->
                        places.add(new Placed(start, end, place(expression, inFrame))));
        return places;
    }

    /**
     * Returns what an expression says that names one place, or one for each part of a variable
     * (DWARF 5, sections 2.6.1.1 and 2.6.1.2); longer ones compute something and are left.
     */
    private Place place(ByteBuffer expression, boolean inFrame) {
        SectionReader in = new SectionReader(expression, 0);
        List<Piece> pieces = new ArrayList<>();
        long start = 0;
        while (in.hasMore()) {
            int operation = in.u8();
            Place place = operation == PIECE ? NOWHERE : simple(operation, in, inFrame);
            int next = place == null ? END : operation == PIECE ? PIECE : next(in);
            if (next == STACK_VALUE || next == DEREF) {
                place = !place.isAddress()
                        ? null
                        : next == DEREF ? place.asPointer() : place.asValue();
                next = place == null ? END : next(in);
            }
            if (next == END && place != null && pieces.isEmpty()) {
                return place;
            }
            if (next != PIECE) {
                return NOWHERE;
            }
            long size = in.uleb();
            pieces.add(new Piece(start, size, place.indirect() ? NOWHERE : place));
            start += size;
        }
        return pieces.isEmpty() ? NOWHERE : Place.of(List.copyOf(pieces));
    }

    private static int next(SectionReader in) {
        return in.hasMore() ? in.u8() : END;
    }

    /** Returns null where something is computed. */
    private Place simple(int operation, SectionReader in, boolean inFrame) {
        if (operation == IMPLICIT_VALUE) {
            return implicit(in);
        }
        Optional<Long> number = number(in, operation);
        if (number.isPresent()) {
            return next(in) == STACK_VALUE ? Place.constant(number.get()) : null;
        }
        return operation(in, operation, inFrame);
    }

    private static Place implicit(SectionReader in) {
        long value = 0;
        long bytes = in.uleb();
        for (int i = 0; i < bytes && bytes <= Long.BYTES; i++) {
            value |= (long) in.u8() << Byte.SIZE * i;
        }
        return bytes <= Long.BYTES ? Place.constant(value) : null;
    }

    private static Optional<Long> number(SectionReader in, int operation) {
        if (operation >= LIT0 && operation <= LIT31) {
            return Optional.of((long) operation - LIT0);
        }
        return switch (operation) {
            case CONST1U -> Optional.of((long) in.u8());
            case CONST1S -> Optional.of((long) (byte) in.u8());
            case CONST2U -> Optional.of((long) in.u16());
            case CONST2S -> Optional.of((long) (short) in.u16());
            case CONST4U -> Optional.of(in.u32() & 0xffff_ffffL);
            case CONST4S -> Optional.of((long) (int) in.u32());
            case CONST8U, CONST8S -> Optional.of(in.u64());
            case CONSTU -> Optional.of(in.uleb());
            case CONSTS -> Optional.of(in.sleb());
            default -> Optional.empty();
        };
    }

    private Place operation(SectionReader in, int operation, boolean inFrame) {
        if (operation >= REG0 && operation < REG0 + REGISTERS) {
            return Place.of(Local.Base.VALUE, operation - REG0, 0);
        }
        if (operation >= BREG0 && operation < BREG0 + REGISTERS) {
            return Place.of(Local.Base.REGISTER, operation - BREG0, in.sleb());
        }
        return switch (operation) {
            case ADDR -> Place.of(Local.Base.FIXED, 0, in.u64());
            case ADDRX -> Place.of(Local.Base.FIXED, 0, function.unit().address(in.uleb()));
            case REGX -> Place.of(Local.Base.VALUE, (int) in.uleb(), 0);
            case BREGX -> Place.of(Local.Base.REGISTER, (int) in.uleb(), in.sleb());
            case CALL_FRAME_CFA -> Place.of(Local.Base.FRAME, 0, 0);
            case FBREG -> inFrame ? Place.inFrame(in.sleb()) : null;
            default -> null;
        };
    }
}
