package dev.madt.resolver.type;

import java.util.regex.Pattern;

/**
 * Says which member of which type lies at a place, whatever holds it: {@code struct node.next},
 * {@code Stock.price}. The type is the outermost that is no array and none of the C++ library, so
 * that a value in a vector, in a map and in a variable of its own are one.
 */
public final class TypeMember {
    private static final int DEEPEST = 100;
    /** Of the C++ library, or without a name, as parts of records may be. */
    private static final Pattern LIBRARY = Pattern.compile(
            "(?:struct |class |union )?(?:\\{.*|(?:std|__gnu_cxx)::.*|_[A-Z_].*"
                    + "|(?:pair|tuple|array|optional|variant|basic_string|unique_ptr"
                    + "|shared_ptr|weak_ptr|vector|deque|list|forward_list|map|multimap|set"
                    + "|multiset|unordered_\\w+|queue|stack|priority_queue)<.*)",
            Pattern.DOTALL);

    /**
     * A value that has members.
     *
     * @param start where it begins, in bytes from the start of what holds it
     */
    public record Value(Type type, long start) {
        /** Returns what stands behind the type's name for a place in what holds the value. */
        public String path(long offset, long size) {
            return FieldPath.of(type, offset - start, size, 0);
        }
    }

    private TypeMember() {}

    /**
     * The name of a member; that of the type for the whole, or where it has no members. Empty for a
     * type without a name.
     *
     * @param offset bytes from the start of what has the type
     * @param size bytes of the access, 0 if that is not known
     */
    public static String of(Type type, long offset, long size) {
        Value value = value(type, offset);
        String name = value.type.name();
        return name.isEmpty() ? "" : name + value.path(offset, size);
    }

    /** Returns the value that a place is in, by whose type its members are named. */
    public static Value value(Type type, long offset) {
        Type at = element(type);
        Type own = at;
        long rest = offset - start(type, offset);
        long inOwn = rest;
        for (int depth = 0; isLibrary(own) && depth < DEEPEST; depth++) {
            RecordType.Field field = only((RecordType) own.bare(), inOwn);
            if (field == null) {
                return new Value(at, offset - rest);
            }
            inOwn -= field.offset();
            long start = start(field.type(), inOwn);
            own = element(field.type());
            inOwn -= start;
        }
        return own.bare() instanceof RecordType
                ? new Value(own, offset - inOwn)
                : new Value(at, offset - rest);
    }

    private static boolean isLibrary(Type type) {
        return type.bare() instanceof RecordType && isLibrary(type.name());
    }

    private static boolean isLibrary(String name) {
        return LIBRARY.matcher(name).matches();
    }

    /** The one member that holds a place; null if there is none, or there are several. */
    private static RecordType.Field only(RecordType record, long offset) {
        RecordType.Field found = null;
        for (RecordType.Field field : record.parts()) {
            if (offset >= field.offset() && offset - field.offset() < field.size()) {
                boolean empty = isEmpty(field.type());
                if (found != null && !empty || field.isBitField()) {
                    return null;
                }
                found = empty ? found : field;
            }
        }
        return found;
    }

    /** Returns whether a type has no members, nor have its base classes. */
    private static boolean isEmpty(Type type) {
        return type.bare() instanceof RecordType record
                && record.parts().stream().allMatch(field -> field.base() && isEmpty(field.type()));
    }

    /**
     * The element of an array of any dimensions, else the type itself; without a name that is the
     * library's.
     */
    private static Type element(Type type) {
        Type at = type;
        while (at.bare() instanceof ArrayType array && array.stride() > 0) {
            at = array.element();
        }
        while (at instanceof NamedType named && isLibrary(named.name())) {
            at = named.target();
        }
        return at;
    }

    /** Returns where the element begins that lies at a place. */
    private static long start(Type type, long offset) {
        long rest = offset;
        Type at = type;
        while (at.bare() instanceof ArrayType array && array.stride() > 0) {
            rest %= array.stride();
            at = array.element();
        }
        return at == type ? 0 : offset - rest;
    }
}
