package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.buffer.RingRow;
import dev.madt.trace.code.BlockEnd;
import dev.madt.trace.code.EdgeKind;
import dev.madt.trace.code.InstrumentReason;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.codec.RecordEncoder;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessKind.Role;
import dev.madt.trace.event.Argument;
import dev.madt.trace.layout.GraphLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The numbers of {@code encode.h} and {@code madt_plan.h} that Java has too: the C compiler says
 * them, none may differ.
 */
class HeadersTest {
    private static final Path NATIVE =
            Path.of("..", "..", "madt-native").toAbsolutePath().normalize();
    private static final String STOP = "MADT_ENCODE_";

    /** Constants of the encoder that are reasons to stop, under other names or the header's. */
    private static final Map<String, String> STOPS = Map.of(
            "OTHER",
            STOP + "OTHER",
            "UNKNOWN",
            STOP + "UNKNOWN",
            "ASKS",
            STOP + "ASKS",
            "DEFINE",
            STOP + "DEFINE",
            "MEMORY",
            STOP + "MEMORY",
            "EVENT",
            STOP + "EVENT",
            "CODE",
            STOP + "CODE",
            "FULL_JOURNAL",
            STOP + "JOURNAL");

    private static final Map<String, String> PLAN = new TreeMap<>(Map.ofEntries(
            Map.entry("VERSION", "MADT_PLAN_VERSION"),
            Map.entry("VARIANTS", "MADT_PLAN_VARIANTS"),
            Map.entry("BELOW", "MADT_PLAN_BELOW"),
            Map.entry("BELOW_BYTES", "MADT_PLAN_BELOW_BYTES"),
            Map.entry("ABOVE", "MADT_PLAN_ABOVE"),
            Map.entry("STACK", "MADT_PLAN_STACK"),
            Map.entry("HOOKS", "MADT_PLAN_HOOKS"),
            Map.entry("TLS", "MADT_PLAN_TLS"),
            Map.entry("KEPT", "MADT_PLAN_KEPT"),
            Map.entry("ALLOCATOR", "MADT_PLAN_ALLOCATOR"),
            Map.entry("AWAITED", "MADT_PLAN_AWAITED"),
            Map.entry("VARIANT", "offsetof(struct madt_plan, variant)"),
            Map.entry("EPOCH_PAGE", "offsetof(struct madt_plan, epoch_page)"),
            Map.entry("AREAS", "offsetof(struct madt_plan, areas)"),
            Map.entry("AREA_BYTES", "sizeof(struct madt_plan_area)"),
            Map.entry("AREA_SIZE", "offsetof(struct madt_plan_area, size)"),
            Map.entry("PAGE", "MADT_PAGE"),
            Map.entry("CODES", "MADT_PLAN_CODES"),
            Map.entry("MAGIC", "MADT_PLAN_MAGIC"),
            Map.entry("BYTES", "sizeof(struct madt_plan)"),
            Map.entry("FLAGS", "offsetof(struct madt_plan, flags)"),
            Map.entry("TEMPLATES", "offsetof(struct madt_plan, templates)"),
            Map.entry("WORDS", "offsetof(struct madt_plan, words)"),
            Map.entry("TEXT_BYTES", "offsetof(struct madt_plan, text_bytes)"),
            Map.entry("FIRST_TEMPLATE", "offsetof(struct madt_plan, first_template)"),
            Map.entry("PROVEN_BYTES", "offsetof(struct madt_plan, proven_bytes)"),
            Map.entry("SITES", "offsetof(struct madt_plan, sites)"),
            Map.entry("TACTICS", "MADT_TACTICS"),
            Map.entry("SITES_LEFT", "offsetof(struct madt_plan, sites_left)"),
            Map.entry("SITES_LIKELY", "offsetof(struct madt_plan, sites_likely)"),
            Map.entry("TEMPLATE_WORDS", "MADT_PLAN_TEMPLATE_WORDS"),
            Map.entry("TEMPLATE_DERIVES", "MADT_PLAN_TEMPLATE_DERIVES"),
            Map.entry("TEMPLATE_WHOLE", "MADT_PLAN_TEMPLATE_WHOLE"),
            Map.entry("TEMPLATE_PROBE", "MADT_PLAN_TEMPLATE_PROBE"),
            Map.entry("DERIVED_WORDS", "MADT_PLAN_DERIVED_WORDS"),
            Map.entry("PATCHES", "offsetof(struct madt_plan, patches)"),
            Map.entry("ROWS", "MADT_PLAN_ROWS"),
            Map.entry("LENGTH_BITS", "__builtin_ctz(MADT_PLAN_TACTIC)"),
            Map.entry("NEAR", "MADT_TACTIC_NEAR"),
            Map.entry("HOOKED", "offsetof(struct madt_plan, hooks)"),
            Map.entry("HOOKED_BYTES", "sizeof(struct madt_plan_hook)"),
            Map.entry("SPRINGBOARDS", "offsetof(struct madt_plan, springboards)"),
            Map.entry("SPRINGBOARD_BYTES", "sizeof(struct madt_plan_springboard)")));

