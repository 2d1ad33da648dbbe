package dev.madt.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Records of which only samples are added to frames count as often as they were. */
class SampledRecordsTest extends EncoderPair {
    /** Accesses by thread and template. */
    private static final class Counts implements EventConsumer {
        private final Map<String, Long> accesses = new TreeMap<>();
        private long records;
        private long times;

        @Override
        public void rows(RecordRows rows) {
            for (int i = 0; i < rows.count(); i++) {
                boolean other = (rows.rows()[i] & RecordRows.FORM) == RecordRows.OTHER;
                boolean tells = other && rows.isTimes(rows.rows()[i] >>> RecordRows.FORM_BITS);
                records += other ? 0 : 1;
                times += tells ? 1 : 0;
            }
            rows.give(this);
        }

        @Override
        public void record(long number, int thread, RecordTemplate template, long[] from, int at) {
            accesses.merge(
                    thread + " " + template.number(), (long) template.made(from, at), Long::sum);
        }

        @Override
        public void call(long number, int thread, RecordTemplate template, long[] from, int at) {
            accesses.merge(thread + " " + template.number(), 1L, Long::sum);
        }

        @Override
        public void ring(TraceEvent event) {
            throw new AssertionError(event);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            throw new AssertionError("an access by itself");
        }

        @Override
        public void block(
                long number,
                int thread,
                BlockKind kind,
                long to,
                long from,
                long length,
                long code) {
            throw new AssertionError("a bulk transfer");
        }
    }

    private static TraceDecoder decoder(Counts counts) throws Exception {
        TraceDecoder decoder = TraceDecoder.counting(counts);
        Pages pages = new Pages();
        TemplatesFrame templates = new TemplatesFrame();
        for (int i = 0; i < TEMPLATES; i++) {
            int number = Pages.number(i);
            templates.add(number, pages.template(number).sites());
        }
        decoder.frame(templates.build(1, 1));
        return decoder;
    }

    /**
     * Loops over short templates, which access few pages; or over all but the longest ones, some of
     * whose accesses are to other pages, or were not made.
     */
    private static long[] words(Random random, boolean steady) {
        long[] words = new long[5_000];
        int at = 0;
        int index = random.nextInt(TEMPLATES);
        while (at < words.length - 150) {
            index = random.nextInt(3) == 0 ? random.nextInt(TEMPLATES) : index;
            int number = Pages.number(index);
            if (Pages.stored(number) > (steady ? 16 : 120)) {
                index = 1;
                continue;
            }
            words[at++] = SharedLayout.recordHeader(number, 100 + at / (steady ? 1_000 : 10));
            for (int i = Pages.stored(number); i > 0; i--) {
                int odd = steady ? 8 : random.nextInt(9);
                long address = 0x4_0000 + (random.nextInt(4) << 13) + random.nextInt(500);
                words[at++] = odd == 0 ? NONE : odd == 1 ? address + 0x1000 : address;
            }
        }
        return Arrays.copyOf(words, at);
    }

    @Test
    void shouldCountAsOftenAsTheyWere() throws Exception {
        Random random = new Random(4);
        Counts all = new Counts();
        Counts sampled = new Counts();
        TraceDecoder plainDecoder = decoder(all);
        TraceDecoder fastDecoder = decoder(sampled);
        for (int round = 0; round < 300; round++) {
            encoder.sample(round % 10 > 0);
            int thread = 7 + random.nextInt(3);
            plain.thread(thread);
            fast.thread(thread);
            if (random.nextInt(9) == 0) {
                plain.spaceChanged();
                fast.spaceChanged();
            }
            long[] words = words(random, round % 4 > 0);
            RecordSpan one = span(words);
            RecordSpan other = span(words);
            plain.records(one, Long.MAX_VALUE);
            fast.records(other, Long.MAX_VALUE);
            assertTrue(one.isEmpty() && other.isEmpty());
            assertEquals(plain.loads(), fast.loads());
            assertEquals(plain.stores(), fast.stores());
            if (random.nextInt(3) == 0) {
                plainDecoder.frame(plain.build(1));
                fastDecoder.frame(fast.build(1));
            }
        }
        plainDecoder.frame(plain.build(1));
        fastDecoder.frame(fast.build(1));
        assertEquals(all.accesses, sampled.accesses);
        assertEquals(plainDecoder.accesses(), fastDecoder.accesses());
        assertEquals(0, all.times);
        assertTrue(sampled.times > 1_000, sampled.times + " times");
        assertTrue(
                3 * sampled.records < 2 * all.records,
                sampled.records + " of " + all.records + " records");
    }
}
