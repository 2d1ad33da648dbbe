package dev.madt.trace.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    private static List<RingEvent> read(List<Frame> frames) throws TraceFormatException {
        List<RingEvent> events = new ArrayList<>();
        EventsDecoder decoder = new EventsDecoder();
        for (Frame frame : frames) {
            decoder.begin(frame);
            long[] words = new long[64];
            while (decoder.next(words, 0) != null) {
                events.add(decoder.ring());
            }
        }
        return events;
    }

    /**
     * Places are few, so that blocks come back where others were, and some come where others are.
     */
    private static RingEvent anyEvent(Random random, long epoch) {
        RingEventType type = TYPES[random.nextInt(TYPES.length)];
        boolean end = type == RingEventType.FREE || type == RingEventType.REALLOC_BEGIN;
        boolean odd = random.nextInt(40) == 0;
        long place = random.nextInt(50) == 0
                ? random.nextLong()
                : 0x5555_0000_0000L + 16L * random.nextInt(300);
        long size = end && !odd
                ? 0
                : random.nextInt(9) == 0 ? random.nextLong() : random.nextInt(2_000);
        return new RingEvent(
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
        List<RingEvent> events = new ArrayList<>();
        List<Frame> frames = new ArrayList<>();
        EventsFrame frame = new EventsFrame();
        long epoch = 0;
        long allocations = 0;
        for (int i = 0; i < 60_013; i++) {
            epoch += random.nextInt(1_000) == 0
                    ? 1L << 31 + random.nextInt(3)
                    : 1 + random.nextInt(2);
            RingEvent event = anyEvent(random, epoch);
            events.add(event);
            frame.event(event);
            allocations += AllocationEvent.letter(event.type()) == 0 ? 0 : 1;
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
        List<RingEvent> events = new ArrayList<>();
        List<List<Long>> free = new ArrayList<>();
        for (int kind = 0; kind < 61; kind++) {
            free.add(new ArrayList<>());
        }
        long[] addresses = new long[10_007];
        int[] kinds = new int[addresses.length];
        long top = 0x10_0000;
        for (int i = 0; i < addresses.length; i++) {
            if (i >= 1_000) {
                events.add(new RingEvent(
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
            events.add(new RingEvent(
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

    @Test
    void shouldRefuseWhatNobodyCanHaveWritten() {
        long[][] wrong = {
            {AllocationWords.AT_LAST, 0, 24},
            {AllocationWords.AT_LAST, 9, 24},
            {AllocationWords.AT_EARLIER, 0, 24, 3},
            {AllocationWords.AT_EARLIER, 0, 24, -1},
            {AllocationWords.ELSEWHERE, 1, 24, 0x5000},
            {AllocationWords.END_OF_KNOWN, 1, 0},
            {AllocationWords.END_OF_KNOWN, 1, 2},
            {AllocationWords.END_OF_KNOWN, 1, -1},
            {AllocationWords.END_OF_KNOWN, 0, 1},
            {AllocationWords.END_OF_OTHER, 0, 0x5000},
            {AllocationWords.END_OF_OTHER, -1, 0x5000}
        };
        for (long[] run : wrong) {
            ReferenceRunEncoder encoder = new ReferenceRunEncoder(new OpenScope());
            encoder.append(
                    RunEncoder.EVENT_WITH_CALLER,
                    1,
                    new long[] {
                        RingEventType.MALLOC.code() | 1 << 16, 1, 3, 0x1000, 24, 0, 0, 0x401009
                    },
                    0);
            encoder.append(
                    RunEncoder.EVENT_WITH_CALLER,
                    2,
                    new long[] {RingEventType.FREE.code() | 1 << 16, 2, 3, 0, 0, 0x1000, 0, 0x401005
                    },
                    0);
            encoder.append((int) run[0], 3, run, 1);
            Frame frame = new Frame(
                    FrameType.EVENTS,
                    7,
                    3,
                    encoder.build(0).putInt(20, 3)); // the count of allocation events in the head
            assertThrows(
                    TraceFormatException.class,
                    () -> read(List.of(frame)),
                    () -> List.of(run[0], run[1]) + "");
        }
    }
}
