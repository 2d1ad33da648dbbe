package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.RecordColumns;
import dev.madt.trace.codec.RecordingConsumer;
import dev.madt.trace.codec.SampleTrace;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.codec.TracePart;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final int PROCESSORS = 3;
    private static final int RECORDS = 99_991;
    private static final AccessSite[] FEW = {SampleTrace.LOAD, SampleTrace.MODIFY, SampleTrace.LOAD
    };

    private static TraceReader reader(byte[] bytes) throws IOException {
        return new TraceReader(new ByteArrayInputStream(bytes), "t.madt");
    }

    private static List<String> decoded(byte[] bytes) throws IOException {
        RecordingConsumer consumer = new RecordingConsumer();
        try (TraceReader reader = reader(bytes)) {
            reader.read(new TraceDecoder(consumer));
        }
        return consumer.calls();
    }

    /** Gives every part to the consumer; returns whether the trace is complete. */
    private static boolean give(byte[] bytes, EventConsumer consumer) throws IOException {
        return give(bytes, PROCESSORS, consumer);
    }

    private static boolean give(byte[] bytes, int processors, EventConsumer consumer)
            throws IOException {
        try (TraceReader reader = reader(bytes);
                ReadAhead parts = new ReadAhead(reader, processors, 0)) {
            for (TracePart part = parts.next(); part != null; part = parts.next()) {
                part.give(consumer);
                parts.release(part);
            }
            return parts.complete();
        }
    }

    /**
     * Several parts in one frame: records of one and of many words, with accesses that were not
     * made, events and threads between them; one does mostly the same.
     */
    private static byte[] mixed() throws IOException {
        Random random = new Random(4_099);
        AccessSite[] many = new AccessSite[1_999];
        Arrays.fill(many, SampleTrace.MODIFY);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(new TemplatesFrame()
                    .add(16, new AccessSite[] {SampleTrace.LOAD})
                    .add(17, many)
                    .add(18, FEW)
                    .build(1, 1));
            EventsFrame events = new EventsFrame()
                    .define(16, new AccessSite[] {SampleTrace.LOAD})
                    .define(17, many)
                    .define(18, FEW);
            for (int i = 0; i < RECORDS; i++) {
                add(events, random);
            }
            writer.frame(events.build(1));
        }
        return out.toByteArray();
    }

    private static void add(EventsFrame events, Random random) {
        int choice = random.nextInt(1_000);
        long[] words = random.longs(choice == 0 ? 1_999 : 4, 0, 5)
                .map(word -> word == 0 ? SharedLayout.WORD_NONE : word)
                .toArray();
        switch (choice) {
            case 0 -> events.record(17, 1, words, 0, words.length);
            case 1 -> events.event(SampleTrace.ring(RingEventType.FREE, 0, 0, words[0], 0));
            case 2 -> events.thread(random.nextInt(3));
            case 3 -> events.record(18, 1, words, 0, FEW.length);
            case 5 -> events.record(SharedLayout.TEMPLATE_COPY, 1, words, 0, 4);
            case 4 -> events.record(SharedLayout.TEMPLATE_LOAD_UNKNOWN, 1, words, 0, 2);
            default -> {
                events.record(16, 1, words, 0, 1);
                events.record(
                        18, 1, new long[] {9, choice / 950, 0x7fff_ffff_f000L}, 0, FEW.length);
            }
        }
    }

    @Test
    void shouldMakeTheCallsOfTheDecoderInItsOrder() throws Exception {
        for (byte[] bytes : List.of(SampleTrace.file(), mixed(), frames())) {
            List<String> decoded = decoded(bytes);
            for (int processors : new int[] {1, 2, 5, 64}) {
                RecordingConsumer consumer = new RecordingConsumer();
                assertTrue(give(bytes, processors, consumer));
                assertEquals(decoded, consumer.calls());
            }
        }
    }

    /** Notes everything but records of which no site is wanted; counts the accesses of these. */
    private static final class Wanted implements EventConsumer {
        private final Predicate<AccessSite> wanted;
        private final List<String> calls = new ArrayList<>();
        private long unwanted;
        private long behind;

        private Wanted(Predicate<AccessSite> wanted) {
            this.wanted = wanted;
        }

        @Override
        public void record(
                long number, int thread, RecordTemplate template, long[] words, int from) {
            assertEquals(behind, number);
            behind += template.made(words, from);
            if (Arrays.stream(template.sites()).anyMatch(wanted)) {
                calls.add(number + " " + thread + " " + template.number() + " "
                        + Arrays.toString(
                                Arrays.copyOfRange(words, from, from + template.length())));
            } else {
                unwanted += template.made(words, from);
            }
        }

        @Override
        public void passed(long number, int thread, long accesses) {
            assertEquals(behind, number);
            behind += accesses;
            unwanted += accesses;
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            behind = number + 1;
            calls.add(number + " " + thread + " " + site + " " + store + " " + address);
        }

        @Override
        public void block(
                long number, int thread, BlockKind kind, long to, long from, long length, long c) {
            behind = number + 1;
            calls.add(number + " " + thread + " " + kind + " " + to + " " + from + " " + length);
        }

        @Override
        public void ring(TraceEvent event) {
            calls.add(behind + " " + event);
        }
    }

    /** Records that nobody wants are counted; what is told of the others is the same. */
    @Test
    void shouldPassOverRecordsThatNobodyWants() throws Exception {
        byte[] bytes = mixed();
        Map<Predicate<AccessSite>, Boolean> choices = new LinkedHashMap<>();
        choices.put(site -> site.kind() == AccessKind.LOAD, true);
        choices.put(site -> site.kind() == AccessKind.MODIFY, true);
        choices.put(site -> false, true);
        choices.put(site -> true, false);
        for (Map.Entry<Predicate<AccessSite>, Boolean> choice : choices.entrySet()) {
            Wanted all = new Wanted(choice.getKey());
            give(bytes, all);
            Wanted some = new Wanted(choice.getKey());
            try (TraceReader reader = reader(bytes);
                    ReadAhead parts = new ReadAhead(reader, PROCESSORS, 0, choice.getKey())) {
                for (TracePart part = parts.next(); part != null; part = parts.next()) {
                    part.give(some);
                    parts.release(part);
                }
            }
            assertEquals(all.calls, some.calls);
            assertEquals(all.unwanted, some.unwanted);
            assertEquals(all.behind, some.behind);
            assertEquals(choice.getValue(), some.unwanted > 0);
        }
    }

    @Test
    void shouldDecodeEachFrameByTheTemplatesThatItHad() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            for (int i = 0; i < 301; i++) {
                AccessSite[] sites = {i % 2 == 0 ? SampleTrace.LOAD : SampleTrace.MODIFY};
                writer.frame(new TemplatesFrame().add(16, sites).build(1, 1));
                EventsFrame events = new EventsFrame().define(16, sites);
                for (int j = 0; j < 50; j++) {
                    events.record(16, 1, new long[] {0x5000 + j}, 0, 1);
                }
                writer.frame(events.build(1, 1));
            }
        }
        RecordingConsumer consumer = new RecordingConsumer();
        assertTrue(give(out.toByteArray(), 5, consumer));
        assertEquals(decoded(out.toByteArray()), consumer.calls());
    }

    @Test
    void shouldGiveWhatIsInFrontOfTheCut() throws Exception {
        byte[] bytes = SampleTrace.file();
        byte[] cut = Arrays.copyOf(bytes, TraceFileTest.boundaries(bytes).get(6) + 5);
        RecordingConsumer consumer = new RecordingConsumer();
        assertFalse(give(cut, consumer));
        assertEquals(decoded(cut), consumer.calls());
    }

    @Test
    void shouldSkimDefinitionsAndRingEvents() throws Exception {
        RecordingConsumer consumer = new RecordingConsumer();
        try (TraceReader reader = reader(SampleTrace.file());
                ReadAhead parts = new ReadAhead(reader, PROCESSORS, 0)) {
            for (TracePart part = parts.next(); part != null; part = parts.next()) {
                part.skim(consumer);
                parts.release(part);
            }
        }
        List<String> expected = new ArrayList<>(SampleTrace.calls());
        expected.removeIf(call -> Character.isDigit(call.charAt(0)));
        assertEquals(expected, consumer.calls());
    }

    @Test
    void shouldGiveTheEventsInFrontOfAFault() throws Exception {
        EventsFrame events = new EventsFrame();
        events.event(SampleTrace.ring(RingEventType.FREE, 0, 0, 7, 0))
                .record(SharedLayout.TEMPLATE_COPY, 1, new long[] {1, 2, 3, 4}, 0, 4);
        Frame frame = events.build(1, 2);
        frame.payload().putInt(EventsLayout.BLOCKS_AT, 5);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(frame);
        }
        RecordingConsumer consumer = new RecordingConsumer();
        String said = assertThrows(
                        TraceFormatException.class, () -> give(out.toByteArray(), consumer))
                .getMessage();
        assertTrue(
                said.startsWith("t.madt, frame at byte 16: EVTS frame, byte ")
                        && said.contains("blocks=5"),
                said);
        assertEquals(
                List.of("ring FREE 4242 4294967298 0 0 7 0 0", "0 2 Y 1 2 3 4"), consumer.calls());
    }

    @Test
    void shouldPlaceMalformedDefinitions() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(new Frame(FrameType.MAPS, 1, 1, ByteBuffer.wrap(new byte[7])));
        }
        assertEquals(
                "t.madt, frame at byte 16: MAPS frame, byte 4 of its payload: 8 bytes expected, 3"
                        + " are left",
                assertThrows(
                                TraceFormatException.class,
                                () -> give(out.toByteArray(), new RecordingConsumer()))
                        .getMessage());
    }

    @Test
    void shouldStopWhenItIsClosedEarly() throws Exception {
        byte[] bytes = mixed();
        assertTimeoutPreemptively(Duration.ofMinutes(10), () -> {
            try (TraceReader reader = reader(bytes);
                    ReadAhead parts = new ReadAhead(reader, 1, 0)) {
                assertTrue(parts.next() instanceof RecordColumns);
            }
        });
    }

    /** Frames of a hundred accesses and one copy each; every seventh has an allocation too. */
    private static byte[] frames() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(new TemplatesFrame()
                    .add(16, new AccessSite[] {SampleTrace.LOAD})
                    .build(1, 1));
            EventsFrame events = new EventsFrame().define(16, new AccessSite[] {SampleTrace.LOAD});
            for (int i = 0; i < 99; i++) {
                for (int j = 0; j < 100; j++) {
                    events.record(16, 1, new long[] {0x5000 + i * j}, 0, 1);
                }
                events.record(SharedLayout.TEMPLATE_COPY, 1, new long[] {1, 2, 3, 4}, 0, 4);
                if (i % 7 == 0) {
                    events.event(
                            SampleTrace.ring(RingEventType.MALLOC, 0x5000 + i, 24, 0, 0x401005));
                }
                writer.frame(events.build(1, 1));
            }
        }
        return out.toByteArray();
    }

    @Test
    void shouldLeaveOutFramesBeforeANumberButNoRingEvent() throws Exception {
        byte[] bytes = frames();
        List<String> all = decoded(bytes);
        int from = 101 * 60 + 5;
        RecordingConsumer ahead = new RecordingConsumer();
        try (TraceReader reader = reader(bytes);
                ReadAhead parts = new ReadAhead(reader, PROCESSORS, from)) {
            for (TracePart part = parts.next(); part != null; part = parts.next()) {
                part.give(ahead);
                parts.release(part);
            }
        }
        RecordingConsumer decoded = new RecordingConsumer();
        TraceDecoder decoder = new TraceDecoder(decoded, from);
        try (TraceReader reader = reader(bytes)) {
            reader.read(decoder);
        }
        assertEquals(decoded.calls(), ahead.calls());
        assertEquals(from(all, from), from(decoded.calls(), from));
        assertTrue(
                decoded.calls().size() < all.size() / 2 + 1_000,
                decoded.calls().size() + " of " + all.size());
        assertEquals(99 * 100, decoder.loads());
        assertEquals(99, decoder.blocks());
    }

    /** The ring events, and the others from a number on. */
    private static List<String> from(List<String> calls, long number) {
        List<String> some = new ArrayList<>(calls);
        some.removeIf(call -> Character.isDigit(call.charAt(0))
                && Long.parseLong(call.substring(0, call.indexOf(' '))) < number);
        return some;
    }

    @Test
    void shouldTellWhatIsDoneAgain() throws Exception {
        Map<RecordTemplate, List<Long>> last = new HashMap<>();
        int[] again = {0};
        give(mixed(), new EventConsumer() {
            @Override
            public void access(
                    long number, int thread, AccessSite site, boolean store, long address) {}

            @Override
            public void record(
                    long number, int thread, RecordTemplate template, long[] addresses, int from) {
                last.put(template, words(template, addresses, from));
            }

            @Override
            public void again(
                    long number, int thread, RecordTemplate template, long[] addresses, int from) {
                assertEquals(last.get(template), words(template, addresses, from));
                again[0]++;
            }

            private List<Long> words(RecordTemplate template, long[] addresses, int from) {
                return Arrays.stream(addresses, from, from + template.length())
                        .boxed()
                        .toList();
            }

            @Override
            public void block(
                    long number,
                    int thread,
                    BlockKind kind,
                    long to,
                    long from,
                    long length,
                    long code) {}

            @Override
            public void ring(TraceEvent event) {}
        });
        assertTrue(again[0] > RECORDS / 4, again[0] + " of " + RECORDS);
    }
}
