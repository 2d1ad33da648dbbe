package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Ring events come out of frames as they were put in, whatever allocators do. */
class AllocationWordsTest {
    private static final RingEventType[] TYPES = {
        RingEventType.MALLOC,
        RingEventType.MALLOC,
        RingEventType.CALLOC,
        RingEventType.FREE,
        RingEventType.FREE,
        RingEventType.FREE,
        RingEventType.REALLOC_BEGIN,
        RingEventType.REALLOC_END,
        RingEventType.MMAP,
        RingEventType.THREAD_END
    };

    private static final long[] MALLOC = {
        0, RingEventType.MALLOC.code() | 1 << 16, 1, 3, 0x1000, 24, 0, 0, 0x401009
    };
    private static final long[] FREE = {
        0, RingEventType.FREE.code() | 1 << 16, 2, 3, 0, 0, 0x1000, 0, 0x401005
    };

    private static final AccessSite[] STORE = {
        new AccessSite(0x401234, 4, AccessKind.STORE, 8, 0, false)
    };

    private static List<TraceEvent> read(List<Frame> frames) throws TraceFormatException {
        List<TraceEvent> events = new ArrayList<>();
        EventsDecoder decoder = new EventsDecoder();
        decoder.define(16, STORE);
        for (Frame frame : frames) {
            decoder.begin(frame);
            long[] words = new long[64];
            for (RecordTemplate template = decoder.next(words, 0);
                    template != null;
                    template = decoder.next(words, 0)) {
                if (template.number() == SharedLayout.TEMPLATE_EVENT) {
                    events.add(decoder.ring());
                }
            }
        }
        return events;
    }

    /**
     * Places are few, so that blocks come back where others were, and some come where others are.
     */
    private static TraceEvent anyEvent(Random random, long epoch) {
        RingEventType type = TYPES[random.nextInt(TYPES.length)];
        boolean end = type == RingEventType.FREE || type == RingEventType.REALLOC_BEGIN;
        boolean odd = random.nextInt(40) == 0;
        long place = random.nextInt(50) == 0
                ? random.nextLong()
                : 0x5555_0000_0000L + 16L * random.nextInt(300);
        long size = end && !odd
                ? 0
                : random.nextInt(9) == 0 ? random.nextLong() : random.nextInt(2_000);
        return TraceEvent.of(
                type,
                1 + random.nextInt(3),
                epoch,
                end && !odd ? 0 : place,
                size,
                end ? place : odd ? 7 : 0,
                odd ? 3 : 0,
                "",
                random.nextInt(30) == 0 ? 0 : 0x401000 + random.nextInt(7));
    }

    @Test
    void shouldGiveBackAnyEvents() throws TraceFormatException {
        Random random = new Random(31);
        List<TraceEvent> events = new ArrayList<>();
        List<Frame> frames = new ArrayList<>();
        EventsFrame frame = new EventsFrame().define(16, STORE);
        long epoch = 0;
        long allocations = 0;
        for (int i = 0; i < 60_013; i++) {
            epoch += random.nextInt(1_000) == 0
                    ? 1L << 31 + random.nextInt(3)
                    : 1 + random.nextInt(2);
            TraceEvent event = anyEvent(random, epoch);
            events.add(event);
            if (random.nextBoolean()) {
                frame.record(16, epoch, new long[] {0x7000 + 8L * random.nextInt(9)}, 0, 1);
            }
            frame.event(event);
            allocations += event.type().letter() == 0 ? 0 : 1;
            if (random.nextInt(4_001) == 0) {
                frames.add(frame.build(7));
            }
        }
        frames.add(frame.build(7));
        assertEquals(events, read(frames));
        assertEquals(
                allocations,
                frames.stream()
                        .mapToLong(each -> EventCounts.of(each).allocations())
                        .sum());
    }

    /**
     * Blocks of 61 sizes, of which 1,000 live, each freed by the age of 1,000 allocations and
     * placed where the last of its size was.
     */
    @Test
    void shouldTakeFewWordsForWhatAllocatorsDo() throws TraceFormatException {
        Random random = new Random(5);
        EventsFrame frame = new EventsFrame();
        List<TraceEvent> events = new ArrayList<>();
        List<List<Long>> free = new ArrayList<>();
        for (int kind = 0; kind < 61; kind++) {
            free.add(new ArrayList<>());
        }
        long[] addresses = new long[10_007];
        int[] kinds = new int[addresses.length];
        long top = 0x10_0000;
        for (int i = 0; i < addresses.length; i++) {
            if (i >= 1_000) {
                events.add(TraceEvent.of(
                        RingEventType.FREE,
                        3,
                        events.size(),
                        0,
                        0,
                        addresses[i - 1_000],
                        0,
                        "",
                        0x401005));
                free.get(kinds[i - 1_000]).add(addresses[i - 1_000]);
            }
            int kind = random.nextInt(61);
            List<Long> places = free.get(kind);
            addresses[i] = places.isEmpty() ? top : places.remove(places.size() - 1);
            top += addresses[i] == top ? 1_024 : 0;
            kinds[i] = kind;
            events.add(TraceEvent.of(
                    RingEventType.MALLOC,
                    3,
                    events.size(),
                    addresses[i],
                    16L * kind + 9,
                    0,
                    0,
                    "",
                    0x401009));
        }
        events.forEach(frame::event);
        Frame built = frame.build(7);
        assertEquals(events, read(List.of(built)));
        int bytes = built.payload().remaining();
        assertTrue(
                bytes < 6 * events.size(),
                bytes + " bytes for " + events.size() + " events in front of zstd");
    }

