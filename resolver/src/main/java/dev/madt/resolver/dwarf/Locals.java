package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Computed;
import dev.madt.resolver.local.Local;
import dev.madt.resolver.type.Type;
import dev.madt.trace.instrument.FormulaStep;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The parameters and local variables of a function and of all that is inlined into it: it is read
 * once and asked about many instructions.
 */
final class Locals {
    private static final int MOST = 1 << 14;
    private static final int DEEPEST = 256;
    /** Pointers to pointers that are in no memory. */
    private static final int MOST_TARGETS = 4;

    /**
     * A place of which only the sum is left.
     *
     * @param fromFrame whether the offset counts from the function's frame base
     * @param computed whether it is the value, and not where that lies
     * @param indirect whether the address lies there
     * @param pieces of a variable that is nowhere as a whole
     * @param computation what is no sum
     * @param target the offset of the entry of what it points to, or 0
     */
    private record Place(
            Local.Base base,
            int register,
            long offset,
            boolean fromFrame,
            boolean computed,
            boolean indirect,
            List<Piece> pieces,
            Computed computation,
            long target) {
        private static Place of(Local.Base base, int register, long offset) {
            return new Place(base, register, offset, false, false, false, List.of(), null, 0);
        }

        private static Place of(List<Piece> pieces) {
            return new Place(Local.Base.PIECES, 0, 0, false, false, false, pieces, null, 0);
        }

        private static Place constant(long value) {
            return of(Local.Base.CONSTANT, 0, value);
        }

        private static Place pointer(long target, long offset) {
            return new Place(
                    Local.Base.POINTER, 0, offset, false, false, false, List.of(), null, target);
        }

        /** Returns the place of a part of a variable. */
        private static Place of(LocationExpression.Part part) {
            return switch (part.kind()) {
                case REGISTER -> of(Local.Base.VALUE, part.register(), 0);
                case POINTER -> pointer(part.target(), part.offset());
                case VALUE ->
                    part.computed() instanceof Computed.Number number
                            ? of(Local.Base.CONSTANT, 0, number.value())
                            : computed(part.computed(), true, false);
                case MEMORY ->
                    part.computed() instanceof Computed.Memory memory
                                    && memory.bytes() == Long.BYTES
                                    && sum(memory.address(), false, true) != null
                            ? sum(memory.address(), false, true)
                            : computed(part.computed(), false, false);
                case NOWHERE -> NOWHERE;
            };
        }

        private static Place computed(Computed value, boolean computed, boolean indirect) {
            Place sum = sum(value, computed, indirect);
            return sum != null
                    ? sum
                    : new Place(
                            Local.Base.COMPUTED,
                            0,
                            0,
                            value.isFramed(),
                            computed,
                            indirect,
                            List.of(),
                            value,
                            0);
        }

        /** Returns the place of a register, a frame or an address, and a number; null: no such. */
        private static Place sum(Computed value, boolean computed, boolean indirect) {
            boolean adds = value instanceof Computed.Binary sum
                    && sum.step() == FormulaStep.ADD
                    && sum.right() instanceof Computed.Number;
            Computed from = adds ? ((Computed.Binary) value).left() : value;
            long offset = adds ? ((Computed.Number) ((Computed.Binary) value).right()).value() : 0;
            boolean framed = from instanceof Computed.FrameBase;
            int register = 0;
            Local.Base base = framed ? Local.Base.NONE : null;
            if (from instanceof Computed.Register one) {
                base = Local.Base.REGISTER;
                register = one.dwarf();
            } else if (from instanceof Computed.Frame) {
                base = Local.Base.FRAME;
            } else if (from instanceof Computed.Fixed fixed) {
                base = Local.Base.FIXED;
                offset += fixed.address();
            }
            return base == null
                    ? null
                    : new Place(
                            base, register, offset, framed, computed, indirect, List.of(), null, 0);
        }

        /** Returns it in a function with this frame base. */
        private Place in(Place frame) {
            if (base == Local.Base.COMPUTED) {
                Computed whole = computation.in(frame.asBase());
                return whole == null
                        ? NOWHERE
                        : new Place(base, 0, 0, fromFrame, computed, indirect, pieces, whole, 0);
            }
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
                            List.of(),
                            null,
                            0);
        }

        /** Returns what the base of a function's frame is; null: it is not known. */
        private Computed asBase() {
            return switch (base) {
                case VALUE, REGISTER -> new Computed.Register(register).plus(offset);
                case FRAME -> new Computed.Frame().plus(offset);
                default -> null;
            };
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
                    there.fromFrame,
                    there.computation);
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

    /** Returns the base of the function's frame at an instruction; null: it is not known. */
    Computed base(long pc) {
        return at(frame, pc).asBase();
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
            variable.places = places(variable.die);
        }
        return local(variable, at(variable.places, pc), pc, 0);
    }

    private List<Placed> places(Die die) {
        ByteBuffer bytes = die.block(Attribute.CONST_VALUE);
        boolean few = bytes != null && bytes.limit() <= Long.BYTES;
        if (!few && !die.isConstant(Attribute.CONST_VALUE)) {
            return places(die, Attribute.LOCATION, true);
        }
        long value = die.constant(Attribute.CONST_VALUE, 0);
        for (int i = 0; few && i < bytes.limit(); i++) {
            value |= (bytes.get(i) & 0xffL) << Byte.SIZE * i;
        }
        return List.of(new Placed(0, -1, Place.constant(value)));
    }

    private Local local(Variable variable, Place there, long pc, int targets) {
        Place base = at(frame, pc);
        Place place = there.in(base);
        boolean points = place.base() == Local.Base.POINTER
                && place.target() != 0 // as gcc leaves it in what it splits off
                && targets < MOST_TARGETS;
        Local target = points
                ? local(
                        variable,
                        at(places(function.unit().file().entry(place.target())), pc),
                        pc,
                        targets + 1)
                : null;
        return new Local(
                variable.name,
                variable.scope.function(),
                variable.type,
                variable.die.tag() == Tag.FORMAL_PARAMETER,
                target != null || place.base() != Local.Base.POINTER
                        ? place.base()
                        : Local.Base.NONE,
                place.register(),
                place.offset(),
                place.computed(),
                place.indirect(),
                place.fromFrame(),
                place.pieces().stream().map(piece -> piece.in(base)).toList(),
                place.computation(),
                target);
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

    /** Returns what an expression says: one place, or one for each part of a variable. */
    private Place place(ByteBuffer expression, boolean inFrame) {
        List<LocationExpression.Part> parts =
                LocationExpression.read(function.unit(), expression, inFrame);
        if (parts.size() == 1 && parts.get(0).size() < 0) {
            return Place.of(parts.get(0));
        }
        List<Piece> pieces = new ArrayList<>();
        for (LocationExpression.Part part : parts) {
            Place place = Place.of(part);
            boolean near = !place.indirect() && place.base() != Local.Base.POINTER;
            pieces.add(new Piece(part.start(), part.size(), near ? place : NOWHERE));
        }
        return Place.of(List.copyOf(pieces));
    }
}
