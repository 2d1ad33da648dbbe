package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.TemplateScope;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.WordSources;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The library's encoder and the one in Java, which get the same records, and records as targets
 * make them.
 */
abstract class EncoderPair {
    static final long NONE = SharedLayout.WORD_NONE;
    static final int TEMPLATES = 50;

    /**
     * Of addresses below 2^20 those of one page in two count, of others all; templates are there up
     * to a number, some of them far away.
     */
    static final class Pages implements TemplateScope {
        private final Map<Integer, RecordTemplate> templates = new HashMap<>();
        final List<Integer> defined = new ArrayList<>();
        int odd;
        /** Says whether some templates are handed back, of those whose words are all stored. */
        boolean handing;

        private static int length(int template) {
            return switch (template % 10) {
                case 0, 1, 2 -> 1;
                case 7 -> 16;
                case 8 -> 17 + template % 100;
                case 9 -> template % 3 == 0 ? 16_383 : 0;
                default -> template % 10;
            };
        }

        static int number(int index) {
            return index % 7 == 0 ? SharedLayout.TEMPLATE_RESERVED - 1 - index : 16 + 701 * index;
        }

        @Override
        public RecordTemplate template(int number) {
            for (int i = 0; i < TEMPLATES; i++) {
                if (number(i) == number) {
                    return templates.computeIfAbsent(
                            number, n -> new RecordTemplate(n, sites(n), sources(n)));
                }
            }
            return null;
        }

        /**
         * Some templates have derived words: two of three, of the longest ones all but the first.
         */
        static WordSources sources(int number) {
            int length = length(number);
            if (length < 2 || length > 16 || number % 4 == 0) {
                return null;
            }
            byte[] from = new byte[length];
            short[] distance = new short[length];
            byte stored = 0;
            for (int i = 0; i < length; i++) {
                boolean derived = i > 0 && (length == 16 || i % 3 > 0);
                from[i] = derived ? (byte) (i % stored) : stored++;
                distance[i] = (short) (derived ? 8 * i - (i % 2) * 5_000 : 0);
            }
            return new WordSources(stored, from, distance);
        }

        /** Words in a chunk. */
        static int stored(int number) {
            WordSources sources = sources(number);
            return sources == null ? length(number) : sources.stored();
        }

        private static AccessSite[] sites(int number) {
            AccessSite[] sites = new AccessSite[length(number)];
            for (int i = 0; i < sites.length; i++) {
                sites[i] = new AccessSite(number + i, 3, kind(number, i), 8, 0, false);
            }
            return sites;
        }

        /** Some of the short templates are probes. */
        private static AccessKind kind(int number, int word) {
            boolean probe = length(number) <= 2 && number % 2 == 0;
            int access = 1 + Math.floorMod(number + word, 3);
            return AccessKind.of(!probe ? access : word > 0 ? 6 : 4 + number / 2 % 2);
        }

        @Override
        public boolean handsBack(int number) {
            return handing && number % 3 == 0 && sources(number) == null;
        }

        @Override
        public void define(RecordTemplate template) {
            defined.add(template.number());
        }

        @Override
        public boolean traced(AccessSite site) {
            return site.address() % 11 != 5;
        }

        @Override
        public boolean traced(long address, long[] range) {
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

    final Pages plainScope = new Pages();
    final Pages nativeScope = new Pages();
    final EventsFrame plain = new EventsFrame(plainScope);
    final NativeRecordEncoder encoder = new NativeRecordEncoder(nativeScope);
    final EventsFrame fast = new EventsFrame(encoder);

    void assertSame() {
        assertEquals(plain.loads(), fast.loads());
        assertEquals(plain.stores(), fast.stores());
        assertEquals(plain.enters(), fast.enters());
        assertEquals(plain.leaves(), fast.leaves());
        assertEquals(plain.isEmpty(), fast.isEmpty());
        Frame expected = plain.build(1, 1);
        assertArrayEquals(expected.payload().array(), fast.build(1, 1).payload().array());
        assertEquals(plainScope.defined, nativeScope.defined);
    }

    /**
     * Words as a target writes them: sweeps, pointers, noise, what is not there, of up to so many
     * words.
     */
    static long[] words(Random random, long[] last, int most) {
        long[] words = new long[most + 20_000];
        int at = 0;
        int index = 0;
        int epoch = 100;
        while (at < most) {
            index = random.nextInt(5) > 0 ? (index + 7) % TEMPLATES : random.nextInt(TEMPLATES);
            int number = Pages.number(index);
            int length = Pages.stored(number);
            if (length > 1_000 && random.nextInt(40) > 0) {
                continue;
            }
            epoch += random.nextInt(9) == 0 ? random.nextInt(5) - 1 : 0;
            words[at++] = SharedLayout.recordHeader(number, epoch);
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

    static RecordSpan span(long[] words) {
        LongBuffer memory = ByteBuffer.allocateDirect(Long.BYTES * words.length)
                .order(ByteOrder.nativeOrder())
                .asLongBuffer();
        return new RecordSpan("buffer 1", memory.put(0, words), 0, words.length, 100);
    }

    static long inTrace(long word) {
        return word == 0 ? 0 : word - 5;
    }

    /** Leaves everything to the library but what it does not take. */
    void merge(RingEvents events, RecordSpan span, long limit, long below) {
        while (true) {
            switch (encoder.merge(events, span, limit, below)) {
                case CODE ->
                    encoder.code(
                            events.code(),
                            inTrace(events.code()),
                            events.type() != RingEventType.FREE);
                case EVENT -> fast.event(events.remove(inTrace(events.code())));
                default -> {
                    return;
                }
            }
        }
    }
}
