package dev.madt.view.defects;

import java.util.Arrays;
import java.util.List;

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

    /** What options, CSV and JSON call it. */
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(DefectKind::word).toList();
    }
}