    private static final Map<String, String> PLACES = Map.of(
            "VECTOR", "MADT_VALUE_VECTOR",
            "STACK", "MADT_VALUE_STACK",
            "PLACES", "MADT_VALUE_HIGH");

    @TempDir
    Path directory;

    /** Number constants of a class by their names. */
    private static Map<String, Long> constants(Class<?> type) throws IllegalAccessException {
        Map<String, Long> constants = new TreeMap<>();
        for (Field field : type.getDeclaredFields()) {
            boolean number = field.getType() == int.class || field.getType() == long.class;
            if (Modifier.isStatic(field.getModifiers())
                    && Modifier.isFinal(field.getModifiers())
                    && number) {
                field.setAccessible(true);
                constants.put(field.getName(), ((Number) field.get(null)).longValue());
            }
        }
        return constants;
    }

    /** Returns what C makes of expressions, by the names that go with them. */
    private Map<String, Long> asked(String header, Map<String, String> expressions)
            throws Exception {
        List<String> lines = new ArrayList<>();
        expressions.forEach((name, expression) ->
                lines.add("\tprintf(\"" + name + "=%lld\\n\", (long long)(" + expression + "));"));
        Path source = directory.resolve("numbers.c");
        Path program = directory.resolve("numbers");
        Files.writeString(
                source,
                "#include <stddef.h>\n#include <stdio.h>\n#include \"" + header
                        + "\"\nint main(void)\n{\n" + String.join("\n", lines)
                        + "\n\treturn 0;\n}\n");
        run(
                "gcc",
                "-std=gnu11",
                "-I" + NATIVE.resolve("include"),
                "-I" + NATIVE.resolve("encode"),
                "-o",
                program.toString(),
                source.toString());
        Map<String, Long> numbers = new TreeMap<>();
        run(program.toString()).lines().forEach(line -> {
            int equals = line.indexOf('=');
            numbers.put(line.substring(0, equals), Long.parseLong(line.substring(equals + 1)));
        });
        return numbers;
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    @Test
    void shouldEqualTheEncodersHeader() throws Exception {
        Map<String, Long> mirror = constants(NativeRecordEncoder.class);
        assertEquals(10, mirror.size() - 1, mirror.toString()); // but for its memory of few words
        mirror.put("EVENT_WITH_CALLER", (long) RecordEncoder.EVENT_WITH_CALLER);
        mirror.remove("FEW_WORDS"); // memory of the class's own
        Map<String, String> expressions = new TreeMap<>();
        mirror.keySet()
                .forEach(name ->
                        expressions.put(name, STOPS.getOrDefault(name, "MADT_ENCODER_" + name)));
        assertEquals(asked("encode.h", expressions), mirror);
    }

    /** The words that it shares with its caller, of rows, and of entries of its journal. */
    @Test
    void shouldEqualTheEncodersWords() throws Exception {
        Map<String, Long> words = new TreeMap<>();
        Map<String, String> names = new TreeMap<>();
        for (EncoderWord word : EncoderWord.values()) {
            words.put(word.name(), (long) word.at());
            names.put(word.name(), "MADT_ENCODER_" + word);
        }
        words.put("SHARED_WORDS", (long) EncoderWord.all());
        words.put("ROW_WORDS", (long) RingRow.ALL);
        words.put("ENTRY_WORDS", (long) JournalWord.ALL);
        for (String count : List.of("SHARED_WORDS", "ROW_WORDS", "ENTRY_WORDS")) {
            names.put(count, "MADT_ENCODER_" + count);
        }
        assertEquals(asked("encode.h", names), words);
        words.clear();
        names.clear();
        for (RingRow number : RingRow.values()) {
            words.put("row " + number, (long) number.ordinal());
            names.put("row " + number, "ROW_" + number);
        }
        for (JournalWord word : JournalWord.values()) {
            String field = word.name().toLowerCase(Locale.ROOT);
            words.put("entry " + word, (long) word.ordinal());
            names.put("entry " + word, "offsetof(struct entry, " + field + ") / 8");
        }
        assertEquals(asked("events.h", names), words);
    }

    @Test
    void shouldEqualThePlansHeader() throws Exception {
        assertEquals(asked("madt_templates.h", PLAN), constants(SplicePlan.class));
        Map<String, Long> places = constants(Argument.class);
        places.remove("NOWHERE"); // of traces alone
        assertEquals(asked("madt_plan.h", PLACES), places);
    }

    /** Offsets and sizes of the rows of graphs, and the numbers of what they say. */
    @Test
    void shouldEqualTheGraphsHeader() throws Exception {
        Map<String, Long> numbers = new TreeMap<>();
        Map<String, String> names = new TreeMap<>();
        for (Class<?> row : GraphLayout.class.getDeclaredClasses()) {
            String word = row.getSimpleName().toLowerCase(Locale.ROOT);
            String struct = "struct madt_graph" + (word.equals("graph") ? "" : "_" + word);
            constants(row).forEach((field, number) -> {
                numbers.put(word + "_" + field, number);
                names.put(
                        word + "_" + field,
                        field.equals("BYTES")
                                ? "sizeof(" + struct + ")"
                                : "offsetof(" + struct + ", " + field.toLowerCase(Locale.ROOT)
                                        + ")");
            });
        }
        enumeration(numbers, names, BlockEnd.values(), "MADT_GRAPH_");
        enumeration(numbers, names, InstrumentReason.values(), "MADT_GRAPH_");
        enumeration(numbers, names, EdgeKind.values(), "MADT_GRAPH_TO_");
        numbers.put("reasons", (long) InstrumentReason.values().length);
        names.put("reasons", "MADT_GRAPH_REASONS");
        numbers.put("kinds", (long) EdgeKind.values().length);
        names.put("kinds", "MADT_GRAPH_TO_KINDS");
        numbers.put("magic", GraphLayout.MAGIC);
        names.put("magic", "MADT_GRAPH_MAGIC");
        assertEquals(asked("madt_graph.h", names), numbers);
    }

    private static void enumeration(
            Map<String, Long> numbers, Map<String, String> names, Enum<?>[] all, String prefix) {
        for (Enum<?> one : all) {
            numbers.put(prefix + one.name(), (long) one.ordinal());
            names.put(prefix + one.name(), prefix + one.name());
        }
    }

    /** The kinds by their names in C, which are the role's; and every number of C has one. */
    @Test
    void shouldEqualTheProbesHeader() throws Exception {
        Map<String, Long> codes = new TreeMap<>();
        Map<String, String> names = new TreeMap<>();
        Map<Role, String> prefixes = Map.of(
                Role.ACCESS, "MADT_",
                Role.PROBE, "MADT_PROBE_",
                Role.PAYLOAD, "MADT_PAYLOAD_");
        for (AccessKind kind : AccessKind.values()) {
            if (kind != AccessKind.UNKNOWN) {
                codes.put(kind.name(), (long) kind.code());
                names.put(kind.name(), prefixes.get(kind.role()) + kind);
            }
        }
        codes.put("PROBE_ACCESS", (long) AccessKind.LOAD.code());
        names.put("PROBE_ACCESS", "MADT_PROBE_ACCESS");
        assertEquals(asked("madt_payload.h", names), codes);
        assertEquals(
                asked(
                        "madt_payload.h",
                        ofEachCode("%d * (madt_is_access(%1$d)"
                                + " + 2 * madt_is_probe(%1$d) + 4 * madt_is_payload(%1$d))")),
                kindsOfJava());
    }

    private static Map<String, String> ofEachCode(String expression) {
        Map<String, String> expressions = new TreeMap<>();
        for (int code = 1; code < AccessKind.UNKNOWN.code(); code++) {
            expressions.put("code" + code, String.format(expression, code));
        }
        return expressions;
    }

    private static Map<String, Long> kindsOfJava() {
        Map<String, Long> roles = new TreeMap<>();
        ofEachCode("").keySet().forEach(name -> roles.put(name, 0L));
        for (AccessKind kind : AccessKind.values()) {
            if (kind != AccessKind.UNKNOWN) {
                roles.put(
                        "code" + kind.code(), (long) kind.code() << kind.role().ordinal());
            }
        }
        return roles;
    }
}
