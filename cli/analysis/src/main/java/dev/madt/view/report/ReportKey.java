package dev.madt.view.report;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.view.DataObject;
import dev.madt.view.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Says what the rows of a report are. */
public enum ReportKey {
    SYMBOL("variables, the blocks of each call, and the rest of each region", "region"),
    BLOCK("single blocks, variables, and the rest of each region", "region"),
    SITE("calls that allocate, with the lives of their blocks", null),
    TYPE("types of variables and, as a guess, of blocks", null),
    FUNCTION("functions that access", "module"),
    LINE("source lines that access", "function"),
    MODULE("modules whose code accesses", null),
    PROCESS("processes", null),
    PAGE("pages of 4 KiB", "region"),
    REGION("regions", null),
    THREAD("threads", null),
    PATH("chains of calls, where calls are recorded, too", null);

    /** Keys of one report at most. */
    private static final int MOST = 3;

    private final String rows;
    private final String besides;

    /** @param besides heading of what tells rows of one name apart, or null */
    ReportKey(String rows, String besides) {
        this.rows = rows;
        this.besides = besides;
    }

    /** Returns what the rows are, in words. */
    public String rows() {
        return rows;
    }

    /** The heading of the column with the names of the rows. */
    String heading() {
        return this == SITE ? "allocation site" : word();
    }

    /** The headings of what tells rows apart whose names by these keys are the same. */
    static List<String> besides(List<ReportKey> keys) {
        List<String> names = keys.stream().map(ReportKey::heading).toList();
        return keys.stream()
                .map(key -> key.besides)
                .filter(heading -> heading != null && !names.contains(heading))
                .distinct()
                .toList();
    }

    /**
     * Returns whether rows mean the same in each process: not so blocks, which each process
     * numbers, and pages.
     */
    public boolean joinsProcesses() {
        return this != BLOCK && this != PAGE;
    }

    /** Returns whether blocks have rows of their own, or those of each call do. */
    boolean namesBlocks() {
        return this == SYMBOL || this == BLOCK || this == SITE;
    }

    /** Returns whether names by this key can be followed by members. */
    boolean hasMembers() {
        return namesBlocks() || this == TYPE;
    }

    /** Returns whether rows are variables and blocks, and nothing else is said of them. */
    boolean namesData() {
        return this == SYMBOL || this == BLOCK;
    }

    /** The keys of a report of members: where none is of data, variables and blocks are added. */
    public static List<ReportKey> withData(List<ReportKey> keys) {
        if (keys.stream().anyMatch(ReportKey::hasMembers)) {
            return keys;
        }
        List<ReportKey> all = new ArrayList<>(keys);
        all.add(SYMBOL);
        return List.copyOf(all);
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The keys of any recording. */
    public static List<String> words() {
        List<String> words = new ArrayList<>(); // no stream: a start of madt run comes here
        for (ReportKey key : values()) {
            if (key != PATH) {
                words.add(key.word());
            }
        }
        return words;
    }

    /** The keys that a report of a trace has, which may have calls. */
    private static List<String> wordsOfTraces() {
        List<String> words = words();
        words.add(PATH.word());
        return words;
    }

    /** The key with this name, or null. */
    public static ReportKey of(String word) {
        return Arrays.stream(values())
                .filter(key -> key.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** The keys that the value of an option tells, with commas between them. */
    public static List<ReportKey> several(String option, String value) throws Failure {
        List<ReportKey> keys = new ArrayList<>();
        List<String> words = option.equals("by") ? wordsOfTraces() : words();
        for (String word : value.split(",", -1)) {
            keys.add(of(Choice.checked(option, word, words)));
        }
        if (keys.size() > MOST || keys.stream().distinct().count() < keys.size()) {
            throw new Failure(
                    Status.USAGE,
                    "--" + option + " takes up to " + MOST + " different keys, as in --" + option
                            + " thread,symbol.");
        }
        return List.copyOf(keys);
    }

    /** Returns what a row by type is called. */
    static String typeOf(DataObject object) {
        return object.type() == null ? Selection.NO_TYPE : object.type();
    }
}
