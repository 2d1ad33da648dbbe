package dev.madt.view.defects;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Kinds of defects, in the order in which they are told. */
public enum DefectKind {
    AFTER_FREE("after-free"),
    AFTER_REALLOC("after-realloc"),
    BEYOND("beyond"),
    BEFORE("before"),
    NEIGHBOUR("neighbour"),
    OVERLAP("overlap"),
    DOUBLE_FREE("double-free"),
    INVALID_FREE("invalid-free"),
    REALLOC_FREED("realloc-freed"),
    MISMATCHED("mismatched"),
    UNINITIALISED("uninitialised"),
    NEVER_FREED("never-freed");

    private final String word;

    DefectKind(String word) {
        this.word = word;
    }

    /** Returns what options, CSV and JSON call it. */
    public String word() {
        return word;
    }

    /** The kinds of a list with commas between them, as {@code --find} has it. */
    public static Set<DefectKind> of(String list) throws Failure {
        Set<DefectKind> kinds = EnumSet.noneOf(DefectKind.class);
        for (String word : list.split(",")) {
            int index = words().indexOf(word);
            if (index < 0) {
                throw new Failure(
                        Status.USAGE,
                        "--find is a list of " + String.join(", ", words()) + ", not '" + word
                                + "'." + Suggestion.sentence(word, words()));
            }
            kinds.add(values()[index]);
        }
        return kinds;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(DefectKind::word).toList();
    }
}
