package dev.madt.trace.schema;

import dev.madt.trace.schema.EventSchema.Event;
import dev.madt.trace.schema.EventSchema.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** What is made of the schema of events: C, Java, Python, and a table of docs/FORMAT.md. */
final class EventSources {
    private static final String MADE = "Made of madt_events.schema, where it is to be changed.";
    private static final List<String> SLOTS = List.of("address", "size", "old", "oldSize");
    private static final int WIDTH = 100;
    private final List<Event> events;

    EventSources(EventSchema schema) {
        events = schema.events();
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
        return out.append("};\n\n#endif\n").toString();
    }

    /** What a word in this place of the ring's slot is; empty if there is none. */
    private static List<String> slot(String place, Word word) {
        if (word == null) {
            return List.of();
        }
        String field = place.equals("oldSize") ? "old_size" : place;
        return List.of(field
                + (place.equals(word.name()) ? "" : ": " + word.name())
                + (Set.of("ticks", "pid").contains(word.type()) ? " (" + word.type() + ")" : "")
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
                        + ", " + event.trace() + ")")
                .collect(Collectors.joining(",\n", "", ";\n"));
    }

    private static String letter(Event event) {
        return event.letter().isEmpty() ? "Line.NONE" : "'" + event.letter() + "'";
    }

    /** TraceEvent.java. */
    String records() {
        StringBuilder out = new StringBuilder("package dev.madt.trace.event;\n\n/**\n"
                + " * An event with its words by their names. " + MADE + "\n */\n"
                + "public sealed interface TraceEvent {\n"
                + "    /** The thread whose event it is. */\n    int thread();\n\n"
                + "    /** Its ticket: the order of the events of a process. */\n"
                + "    long ticket();\n");
        events.forEach(event -> add(out, event));
        out.append("\n    /**\n     * What an event says.\n     *\n"
                + "     * @throws IllegalArgumentException if it is of an unknown type\n     */\n"
                + "    static TraceEvent of(RingEvent event) {\n"
                + "        return switch (event.type()) {\n"
                + "            case UNKNOWN -> throw new IllegalArgumentException("
                + "\"an event of an unknown type\");\n");
        for (Event event : events) {
            out.append("            case ").append(event.name()).append(" -> new ");
            out.append(event.className()).append("(event);\n");
        }
        return out.append("        };\n    }\n}\n").toString();
    }

    private static void add(StringBuilder out, Event event) {
        out.append("\n    /**\n");
        for (String line : filled("Says: " + event.says().replace("`", ""), WIDTH - 8)) {
            out.append("     * ").append(line).append('\n');
        }
        List<String> noted = event.words().stream()
                .filter(Objects::nonNull)
                .map(word -> "     * @param " + word.name() + " " + word.type()
                        + (word.note().isEmpty() ? "" : ", " + word.note().replace("`", "")))
                .toList();
        if (!noted.isEmpty()) {
            out.append("     *\n").append(String.join("\n", noted)).append('\n');
        }
        List<String> components = new ArrayList<>(List.of("int thread", "long ticket"));
        for (Word word : event.words()) {
            if (word != null) {
                components.add("long " + word.name());
            }
        }
        if (!event.text().isEmpty()) {
            components.add("String " + event.text());
        }
        if (event.coded()) {
            components.add("long code");
        }
        out.append("     */\n    record ").append(event.className()).append("(");
        out.append(String.join(", ", components)).append(") implements TraceEvent {\n");
        out.append("        ").append(event.className()).append("(RingEvent event) {\n");
        out.append("            this(").append(String.join(", ", from(event)));
        out.append(");\n        }\n    }\n");
    }

    /** The components of a record, of the words that depend on the type. */
    private static List<String> from(Event event) {
        List<String> arguments = new ArrayList<>(List.of("event.thread()", "event.epoch()"));
        for (int i = 0; i < SLOTS.size(); i++) {
            if (event.words().get(i) != null) {
                arguments.add("event." + SLOTS.get(i) + "()");
            }
        }
        if (!event.text().isEmpty()) {
            arguments.add("event.name()");
        }
        if (event.coded()) {
            arguments.add("event.code()");
        }
        return arguments;
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

    /** What docs/reader.py knows. */
    String python() {
        List<String> letters = new ArrayList<>();
        List<String> types = new ArrayList<>();
        for (Event event : events) {
            if (!event.letter().isEmpty()) {
                letters.add(event.code() + ": '" + event.letter() + "'");
            }
            if (event.trace()) {
                types.add(String.valueOf(event.code()));
            }
        }
        return "LETTERS = {" + String.join(", ", letters) + "}\nTYPES = {"
                + String.join(", ", types) + "}\n";
    }
}
