package dev.madt.resolver.type;

import java.util.regex.Pattern;

/**
 * Tells which types are atomic, so that threads may wait for each other by plain moves: C's and
 * C++'s ({@code _Atomic}, {@code std::atomic}, {@code std::once_flag}), and Rust's ({@code
 * core::sync::atomic}).
 */
public final class AtomicTypes {
    private static final int DEEPEST = 100;

    /** Of what is no pointer. */
    private static final Pattern NAME =
            Pattern.compile("(?:(?:const|volatile|struct|class|union) )*"
                    + "(?:(?:[^<]*::)?(?:__)?atomic[<_]|core::sync::atomic::Atomic|_Atomic"
                    + "|std::(?:__1::)?once_flag$)");

    private AtomicTypes() {}

    /**
     * Returns whether a place in a variable belongs to an atomic one, which the whole may be, or
     * any of its members.
     *
     * @param offset bytes from the variable's start
     */
    public static boolean isAtomic(Type type, long offset) {
        return isAtomic(type, offset, 0);
    }

    private static boolean isAtomic(Type type, long offset, int depth) {
        Type at = type;
        while (at instanceof NamedType named && !isNamedSo(at)) {
            at = named.target();
        }
        if (isNamedSo(at)) {
            return true;
        }
        if (depth > DEEPEST || offset < 0) {
            return false;
        }
        if (at instanceof ArrayType array && array.stride() > 0) {
            return isAtomic(array.element(), offset % array.stride(), depth + 1);
        }
        return at instanceof RecordType record
                && record.fields().stream()
                        .anyMatch(field -> offset >= field.offset()
                                && offset - field.offset() < field.size()
                                && isAtomic(field.type(), offset - field.offset(), depth + 1));
    }

    private static boolean isNamedSo(Type type) {
        Type bare = type.bare();
        return bare instanceof PointerType || bare instanceof ArrayType
                ? type instanceof NamedType && isQualified(type.name())
                : NAME.matcher(type.name()).lookingAt();
    }

    /** Returns whether a pointer is atomic itself, or an array's elements are. */
    private static boolean isQualified(String name) {
        return name.indexOf("_Atomic", name.lastIndexOf('*') + 1) >= 0;
    }
}
