package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The parameters and local variables that are in scope at an instruction, innermost scope first.
 */
final class Locals {
    private static final int ADDR = 0x03;
    private static final int REG0 = 0x50;
    private static final int BREG0 = 0x70;
    private static final int REGISTERS = 32;
    private static final int REGX = 0x90;
    private static final int FBREG = 0x91;
    private static final int BREGX = 0x92;
    private static final int CALL_FRAME_CFA = 0x9c;
    private static final int ADDRX = 0xa1;
    private static final int MOST = 1 << 14;

    /** A place of which only the sum is left. */
    private record Place(Local.Base base, int register, long offset) {}

    private record Scoped(int depth, Local local) {}

    private static final Place NOWHERE = new Place(Local.Base.NONE, 0, 0);

    private final TypeReader types;
    private final Die function;
    private final long pc;

    /** @param function the outermost one: its frame is that of all that is inlined into it */
    Locals(TypeReader types, Die function, long pc) {
        this.types = types;
        this.function = function;
        this.pc = pc;
    }

    List<Local> all() {
        List<Die> chain = Functions.chain(function, pc);
        List<Local> found = new ArrayList<>();
        for (int i = chain.size() - 1; i >= 0; i--) {
            List<Scoped> own = in(chain.get(i));
            own.sort(Comparator.comparingInt(scoped -> -scoped.depth()));
            own.forEach(scoped -> found.add(scoped.local()));
        }
        return found;
    }

    private List<Scoped> in(Die scope) {
        List<Scoped> found = new ArrayList<>();
        DieWalk walk = DieWalk.below(scope);
        while (walk.next() && found.size() < MOST) {
            boolean block = walk.tag() == Tag.LEXICAL_BLOCK;
            if (walk.tag() == Tag.FORMAL_PARAMETER || walk.tag() == Tag.VARIABLE) {
                Local local = local(walk.die());
                if (local != null) {
                    found.add(new Scoped(walk.depth(), local));
                }
            }
            if (!block
                    || AddressRanges.possible(walk.abbreviation())
                            && !AddressRanges.contain(walk.die(), pc)) {
                walk.skipChildren();
            }
        }
        return found;
    }

    private Local local(Die die) {
        String name = die.name();
        if (name == null) {
            return null;
        }
        Place place = place(LocationLists.at(die, Attribute.LOCATION, pc), true);
        return new Local(
                name,
                types.of(die.type()),
                die.tag() == Tag.FORMAL_PARAMETER,
                place.base(),
                place.register(),
                place.offset());
    }

    /**
     * Returns what an expression of one operation says; longer ones compute something and are left.
     */
    private Place place(ByteBuffer expression, boolean frame) {
        if (expression == null || !expression.hasRemaining()) {
            return NOWHERE;
        }
        SectionReader in = new SectionReader(expression, 0);
        Place place = operation(in, frame);
        return in.hasMore() ? NOWHERE : place;
    }

    private Place operation(SectionReader in, boolean frame) {
        int operation = in.u8();
        if (operation >= REG0 && operation < REG0 + REGISTERS) {
            return new Place(Local.Base.VALUE, operation - REG0, 0);
        }
        if (operation >= BREG0 && operation < BREG0 + REGISTERS) {
            return new Place(Local.Base.REGISTER, operation - BREG0, in.sleb());
        }
        return switch (operation) {
            case ADDR -> new Place(Local.Base.FIXED, 0, in.u64());
            case ADDRX -> new Place(Local.Base.FIXED, 0, function.unit().address(in.uleb()));
            case REGX -> new Place(Local.Base.VALUE, (int) in.uleb(), 0);
            case BREGX -> new Place(Local.Base.REGISTER, (int) in.uleb(), in.sleb());
            case CALL_FRAME_CFA -> new Place(Local.Base.FRAME, 0, 0);
            case FBREG -> frame ? fromFrame(in.sleb()) : NOWHERE;
            default -> NOWHERE;
        };
    }

    private Place fromFrame(long offset) {
        Place base = place(LocationLists.at(function, Attribute.FRAME_BASE, pc), false);
        return switch (base.base()) {
            case VALUE -> new Place(Local.Base.REGISTER, base.register(), offset);
            case FRAME, REGISTER -> new Place(base.base(), base.register(), base.offset() + offset);
            default -> NOWHERE;
        };
    }
}
