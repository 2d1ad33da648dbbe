package dev.madt.resolver.dwarf;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The functions of a unit by their addresses, as far as it can be read, and what has been inlined
 * into them.
 */
final class Functions {
    /** Takes one range of a function. */
    interface Sink {
        void range(int entry, long start, long end);
    }

    private static final int MOST_RANGES = 1 << 20;
    private static final int DEEPEST = 256;
    private static final int MOST_HOPS = 8;

    private final Unit unit;
    private final RangeTable ranges;

    Functions(Unit unit) {
        this.unit = unit;
        RangeTable.Builder found = new RangeTable.Builder();
        try {
            each(unit, (entry, start, end) -> {
                if (found.count() < MOST_RANGES) {
                    found.add(start, end, entry);
                }
            });
        } catch (RuntimeException e) {
            unit.file()
                    .warn(
                            "functions of the unit at byte 0x" + Integer.toHexString(unit.offset()),
                            e);
        }
        ranges = found.build();
    }

    /** Gives the ranges of all functions with code, nested ones too. */
    static void each(Unit unit, Sink sink) {
        if (!unit.usesTag(Tag.SUBPROGRAM)) {
            return;
        }
        DieWalk walk = DieWalk.of(unit);
        while (walk.next()) {
            if (walk.tag() == Tag.SUBPROGRAM && AddressRanges.possible(walk.abbreviation())) {
                int entry = walk.offset();
                AddressRanges.of(walk.die(), (start, end) -> sink.range(entry, start, end));
            }
        }
    }

    /** The function whose code is at an address, or null. */
    Die find(long address) {
        int entry = ranges.find(address);
        return entry < 0 ? null : Die.at(unit, entry);
    }

    /**
     * Returns the type that a function, or the class that it is a member of, has for a parameter of
     * its template; null if it has none of this name.
     */
    static Die templateType(Die function, String parameter) {
        Die declared = function;
        Die found = null;
        for (int hop = 0; found == null && function != null && hop < MOST_HOPS; hop++) {
            declared = function;
            found = argument(function, parameter);
            function = function.completed();
        }
        Die around = found == null ? aggregate(declared) : null;
        return around == null ? found : argument(around, parameter);
    }

    private static Die argument(Die template, String parameter) {
        DieWalk walk = DieWalk.below(template);
        while (walk.next()) {
            if (walk.tag() == Tag.TEMPLATE_TYPE_PARAMETER
                    && parameter.equals(walk.die().name())) {
                return walk.die().type();
            }
            walk.skipChildren();
        }
        return null;
    }

    /** The innermost class that an entry is in, or null. */
    private static Die aggregate(Die member) {
        Deque<Integer> open = new ArrayDeque<>();
        Deque<Integer> depths = new ArrayDeque<>();
        DieWalk walk = DieWalk.of(member.unit());
        while (walk.next() && walk.offset() < member.offset()) {
            while (!depths.isEmpty() && depths.element() >= walk.depth()) {
                depths.pop();
                open.pop();
            }
            if (walk.tag() == Tag.STRUCTURE_TYPE || walk.tag() == Tag.CLASS_TYPE) {
                depths.push(walk.depth());
                open.push(walk.offset());
            }
        }
        while (!depths.isEmpty() && depths.element() >= walk.depth()) {
            depths.pop();
            open.pop();
        }
        return open.isEmpty() ? null : Die.at(member.unit(), open.element());
    }

    /**
     * The function and, inside it, each inlined one whose code holds the address, outermost first.
     */
    static List<Die> chain(Die function, long address) {
        List<Die> chain = new ArrayList<>();
        chain.add(function);
        DieWalk walk = DieWalk.below(function);
        int inside = 0;
        while (walk.next() && walk.depth() > inside && chain.size() < DEEPEST) {
            boolean inlined = walk.tag() == Tag.INLINED_SUBROUTINE;
            if (inlined && AddressRanges.contain(walk.die(), address)) {
                chain.add(walk.die());
                inside = walk.depth();
            } else if (inlined || walk.tag() == Tag.SUBPROGRAM) {
                walk.skipChildren();
            }
        }
        return chain;
    }
}
