package dev.madt.trace.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The schema of events, {@code madt_events.schema}.
 *
 * @param events in the order of their codes
 */
record EventSchema(List<Event> events) {
    private static final Set<String> TYPES = Set.of("address", "bytes", "ticks", "pid", "number");
    private static final int COLUMNS = 10;
    private static final int WORDS_AT = 4;
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
     * @param letter empty: it has no line
     * @param words null where it has none
     * @param text what its text in the ring is, or empty
     * @param coded whether it has a code word
     */
    record Event(
            int code,
            String name,
            boolean ring,
            boolean trace,
            String letter,
            List<Word> words,
            String text,
            boolean coded,
            String says) {
        /** The name of its record. */
        String className() {
            return Stream.of(name.split("_"))
                    .map(part -> part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining());
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
        return new EventSchema(events);
    }

    private static Event event(String line) {
        String[] cells = Stream.of(line.split("\\|", -1)).map(String::strip).toArray(String[]::new);
        require(cells.length == COLUMNS + 1, (COLUMNS + 1) + " columns", line);
        require(cells[1].matches("[A-Z][A-Z_]*"), "a name", line);
        require(Set.of("ring", "trace", "ring, trace").contains(cells[2]), "where it occurs", line);
        require(cells[3].matches("[A-Z]?"), "a letter", line);
        List<Word> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            words.add(word(cells[WORDS_AT + i], line));
        }
        return new Event(
                Integer.parseInt(cells[0]),
                cells[1],
                cells[2].startsWith("ring"),
                cells[2].endsWith("trace"),
                cells[3],
                words,
                cells[8],
                cells[9].equals("C"),
                cells[10]);
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
