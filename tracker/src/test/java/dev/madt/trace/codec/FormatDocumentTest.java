package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.layout.TraceLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of docs/FORMAT.md say what the code does. */
class FormatDocumentTest {
    private static final Path DOCUMENT =
            Path.of(System.getProperty("basedir", ".")).resolve("../docs/FORMAT.md");

    private static List<MatchResult> rows(String pattern) throws IOException {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(Files.readString(DOCUMENT))
                .results()
                .toList();
    }

    @Test
    void shouldListTheRingEventsOfTracesWithTheirLetters() throws IOException {
        List<String> documented = rows("^\\| (\\d+) \\| ([A-Z_]+) \\| (?:`(.)`)? *\\|").stream()
                .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                .toList();
        List<String> known = Arrays.stream(RingEventType.values())
                .filter(RingEventType::inTraces)
                .sorted((a, b) -> Integer.compare(a.code(), b.code()))
                .map(type -> type.code() + " " + type + " " + letter(type))
                .toList();
        assertEquals(known, documented);
    }

    private static String letter(RingEventType type) {
        char letter = type.letter();
        return letter == 0 ? null : String.valueOf(letter);
    }

    @Test
    void shouldListTheTypesOfFrames() throws IOException {
        List<String> documented = rows("^\\| `([A-Z]{4})` \\|").stream()
                .map(row -> row.group(1))
                .sorted()
                .toList();
        assertEquals(
                Arrays.stream(FrameType.values()).map(FrameType::tag).sorted().toList(),
                documented);
    }

    @Test
    void shouldNameTheVersionThatIsWritten() throws IOException {
        String version = "version u16 = " + TraceLayout.VERSION + " ";
        assertTrue(Files.readString(DOCUMENT).contains(version), version);
    }
}
