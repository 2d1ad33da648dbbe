package dev.madt.resolver.dwarf;

import dev.madt.resolver.local.Signature;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.Argument;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads what a function of C or C++ is given and returns, and finds where each of these is. What is
 * not a scalar of at most eight bytes in one place is not recorded, but takes its room.
 */
final class Signatures {
    /** rdi, rsi, rdx, rcx, r8, r9 */
    private static final int[] GENERAL = {7, 6, 2, 1, 8, 9};

    /** The numbers that instructions have for registers, by those of DWARF. */
    private static final int[] NUMBERS = {0, 2, 1, 3, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};

    private static final int XMM0 = 17;
    private static final int REG0 = 0x50;
    private static final int FBREG = 0x91;
    private static final int VECTORS = 8;
    private static final int RAX = 0;
    private static final int WORD = 8;
    private static final int MOST = 255;
    private static final int MOST_CONSTANTS = 1 << 12;
    private static final int OTHER_CONVENTION = 3; // DW_CC_nocall

    private int generals;
    private int vectors;
    private int words;
    /** Says that it is known where the next word on the stack is. */
    private boolean aligned = true;
    /** Says that it is not known where the rest is. */
    private boolean lost;

    /** Of each argument so far, where its eight bytes are. */
    private final List<List<Integer>> registers = new ArrayList<>();

    private final Die function;
    /** The first instruction, where the compiler may have chosen other places; or 0. */
    private final long entry;
    /** Says whether the compiler keeps parameters in registers. */
    private boolean optimised;

    private Signatures(Die function) {
        this.function = function;
        boolean own = function.holder(Attribute.EXTERNAL) == null;
        String producer = function.unit().root().string(Attribute.PRODUCER);
        boolean renames = producer != null && producer.startsWith("GNU ");
        this.entry = own && !renames ? first(function) : 0;
    }

    private static long first(Die function) {
        long[] first = {0};
        AddressRanges.of(function, (start, end) -> first[0] = first[0] == 0 ? start : first[0]);
        return first[0];
    }

    /** The signature; null if the function does not follow the ABI of C, as far as that is told. */
    static Signature of(Die function) {
        Die convention = function.holder(Attribute.CALLING_CONVENTION);
        boolean other = convention != null
                && convention.constant(Attribute.CALLING_CONVENTION, 0) == OTHER_CONVENTION;
        return other || !isC(function.unit()) ? null : new Signatures(function).read();
    }

    /** DW_LANG_C to C17 and C++ to C++20, Objective-C. */
    private static boolean isC(Unit unit) {
        return switch ((int) unit.root().constant(Attribute.LANGUAGE, 0)) {
            case 0x01, 0x02, 0x04, 0x0c, 0x10, 0x11, 0x19, 0x1a, 0x1d, 0x21, 0x2b, 0x2c, 0x2d ->
                true;
            default -> false;
        };
    }

    /**
     * Reads the signature. What is passed to a function of its unit alone may be passed in another
     * way. GCC gives such a function another name; of others, the debug information must say the
     * place.
     */
    private Signature read() {
        Argument result = result();
        List<Argument> arguments = new ArrayList<>();
        boolean more = false;
        DieWalk walk = DieWalk.below(withParameters(function));
        while (walk.next() && arguments.size() < MOST) {
            more |= walk.tag() == Tag.UNSPECIFIED_PARAMETERS;
            if (walk.tag() == Tag.FORMAL_PARAMETER) {
                arguments.add(argument(walk.die()));
                if (registers.size() < arguments.size()) {
                    registers.add(List.of());
                }
            }
            if (walk.tag() != Tag.GNU_FORMAL_PARAMETER_PACK) {
                walk.skipChildren();
            }
        }
        boolean doubtful = entry != 0 && optimised && result != null;
        return new Signature(
                List.copyOf(arguments),
                more,
                doubtful ? Argument.nowhere("") : result,
                List.copyOf(registers));
    }

    /** The entry itself, or one that it completes, if only that one has parameters. */
    private static Die withParameters(Die function) {
        for (Die at = function; at != null; at = at.completed()) {
            DieWalk walk = DieWalk.below(at);
            while (walk.next()) {
                if (walk.tag() == Tag.FORMAL_PARAMETER) {
                    return at;
                }
                walk.skipChildren();
            }
        }
        return function;
    }

    /** A result in memory takes the first register, for its address. */
    private Argument result() {
        Die type = Passing.bare(function.type());
        if (type == null) {
            return null;
        }
        try {
            Passing passing = Passing.of(type);
            if (passing.hidden() || passing.stack() > 0 && type.tag() != Tag.BASE_TYPE) {
                generals++;
            }
            return isScalar(type, passing)
                    ? made("", type, passing.general() == 1 ? RAX : Argument.VECTOR)
                    : Argument.nowhere("");
        } catch (MalformedDwarfException e) {
            lost = true;
            return Argument.nowhere("");
        }
    }

    private Argument argument(Die parameter) {
        String name = parameter.name() == null ? "" : PrintableText.field(parameter.name());
        Die type = Passing.bare(parameter.type());
        if (lost || type == null) {
            lost = true;
            return Argument.nowhere(name);
        }
        try {
            Passing passing = Passing.of(type);
            List<Integer> eights = eights(passing);
            int place = confirmed(parameter, take(passing));
            registers.add(place != Argument.NOWHERE || isUnmoved(parameter) ? eights : List.of());
            return isScalar(type, passing) && place != Argument.NOWHERE
                    ? made(name, type, place)
                    : Argument.nowhere(name);
        } catch (MalformedDwarfException e) {
            lost = true;
            return Argument.nowhere(name);
        }
    }

