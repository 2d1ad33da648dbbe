package dev.madt.resolver;

import java.util.Set;

/**
 * The names under which the shim stands before a function: allocation, block and C++ operators. A
 * return address in one of their events belongs to the call instruction before it only if that
 * instruction calls one of these.
 */
public final class InterposedFunctions {
    /** Says what to do instead to who looks at calls of one by an instrument. */
    public static final String CALLS_COME_FIRST =
            "calls of this function come to MadT first, so look at the line that calls it"
                    + " (FILE.c:LINE); they can be counted, but not looked at.";

    private static final Set<String> ALLOCATION = Set.of(
            "malloc",
            "calloc",
            "realloc",
            "reallocarray",
            "free",
            "cfree",
            "posix_memalign",
            "aligned_alloc",
            "memalign",
            "valloc",
            "pvalloc",
            "mmap",
            "mmap64",
            "mremap",
            "munmap",
            "brk",
            "sbrk");

    private static final Set<String> ALLOCATORS = Set.of(
            "malloc",
            "calloc",
            "realloc",
            "reallocarray",
            "free",
            "posix_memalign",
            "aligned_alloc",
            "memalign",
            "valloc",
            "pvalloc");

    private static final Set<String> MEMORY = Set.of(
            "memcpy",
            "memmove",
            "mempcpy",
            "memset",
            "bzero",
            "bcopy",
            "explicit_bzero",
            "memccpy",
            "wmemcpy",
            "wmemmove",
            "wmempcpy",
            "wmemset",
            "strcpy",
            "strncpy",
            "stpcpy",
            "stpncpy",
            "strcat",
            "strncat",
            "strlcpy",
            "strlcat",
            "wcscpy",
            "wcsncpy",
            "wcpcpy",
            "wcpncpy",
            "wcscat",
            "wcsncat",
            "strdup",
            "strndup");

    private static final Set<String> TRANSFER = Set.of(
            "read",
            "write",
            "pread",
            "pread64",
            "pwrite",
            "pwrite64",
            "readv",
            "writev",
            "preadv",
            "preadv64",
            "pwritev",
            "pwritev64",
            "recv",
            "recvfrom",
            "recvmsg",
            "send",
            "sendto",
            "sendmsg",
            "fread",
            "fwrite",
            "fread_unlocked",
            "fwrite_unlocked",
            "fgets",
            "fgets_unlocked",
            "fputs",
            "fputs_unlocked",
            "gets",
            "puts",
            "getrandom",
            "getentropy",
            "readlink",
            "getcwd");

    private InterposedFunctions() {}

    /**
     * Returns whether a program that defines this function brings an allocator along, which is
     * hooked ({@code enum madt_hook}).
     */
    public static boolean isAllocator(String name) {
        return ALLOCATORS.contains(name);
    }

    /**
     * Returns whether a call to a symbol of this name may end in the shim.
     *
     * @param name as in a symbol table; a version, {@code @plt} and the fortified form
     *     {@code __NAME_chk} are understood, also glibc's {@code __GI_} and {@code __libc_} aliases
     */
    public static boolean contains(String name) {
        int at = name.indexOf('@');
        String bare = at > 0 ? name.substring(0, at) : name;
        return isOperator(bare) || isPlain(bare) || isFortified(bare) || isAlias(bare);
    }

    private static boolean isPlain(String name) {
        return ALLOCATION.contains(name) || MEMORY.contains(name) || TRANSFER.contains(name);
    }

    private static boolean isFortified(String name) {
        return name.startsWith("__")
                && name.endsWith("_chk")
                && name.length() > 6
                && isPlain(name.substring(2, name.length() - 4));
    }

    private static boolean isAlias(String name) {
        return name.startsWith("__libc_") && isPlain(name.substring(7))
                || name.startsWith("__GI_") && contains(name.substring(5))
                || name.startsWith("__") && isPlain(name.substring(2));
    }

    /**
     * Itanium C++ ABI: new is nw, new[] na, delete dl, delete[] da, then m (size_t) or Pv (void*).
     */
    private static boolean isOperator(String name) {
        return name.startsWith("_Znwm")
                || name.startsWith("_Znam")
                || name.startsWith("_ZdlPv")
                || name.startsWith("_ZdaPv");
    }
}
