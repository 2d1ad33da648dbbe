package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.tracker.AccessKind;
import dev.madt.tracker.EventsFrame;
import dev.madt.tracker.Frame;
import dev.madt.tracker.MalformedBufferException;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RingEventType;
import dev.madt.tracker.Run;
import dev.madt.tracker.RunScope;
import dev.madt.tracker.RunSpan;
import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.Site;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The library's encoder against the one in Java: the same bytes, the same questions' effects, whatever comes. */
class NativeRunEncoderTest {
    private static final long NONE = SharedLayout.WORD_NONE;
    private static final int RUNS = 50;

    /** Of addresses below 2^20 those of one page in two count, of others all; runs are there up to a number, some of them far away. */
    private static final class Pages implements RunScope {
        private final Map<Integer, Run> runs = new HashMap<>();
        private final List<Integer> defined = new ArrayList<>();
        private int odd;

        private static int length(int run) {
            return switch (run % 10) {
                case 0, 1, 2 -> 1;
                case 7 -> 16;
                case 8 -> 17 + run % 100;
                case 9 -> run % 3 == 0 ? 16_383 : 0;
                default -> run % 10;
            };
        }

        private static int number(int index) {
            return index % 7 == 0 ? SharedLayout.RUN_RESERVED - 1 - index : 16 + 701 * index;
        }

        @Override
        public Run run(int number) {
            for (int i = 0; i < RUNS; i++) {
                if (number(i) == number) {
                    return runs.computeIfAbsent(number, n -> new Run(n, sites(n)));
                }
            }
            return null;
        }

        private static Site[] sites(int number) {
            Site[] sites = new Site[length(number)];
            for (int i = 0; i < sites.length; i++) {
                sites[i] = new Site(number + i, 3, AccessKind.of(1 + Math.floorMod(number + i, 3)), 8, 0, false);
            }
            return sites;
        }

        @Override
        public void define(Run run) {
            defined.add(run.number());
        }

        @Override
        public boolean traced(Site site, long address, long[] range) {
            boolean low = address >>> 20 == 0;
            range[0] = low ? address & ~0xfffL : 1 << 20;
            range[1] = low ? range[0] + 0x1000 : Long.MAX_VALUE;
            if (address < 0) {
                range[0] = Long.MIN_VALUE;
                range[1] = 0;
            }
            return !low || (address >>> 12 & 1) == odd;
        }
    }

    private final Pages plainScope = new Pages();
    private final Pages nativeScope = new Pages();
    private final EventsFrame plain = new EventsFrame(plainScope);
    private final EventsFrame fast = new EventsFrame(new NativeRunEncoder(nativeScope));

    private void assertSame() {
        assertEquals(plain.loads(), fast.loads());
        assertEquals(plain.stores(), fast.stores());
        assertEquals(plain.isEmpty(), fast.isEmpty());
        Frame expected = plain.build(1, 1);
        assertArrayEquals(expected.payload().array(), fast.build(1, 1).payload().array());
        assertEquals(plainScope.defined, nativeScope.defined);
    }

    /** Words as a target writes them: sweeps, pointers, noise, what is not there, of up to so many words. */
    private static long[] words(Random random, long[] last, int most) {
        long[] words = new long[most + 20_000];
        int at = 0;
        int index = 0;
        int epoch = 100;
        while (at < most) {
            index = random.nextInt(5) > 0 ? (index + 7) % RUNS : random.nextInt(RUNS);
            int number = Pages.number(index);
            int length = Pages.length(number);
            if (length > 1_000 && random.nextInt(40) > 0) {
                continue;
            }
            epoch += random.nextInt(9) == 0 ? random.nextInt(5) - 1 : 0;
            words[at++] = SharedLayout.runHeader(number, epoch);
            int manner = random.nextInt(6);
            for (int i = 0; i < length; i++) {
                int site = index * 20_000 + i;
                last[site] = switch (manner) {
                    case 0 -> 0x5555_0000L + random.nextInt(1 << 20) * 16L;
                    case 1 -> random.nextLong() >>> random.nextInt(64);
                    case 2 -> random.nextBoolean() ? NONE : 0x7000L + random.nextInt(0x3000);
                    case 3 -> random.nextInt(1 << 21);
                    default -> last[site] == NONE ? 64 : last[site] + 8;
                };
                words[at++] = last[site];
            }
        }
        return Arrays.copyOf(words, at);
    }

    private static RunSpan span(long[] words) {
        LongBuffer memory = ByteBuffer.allocateDirect(Long.BYTES * words.length).order(ByteOrder.nativeOrder()).asLongBuffer();
        return new RunSpan("buffer 1", memory.put(0, words), 0, words.length, 100);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldGiveTheSameBytesForSpans(int seed) throws Exception {
        Random random = new Random(seed);
        long[] last = new long[RUNS * 20_000];
        int taken = 0;
        for (int round = 0; round < 60; round++) {
            plainScope.odd = nativeScope.odd = random.nextInt(2);
            plain.spaceChanged();
            fast.spaceChanged();
            long[] words = words(random, last, random.nextInt(round < 50 ? 3_000 : 40_000));
            RunSpan one = span(words);
            RunSpan other = span(words);
            while (!one.isEmpty()) {
                long limit = one.epoch() + random.nextInt(4);
                plain.runs(one, limit);
                fast.runs(other, limit);
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
        assertTrue(taken > 100_000 && nativeScope.defined.size() > RUNS / 2, taken + " words, " + nativeScope.defined);
    }

    @Test
    void shouldGiveTheSameBytesForSingleRunsAndEvents() {
        Random random = new Random(9);
        long[] last = new long[RUNS * 20_000];
        for (int i = 0; i < 4_000; i++) {
            int epoch = i / 3;
            int thread = random.nextInt(3);
            plain.thread(thread);
            fast.thread(thread);
            long[] built = {0x401000 + random.nextInt(64), random.nextBoolean() ? 0x5000 + 8 * i : NONE, 7, random.nextInt(9)};
            int which = SharedLayout.RUN_COPY + random.nextInt(5);
            int length = which == SharedLayout.RUN_COPY ? 4 : which <= SharedLayout.RUN_FETCH ? 3 : 2;
            assertEquals(plain.run(which, epoch, built, 0, length), fast.run(which, epoch, built, 0, length));
            RingEvent event = new RingEvent(RingEventType.MALLOC, 7, epoch, 16L * random.nextInt(999), 32, 0, 0, "", random.nextInt(2) * 0x401234L);
            plain.event(event);
            fast.event(event);
            long[] words = words(random, last, 1);
            int number = span(words).run();
            assertEquals(plain.run(number, epoch, words, 1, words.length - 1), fast.run(number, epoch, words, 1, words.length - 1),
                    () -> number + " " + Arrays.toString(words) + nativeScope.odd);
            if (random.nextInt(100) == 0) {
                assertSame();
            }
        }
        assertSame();
    }

    @Test
    void shouldGiveTheSameBytesForNothing() {
        assertSame();
    }

    @Test
    void shouldSayWhatIsNoRun() {
        long run = SharedLayout.runHeader(Pages.number(2), 0);
        assertMalformed("unknown run 17", SharedLayout.runHeader(17, 0), 1);
        assertMalformed("0x12 is no run header", 0x12, 1);
        assertMalformed("reaches over the end of its chunk", run);
        assertFalse(fast.loads() > 0);
    }

    private void assertMalformed(String message, long... words) {
        String said = assertThrows(MalformedBufferException.class, () -> fast.runs(span(words), Long.MAX_VALUE)).getMessage();
        assertTrue(said.contains(message), said);
    }
}
