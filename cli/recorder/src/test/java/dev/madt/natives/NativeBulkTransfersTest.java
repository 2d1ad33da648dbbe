package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bulk transfers that the library's encoder takes by itself, against those given one by one. */
class NativeBulkTransfersTest extends EncoderPair {
    /** Records, and behind some of them bulk transfers of a few calls, in a few pages. */
    private static long[] withBlocks(Random random, long[] words) {
        long[] all = new long[3 * words.length];
        int at = 0;
        for (int i = 0; i < words.length; ) {
            int epoch = (int) words[i];
            int length = 1 + Pages.stored((int) (words[i] >>> 32) & SharedLayout.TEMPLATE_RESERVED);
            System.arraycopy(words, i, all, at, length);
            at += length;
            i += length;
            if (random.nextInt(3) == 0) {
                int template = SharedLayout.TEMPLATE_COPY + random.nextInt(3);
                all[at++] = SharedLayout.recordHeader(template, epoch);
                all[at++] = 0x401000 + random.nextInt(6);
                all[at++] = random.nextInt(50) == 0 ? NONE : 0x7000L + random.nextInt(0x4000);
                if (template == SharedLayout.TEMPLATE_COPY) {
                    all[at++] = random.nextInt(50) == 0 ? NONE : 0x7000L + random.nextInt(0x4000);
                }
                all[at++] = random.nextInt(99);
            }
        }
        return Arrays.copyOf(all, at);
    }

    /** Bulk transfers count at the other end of memory than accesses do. */
    private static boolean isShown(Pages scope, long address, long[] range) {
        return !scope.traced(address, range);
    }

    /** The record at the front of a span, if it is a bulk transfer; {@code known} learns of it. */
    private boolean takeBlock(EventsFrame frame, RecordSpan span, NativeRecordEncoder known)
            throws MalformedBufferException {
        if (span.isEmpty() || span.template() > SharedLayout.TEMPLATE_FETCH) {
            return false;
        }
        boolean copies = span.template() == SharedLayout.TEMPLATE_COPY;
        long[] words = new long[copies ? 4 : 3];
        span.copy(words.length, words);
        boolean shown = false;
        for (int i = 1; i < words.length - 1 && !shown; i++) {
            long[] range = new long[2];
            shown = isShown(plainScope, words[i], range);
            if (known != null) {
                known.shows(range[0], range[1], shown);
            }
        }
        if (shown) {
            if (known != null) {
                known.code(words[0], inTrace(words[0]), false);
            }
            words[0] = inTrace(words[0]);
            frame.record(span.template(), span.epoch(), words, 0, words.length);
        }
        span.skip(words.length);
        return true;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldTakeBulkTransfersThatItKnows(int seed) throws Exception {
        Random random = new Random(seed);
        long[] last = new long[TEMPLATES * 20_000];
        int told = 0;
        int all = 0;
        for (int round = 0; round < 60; round++) {
            plainScope.odd = nativeScope.odd = random.nextInt(2);
            plain.spaceChanged();
            fast.spaceChanged();
            if (random.nextInt(3) == 0) {
                encoder.forgetCodes();
            }
            long[] words = withBlocks(random, words(random, last, random.nextInt(3_000)));
            RecordSpan one = span(words);
            RecordSpan other = span(words);
            while (!one.isEmpty()) {
                long limit = one.epoch() + random.nextInt(4);
                while (!one.isEmpty() && one.epoch() <= limit) {
                    plain.records(one, limit);
                    all += takeBlock(plain, one, null) ? 1 : 0;
                }
                while (!other.isEmpty() && other.epoch() <= limit) {
                    fast.records(other, limit);
                    told += takeBlock(fast, other, encoder) ? 1 : 0;
                }
                assertEquals(one.size(), other.size());
                assertEquals(one.epochBefore(), other.epochBefore());
                assertEquals(plain.blocks(), fast.blocks());
                if (random.nextInt(50) == 0) {
                    assertSame();
                }
            }
        }
        assertSame();
        assertTrue(all > 3_000 && told < all / 4, told + " of " + all + " told");
    }
}
