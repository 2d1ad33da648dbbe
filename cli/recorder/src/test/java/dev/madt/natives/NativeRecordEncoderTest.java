package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.collector.EventMerge;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The library's encoder against the one in Java: the same bytes, the same questions' effects,
 * whatever comes.
 */
class NativeRecordEncoderTest extends EncoderPair {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveTheSameBytesForSpans(int seed) throws Exception {
        Random random = new Random(seed);
        long[] last = new long[TEMPLATES * 20_000];
        int taken = 0;
        for (int round = 0; round < 60; round++) {
            plainScope.odd = nativeScope.odd = random.nextInt(2);
            plain.spaceChanged();
            fast.spaceChanged();
            long[] words = words(random, last, random.nextInt(round < 50 ? 3_000 : 40_000));
            RecordSpan one = span(words);
            RecordSpan other = span(words);
            while (!one.isEmpty()) {
                long limit = one.epoch() + random.nextInt(4);
                plain.records(one, limit);
                fast.records(other, limit);
                assertEquals(one.size(), other.size());
                assertEquals(one.epochBefore(), other.epochBefore());
                assertEquals(one.words(), other.words());
                if (random.nextInt(50) == 0 || plain.isFull()) {
                    assertSame();
                }
            }
            taken += words.length;
        }
        assertSame();
        assertTrue(
                taken > 100_000 && nativeScope.defined.size() > TEMPLATES / 2,
                taken + " words, " + nativeScope.defined);
    }

    @Test
    void shouldLeaveWhatIsHandedBackToWhoeverGaveIt() throws Exception {
        Random random = new Random(5);
        plainScope.handing = nativeScope.handing = true;
        long[] last = new long[TEMPLATES * 20_000];
        int kept = 0;
        int dropped = 0;
        for (int round = 0; round < 20; round++) {
            long[] words = words(random, last, 3_000);
            RecordSpan one = span(words);
            RecordSpan other = span(words);
            while (!one.isEmpty()) {
                plain.records(one, Long.MAX_VALUE);
                fast.records(other, Long.MAX_VALUE);
                assertEquals(one.size(), other.size());
                if (one.isEmpty() || plain.isFull()) {
                    assertSame();
                    continue;
                }
                int number = one.template();
                assertTrue(nativeScope.handsBack(number), number + " was left");
                long[] record = new long[Pages.stored(number)];
                one.copy(record.length, record);
                if (random.nextBoolean()) {
                    plain.record(number, one.epoch(), record, 0, record.length);
                    fast.record(number, one.epoch(), record, 0, record.length);
                    kept++;
                } else {
                    dropped++;
                }
                one.skip(record.length);
                other.skip(record.length);
            }
        }
        assertSame();
        assertTrue(kept > 300 && dropped > 300, kept + " kept, " + dropped + " dropped");
    }

    @Test
    void shouldGiveTheSameBytesForSingleRecordsAndEvents() {
        Random random = new Random(9);
        long[] last = new long[TEMPLATES * 20_000];
        for (int i = 0; i < 4_000; i++) {
            int epoch = i / 3;
            int thread = random.nextInt(3);
            plain.thread(thread);
            fast.thread(thread);
            long[] built = {
                0x401000 + random.nextInt(64),
                random.nextBoolean() ? 0x5000 + 8 * i : NONE,
                7,
                random.nextInt(9)
            };
            int which = SharedLayout.TEMPLATE_COPY + random.nextInt(5);
            int length = which == SharedLayout.TEMPLATE_COPY
                    ? 4
                    : which <= SharedLayout.TEMPLATE_FETCH ? 3 : 2;
            assertEquals(
                    plain.record(which, epoch, built, 0, length),
                    fast.record(which, epoch, built, 0, length));
            TraceEvent event = TraceEvent.of(
                    RingEventType.MALLOC,
                    7,
                    epoch,
                    16L * random.nextInt(999),
                    32,
                    0,
                    0,
                    "",
                    random.nextInt(2) * 0x401234L);
            plain.event(event);
            fast.event(event);
            long[] words = words(random, last, 1);
            int number = span(words).template();
            if (Pages.sources(number) != null) {
                continue; // such a record comes in a span alone
            }
            assertEquals(
                    plain.record(number, epoch, words, 1, words.length - 1),
                    fast.record(number, epoch, words, 1, words.length - 1),
                    () -> number + " " + Arrays.toString(words) + nativeScope.odd);
            if (random.nextInt(100) == 0) {
                assertSame();
            }
        }
        assertSame();
    }

    /**
     * Events as programs have them: blocks of a few classes that end in any order, odd ones among
     * them.
     */
    private static final class Allocator {
        private final Random random;
        private final List<Long> live = new ArrayList<>();
        private final List<Long> free = new ArrayList<>();
        private long ticket;
        private long top = 0x10000;

        Allocator(int seed) {
            random = new Random(seed);
        }

