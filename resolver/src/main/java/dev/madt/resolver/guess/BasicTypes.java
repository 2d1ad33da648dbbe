package dev.madt.resolver.guess;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Says how debug information calls an arithmetic type of C and C++, which may be written in many
 * ways: {@code unsigned long}, {@code long unsigned int}.
 */
final class BasicTypes {
    private static final Set<String> WORDS =
            Set.of("unsigned", "signed", "long", "short", "int", "char", "double");

    private BasicTypes() {}

    /** Returns the names that GCC and Clang have for a type; of any other one, its own. */
    static List<String> names(String written) {
        List<String> words = Arrays.asList(written.split("\\s+"));
        if (!WORDS.containsAll(words)) {
            return List.of(written);
        }
        String sign = words.contains("unsigned") ? "unsigned " : "";
        if (words.contains("char")) {
            return List.of((words.contains("signed") ? "signed " : sign) + "char");
        }
        long longs = words.stream().filter("long"::equals).count();
        String size = words.contains("short") ? "short " : "long ".repeat((int) longs);
        if (words.contains("double")) {
            return List.of(size + "double");
        }
        return List.of(size + sign + "int", (sign + (size.isEmpty() ? "int" : size)).trim());
    }
}
