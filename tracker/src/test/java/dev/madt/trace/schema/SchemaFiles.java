package dev.madt.trace.schema;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that hold what is made of the schema of events, in a folder with the sources. */
final class SchemaFiles {
    /**
     * A file, or the part of it between two texts, null: from its beginning, or to its end.
     *
     * @param made what it is to be
     */
    record Part(Path file, String from, String to, String made) {
        private String text() throws IOException {
            return Files.exists(file) ? Files.readString(file) : "";
        }

        private int start(String text) {
            return from == null ? 0 : place(text.indexOf(from)) + from.length();
        }

        private int end(String text) {
            return to == null ? text.length() : place(text.indexOf(to, start(text)));
        }

        private int place(int at) {
            if (at < 0) {
                throw new IllegalStateException(file + " has no place for what is made");
            }
            return at;
        }

        /** Returns what is there. */
        String found() throws IOException {
            String text = text();
            return text.substring(start(text), end(text));
        }

        /** Writes what is to be there, unless only its form is another one. */
        void write() throws IOException {
            String text = text();
            if (!plain(made).equals(plain(found()))) {
                Files.writeString(
                        file, text.substring(0, start(text)) + made + text.substring(end(text)));
            }
        }
    }

    private SchemaFiles() {}

    /** Returns a text without what formatters change. */
    static String plain(String text) {
        return text.replaceAll("\\s*\\n[ \\t]*\\*(?!/)", " ").replaceAll("\\s+", "");
    }

    static Path schema(Path home) {
        return home.resolve("madt-native/include/madt_events.schema");
    }

    static List<Part> of(Path home) throws IOException {
        EventSources sources = new EventSources(EventSchema.read(schema(home)));
        Path events = home.resolve("tracker/src/main/java/dev/madt/trace/event");
        Path java = events.resolve("TraceEvent.java");
        List<Part> parts = new ArrayList<>();
        parts.add(new Part(
                home.resolve("madt-native/include/madt_events.h"), null, null, sources.header()));
        parts.add(new Part(
                java,
                "            case UNKNOWN -> new Unknown(thread, epoch, word0, word1);\n",
                "        };\n",
                sources.cases()));
        parts.add(new Part(
                java,
                "return RingEventType.UNKNOWN;\n        }\n    }\n",
                "\n}\n",
                sources.records().stripTrailing()));
        parts.add(new Part(
                events.resolve("RingEventType.java"),
                "    UNKNOWN(0, Line.NONE, false),\n",
                "\n    private static final",
                sources.types()));
        parts.add(new Part(
                home.resolve("docs/FORMAT.md"),
                "|---|---|---|---|---|---|---|---|---|\n",
                "\n\n",
                sources.table().stripTrailing()));
        parts.add(new Part(
                home.resolve("docs/reader.py"),
                "NONE = 2 ** 64 - 1\n",
                "FRAMES = ",
                sources.python()));
        return parts;
    }

    /** Writes the files in the folder that is named, or in the current one. */
    public static void main(String... folder) throws IOException {
        for (Part part : of(Path.of(folder.length == 0 ? "." : folder[0]))) {
            part.write();
        }
    }
}
