package dev.madt.trace.schema;

import dev.madt.trace.schema.EventSchema.Event;
import dev.madt.trace.schema.EventSchema.Word;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes what is made of the schema of events: C, Java, Python, and a table of docs/FORMAT.md. */
final class EventSources {
    private static final String MADE = "Made of madt_events.schema, where it is to be changed.";
    private static final List<String> SLOTS = List.of("address", "size", "old", "oldSize");
    private static final int WIDTH = 100;
    private final EventSchema schema;
    private final List<Event> events;
    private final Map<String, List<Event>> records = new LinkedHashMap<>();

    EventSources(EventSchema schema) {
        this.schema = schema;
        events = schema.events();
        for (Event event : events) {
            records.computeIfAbsent(event.record(), absent -> new ArrayList<>()).add(event);
        }
    }

    /** madt_events.h. */
    String header() {
        StringBuilder out = new StringBuilder("/* The types of events. " + MADE + " */\n"
                + "#ifndef MADT_EVENTS_H\n#define MADT_EVENTS_H\n\nenum madt_event_type {\n");
        for (Event event : events) {
            List<String> said = new ArrayList<>();
            for (int i = 0; i < SLOTS.size(); i++) {
                said.addAll(slot(SLOTS.get(i), event.words().get(i)));
            }
            if (!event.text().isEmpty()) {
                said.add("name: " + event.text());
            }
            if (event.coded()) {
                said.add("caller");
            }
            comment(
                    out,
                    (event.ring() ? "" : "trace file only: ")
                            + event.says().replace("`", "")
                            + (said.isEmpty() ? "" : "; " + String.join("; ", said)));
            out.append("\tMADT_EVENT_").append(event.name()).append(" = ").append(event.code());
            out.append(event == events.get(events.size() - 1) ? "\n" : ",\n");
        }
        long types = events.stream().mapToLong(event -> 1L << event.code()).sum();
        out.append("};\n\n/* A bit for each of them. */\n#define MADT_EVENT_TYPES UINT64_C(0x");
        return out.append(Long.toHexString(types)).append(")\n\n#endif\n").toString();
    }

    /** Returns what a word in this place of the ring's slot is; empty if there is none. */
    private static List<String> slot(String place, Word word) {
        if (word == null) {
            return List.of();
        }
        String field = place.equals("oldSize") ? "old_size" : place;
        return List.of(field
                + (place.equals(word.name()) ? "" : ": " + word.name())
                + (Set.of("ticks", "duration", "pid", "text").contains(word.type())
                        ? " (" + word.type() + ")"
                        : "")
                + (word.note().isEmpty() ? "" : " (" + word.note().replace("`", "") + ")"));
    }

    private static void comment(StringBuilder out, String text) {
        String one = "\t/* " + text + " */";
        if (one.length() + 3 <= WIDTH) {
            out.append(one).append('\n');
            return;
        }
        out.append("\t/*\n");
        for (String line : filled(text, WIDTH - 10)) {
            out.append("\t * ").append(line).append('\n');
        }
        out.append("\t */\n");
    }

