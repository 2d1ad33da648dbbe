package dev.madt.resolver.guess;

import java.util.regex.Pattern;

/** Knows the functions of Rust's libraries that allocate for values of one type. */
public final class RustContainers {
    /** The parameter that stands for the values. */
    public static final String HELD = "T";

    private static final Pattern FUNCTIONS = Pattern.compile(
            "(alloc::(boxed|raw_vec|vec|collections::vec_deque)|hashbrown::raw)::.*");

    private RustContainers() {}

    /** Returns whether a function is such, by its name with what it is in; null: it has none. */
    public static boolean isOne(String function) {
        return function != null && FUNCTIONS.matcher(function).matches();
    }
}