    private boolean hasRegisters(Passing passing) {
        return passing.stack() == 0
                && generals + passing.general() <= GENERAL.length
                && vectors + passing.vector() <= VECTORS;
    }

    /** Returns the registers of a parameter, in the order of its bytes; none if it has no value. */
    private List<Integer> eights(Passing passing) {
        List<Integer> eights = new ArrayList<>();
        int vector = vectors;
        int general = generals;
        int count = passing.general() + passing.vector();
        int address = passing.hidden() ? Signature.ADDRESS : 0;
        for (int i = 0; hasRegisters(passing) && i < count; i++) {
            boolean inVector =
                    passing.vectorFirst() ? i < passing.vector() : i >= passing.general();
            eights.add(inVector ? Argument.VECTOR + vector++ : GENERAL[general++] + address);
        }
        return eights;
    }

    /** Returns where a parameter is, if that is one place; takes the places of all of it. */
    private int take(Passing passing) {
        if (hasRegisters(passing)) {
            int place = passing.general() + passing.vector() != 1
                    ? Argument.NOWHERE
                    : passing.general() == 1 ? GENERAL[generals] : Argument.VECTOR + vectors;
            generals += passing.general();
            vectors += passing.vector();
            return place;
        }
        int size = passing.stack() + passing.general() + passing.vector();
        if (size != 1) {
            aligned = false; // it may begin at any even word
            return Argument.NOWHERE;
        }
        int place = Argument.STACK + words++;
        return aligned && place < Argument.PLACES ? place : Argument.NOWHERE;
    }

    /** Returns whether a parameter is where the ABI has it, if it is in several registers. */
    private boolean isUnmoved(Die parameter) {
        if (entry == 0) {
            return true;
        }
        ByteBuffer expression = LocationLists.at(parameter, Attribute.LOCATION, entry);
        return expression != null
                && expression.hasRemaining()
                && (expression.get(expression.position()) & 0xff) == FBREG;
    }

    /** The place of a parameter where the function begins, if that is not as it should be. */
    private int confirmed(Die parameter, int place) {
        if (entry == 0) {
            return place;
        }
        ByteBuffer expression = LocationLists.at(parameter, Attribute.LOCATION, entry);
        if (expression != null && expression.hasRemaining()) {
            int operation = expression.get(expression.position()) & 0xff;
            if (operation == FBREG) {
                return place;
            }
            optimised = true;
            int register = operation - REG0;
            boolean same = register >= 0
                    && expression.remaining() == 1
                    && (register < NUMBERS.length
                            ? place == NUMBERS[register]
                            : place == register - XMM0 + Argument.VECTOR);
            return same ? place : Argument.NOWHERE;
        }
        optimised = true;
        return Argument.NOWHERE;
    }

    private static boolean isScalar(Die type, Passing passing) {
        boolean one = passing.general() + passing.vector() == 1 && !passing.hidden();
        return one
                && switch (type.tag()) {
                    case Tag.STRUCTURE_TYPE, Tag.CLASS_TYPE, Tag.UNION_TYPE, Tag.ARRAY_TYPE ->
                        false;
                    case Tag.UNSPECIFIED_TYPE -> false; // nullptr_t: nobody has to write it
                    case Tag.BASE_TYPE -> form(type) != null && Passing.size(type) <= WORD;
                    default -> true;
                };
    }

    private static Argument made(String name, Die type, int place) {
        Argument.Form form = form(type);
        int size = (int) type.constant(Attribute.BYTE_SIZE, WORD);
        Map<Long, String> constants =
                form == Argument.Form.ENUMERATION ? constants(type, size) : Map.of();
        return new Argument(name, form, size, place, constants);
    }

    /** Returns how the value is read; null for what is not (complex numbers, decimal ones). */
    private static Argument.Form form(Die type) {
        return switch (type.tag()) {
            case Tag.ENUMERATION_TYPE -> Argument.Form.ENUMERATION;
            case Tag.BASE_TYPE ->
                switch ((int) type.constant(Attribute.ENCODING, 0)) {
                    case 0x02 -> Argument.Form.BOOLEAN;
                    case 0x04 -> Argument.Form.FLOATING;
                    case 0x05 -> Argument.Form.SIGNED;
                    case 0x06 ->
                        "char".equals(type.name()) ? Argument.Form.CHARACTER : Argument.Form.SIGNED;
                    case 0x07, 0x08, 0x10 -> Argument.Form.UNSIGNED;
                    default -> null;
                };
            default -> Argument.Form.POINTER;
        };
    }

    private static Map<Long, String> constants(Die type, int size) {
        Map<Long, String> names = new LinkedHashMap<>();
        DieWalk walk = DieWalk.below(type);
        while (walk.next() && names.size() < MOST_CONSTANTS) {
            if (walk.tag() == Tag.ENUMERATOR && walk.die().name() != null) {
                long value = walk.die().constant(Attribute.CONST_VALUE, 0);
                names.putIfAbsent(
                        value & -1L >>> Long.SIZE - Byte.SIZE * size,
                        PrintableText.field(walk.die().name()));
            }
            walk.skipChildren();
        }
        return names;
    }
}