    /** Blocks that are freed when the place is visited again that led to their allocation. */
    @Test
    void shouldKnowWhichBlockEndsByThePlaceThatMoved() throws TraceFormatException {
        Random random = new Random(6);
        EventsFrame frame = new EventsFrame().define(16, STORE);
        List<TraceEvent> events = new ArrayList<>();
        long[] blocks = new long[99];
        for (int i = 0; i < 20_001; i++) {
            int cell = random.nextInt(blocks.length);
            frame.record(16, i, new long[] {0x8000 + 8L * cell}, 0, 1);
            long old = blocks[cell];
            boolean ends = old != 0;
            blocks[cell] = ends ? 0 : 0x10_0000 + 32L * i;
            events.add(TraceEvent.of(
                    ends ? RingEventType.FREE : RingEventType.MALLOC,
                    3,
                    i,
                    blocks[cell],
                    ends ? 0 : 24,
                    old,
                    0,
                    "",
                    0x401009));
            frame.event(events.get(i));
        }
        Frame built = frame.build(7);
        assertEquals(events, read(List.of(built)));
        int numbers = built.payload().getInt(44);
        assertTrue(numbers < events.size(), numbers + " bytes say which blocks and where");
    }

    /**
     * A frame of records, each new, with all bytes of its words: a number, the words; of template
     * 12 its site.
     */
    private static Frame frame(AllocationColumns columns, long[]... templates) {
        ByteBuffer control = ByteBuffer.allocate(999);
        ByteBuffer residuals = ByteBuffer.allocate(999).order(ByteOrder.LITTLE_ENDIAN);
        long last = 0;
        for (long[] template : templates) {
            boolean ofSite = template[0] == SharedLayout.TEMPLATE_SITE;
            int told = ofSite ? (int) template[1] : template.length - 1;
            control.put((byte) (EventsLayout.NEW | EventsLayout.EPOCH)).put((byte) template[0]);
            for (; (told & ~0x7f) != 0; told >>>= 7) {
                control.put((byte) (told | 0x80));
            }
            control.put((byte) told).put((byte) 2);
            long before = last;
            for (int i = 1; i < template.length && !ofSite; i++) {
                last = template[i];
                residuals.putLong(last - before << 1 ^ last - before >> 63);
            }
        }
        int words = residuals.position() / Long.BYTES;
        ByteBuffer payload = ByteBuffer.allocate(4_000).order(ByteOrder.LITTLE_ENDIAN);
        payload.putInt(templates.length)
                .putInt(templates.length + words)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(templates.length);
        columns.withRecords(control.position(), residuals.position()).put(payload);
        byte[] bits =
                new byte[EventsLayout.kindBytes(templates.length) + EventsLayout.codeBytes(words)];
        Arrays.fill(bits, (byte) 0x77);
        Arrays.fill(bits, 0, EventsLayout.kindBytes(templates.length), (byte) 0xaa);
        payload.put(bits).put(control.flip()).put(residuals.flip());
        columns.moveTo(payload);
        byte[] all = Arrays.copyOf(payload.array(), payload.position() + EventsLayout.PADDING);
        return new Frame(
                FrameType.EVENTS, 7, 3, ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN));
    }

    private static void assertRefused(String what, Frame frame) {
        assertThrows(TraceFormatException.class, () -> read(List.of(frame)), what);
    }

    /** Short forms, one behind the other, of the sites of {@link #MALLOC} and {@link #FREE}. */
    private static Frame shortForms(Consumer<AllocationColumns> said, int... sites) {
        AllocationColumns columns = new AllocationColumns();
        said.accept(columns);
        long[][] templates = new long[2 + sites.length][];
        templates[0] = MALLOC;
        templates[1] = FREE;
        for (int i = 0; i < sites.length; i++) {
            templates[2 + i] = new long[] {SharedLayout.TEMPLATE_SITE, sites[i]};
        }
        return frame(columns, templates);
    }

    @Test
    void shouldRefuseColumnsThatNobodyCanHaveWritten() throws TraceFormatException {
        Consumer<AllocationColumns> birth = columns -> {
            columns.size(24, 0);
            columns.rank(0);
        };
        Consumer<AllocationColumns> end = columns -> columns.endOfKnown(1);
        List<TraceEvent> good = read(List.of(shortForms(end.andThen(birth), 1, 0)));
        assertEquals(0x1000, good.get(2).word(2));
        assertEquals(4, good.size());
        assertRefused("no freed block of the class", shortForms(birth, 0));
        assertRefused("no such site", shortForms(end, 2));
        assertRefused("a negative site", shortForms(end, -1));
        assertRefused("no end", shortForms(columns -> {}, 1));
        assertRefused("no size", shortForms(columns -> {}, 0));
        assertRefused("an end that is left", shortForms(end.andThen(end), 1));
        assertRefused("a birth that is left", shortForms(end.andThen(birth), 1));
        assertRefused("two ends of a block", shortForms(end.andThen(end), 1, 1));
        assertRefused("an empty cell", shortForms(AllocationColumns::endInCell, 1));
        for (int distance : new int[] {0, 2, -1}) {
            assertRefused(
                    "block " + distance, shortForms(columns -> columns.endOfKnown(distance), 1));
        }
        assertRefused(
                "a rank that is too far",
                shortForms(
                        columns -> {
                            columns.size(24, 0);
                            columns.rank(256);
                        },
                        0));
    }
}
