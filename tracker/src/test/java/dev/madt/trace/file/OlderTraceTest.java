package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.RecordingConsumer;
import dev.madt.trace.codec.TraceDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code version4.madt} is the example of docs/FORMAT.md as it was written in version 4. */
class OlderTraceTest {
    private static final int VERSION_AT = 8;

    private static List<String> calls(byte[] bytes) throws Exception {
        RecordingConsumer consumer = new RecordingConsumer();
        TraceDecoder decoder = new TraceDecoder(consumer);
        try (TraceReader reader = TraceFileTest.reader(bytes)) {
            assertTrue(reader.read(decoder));
        }
        return consumer.calls();
    }

    private static int version(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getShort(VERSION_AT);
    }

    @Test
    void shouldReadTracesOfVersion4() throws Exception {
        byte[] old = OlderTraceTest.class.getResourceAsStream("version4.madt").readAllBytes();
        byte[] present = Files.readAllBytes(Path.of("../docs/example.madt"));
        assertEquals(4, version(old));
        assertEquals(7, version(present));
        assertTrue(calls(old).size() > 25);
        List<String> calls = calls(present);
        assertTrue(calls.removeIf(call -> call.contains("SYSTEM_CALL"))); // 4.1 had none
        assertEquals(calls, calls(old));
    }

    @Test
    void shouldKnowWhichVersionsHaveCalls() throws Exception {
        byte[] bytes = OlderTraceTest.class.getResourceAsStream("version4.madt").readAllBytes();
        for (int version = 3; version <= 9; version++) {
            bytes[VERSION_AT] = (byte) version;
            try (TraceReader reader = TraceFileTest.reader(bytes)) {
                boolean calls = version >= 5 && version != 7;
                assertEquals(calls, reader.hasCalls(), "version " + version);
            }
        }
    }
}