        TraceEvent next() {
            ticket += random.nextInt(20) == 0 ? 1L << random.nextInt(34) : 1;
            int thread = random.nextInt(3);
            long code = random.nextInt(30) == 0 ? 0 : 0x401000 + 5 * random.nextInt(6);
            int what = random.nextInt(100);
            if (what < 46 && !live.isEmpty()) {
                long old = live.remove(random.nextInt(live.size()));
                free.add(old);
                return TraceEvent.of(
                        RingEventType.FREE,
                        thread,
                        ticket,
                        0,
                        0,
                        old,
                        random.nextInt(200) == 0 ? 8 : 0,
                        "",
                        code);
            } else if (what > 97) {
                return TraceEvent.of(
                        RingEventType.REALLOC_END,
                        thread,
                        ticket,
                        0x999000,
                        70,
                        0x888000,
                        0,
                        "",
                        code);
            } else if (what > 95) {
                return TraceEvent.of(
                        RingEventType.FREE,
                        thread,
                        ticket,
                        0,
                        0,
                        16L * random.nextInt(99_000),
                        0,
                        "",
                        code);
            }
            boolean again = random.nextInt(4) > 0 && !free.isEmpty();
            long address = again
                    ? free.remove(Math.max(0, free.size() - 1 - random.nextInt(9)))
                    : (top += 16L * (1 + random.nextInt(5)));
            live.add(address);
            RingEventType type =
                    random.nextInt(5) == 0 ? RingEventType.CALLOC : RingEventType.MALLOC;
            return TraceEvent.of(
                    type,
                    thread,
                    ticket,
                    random.nextInt(300) == 0 ? 0 : address,
                    random.nextInt(90) == 0 ? -random.nextInt(2_000) : random.nextInt(60),
                    0,
                    0,
                    "",
                    code);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveTheSameBytesForAllocations(int seed) {
        Allocator allocator = new Allocator(seed);
        for (int i = 0; i < 40_000; i++) {
            TraceEvent event = allocator.next();
            plain.event(event);
            fast.event(event);
            if (i % 9_001 == 9_000) {
                assertSame();
            }
        }
        assertSame();
    }

    /** Events and records in the order of {@link EventMerge.Output#both}, one by one. */
    private final class OneByOne implements EventMerge.Output {
        @Override
        public void event(RingEvents events) {
            plain.event(events.remove(inTrace(events.code())));
        }

        @Override
        public void records(int thread, RecordSpan span, long limit)
                throws MalformedBufferException {
            plain.records(span, limit);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveTheSameBytesForRecordsAndEventsInTheirOrder(int seed) throws Exception {
        Random random = new Random(seed);
        Allocator allocator = new Allocator(seed);
        allocator.ticket = 99;
        long[] last = new long[TEMPLATES * 20_000];
        RingEvents one = new RingEvents();
        RingEvents other = new RingEvents();
        OneByOne output = new OneByOne();
        for (int round = 0; round < 300; round++) {
            long[] words = words(random, last, random.nextInt(400));
            RecordSpan plainSpan = span(words);
            RecordSpan fastSpan = span(words);
            for (int i = random.nextInt(200); i > 0; i--) {
                TraceEvent event = allocator.next();
                TraceEvent soon = TraceEvent.of(
                        event.type(),
                        event.thread(),
                        100 + random.nextInt(40),
                        event.word(0),
                        event.word(1),
                        event.word(2),
                        event.word(3),
                        "",
                        event.code());
                one.add(soon);
                other.add(soon);
            }
            while (!plainSpan.isEmpty() || !one.isEmpty()) {
                long limit = 100 + random.nextInt(200);
                long below = 100 + random.nextInt(200);
                if (plainSpan.isEmpty()) {
                    output.events(one, below);
                    merge(other, null, 0, below);
                } else {
                    output.both(one, 1, plainSpan, limit, below);
                    merge(other, fastSpan, limit, below);
                }
                assertEquals(plainSpan.isEmpty(), fastSpan.isEmpty());
                assertEquals(one.count(), other.count());
                if (plain.isFull() || random.nextInt(50) == 0) {
                    assertSame();
                }
            }
        }
        assertSame();
    }

    @Test
    void shouldGiveTheSameBytesForNothing() {
        assertSame();
    }

    @Test
    void shouldSayWhatIsNoRecord() {
        long template = SharedLayout.recordHeader(Pages.number(2), 0);
        assertMalformed("unknown template 17", SharedLayout.recordHeader(17, 0), 1);
        assertMalformed("0x12 is no record header", 0x12, 1);
        assertMalformed("reaches over the end of its chunk", template);
        assertFalse(fast.loads() > 0);
    }

    private void assertMalformed(String message, long... words) {
        String said = assertThrows(
                        MalformedBufferException.class,
                        () -> fast.records(span(words), Long.MAX_VALUE))
                .getMessage();
        assertTrue(said.contains(message), said);
    }
}
