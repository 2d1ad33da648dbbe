package dev.madt.resolver.guess;

import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;

/** The text of a string of C++, which its own functions allocate as an array of characters. */
public final class StringText {
    private static final String NEW = "St7__cxx1112basic_stringI";
    private static final Type NARROW = new ScalarType("std::string text", 1);
    private static final Type WIDE = new ScalarType("std::wstring text", 4);

    private StringText() {}

    /**
     * Returns what a function of a string allocates; null for any other function.
     *
     * @param function its name for the linker; may be null
     */
    public static Type of(String function) {
        if (function == null) {
            return null;
        }
        int at = function.startsWith("_ZNK") ? 4 : function.startsWith("_ZN") ? 3 : -1;
        if (at < 0 || !function.startsWith(NEW, at) || function.length() == at + NEW.length()) {
            return null;
        }
        return switch (function.charAt(at + NEW.length())) {
            case 'c' -> NARROW;
            case 'w' -> WIDE;
            default -> null;
        };
    }
}
