package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.NamedType;
import dev.madt.resolver.type.Notation;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.TypesFrame;
import dev.madt.trace.event.TypeRecord;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers types for a trace and defines each before its first use. What pointers point to is left
 * out; members of the C++ library have the names of {@link StandardMembers}.
 */
public final class TypeNumbers {
    private final Map<Type, Integer> numbers = new IdentityHashMap<>();

    /** The number of a type; it and what it needs are added to the frame if they are new. */
    public int of(Type type, TypesFrame frame) {
        Integer known = numbers.get(type);
        if (known != null) {
            return known;
        }
        TypeRecord record = record(type, frame);
        int number = numbers.size();
        numbers.put(type, number);
        frame.type(record);
        return number;
    }

    private TypeRecord record(Type type, TypesFrame frame) {
        if (type instanceof ArrayType array) {
            return new TypeRecord(
                    TypeRecord.Form.ARRAY,
                    "",
                    array.size(),
                    of(array.element(), frame),
                    array.count(),
                    List.of(),
                    array.notation() == Notation.FORTRAN,
                    array.lower());
        }
        if (type instanceof NamedType named) {
            return parts(
                    TypeRecord.Form.ALIAS,
                    named.name(),
                    named.size(),
                    of(named.target(), frame),
                    0);
        }
        if (type instanceof RecordType record) {
            return record(record, frame);
        }
        TypeRecord.Form form =
                type instanceof PointerType ? TypeRecord.Form.POINTER : TypeRecord.Form.SCALAR;
        return parts(form, type.name(), type.size(), 0, 0);
    }

    private static TypeRecord parts(
            TypeRecord.Form form, String name, long size, int element, long count) {
        return new TypeRecord(form, name, size, element, count, List.of());
    }

    private TypeRecord record(RecordType record, TypesFrame frame) {
        List<TypeRecord.Member> members = new ArrayList<>();
        for (RecordType.Field field : record.fields()) {
            members.add(new TypeRecord.Member(
                    StandardMembers.of(record, field),
                    of(field.type(), frame),
                    field.offset(),
                    field.bitOffset(),
                    field.bitSize(),
                    field.base()));
        }
        TypeRecord.Form form =
                switch (record.kind()) {
                    case STRUCT -> TypeRecord.Form.STRUCT;
                    case CLASS -> TypeRecord.Form.CLASS;
                    case UNION -> TypeRecord.Form.UNION;
                };
        boolean fortran = record.notation() == Notation.FORTRAN;
        return new TypeRecord(form, record.name(), record.size(), 0, 0, members, fortran, 0);
    }
}
