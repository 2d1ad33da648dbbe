package dev.madt.trace.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.RingEventType;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The layouts stand in madt_layout.h and in {@link SharedLayout}. This test lets the C compiler say
 * every number of the header and compares: no number may differ, and none may stand on one side
 * only.
 */
class SharedLayoutTest {
    private static final Path INCLUDE =
            Path.of("..", "madt-native", "include").toAbsolutePath().normalize();
    private static final Pattern DEFINE = Pattern.compile("(?m)^#define (MADT_\\w+)[ \\t]+\\S");
    private static final Pattern ENUM = Pattern.compile("enum (\\w+) \\{(.*?)\\};", Pattern.DOTALL);
    private static final Pattern STRUCT =
            Pattern.compile("struct madt_(\\w+) \\{(.*?)\\n\\};", Pattern.DOTALL);
    private static final Pattern FIELD =
            Pattern.compile("(\\w+)(\\[[^\\]]*\\])?(\\s*__attribute__\\(.*?\\))?;");

    @TempDir
    private Path directory;

    @Test
    void shouldEqualTheHeaderNumberByNumber() throws Exception {
        Map<String, Long> header = headerNumbers();
        Map<String, Long> mirror = mirrorNumbers();

        assertTrue(header.size() >= 220, "numbers found in the header: " + header.size());
        assertEquals(render(header), render(mirror));
    }

    @Test
    void shouldComputeAsTheMacrosOfTheHeader() throws Exception {
        List<String> expressions = List.of(
                "MADT_RECORD_HEADER(0, 0)",
                "MADT_RECORD_HEADER(17, 0x123456789abcdef0)",
                "MADT_RECORD_HEADER(0x7ffffffe, -1)",
                "MADT_BUFFER_SIZE(1)",
                "MADT_BUFFER_SIZE(252)",
                "MADT_AREA(0)",
                "MADT_AREA(12345678)");
        List<Long> mirror = List.of(
                SharedLayout.recordHeader(0, 0),
                SharedLayout.recordHeader(17, 0x123456789abcdef0L),
                SharedLayout.recordHeader(0x7ffffffe, -1),
                SharedLayout.bufferSize(1),
                SharedLayout.bufferSize(252),
                SharedLayout.area(0),
                SharedLayout.area(12345678));

        List<String> lines = new ArrayList<>();
        expressions.forEach(expression -> lines.add(print(expression, expression)));

        assertEquals(mirror, List.copyOf(ask(lines, expressions).values()));
    }

    private static String render(Map<String, Long> numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach(
                (name, value) -> text.append(name).append(" = ").append(value).append('\n'));
        return text.toString();
    }

    private Map<String, Long> headerNumbers() throws Exception {
        String header = (Files.readString(INCLUDE.resolve("madt_layout.h"))
                        + Files.readString(INCLUDE.resolve("madt_events.h")))
                .replaceAll("(?s)/\\*.*?\\*/", "");
        List<String> lines = new ArrayList<>();
        DEFINE.matcher(header)
                .results()
                .map(match -> match.group(1))
                .forEach(name -> lines.add(print(name, name)));
        Matcher enums = ENUM.matcher(header);
        while (enums.find()) {
            for (String constant : enums.group(2).split(",")) {
                String name = constant.replaceAll("(?s)=.*", "").strip();
                lines.add(print(name, name));
            }
        }
        Matcher structs = STRUCT.matcher(header);
        while (structs.find()) {
            String struct = structs.group(1);
            lines.add(print(struct + ".BYTES", "sizeof(struct madt_" + struct + ")"));
            FIELD.matcher(structs.group(2))
                    .results()
                    .map(match -> match.group(1))
                    .forEach(field -> lines.add(print(
                            struct + "." + field.toUpperCase(Locale.ROOT),
                            "offsetof(struct madt_" + struct + ", " + field + ")")));
        }
        return new TreeMap<>(ask(lines, List.of()));
    }

    private static String print(String name, String expression) {
        return "\tprintf(\"%s=%lld\\n\", \"" + name + "\", (long long)(" + expression + "));\n";
    }

    /**
     * Returns what the C program made of these lines prints; in the order of {@code order} if that
     * is not empty.
     */
    private Map<String, Long> ask(List<String> lines, List<String> order)
            throws IOException, InterruptedException {
        Path source = directory.resolve("numbers.c");
        Path program = directory.resolve("numbers");
        Files.writeString(
                source,
                "#include <stdio.h>\n#include \"madt_layout.h\"\nint main(void)\n{\n"
                        + String.join("", lines) + "\treturn 0;\n}\n");
        run("gcc", "-std=gnu11", "-I" + INCLUDE, "-o", program.toString(), source.toString());
        Map<String, Long> numbers = new LinkedHashMap<>();
        order.forEach(name -> numbers.put(name, null));
        run(program.toString()).lines().forEach(line -> {
            int equals = line.lastIndexOf('=');
            numbers.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        });
        assertEquals(
                lines.size(), numbers.size(), "every number is printed under a name of its own");
        return numbers;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return fail(
                    "this test needs " + command[0] + " (apt-get install gcc): " + e.getMessage());
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), () -> String.join(" ", command) + "\n" + output);
        return output;
    }

    /** The numbers of the mirror under their names in the header. */
    private static Map<String, Long> mirrorNumbers() throws IllegalAccessException {
        Map<String, Long> numbers = new TreeMap<>();
        addConstants(numbers, SharedLayout.class, "MADT_");
        for (Class<?> struct : SharedLayout.class.getDeclaredClasses()) {
            String name = struct.getSimpleName()
                    .replaceAll("(?<=.)([A-Z])", "_$1")
                    .toLowerCase(Locale.ROOT);
            addConstants(numbers, struct, name + ".");
        }
        long known = 0;
        for (RingEventType type : RingEventType.values()) {
            if (type != RingEventType.UNKNOWN) {
                numbers.put("MADT_EVENT_" + type, (long) type.code());
                known |= 1L << type.code();
            }
        }
        numbers.put("MADT_EVENT_TYPES", known);
        for (AccessKind kind : List.of(AccessKind.LOAD, AccessKind.STORE, AccessKind.MODIFY)) {
            numbers.put("MADT_" + kind, (long) kind.code());
        }
        return numbers;
    }

    private static void addConstants(Map<String, Long> numbers, Class<?> type, String prefix)
            throws IllegalAccessException {
        for (Field field : type.getDeclaredFields()) {
            if (!field.isSynthetic()) {
                numbers.put(prefix + field.getName(), ((Number) field.get(null)).longValue());
            }
        }
    }

    @Test
    void shouldGiveBlockKindsTheirBuiltInTemplates() {
        assertEquals(SharedLayout.TEMPLATE_COPY, BlockKind.COPY.template());
        assertEquals(SharedLayout.TEMPLATE_STORE, BlockKind.STORE.template());
        assertEquals(SharedLayout.TEMPLATE_FETCH, BlockKind.FETCH.template());
    }
}
