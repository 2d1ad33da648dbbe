package dev.madt.trace.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
 * Checks that what is made of the schema of events is what stands there; with
 * {@code madt.schema.write} it is written.
 */
class EventSchemaTest {
    private static final Path HOME = Path.of(System.getProperty("basedir", ".")).resolve("..");

    @TempDir
    private Path directory;

    private static EventSchema schema() throws IOException {
        return EventSchema.read(SchemaFiles.schema(HOME));
    }

    @Test
    void shouldBeWhatIsMadeOfIt() throws IOException {
        if (Boolean.getBoolean("madt.schema.write")) {
            SchemaFiles.main(HOME.toString());
        }
        for (SchemaFiles.Part part : SchemaFiles.of(HOME)) {
            assertEquals(
                    SchemaFiles.plain(part.made()),
                    SchemaFiles.plain(part.found()),
                    part.file() + " differs from the schema: -Dmadt.schema.write=true writes it");
        }
    }

    @Test
    void shouldMakeLinesOfWords() throws IOException {
        Path file = Files.writeString(
                directory.resolve("lines"),
                "60 | LOCK | | ring, trace | K | lock: address | | held: duration | who: text"
                        + " | | C | says\n"
                        + "61 | ADVICE | | ring, trace | A | | size: bytes | | | | | says\n");
        EventSources sources = new EventSources(EventSchema.read(file));
        assertEquals(
                """
                LOCK(60, 'K', true, "lock: address", "", "held: duration", "who: text", \
                "code: code"),
                ADVICE(61, 'A', true, "", "size: bytes", "", "");
                """
                        .strip(),
                sources.types().strip().replaceAll("\n +", "\n"));
        assertEquals(
                """
                LETTERS = {}
                TYPES = {60, 61}
                LINES = {60: ('K', (0, 'address'), (2, 'duration'), (3, 'text'), (4, 'code')),
                         61: ('A', (1, 'bytes'))}  # letter, then place and type of each word
                """,
                sources.python());
    }

    @Test
    void shouldRefuseWhatIsNoSchema() throws IOException {
        for (String line : List.of(
                "1 | A | ring | | | | | | | C",
                "1 | a | ring | | | | | | | C | says",
                "1 | A | file | | | | | | | C | says",
                "1 | A | ring | | block | | | | | C | says",
                "1 | A | ring | | block: words | | | | | C | says",
                "1 | A | | ring | A | a: bytes | | | | | C | says",
                "1 | A | | trace | L | a: bytes | | | | | C | says",
                "1 | A | | trace | A | | | | | | | says",
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
