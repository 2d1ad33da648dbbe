package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that what goes into EVTS frames comes out of them: the model is a list of records. */
class RecordEncodingTest {
    private static final long NONE = SharedLayout.WORD_NONE;
    private static final int TEMPLATES = 60;
    /** No record is longer. */
    private static final int ROOM = 8_100;

    /** A record with its words, as text. */
    private static String text(int template, int epoch, long[] words, int from, int count) {
        StringBuilder text = new StringBuilder().append(template).append('@').append(epoch);
        for (int i = from; i < from + count; i++) {
            text.append(' ').append(Long.toHexString(words[i]));
        }
        return text.toString();
    }

    private static List<String> read(Frame frame) throws TraceFormatException {
        List<String> templates = new ArrayList<>();
        RecordReader reader = new RecordReader();
        reader.begin(frame);
        while (reader.next()) {
            templates.add(
                    text(reader.template(), reader.epoch(), reader.words(), 0, reader.length()));
        }
        return templates;
    }

    /** Says how a site's next address follows from its last one. */
    private enum Pattern {
        SWEEP {
            @Override
            long next(Random random, long last, long near) {
                return last + 8;
            }
        },
        POINTER {
            @Override
            long next(Random random, long last, long near) {
                return near % 8 == 0 ? 0x5555_0000L + random.nextInt(1 << 20) * 16L : near + 8;
            }
        },
        NOISE {
            @Override
            long next(Random random, long last, long near) {
                return random.nextLong() >>> random.nextInt(64);
            }
        },
        HOLES {
            @Override
            long next(Random random, long last, long near) {
                return random.nextInt(3) == 0 ? NONE : last + random.nextInt(3);
            }
        },
        EXTREMES {
            @Override
            long next(Random random, long last, long near) {
                long[] all = {
                    0,
                    1,
                    -2,
                    NONE,
                    Long.MAX_VALUE,
                    Long.MIN_VALUE,
                    1L << 47,
                    (1L << 48) - 1,
                    1L << 48,
                    1L << 55
                };
                return all[random.nextInt(all.length)];
            }
        };

        abstract long next(Random random, long last, long near);
    }

    private static int length(int template) {
        return switch (template % 10) {
            case 0 -> 1;
            case 7 -> 16;
            case 8 -> 17 + template;
            case 9 -> ROOM - template;
            default -> template % 10;
        };
    }

