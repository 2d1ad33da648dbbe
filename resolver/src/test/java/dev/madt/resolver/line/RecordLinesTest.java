package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SourceLevel;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of whole records, and what they are made of. */
class RecordLinesTest {
    private static final LineDetail SOURCES =
            new LineDetail(LineDetail.Source.PLACE, false, Demangler.NONE, Demangler.NONE);
    private static final int ROUNDS = 3_001;

    /** Passes on accesses one by one. */
    private record Singly(LineWriter writer) implements EventConsumer {
        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            writer.access(number, thread, site, store, address);
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
            throw new AssertionError("no bulk transfer");
        }

        @Override
        public void ring(TraceEvent event) {
            throw new AssertionError("no ring event");
        }
    }

    /**
     * Records that are numbered like those of a trace, with all kinds of sites, at places that are
     * redefined now and then.
     */
    private static void give(LineWriter writer, boolean whole) {
        Random random = new Random(41);
        LineScene scene = new LineScene(writer);
        RecordTemplate[] templates = new RecordTemplate[13];
        long[] words = new long[17];
        long number = 9_000;
        for (int round = 0; round < ROUNDS; round++) {
            int which = random.nextInt(templates.length);
            if (templates[which] == null || random.nextInt(50) == 0) {
                templates[which] = template(16 + which * which * 9_001, scene, random);
                writer.define(new Definition.Source(
                        templates[which].site(0).address(),
                        List.of(new SourceLevel("f", "/src/f.c", round + 1, 1))));
            }
            if (random.nextInt(9) == 0) {
                allocation(scene, random);
            }
            for (int i = 0; i < words.length; i++) {
                words[i] = random.nextInt(9) == 0 ? SharedLayout.WORD_NONE : address(random);
            }
            give(writer, whole, number, templates[which], words);
            number += 12;
        }
        writer.end(true);
    }

    private static void give(
            LineWriter writer, boolean whole, long number, RecordTemplate template, long[] words) {
        if (whole) {
            writer.record(number, 7, template, words, 3);
        } else {
            new Singly(writer).record(number, 7, template, words, 3);
        }
    }

    private static RecordTemplate template(int number, LineScene scene, Random random) {
        AccessSite[] sites = new AccessSite[1 + random.nextInt(6)];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = scene.site(
                    LineScene.MAIN + random.nextInt(400), AccessKind.of(1 + random.nextInt(3)));
        }
        return new RecordTemplate(number, sites);
    }

    private static void allocation(LineScene scene, Random random) {
        long block = LineScene.HEAP + random.nextInt(20) * 1_000L;
        if (random.nextBoolean()) {
            scene.malloc(block, 1 + random.nextInt(999), LineScene.MAIN + random.nextInt(200));
        } else {
            scene.ring(RingEventType.FREE, 0, 0, block, 0, LineScene.GROW + 9);
        }
    }

    private static long address(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> LineScene.TABLE + random.nextInt(60);
            case 1 -> LineScene.BSS + random.nextInt(200);
            case 2 -> random.nextInt(100_000) * 1_000_003L;
            default -> LineScene.HEAP + random.nextInt(20_000);
        };
    }

    @ParameterizedTest
    @EnumSource(LineOptions.class)
    void shouldWriteOfAWholeRecordWhatItWritesOfItsAccesses(LineOptions options) {
        for (LineDetail detail : List.of(LineDetail.PLAIN, SOURCES)) {
            String whole = text(options, detail, true);
            assertTrue(whole.lines().count() > 3 * ROUNDS);
            assertEquals(text(options, detail, false), whole);
        }
    }

    private static String text(LineOptions options, LineDetail detail, boolean whole) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        give(new LineWriter(out, options, detail), whole);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldWriteNumbersThatFollowAndThatDoNot() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        LineBuffer line = new LineBuffer(out);
        LineHead head = new LineHead();
        StringBuilder expected = new StringBuilder();
        for (long base :
                new long[] {0, 9_990, 99_995, 19_990, 5, 99_999_990, 123_456_789_012_345L, 0}) {
            for (long number = base; number < base + 23; number++) {
                head.append(line, 'L', '$', number);
                line.endLine();
                expected.append("L$").append(number).append(":\n");
            }
        }
        line.flush();
        assertEquals(expected.toString(), out.toString(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                9,
                10,
                99,
                100,
                999,
                1_000,
                9_999,
                10_000,
                10_001,
                99_999_999,
                100_000_000,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                -1
            })
    void shouldWriteDecimalNumbersWithoutASign(long value) {
        LineBuffer line = LineBuffer.detached();
        line.decimal(value);
        assertEquals(Long.toUnsignedString(value), line.toString());
    }
}
