package dev.madt.resolver.line;

import java.util.Set;

/** Knows the functions by which the C library begins programs and threads: no user calls them. */
public final class StartFunctions {
    private static final Set<String> NAMES = Set.of(
            "__libc_start_call_main",
            "__libc_start_main",
            "__libc_start_main_impl",
            "_start",
            "start_thread",
            "clone3",
            "clone",
            "__clone",
            "__clone3");

    private StartFunctions() {}

    /** Returns whether a function, by its linker's name, is one of them. */
    public static boolean contains(String symbol) {
        return NAMES.contains(symbol);
    }
}
