package dev.madt.resolver.type;

import dev.madt.trace.event.TypeEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The types of a trace by their numbers. A reference to a type that is not defined before it is
 * {@link Type#UNKNOWN}.
 */
public final class TypeTable {
    private final List<Type> types = new ArrayList<>();

    /** Adds the type with the next number. */
    public void add(TypeEntry entry) {
        types.add(
                switch (entry.form()) {
                    case SCALAR -> new ScalarType(entry.name(), entry.size());
                    case POINTER -> new PointerType(entry.name(), entry.size(), () -> Type.UNKNOWN);
                    case ARRAY -> array(entry);
                    case ALIAS -> new NamedType(entry.name(), get(entry.element()));
                    case STRUCT -> record(RecordType.Kind.STRUCT, entry);
                    case CLASS -> record(RecordType.Kind.CLASS, entry);
                    case UNION -> record(RecordType.Kind.UNION, entry);
                });
    }

    /** The type with a number. */
    public Type get(int number) {
        return number >= 0 && number < types.size() ? types.get(number) : Type.UNKNOWN;
    }

    private static Notation notation(TypeEntry entry) {
        return entry.fortran() ? Notation.FORTRAN : Notation.C;
    }

    private Type array(TypeEntry entry) {
        Type element = get(entry.element());
        long count = Math.max(entry.count(), ArrayType.OPEN);
        boolean told = count > 0 && entry.size() > 0; // elements may be farther apart than large
        return new ArrayType(
                element,
                count,
                told ? entry.size() / count : element.size(),
                entry.lower(),
                notation(entry));
    }

    private Type record(RecordType.Kind kind, TypeEntry entry) {
        List<RecordType.Field> fields = new ArrayList<>();
        for (TypeEntry.Member member : entry.members()) {
            fields.add(new RecordType.Field(
                    member.name(),
                    get(member.type()),
                    member.offset(),
                    member.bitOffset(),
                    member.bitSize(),
                    member.base()));
        }
        return new RecordType(kind, entry.name(), entry.size(), fields, notation(entry));
    }
}