    private static List<String> filled(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /** The constants of RingEventType. */
    String types() {
        return events.stream()
                .map(event -> "    " + event.name() + "(" + event.code() + ", " + letter(event)
                        + ", " + event.trace() + line(event) + ")")
                .collect(Collectors.joining(",\n", "", ";\n"));
    }

    /** The words of a line, if it is these alone. */
    private static String line(Event event) {
        if (!event.isPrintedByWords()) {
            return "";
        }
        List<String> words = new ArrayList<>(event.words().stream()
                .map(word -> word == null ? "" : word.name() + ": " + word.type())
                .toList());
        if (event.coded()) {
            words.add("code: code");
        }
        return words.stream().map(word -> ", \"" + word + "\"").collect(Collectors.joining());
    }

    private static String letter(Event event) {
        return event.letter().isEmpty() ? "Line.NONE" : "'" + event.letter() + "'";
    }

    /** TraceEvent.java, without what its source says of records beside it. */
    String records() {
        StringBuilder out = new StringBuilder();
        records.forEach((name, kinds) -> add(out, name, kinds));
        return out.append('\n').toString();
    }

    private void add(StringBuilder out, String name, List<Event> kinds) {
        List<Word> words = schema.words(kinds.get(0).record());
        out.append("\n    /**\n");
        for (Event event : kinds) {
            String says = (kinds.size() > 1 ? event.name() : "Says") + ": " + event.says();
            for (String line : filled(says.replace("`", ""), WIDTH - 8)) {
                out.append("     * ").append(line).append('\n');
            }
        }
        List<String> noted =
                words.stream().filter(Objects::nonNull).map(EventSources::param).toList();
        if (!noted.isEmpty()) {
            out.append("     *\n").append(String.join("\n", noted)).append('\n');
        }
        out.append("     */\n    record ").append(name).append("(");
        out.append(String.join(", ", components(kinds))).append(") implements ");
        out.append(isSpan(words) ? "Span" : "TraceEvent").append(" {\n");
        if (kinds.size() == 1) {
            method(out, "RingEventType type()", "RingEventType." + kinds.get(0).name());
        }
        words(out, words);
        for (int i = 0; i < EventSchema.WORDS; i++) {
            named(out, kinds, i);
        }
        if (!text(kinds).isEmpty()) {
            method(out, "String text()", text(kinds));
        }
        out.append("    }\n");
    }

    private static boolean isSpan(List<Word> words) {
        return words.stream()
                .filter(Objects::nonNull)
                .map(Word::name)
                .toList()
                .containsAll(List.of("begin", "length"));
    }

    private static String param(Word word) {
        return "     * @param " + word.name() + " " + word.type()
                + (word.note().isEmpty() ? "" : ", " + word.note().replace("`", ""));
    }

    private static void method(StringBuilder out, String head, String value) {
        out.append("        @Override\n        public ").append(head).append(" {\n");
        out.append("            return ").append(value).append(";\n        }\n");
    }

    /** The methods for a word that types of a record call differently. */
    private void named(StringBuilder out, List<Event> kinds, int at) {
        List<Word> names = schema.names(kinds.get(0).record(), at);
        if (names.size() < 2) {
            return;
        }
        for (Word name : names) {
            String types = kinds.stream()
                    .filter(event -> name.equals(event.words().get(at)))
                    .map(Event::name)
                    .collect(Collectors.joining(", "));
            out.append("        /** Returns ").append(name.type());
            out.append(name.note().isEmpty() ? "" : ": " + name.note());
            out.append("; 0 of other types. */\n");
            out.append("        public long ").append(name.name()).append("() {\n");
            out.append("            return switch (type) {\ncase ").append(types);
            out.append(" -> word").append(at).append(";\ndefault -> 0;\n};\n        }\n");
        }
    }

    private static void words(StringBuilder out, List<Word> words) {
        if (words.stream().allMatch(Objects::isNull)) {
            return;
        }
        StringBuilder cases = new StringBuilder("switch (at) {\n");
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i) != null) {
                cases.append("case ")
                        .append(i)
                        .append(" -> ")
                        .append(words.get(i).name());
                cases.append(";\n");
            }
        }
        method(out, "long word(int at)", cases.append("default -> 0;\n}").toString());
    }

    private static String text(List<Event> kinds) {
        return kinds.get(0).text();
    }

    private List<String> components(List<Event> kinds) {
        List<String> components = new ArrayList<>();
        if (kinds.size() > 1) {
            components.add("RingEventType type");
        }
        components.addAll(List.of("int thread", "long epoch"));
        for (Word word : schema.words(kinds.get(0).record())) {
            if (word != null) {
                components.add("long " + word.name());
            }
        }
        if (!text(kinds).isEmpty()) {
            components.add("String " + text(kinds));
        }
        if (kinds.get(0).coded()) {
            components.add("long code");
        }
        return components;
    }

    /** The cases of TraceEvent.of. */
    String cases() {
        StringBuilder out = new StringBuilder();
        records.forEach((name, kinds) -> {
            List<String> arguments =
                    new ArrayList<>(kinds.size() > 1 ? List.of("type") : List.of());
            arguments.addAll(List.of("thread", "epoch"));
            List<Word> words = schema.words(kinds.get(0).record());
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i) != null) {
                    arguments.add("word" + i);
                }
            }
            arguments.addAll(text(kinds).isEmpty() ? List.of() : List.of("text"));
            arguments.addAll(kinds.get(0).coded() ? List.of("code") : List.of());
            out.append("            case ");
            out.append(kinds.stream().map(Event::name).collect(Collectors.joining(", ")));
            out.append(" -> new ").append(name).append("(");
            out.append(String.join(", ", arguments)).append(");\n");
        });
        return out.toString();
    }

    /** The rows of the table of docs/FORMAT.md. */
    String table() {
        return events.stream()
                .filter(Event::trace)
                .map(event -> "| " + event.code() + " | " + event.name() + " |"
                        + (event.letter().isEmpty() ? "" : " `" + event.letter() + "`") + " |"
                        + event.words().stream()
                                .map(EventSources::cell)
                                .collect(Collectors.joining())
                        + (event.coded() ? " C |" : " |") + " " + event.says() + " |\n")
                .collect(Collectors.joining());
    }

    private static String cell(Word word) {
        return word == null
                ? " |"
                : " " + word.name() + ": " + word.type()
                        + (word.note().isEmpty() ? "" : ", " + word.note()) + " |";
    }

    /** Returns what docs/reader.py knows. */
    String python() {
        List<String> letters = new ArrayList<>();
        List<String> types = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Event event : events) {
            if (event.isPrintedByWords()) {
                lines.add(event.code() + ": ('" + event.letter() + "'" + shown(event) + ")");
            } else if (!event.letter().isEmpty()) {
                letters.add(event.code() + ": '" + event.letter() + "'");
            }
            if (event.trace()) {
                types.add(String.valueOf(event.code()));
            }
        }
        return "LETTERS = {" + String.join(", ", letters) + "}\nTYPES = {"
                + String.join("\n         ", filled(String.join(", ", types), WIDTH - 10))
                + "}\nLINES = {" + String.join(",\n         ", lines)
                + "}  # letter, then place and type of each word\n";
    }

    /** The words of a line, each with its place among those of the event. */
    private static String shown(Event event) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < EventSchema.WORDS; i++) {
            Word word = event.words().get(i);
            shown.append(word == null ? "" : ", (" + i + ", '" + word.type() + "')");
        }
        return shown.append(event.coded() ? ", (4, 'code')" : "").toString();
    }
}
