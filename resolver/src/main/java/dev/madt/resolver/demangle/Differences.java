package dev.madt.resolver.demangle;

import java.util.HashSet;
import java.util.List;

/**
 * Holds what tells texts apart that begin and end alike, such as two names of the linker for one.
 */
final class Differences {
    private static final int FEW = 4;

    private Differences() {}

    /** Of each text the part that differs, in short: {@code C1} and {@code C2}. */
    static List<String> of(List<String> texts) {
        String first = texts.get(0);
        int front =
                texts.stream().mapToInt(text -> sameFront(first, text)).min().orElse(0);
        int back = texts.stream().mapToInt(text -> sameBack(first, text)).min().orElse(0);
        int begin = Math.max(0, front - 1);
        List<String> parts = texts.stream()
                .map(text -> text.substring(begin, Math.max(front, text.length() - back)))
                .toList();
        for (int length = FEW; ; length++) {
            int most = length;
            List<String> brief = parts.stream()
                    .map(part -> part.substring(0, Math.min(most, part.length())))
                    .toList();
            if (new HashSet<>(brief).size() == texts.size()) {
                return brief;
            } else if (parts.stream().allMatch(part -> part.length() <= most)) {
                return texts;
            }
        }
    }

    private static int sameFront(String one, String other) {
        int at = 0;
        while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
            at++;
        }
        return at;
    }

    private static int sameBack(String one, String other) {
        int at = 0;
        while (at < Math.min(one.length(), other.length())
                && one.charAt(one.length() - 1 - at) == other.charAt(other.length() - 1 - at)) {
            at++;
        }
        return at;
    }
}
