package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.FortranDescriptor;
import dev.madt.resolver.type.NamedType;
import dev.madt.resolver.type.Notation;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;
import dev.madt.resolver.type.VirtualBases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * Builds types of their entries (DWARF 5, chapter 5), each once. A type that would hold itself, or
 * nests deeper than a compiler makes it, holds {@link Type#UNKNOWN} in that place.
 */
final class TypeReader {
    private static final Type VOID = new ScalarType("void", 0);
    private static final int DEEPEST = 100;
    private static final int MOST_DIMENSIONS = 64;
    private static final int MOST_PARTS = 1 << 16;
    private static final int MOST_VARIANTS = 4;
    private static final int COMPLEX_FLOAT = 3;
    /** Begins the names of Rust's pointers that are owned or borrowed. */
    private static final Pattern BORROW = Pattern.compile("&|(\\w+::)*Box<");

    /** Of the entries of each unit, by their offsets in it. */
    private final Map<Unit, IntObjectHashMap<Type>> known = new HashMap<>();

    private final TypeNames names;
    private int depth;

    /** @param names of the types */
    TypeReader(TypeNames names) {
        this.names = names;
    }

    /** The type of an entry; {@code void} for null. */
    Type of(Die die) {
        if (die == null) {
            return VOID;
        }
        IntObjectHashMap<Type> ofUnit =
                known.computeIfAbsent(die.unit(), unit -> new IntObjectHashMap<>());
        Type type = ofUnit.get(die.offset());
        if (type != null) {
            return type;
        }
        if (depth >= DEEPEST) {
            return Type.UNKNOWN;
        }
        ofUnit.put(die.offset(), Type.UNKNOWN);
        depth++;
        try {
            type = read(die);
        } finally {
            depth--;
        }
        ofUnit.put(die.offset(), type);
        return type;
    }

    private Type read(Die die) {
        return switch (die.tag()) {
            case Tag.POINTER_TYPE,
                    Tag.REFERENCE_TYPE,
                    Tag.RVALUE_REFERENCE_TYPE,
                    Tag.PTR_TO_MEMBER_TYPE -> pointer(die);
            case Tag.ARRAY_TYPE -> array(die);
            case Tag.STRUCTURE_TYPE, Tag.CLASS_TYPE, Tag.UNION_TYPE -> record(die);
            case Tag.TYPEDEF,
                    Tag.CONST_TYPE,
                    Tag.VOLATILE_TYPE,
                    Tag.RESTRICT_TYPE,
                    Tag.ATOMIC_TYPE -> new NamedType(names.of(die), of(die.type()));
            case Tag.ENUMERATION_TYPE -> enumeration(die);
            case Tag.BASE_TYPE -> base(die);
            default -> new ScalarType(names.of(die), size(die));
        };
    }

    private static long size(Die die) {
        return Math.max(0, die.constant(Attribute.BYTE_SIZE, 0));
    }

    private Type pointer(Die die) {
        long size = die.constant(Attribute.BYTE_SIZE, Encoding.ADDRESS);
        String name = names.of(die);
        PointerType.Kind kind =
                switch (die.tag()) {
                    case Tag.REFERENCE_TYPE, Tag.RVALUE_REFERENCE_TYPE ->
                        PointerType.Kind.REFERENCE;
                    case Tag.POINTER_TYPE ->
                        isBorrow(die) ? PointerType.Kind.BORROW : PointerType.Kind.POINTER;
                    default -> PointerType.Kind.POINTER;
                };
        return pointer(kind, name, size, die, die::type);
    }

    private static boolean isBorrow(Die die) {
        return Language.isRust(die.unit())
                && die.name() != null
                && BORROW.matcher(die.name()).lookingAt();
    }

    private Type pointer(
            PointerType.Kind kind, String name, long size, Die source, Supplier<Die> target) {
        return new PointerType(kind, name, size, () -> {
            try {
                return of(target.get());
            } catch (RuntimeException e) {
                source.unit().file().warn("what a pointer points to", e);
                return Type.UNKNOWN;
            }
        });
    }

    private Type array(Die die) {
        return array(die, of(die.type()));
    }

    /** An array of elements of a type, or what describes an array that lies elsewhere. */
    static Type array(Die die, Type element) {
        List<Die> ranges = new ArrayList<>();
        DieWalk walk = DieWalk.below(die);
        while (walk.next() && ranges.size() < MOST_DIMENSIONS) {
            if (walk.tag() == Tag.SUBRANGE_TYPE || walk.tag() == Tag.ENUMERATION_TYPE) {
                ranges.add(walk.die());
            }
            walk.skipChildren();
        }
        if (ranges.isEmpty()) {
            return new ArrayType(element, ArrayType.OPEN, element.size());
        }
        if (Language.isFortran(die.unit()) && die.isBlock(Attribute.DATA_LOCATION)) {
            boolean first = MemberPlace.inDescriptor(die, Attribute.DATA_LOCATION) == 0;
            long bound = MemberPlace.inDescriptor(ranges.get(0), Attribute.LOWER_BOUND);
            return FortranDescriptor.of(element, ranges.size(), first ? bound : -1);
        }
        Notation notation = Language.notation(die.unit());
        if (notation == Notation.C) {
            Collections.reverse(ranges);
        }
        Type type = element;
        long stride = die.constant(Attribute.BYTE_STRIDE, element.size());
        for (Die range : ranges) {
            long lower = lower(range);
            type = new ArrayType(type, count(range, lower), stride, lower, notation);
            stride = type.size();
        }
        return type;
    }

    /** The index of the first element of a dimension. */
    private static long lower(Die range) {
        return range.constant(Attribute.LOWER_BOUND, Language.lowerBound(range.unit()));
    }

    /** Elements of a dimension; an upper bound of -1 is an array of none where C counts from 0. */
    private static long count(Die range, long lower) {
        if (range.isConstant(Attribute.COUNT)) {
            return Math.max(0, range.constant(Attribute.COUNT, 0));
        }
        if (!range.isConstant(Attribute.UPPER_BOUND)) {
            return ArrayType.OPEN;
        }
        long upper = range.constant(Attribute.UPPER_BOUND, 0);
        boolean none =
                range.signedConstant(Attribute.UPPER_BOUND, 0) == -1 && upper > Integer.MAX_VALUE;
        return none ? 0 : Math.max(0, upper - lower + 1);
    }

    private static ScalarType.Form form(Die die) {
        return switch ((int) die.constant(Attribute.ENCODING, 0)) {
            case 0 -> ScalarType.Form.UNKNOWN;
            case 0x05, 0x06, 0x0d -> ScalarType.Form.SIGNED;
            case 0x01, 0x02, 0x07, 0x08, 0x10, 0x12 -> ScalarType.Form.UNSIGNED;
            case 0x04 -> ScalarType.Form.REAL;
            default -> ScalarType.Form.OTHER;
        };
    }

    /** In Fortran the parts of a complex number have names. */
    private Type base(Die die) {
        long size = size(die);
        if (die.constant(Attribute.ENCODING, 0) != COMPLEX_FLOAT
                || !Language.isFortran(die.unit())) {
            return new ScalarType(names.of(die), size, Map.of(), form(die));
        }
        Type part = new ScalarType("real(kind=" + size / 2 + ")", size / 2);
        return new RecordType(
                RecordType.Kind.STRUCT,
                names.of(die),
                size,
                List.of(
                        new RecordType.Field("re", part, 0),
                        new RecordType.Field("im", part, size / 2)),
                Notation.FORTRAN);
    }

    private Type enumeration(Die die) {
        Map<String, Long> constants = new LinkedHashMap<>();
        DieWalk walk = DieWalk.below(die);
        while (walk.next() && constants.size() < MOST_PARTS) {
            if (walk.tag() == Tag.ENUMERATOR && walk.die().name() != null) {
                constants.put(walk.die().name(), walk.die().constant(Attribute.CONST_VALUE, 0));
            }
            walk.skipChildren();
        }
        long size = die.has(Attribute.BYTE_SIZE) || !die.has(Attribute.TYPE)
                ? size(die)
                : of(die.type()).size();
        ScalarType.Form form =
                die.has(Attribute.TYPE) && of(die.type()).bare() instanceof ScalarType underlying
                        ? underlying.form()
                        : form(die);
        return new ScalarType(names.of(die), size, constants, form);
    }

    private Type record(Die die) {
        if (die.has(Attribute.SIGNATURE)) {
            Die whole = die.reference(Attribute.SIGNATURE);
            return whole == null ? new ScalarType(names.of(die), 0) : of(whole);
        }
        Type standard = standard(die);
        if (standard != null) {
            return new NamedType(names.of(die), standard, size(die));
        }
        List<RecordType.Field> fields = new ArrayList<>();
        VirtualBases bases = new VirtualBases();
        addFields(die, fields, bases, 0);
        RecordType.Kind kind =
                switch (die.tag()) {
                    case Tag.UNION_TYPE -> RecordType.Kind.UNION;
                    case Tag.CLASS_TYPE -> RecordType.Kind.CLASS;
                    default -> RecordType.Kind.STRUCT;
                };
        return new RecordType(
                kind,
                names.of(die),
                size(die),
                List.copyOf(fields),
                bases.behind(fields, size(die)),
                Language.notation(die.unit()));
    }

    /**
     * Returns what a buffer or pointer of the C++ library is to its users; null for any other
     * record.
     */
    private Type standard(Die die) {
        if (Language.notation(die.unit()) != Notation.C) {
            return null;
        }
        Die held = StandardMembers.held(die);
        if (held != null) {
            Type type = of(held);
            return type.size() > 0 && type.size() <= size(die) ? type : null;
        }
        Die pointed = StandardMembers.pointed(die, size(die));
        return pointed == null
                ? null
                : pointer(
                        PointerType.Kind.POINTER,
                        names.of(pointed) + " *",
                        Encoding.ADDRESS,
                        die,
                        () -> pointed);
    }

    /** The members below an entry; those of all variants of an enumeration of Rust, too. */
    private void addFields(Die die, List<RecordType.Field> fields, VirtualBases bases, int nested) {
        DieWalk walk = DieWalk.below(die);
        while (walk.next() && fields.size() < MOST_PARTS) {
            switch (walk.tag()) {
                case Tag.MEMBER, Tag.INHERITANCE -> addField(die, walk.die(), fields, bases);
                case Tag.VARIANT_PART, Tag.VARIANT -> {
                    if (nested < MOST_VARIANTS) {
                        addFields(walk.die(), fields, bases, nested + 1);
                    }
                }
                default -> {}
            }
            walk.skipChildren();
        }
    }

    /** Static members are no fields, nor are virtual bases, whose place only the object knows. */
    private void addField(Die record, Die die, List<RecordType.Field> fields, VirtualBases bases) {
        boolean base = die.tag() == Tag.INHERITANCE;
        if (die.flag(Attribute.DECLARATION)) {
            return;
        }
        Type type = held(record, die);
        if (base && die.constant(Attribute.VIRTUALITY, 0) != 0) {
            bases.add(type);
            return;
        }
        String name = base ? type.name() : nameOf(die);
        long bits = MemberPlace.bit(die, type.size());
        int size = (int) Math.min(Math.max(die.constant(Attribute.BIT_SIZE, 0), 0), 1 << 16);
        if (bits >= 0) {
            fields.add(new RecordType.Field(
                    name == null ? "" : name,
                    base ? bases.inherit(type) : type,
                    bits / 8,
                    (int) (bits % 8),
                    size,
                    base));
        }
    }

    /** Returns the type of a member, or of what a buffer of the C++ library has room for there. */
    private Type held(Die record, Die member) {
        Type type = of(member.type());
        Die kept = StandardMembers.kept(record, member);
        Type value = kept == null ? type : of(kept);
        return value.size() > 0 && value.size() <= type.size() ? value : type;
    }

    /** Returns the member's name; what tells the variants of an enumeration apart has none. */
    private static String nameOf(Die member) {
        String name = member.name();
        return name == null && member.flag(Attribute.ARTIFICIAL) ? "discriminant" : name;
    }
}
