package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Events of every type, with any words: the encoders in C and in Java give the same bytes, of which
 * the reader in Java and docs/reader.py read the same events.
 */
class AnyEventTest extends EncoderPair {
    private static final int EACH = Tier.SOAK ? 10_000 : 500;
    private static final int FRAME = 5_000;
    private static final long[] EXTREMES = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32};
    private static final Path READER =
            Path.of(System.getProperty("basedir", ".")).resolve("../../docs");
    private static final String PRINT =
            """
            import struct, sys
            sys.path.insert(0, sys.argv[1])
            import reader
            with open(sys.argv[2], 'rb') as file:
                while head := file.read(4):
                    records = reader.Records(file.read(struct.unpack('<I', head)[0]))
                    events = reader.Allocations(records)
                    for template, site, words in records:
                        print(*(events.full(words) if template == 0 else events.short(site)))
            """;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream payloads = new ByteArrayOutputStream();
    private final List<TraceEvent> read = new ArrayList<>();

    @Test
    void shouldReadWhatWasWritten() throws Exception {
        List<TraceEvent> events = events(new Random(21));
        for (int i = 0; i < events.size(); i++) {
            plain.event(events.get(i));
            fast.event(events.get(i));
            if (i % FRAME == FRAME - 1 || i == events.size() - 1) {
                take();
            }
        }
        assertEquals(events.size(), read.size());
        for (int i = 0; i < events.size(); i++) {
            assertEquals(events.get(i), read.get(i));
        }
        comparePython(events);
    }

    private void take() {
        assertEquals(plain.isEmpty(), fast.isEmpty());
        Frame frame = plain.build(1, 1);
        ByteBuffer payload = fast.build(1, 1).payload();
        assertEquals(frame.payload(), payload);
        EventsFrame.ringEvents(frame, read::add);
        byte[] bytes = new byte[payload.remaining()];
        payload.duplicate().get(bytes);
        ByteBuffer head = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        payloads.writeBytes(head.putInt(bytes.length).array());
        payloads.writeBytes(bytes);
    }

    private void comparePython(List<TraceEvent> events) throws Exception {
        Path file = Files.write(directory.resolve("payloads"), payloads.toByteArray());
        Path lines = directory.resolve("lines");
        Process python;
        try {
            python = new ProcessBuilder("python3", "-c", PRINT, READER.toString(), file.toString())
                    .redirectOutput(lines.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "python3 is not installed");
            return;
        }
        assertEquals(0, python.waitFor());
        List<String> told = Files.readAllLines(lines);
        assertEquals(events.size(), told.size());
        for (int i = 0; i < told.size(); i++) {
            assertEquals(line(events.get(i)), told.get(i));
        }
    }

    private static String line(TraceEvent event) {
        StringBuilder line = new StringBuilder(Integer.toString(event.type().code()));
        for (int i = 0; i < 4; i++) {
            line.append(' ').append(Long.toUnsignedString(event.word(i)));
        }
        return line.append(' ').append(Long.toUnsignedString(event.code())).toString();
    }

    /** So many of each type that traces have, more or less, in any order. */
    private static List<TraceEvent> events(Random random) {
        List<RingEventType> types = Arrays.stream(RingEventType.values())
                .filter(RingEventType::inTraces)
                .toList();
        List<TraceEvent> events = new ArrayList<>();
        for (int i = 0; i < EACH * types.size(); i++) {
            RingEventType type = types.get(random.nextInt(types.size()));
            events.add(random.nextBoolean() ? usual(type, i, random) : any(type, random));
        }
        return events;
    }

    private static TraceEvent any(RingEventType type, Random random) {
        return TraceEvent.of(
                type,
                (int) number(random),
                number(random),
                number(random),
                number(random),
                number(random),
                number(random),
                "",
                number(random));
    }

    /** An event that may have a short form. */
    private static TraceEvent usual(RingEventType type, long epoch, Random random) {
        boolean ends = type == RingEventType.FREE;
        long address = random.nextInt(9) == 0 ? number(random) : 0x5000 + 16L * random.nextInt(99);
        long size = random.nextInt(9) == 0 ? number(random) : random.nextInt(2_000);
        return TraceEvent.of(
                type,
                random.nextInt(2),
                epoch,
                ends ? 0 : address,
                ends ? 0 : size,
                ends ? address : 0,
                0,
                "",
                0x401000 + random.nextInt(4));
    }

    private static long number(Random random) {
        return random.nextInt(4) == 0
                ? EXTREMES[random.nextInt(EXTREMES.length)]
                : random.nextLong() >> random.nextInt(Long.SIZE);
    }
}
