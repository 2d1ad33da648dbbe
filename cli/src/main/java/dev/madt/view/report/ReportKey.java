package dev.madt.view.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the rows of a report are. */
public enum ReportKey {
    SYMBOL("variables, the blocks of each call, and the rest of each region"),
    BLOCK("single blocks, variables, and the rest of each region"),
    SITE("calls that allocate, with the lives of their blocks"),
    FUNCTION("functions that access"),
    LINE("source lines that access"),
    MODULE("modules whose code accesses"),
    PROCESS("processes"),
    PAGE("pages of 4 KiB"),
    REGION("regions"),
    THREAD("threads");

    private final String rows;

    ReportKey(String rows) {
        this.rows = rows;
    }

    /** What the rows are, in words. */
    public String rows() {
        return rows;
    }

    /** Whether rows mean the same in each process: not so blocks, which each process numbers, and pages. */
    public boolean joinsProcesses() {
        return this != BLOCK && this != PAGE;
    }

    /** Whether blocks have rows of their own, or those of each call do. */
    boolean namesBlocks() {
        return this == SYMBOL || this == BLOCK || this == SITE;
    }

    /** Whether the rows can be split into members. */
    public boolean hasMembers() {
        return this == SYMBOL || this == BLOCK;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ReportKey::word).toList();
    }

    /** The key with this name, or null. */
    public static ReportKey of(String word) {
        return Arrays.stream(values()).filter(key -> key.word().equals(word)).findFirst().orElse(null);
    }
}
