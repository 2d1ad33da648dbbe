package dev.madt.trace.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The schema of events, {@code madt_events.schema}.
 *
 * @param events in the order of their codes
 */
record EventSchema(List<Event> events) {
    private static final Set<String> TYPES =
            Set.of("address", "bytes", "ticks", "duration", "pid", "number", "text");
    /** The record whose events have lines with names of blocks, and the letters of other lines. */
    private static final String ALLOCATION = "Allocation";

    private static final String OTHER_LINES = "LSYWGBXOQ";
    private static final int COLUMNS = 11;
    private static final int WORDS_AT = 5;
    static final int WORDS = 4;

    /**
     * One of the four words of an event.
     *
     * @param note what else is to be said of it, or empty
     */
    record Word(String name, String type, String note) {}

    /**
     * A type of events.
     *
     * @param record that of its own, or one that several share, whose words are the same
     * @param letter empty: it has no line
     * @param words null where it has none
     * @param text what its text in the ring is, or empty
     * @param coded whether it has a code word
     */
    record Event(
            int code,
            String name,
            String record,
            boolean ring,
            boolean trace,
            String letter,
            List<Word> words,
            String text,
            boolean coded,
            String says) {
        /** Returns whether its line is its words, by their types. */
        boolean isPrintedByWords() {
            return !letter.isEmpty() && !record.equals(ALLOCATION);
        }
    }

    static EventSchema read(Path file) throws IOException {
        List<Event> events = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                events.add(event(line));
            }
        }
        for (int i = 1; i < events.size(); i++) {
            require(
                    events.get(i - 1).code < events.get(i).code,
                    "codes ascend",
                    events.get(i).name);
        }
        requireAgreement(events);
        requireLetters(events);
        return new EventSchema(events);
    }

    /**
     * The words of a record: null where its types have none, and without a meaning where they call
     * it differently.
     */
    List<Word> words(String record) {
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            List<Word> told = names(record, i);
            words.add(
                    told.isEmpty()
                            ? null
                            : told.size() == 1 ? told.get(0) : new Word("word" + i, "number", ""));
        }
        return words;
    }

    /** Returns what the types of a record call its word at a place: each name once. */
    List<Word> names(String record, int at) {
        Map<String, Word> names = new LinkedHashMap<>();
        for (Event event : events) {
            Word word = event.words.get(at);
            if (event.record.equals(record) && word != null) {
                names.putIfAbsent(word.name, word);
            }
        }
        return List.copyOf(names.values());
    }

    /** The types of a record have the same text and code word. */
    private static void requireAgreement(List<Event> events) {
        Map<String, Event> firsts = new HashMap<>();
        for (Event event : events) {
            Event first = firsts.putIfAbsent(event.record, event);
            require(
                    first == null || first.text.equals(event.text) && first.coded == event.coded,
                    "one text and code word a record",
                    event.name);
        }
    }

    /** A letter tells what a line is, and how to read its words. */
    private static void requireLetters(List<Event> events) {
        StringBuilder taken = new StringBuilder(OTHER_LINES);
        events.stream()
                .filter(event -> event.record.equals(ALLOCATION))
                .forEach(event -> taken.append(event.letter));
        for (Event event : events) {
            if (event.isPrintedByWords()) {
                require(taken.indexOf(event.letter) < 0, "a letter for each line", event.name);
                require(event.trace, "lines of what is in traces", event.name);
                require(
                        event.coded || event.words.stream().anyMatch(Objects::nonNull),
                        "a word in a line",
                        event.name);
                taken.append(event.letter);
            }
        }
    }

    private static Event event(String line) {
        String[] cells = Stream.of(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        require(cells.length == COLUMNS + 1, (COLUMNS + 1) + " columns", line);
        require(cells[1].matches("[A-Z][A-Z_]*"), "a name", line);
        require(Set.of("ring", "trace", "ring, trace").contains(cells[3]), "where it occurs", line);
        require(cells[4].matches("[A-Z]?"), "a letter", line);
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            words.add(word(cells[WORDS_AT + i], line));
        }
        return new Event(
                Integer.parseInt(cells[0]),
                cells[1],
                cells[2].isEmpty() ? className(cells[1]) : cells[2],
                cells[3].startsWith("ring"),
                cells[3].endsWith("trace"),
                cells[4],
                words,
                cells[9],
                cells[10].equals("C"),
                cells[11]);
    }

    private static String className(String name) {
        return Stream.of(name.split("_"))
                .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
    }

    private static Word word(String cell, String line) {
        if (cell.isEmpty()) {
            return null;
        }
        String[] parts = cell.split("[:,] ", 3);
        require(parts.length > 1 && TYPES.contains(parts[1]), "a word's name and type", line);
        require(parts[0].matches("[a-z][a-zA-Z0-9]*"), "a word's name", line);
        return new Word(parts[0], parts[1], parts.length > 2 ? parts[2] : "");
    }

    private static void require(boolean holds, String what, String where) {
        if (!holds) {
            throw new IllegalArgumentException("the schema of events needs " + what + ": " + where);
        }
    }
}
