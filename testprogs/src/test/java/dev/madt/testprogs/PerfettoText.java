package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A trace of Perfetto as {@code protoc --decode} writes it, read as Perfetto's reference says:
 * names are looked up in the state of the sequence, which its first packet clears.
 */
public final class PerfettoText {
    /** A message: of each field its values, which are texts or messages. */
    private record Message(Map<String, List<Object>> fields) {
        private Message message(String field) {
            List<Object> values = fields.get(field);
            return values == null ? null : (Message) values.get(0);
        }

        private String text(String field) {
            List<Object> values = fields.get(field);
            return values == null ? null : (String) values.get(0);
        }

        private long number(String field) {
            return Long.parseLong(text(field));
        }

        private List<Object> all(String field) {
            return fields.getOrDefault(field, List.of());
        }
    }

    private static final Set<String> OFF_CPU = Set.of("waits for MadT", "no processor");

    private final Map<String, Map<String, String>> names = new HashMap<>();
    private final Map<String, Message> tracks = new LinkedHashMap<>();
    private final Slices slices;

    /**
     * Returns what {@code protoc --decode} makes of a trace; a test that asks is skipped without
     * protoc.
     *
     * @param directory to run it in
     */
    public static String decoded(Path directory, Path trace) throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/protoc")), "no protoc");
        Path schema = MadtRun.root().resolve("testprogs/calls/perfetto.proto");
        String decode = "protoc --decode=perfetto.protos.Trace -I\"$1\" perfetto.proto <\"$2\"";
        List<String> command =
                List.of("sh", "-c", decode, "sh", "" + schema.getParent(), "" + trace);
        return MadtRun.command(directory, command).expect(0).text();
    }

    /** @param slices is given what the trace holds */
    public PerfettoText(Slices slices) {
        this.slices = slices;
    }

    public void read(List<String> lines) {
        Message trace = message(lines.iterator());
        assertEquals("1", ((Message) trace.all("packet").get(0)).text("sequence_flags"));
        trace.all("packet").forEach(packet -> packet((Message) packet));
    }

    private static Message message(Iterator<String> lines) {
        Message message = new Message(new LinkedHashMap<>());
        while (lines.hasNext()) {
            String line = lines.next().strip();
            if (line.equals("}")) {
                return message;
            }
            boolean nested = line.endsWith(" {");
            int at = line.indexOf(nested ? " {" : ": ");
            assertTrue(at > 0 && !Character.isDigit(line.charAt(0)), "unknown field: " + line);
            message.fields
                    .computeIfAbsent(line.substring(0, at), absent -> new ArrayList<>())
                    .add(nested ? message(lines) : value(line.substring(at + 2)));
        }
        return message;
    }

    private static String value(String text) {
        return text.startsWith("\"") ? text.substring(1, text.length() - 1) : text;
    }

    private void packet(Message packet) {
        assertEquals("1", packet.text("trusted_packet_sequence_id"));
        Message interned = packet.message("interned_data");
        if (interned != null) {
            interned.fields.forEach((kind, entries) -> entries.forEach(entry -> {
                Message name = (Message) entry;
                Map<String, String> known = names.computeIfAbsent(kind, absent -> new HashMap<>());
                assertEquals(null, known.put(name.text("iid"), name.text("name")), "told twice");
            }));
        }
        Message track = packet.message("track_descriptor");
        if (track != null) {
            assertEquals(null, tracks.put(track.text("uuid"), track), "two tracks of one uuid");
        }
        Message event = packet.message("track_event");
        if (event != null) {
            assertEquals("2", packet.text("sequence_flags"));
            event(event, packet.number("timestamp"));
        }
    }

    private void event(Message event, long time) {
        String uuid = event.text("track_uuid");
        Message track = tracks.get(uuid);
        assertNotNull(track, "no such track");
        assertNotNull(tracks.get(track.text("parent_uuid")));
        if (OFF_CPU.contains(String.valueOf(track.text("name")))) {
            return; // no calls
        }
        if (event.text("type").equals("TYPE_SLICE_BEGIN")) {
            String name = names.get("event_names").get(event.text("name_iid"));
            assertNotNull(name);
            assertNotNull(names.get("event_categories").get(event.text("category_iids")));
            slices.begin(uuid, name, time);
            return;
        }
        assertEquals("TYPE_SLICE_END", event.text("type"));
        Map<String, String> notes = new HashMap<>();
        for (Object one : event.all("debug_annotations")) {
            Message note = (Message) one;
            String value = note.text("uint_value");
            notes.put(
                    names.get("debug_annotation_names").get(note.text("name_iid")),
                    value == null ? note.text("string_value") : value);
        }
        slices.end(
                uuid,
                time,
                Long.parseLong(notes.get("ns")),
                Long.parseLong(notes.get("self_ns")),
                notes.get("left"));
    }
}
