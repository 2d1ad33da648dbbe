package dev.madt.view.text;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.resolver.line.LineWriter;
import java.util.List;
import java.util.Map;

/** Kinds of lines, as words or as the letters themselves. */
public final class LineKinds {
    private static final String LETTERS = "LSYWGMCPREFUBXOQ" + LineWriter.lettersOfEvents();
    private static final Map<String, String> WORDS = Map.of(
            "load",
            "L",
            "store",
            "S",
            "access",
            "LS",
            "block",
            "YWG",
            "allocation",
            "MCPREFU",
            "call",
            "BX",
            "window",
            "OQ",
            "all",
            LETTERS);

    private LineKinds() {}

    public static List<String> words() {
        return WORDS.keySet().stream().sorted().toList();
    }

    /** The letters that a list like {@code load,YW} means. */
    public static String letters(String list) throws Failure {
        StringBuilder letters = new StringBuilder();
        for (String part : list.split(",", -1)) {
            String word = WORDS.get(part);
            if (word == null
                    && (part.isEmpty() || !part.chars().allMatch(c -> LETTERS.indexOf(c) >= 0))) {
                throw new Failure(
                        Status.USAGE,
                        "--kind is a list of " + String.join(", ", words()) + " and letters of "
                                + LETTERS + ", not '" + part + "'."
                                + Suggestion.sentence(part, words()));
            }
            letters.append(word == null ? part : word);
        }
        return letters.toString();
    }
}
