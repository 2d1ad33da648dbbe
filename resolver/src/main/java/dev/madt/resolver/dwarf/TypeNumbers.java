package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.ArrayType;
import dev.madt.resolver.type.LlvmMembers;
import dev.madt.resolver.type.NamedType;
import dev.madt.resolver.type.Notation;
import dev.madt.resolver.type.PointerType;
import dev.madt.resolver.type.RecordType;
import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.TypesFrame;
import dev.madt.trace.event.TypeEntry;
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
        TypeEntry entry = entry(type, frame);
        int number = numbers.size();
        numbers.put(type, number);
        frame.type(entry);
        return number;
    }

    /** The number of a new type of which nothing but its name and size is known. */
    public int ofNamed(String name, long size, TypesFrame frame) {
        return of(new ScalarType(name, size), frame);
    }

    private TypeEntry entry(Type type, TypesFrame frame) {
        if (type instanceof ArrayType array) {
            return new TypeEntry(
                    TypeEntry.Form.ARRAY,
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
                    TypeEntry.Form.ALIAS, named.name(), named.size(), of(named.target(), frame), 0);
        }
        if (type instanceof RecordType record) {
            return entry(record, frame);
        }
        TypeEntry.Form form =
                type instanceof PointerType ? TypeEntry.Form.POINTER : TypeEntry.Form.SCALAR;
        return parts(form, type.name(), type.size(), 0, 0);
    }

    private static TypeEntry parts(
            TypeEntry.Form form, String name, long size, int element, long count) {
        return new TypeEntry(form, name, size, element, count, List.of());
    }

    private TypeEntry entry(RecordType record, TypesFrame frame) {
        List<TypeEntry.Member> members = new ArrayList<>();
        for (RecordType.Field field : record.parts()) {
            if (LlvmMembers.isView(field.name(), field.type())) {
                continue;
            }
            members.add(new TypeEntry.Member(
                    StandardMembers.of(record, field),
                    of(field.type(), frame),
                    field.offset(),
                    field.bitOffset(),
                    field.bitSize(),
                    field.base()));
        }
        TypeEntry.Form form =
                switch (record.kind()) {
                    case STRUCT -> TypeEntry.Form.STRUCT;
                    case CLASS -> TypeEntry.Form.CLASS;
                    case UNION -> TypeEntry.Form.UNION;
                };
        boolean fortran = record.notation() == Notation.FORTRAN;
        return new TypeEntry(form, record.name(), record.size(), 0, 0, members, fortran, 0);
    }
}