    private static AccessSite[] sites(int template) {
        AccessSite[] sites = new AccessSite[length(template)];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = new AccessSite(
                    0x1000L * template + i, 3, AccessKind.of(1 + (template + i) % 3), 8, 0, false);
        }
        return sites;
    }

    @ParameterizedTest
    @EnumSource(Pattern.class)
    void shouldGiveBackRandomRecordsInFramesOfAnySize(Pattern pattern) throws Exception {
        Random random = new Random(pattern.ordinal());
        EventsFrame events = new EventsFrame();
        for (int template = 16; template < 16 + TEMPLATES; template++) {
            events.define(template, sites(template));
        }
        int templates = 0;
        for (int frame = 0; frame < 23; frame++) {
            List<String> expected =
                    add(events, pattern, random, random.nextInt(frame < 20 ? 200 : 5));
            templates += expected.size();
            assertEquals(expected, read(events.build(1, 1)));
        }
        assertTrue(templates > 1_000, "records: " + templates);
    }

    private final long[] last = new long[(16 + TEMPLATES) * ROOM];

    private List<String> add(EventsFrame events, Pattern pattern, Random random, int count) {
        List<String> expected = new ArrayList<>();
        int template = 16;
        int epoch = random.nextInt();
        for (int i = 0; i < count; i++) {
            template = random.nextInt(4) > 0
                    ? 16 + (template + 7) % TEMPLATES
                    : 16 + random.nextInt(TEMPLATES);
            epoch += random.nextInt(5) == 0 ? random.nextInt(7) - 2 : 0;
            int words = length(template);
            boolean made = false;
            for (int word = 0; word < words; word++) {
                int at = template * ROOM + word;
                last[at] = pattern.next(random, last[at], word == 0 ? 0 : last[at - 1]);
                made |= last[at] != NONE;
            }
            assertEquals(made, events.record(template, epoch, last, template * ROOM, words));
            if (made) {
                expected.add(text(template, epoch, last, template * ROOM, words));
            }
        }
        return expected;
    }

    @Test
    void shouldSpendTwoBitsOnARecordAndFourOnAWord() {
        EventsFrame events = new EventsFrame().define(16, sites(16)).define(17, sites(15));
        long[] words = new long[6];
        for (int i = 0; i < 10_000; i++) {
            for (int word = 0; word < words.length; word++) {
                words[word] = 0x7fff_0000_0000L + 0x1_0000L * word + 8L * i;
            }
            events.record(16, 3, words, 0, 6);
        }
        assertEquals(10_000 * (2 + 6 * 4) / 8, events.build(1, 1).payload().remaining(), 150);
    }

    /** Addresses of one page in two count. */
    private static final class Stripes implements TemplateScope {
        private final List<Integer> defined = new ArrayList<>();
        private int asked;
        private int odd;

        @Override
        public RecordTemplate template(int number) {
            return number < 16 + TEMPLATES ? new RecordTemplate(number, sites(number)) : null;
        }

        @Override
        public void define(RecordTemplate template) {
            defined.add(template.number());
        }

        @Override
        public boolean traced(AccessSite site) {
            return true;
        }

        @Override
        public boolean traced(long address, long[] range) {
            asked++;
            range[0] = address & ~0xfffL;
            range[1] = range[0] + 0x1000;
            return (address >>> 12 & 1) == odd;
        }
    }

    @Test
    void shouldLeaveOutWhatDoesNotCount() throws Exception {
        Stripes scope = new Stripes();
        EventsFrame events = new EventsFrame(scope);
        List<String> expected = new ArrayList<>();
        Random random = new Random(5);
        long[] words = new long[6];
        for (int i = 0; i < 3_001; i++) {
            scope.odd = i / 1_000 % 2;
            if (i % 1_000 == 0) {
                events.spaceChanged();
            }
            long[] kept = new long[6];
            boolean any = false;
            for (int word = 0; word < words.length; word++) {
                words[word] = 0x40_0000 + random.nextInt(0x3000);
                kept[word] = (words[word] >>> 12 & 1) == scope.odd ? words[word] : NONE;
                any |= kept[word] != NONE;
            }
            assertEquals(any, events.record(26, i, words, 0, 6));
            if (any) {
                expected.add(text(26, i, kept, 0, 6));
            }
        }
        assertEquals(List.of(26), scope.defined);
        assertEquals(expected, read(events.build(1, 1)));
        events.record(26, 1, words, 0, 6);
        assertEquals(List.of(26), scope.defined, "defined once in a trace");
    }

    @Test
    void shouldAskOncePerSiteWhileItStaysInOnePlace() {
        Stripes scope = new Stripes();
        EventsFrame events = new EventsFrame(scope);
        for (int i = 0; i < 1_000; i++) {
            events.record(
                    26,
                    1,
                    new long[] {
                        0x1000 + i, 0x2000 + i, 0x3000 + i, 0x4000 + i, 0x5000 + i, 0x6000 + i
                    },
                    0,
                    6);
        }
        assertEquals(6, scope.asked);
    }

    @Test
    void shouldCountWhatTheDecoderCounts() throws Exception {
        EventsFrame events = new EventsFrame();
        TraceDecoder decoder = new TraceDecoder(new RecordingConsumer());
        TemplatesFrame definitions = new TemplatesFrame();
        for (int template = 16; template < 16 + TEMPLATES; template++) {
            events.define(template, sites(template));
            definitions.add(template, sites(template));
        }
        decoder.frame(definitions.build(1, 1));
        Random random = new Random(11);
        for (int i = 0; i < 40; i++) {
            add(events, Pattern.HOLES, random, 60);
            events.record(
                    SharedLayout.TEMPLATE_STORE,
                    1,
                    new long[] {1, random.nextBoolean() ? 2 : NONE, 3},
                    0,
                    3);
            events.record(
                    SharedLayout.TEMPLATE_LOAD_UNKNOWN,
                    1,
                    new long[] {1, random.nextBoolean() ? 2 : NONE},
                    0,
                    2);
            EventCounts before = new EventCounts(
                    (int) events.loads(), (int) events.stores(), (int) events.blocks(), 0);
            Frame frame = events.build(1, 1);
            assertEquals(before, EventCounts.of(frame));
            long seen = decoder.next();
            decoder.frame(frame);
            assertEquals(before.numbered(), decoder.next() - seen);
        }
    }

    @Test
    void shouldTellThreadsApartInOneFrame() throws Exception {
        EventsFrame events = new EventsFrame().define(16, new AccessSite[] {SampleTrace.LOAD});
        RecordingConsumer consumer = new RecordingConsumer();
        TraceDecoder decoder = new TraceDecoder(consumer);
        decoder.frame(new TemplatesFrame()
                .add(16, new AccessSite[] {SampleTrace.LOAD})
                .build(1, 1));
        for (int i = 0; i < 4; i++) {
            events.thread(40 + i / 2).record(16, 1, new long[] {0x10 + i}, 0, 1);
        }
        decoder.frame(events.build(1));
        assertEquals(
                List.of(
                        "0 40 L 401000 10",
                        "1 40 L 401000 11",
                        "2 41 L 401000 12",
                        "3 41 L 401000 13"),
                consumer.calls());
    }

    @Test
    void shouldBeginAFrameWithTheThreadThatItsFirstRecordIsOf() throws Exception {
        EventsFrame events = new EventsFrame().define(16, new AccessSite[] {SampleTrace.LOAD});
        RecordingConsumer consumer = new RecordingConsumer();
        TraceDecoder decoder = new TraceDecoder(consumer);
        decoder.frame(new TemplatesFrame()
                .add(16, new AccessSite[] {SampleTrace.LOAD})
                .build(1, 1));
        events.thread(40).record(16, 1, new long[] {0x10}, 0, 1);
        events.thread(41).record(16, 1, new long[] {0x11}, 0, 1);
        decoder.frame(events.build(1));
        events.event(TraceEvent.of(RingEventType.THREAD_END, 42, 2, 0, 0, 0, 0, "", 0));
        events.thread(41).record(16, 3, new long[] {0x12}, 0, 1);
        events.thread(40).record(16, 3, new long[] {0x13}, 0, 1);
        decoder.frame(events.build(1));
        assertEquals(
                List.of(
                        "0 40 L 401000 10",
                        "1 41 L 401000 11",
                        "2 41 L 401000 12",
                        "3 40 L 401000 13"),
                consumer.calls().stream()
                        .filter(call -> !call.startsWith("ring"))
                        .toList());
    }

    /** Records as the target writes them. */
    private static RecordSpan span(long... words) {
        LongBuffer memory = LongBuffer.allocate(512 + words.length).put(512, words);
        return new RecordSpan("buffer 7", memory, 512, memory.capacity(), 1L << 32);
    }

    @Test
    void shouldTakeRecordsOfASpanUpToAnEpoch() throws Exception {
        EventsFrame events = new EventsFrame().define(16, new AccessSite[] {SampleTrace.LOAD});
        RecordSpan span = span(
                SharedLayout.recordHeader(16, 2),
                0x10,
                SharedLayout.recordHeader(16, 1),
                0x20,
                SharedLayout.recordHeader(16, 4),
                0x30,
                SharedLayout.recordHeader(3, 4),
                1,
                2,
                3,
                NONE);
        events.records(span, (1L << 32) + 3);
        assertEquals((1L << 32) + 4, span.epoch());
        assertEquals(List.of("16@2 10", "16@1 20"), read(events.build(1, 1)));
        events.records(span, Long.MAX_VALUE);
        assertEquals(3, span.template());
        span.skip(3);
        assertTrue(span.isEmpty());
        for (int i = 512; i < span.words().capacity(); i++) {
            assertEquals(NONE, span.words().get(i));
        }
    }

    @Test
    void shouldSayWhereASpanHoldsNoRecord() {
        EventsFrame events = new EventsFrame().define(16, sites(16));
        long template = SharedLayout.recordHeader(16, 0);
        assertMalformed(
                "buffer 7, byte 4096: unknown template 17",
                events,
                span(SharedLayout.recordHeader(17, 0), 1));
        assertMalformed("buffer 7, byte 4096: 0x12 is no record header", events, span(0x12, 1));
        assertMalformed(
                "buffer 7, byte 4104: 0x13 is no record header",
                events.define(18, new AccessSite[0]),
                span(SharedLayout.recordHeader(18, 0), 0x13));
        assertMalformed(
                "buffer 7, byte 4096: the record of template 16 of 6 words"
                        + " reaches over the end of its chunk",
                events,
                span(template, 1, 2, 3, 4, 5));
        assertFalse(span(template, 1).isEmpty());
    }

    private static void assertMalformed(String message, EventsFrame events, RecordSpan span) {
        assertEquals(
                message,
                assertThrows(
                                MalformedBufferException.class,
                                () -> events.records(span, Long.MAX_VALUE))
                        .getMessage());
    }
}
