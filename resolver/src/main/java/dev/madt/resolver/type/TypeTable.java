package dev.madt.resolver.type;

import dev.madt.trace.event.TypeRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * The types of a trace by their numbers. A reference to a type that is not defined before it is
 * {@link Type#UNKNOWN}.
 */
public final class TypeTable {
    private final List<Type> types = new ArrayList<>();

    /** Adds the type with the next number. */
    public void add(TypeRecord record) {
        types.add(
                switch (record.form()) {
                    case SCALAR -> new ScalarType(record.name(), record.size());
                    case POINTER ->
                        new PointerType(record.name(), record.size(), () -> Type.UNKNOWN);
                    case ARRAY -> array(record);
                    case ALIAS -> new NamedType(record.name(), get(record.element()));
                    case STRUCT -> record(RecordType.Kind.STRUCT, record);
                    case CLASS -> record(RecordType.Kind.CLASS, record);
                    case UNION -> record(RecordType.Kind.UNION, record);
                });
    }

    /** The type with a number. */
    public Type get(int number) {
        return number >= 0 && number < types.size() ? types.get(number) : Type.UNKNOWN;
    }

    private static Notation notation(TypeRecord record) {
        return record.fortran() ? Notation.FORTRAN : Notation.C;
    }

    private Type array(TypeRecord record) {
        Type element = get(record.element());
        return new ArrayType(
                element,
                Math.max(record.count(), ArrayType.OPEN),
                element.size(),
                record.lower(),
                notation(record));
    }

    private Type record(RecordType.Kind kind, TypeRecord record) {
        List<RecordType.Field> fields = new ArrayList<>();
        for (TypeRecord.Member member : record.members()) {
            fields.add(new RecordType.Field(
                    member.name(),
                    get(member.type()),
                    member.offset(),
                    member.bitOffset(),
                    member.bitSize(),
                    member.base()));
        }
        return new RecordType(kind, record.name(), record.size(), fields, notation(record));
    }
}
