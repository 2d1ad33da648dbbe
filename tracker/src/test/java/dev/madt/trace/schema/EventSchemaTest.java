package dev.madt.trace.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is made of the schema of events is what stands there; with {@code madt.schema.write} it is
 * written.
 */
class EventSchemaTest {
    private static final Path HOME = Path.of(System.getProperty("basedir", ".")).resolve("..");
    private static final Path INCLUDE = HOME.resolve("madt-native/include");
    private static final Path EVENTS = HOME.resolve("tracker/src/main/java/dev/madt/trace/event");
    private static final Path DOCS = HOME.resolve("docs");

    @TempDir
    private Path directory;

    private static EventSchema schema() throws IOException {
        return EventSchema.read(INCLUDE.resolve("madt_events.schema"));
    }

    /** The part of a file between two lines is to be this, or all of the file. */
    private static void compare(Path file, String from, String to, String made) throws IOException {
        String text = Files.exists(file) ? Files.readString(file) : "";
        int start = from == null ? 0 : text.indexOf(from) + from.length();
        int end = to == null ? text.length() : text.indexOf(to, start);
        assertTrue(start >= 0 && end >= start, file + " has no place for it");
        if (Boolean.getBoolean("madt.schema.write")) {
            Files.writeString(file, text.substring(0, start) + made + text.substring(end));
        } else {
            assertEquals(
                    plain(made),
                    plain(text.substring(start, end)),
                    file + " differs from the schema: -Dmadt.schema.write=true writes it");
        }
    }

    /** Without what formatters change. */
    private static String plain(String text) {
        return text.replaceAll("\\s*\\n[ \\t]*\\*(?!/)", " ").replaceAll("\\s+", "");
    }

    @Test
    void shouldBeWhatIsMadeOfIt() throws IOException {
        EventSources sources = new EventSources(schema());
        compare(INCLUDE.resolve("madt_events.h"), null, null, sources.header());
        compare(
                EVENTS.resolve("TraceEvent.java"),
                "            case UNKNOWN -> new Unknown(thread, epoch);\n",
                "        };\n",
                sources.cases());
        compare(
                EVENTS.resolve("TraceEvent.java"),
                "return RingEventType.UNKNOWN;\n        }\n    }\n",
                "\n}\n",
                sources.records().stripTrailing());
        compare(
                EVENTS.resolve("RingEventType.java"),
                "    UNKNOWN(0, Line.NONE, false),\n",
                "\n    private static final",
                sources.types());
        compare(
                DOCS.resolve("FORMAT.md"),
                "|---|---|---|---|---|---|---|---|---|\n",
                "\n\n",
                sources.table().stripTrailing());
        compare(DOCS.resolve("reader.py"), "NONE = 2 ** 64 - 1\n", "FRAMES = ", sources.python());
    }

    @Test
    void shouldRefuseWhatIsNoSchema() throws IOException {
        for (String line : List.of(
                "1 | A | ring | | | | | | | C",
                "1 | a | ring | | | | | | | C | says",
                "1 | A | file | | | | | | | C | says",
                "1 | A | ring | | block | | | | | C | says",
                "1 | A | ring | | block: words | | | | | C | says",
                "2 | A | ring | | | | | | | C | says\n1 | B | ring | | | | | | | C | says")) {
            Path file = Files.writeString(directory.resolve("schema"), line);
            assertThrows(IllegalArgumentException.class, () -> EventSchema.read(file), line);
        }
    }

    @Test
    void shouldTellTheWordsOfAnyEventByTheirNames() throws Exception {
        Random random = new Random(17);
        EventSchema schema = schema();
        for (EventSchema.Event said : schema.events()) {
            for (int i = 0; i < 1_000; i++) {
                RandomEvent made = RandomEvent.of(schema, said, random);
                assertEquals(made.named(), named(made.event()), said.name());
                assertEquals(made.words(), words(made.event()), said.name());
            }
        }
    }

    private static List<Long> words(TraceEvent event) {
        return List.of(event.word(0), event.word(1), event.word(2), event.word(3));
    }

    private static Map<String, Object> named(TraceEvent event) throws ReflectiveOperationException {
        Map<String, Object> named = new HashMap<>(Map.of("type", event.type()));
        for (RecordComponent component : event.getClass().getRecordComponents()) {
            named.put(component.getName(), component.getAccessor().invoke(event));
        }
        return named;
    }

    @Test
    void shouldSayWhatTracesHold() throws IOException {
        List<String> told = new ArrayList<>();
        for (EventSchema.Event said : schema().events()) {
            RingEventType type = RingEventType.valueOf(said.name());
            assertEquals(said.trace(), type.inTraces(), said.name());
            told.add(type.name());
        }
        assertEquals(
                Arrays.stream(RingEventType.values()).skip(1).map(Enum::name).toList(), told);
    }
}
