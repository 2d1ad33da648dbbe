package dev.madt.resolver.guess;

import dev.madt.resolver.type.ScalarType;
import dev.madt.resolver.type.Type;
import java.util.List;

/** The text of a string of C++, which its own functions allocate as an array of characters. */
public final class StringText {
    /** The beginnings of the names of a string's functions: of GNU's library, and of LLVM's. */
    private static final List<String> STRINGS =
            List.of("St7__cxx1112basic_stringI", "St3__112basic_stringI");

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
        for (String string : STRINGS) {
            int end = at + string.length();
            if (at >= 0 && function.startsWith(string, at) && function.length() > end) {
                return ofCharacters(function.charAt(end));
            }
        }
        return null;
    }

    private static Type ofCharacters(char code) {
        return switch (code) {
            case 'c' -> NARROW;
            case 'w' -> WIDE;
            default -> null;
        };
    }
}
