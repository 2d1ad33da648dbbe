package dev.madt.view.toolkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TextBufferTest {
    private static LongStream numbers() {
        LongStream powers = LongStream.iterate(1, power -> power * 10)
                .limit(19)
                .flatMap(power -> LongStream.of(power - 1, power, power + 1));
        LongStream random =
                new Random(3).longs(100_000).map(number -> (number >>> 1) >>> (number & 63));
        return LongStream.concat(
                LongStream.concat(powers, random),
                LongStream.of(-1, Integer.MAX_VALUE, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE));
    }

    @Test
    void shouldWriteNumbersAsJavaDoes() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextBuffer text = new TextBuffer(out);
        StringBuilder expected = new StringBuilder();
        numbers().forEach(number -> {
            text.decimal(number).character(' ');
            expected.append(number).append(' ');
        });
        text.flush();
        assertEquals(expected.toString(), out.toString());
    }

    @Test
    void shouldWriteNumbersThatFollowOneAnother() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextBuffer text = new TextBuffer(out);
        StringBuilder expected = new StringBuilder();
        for (long first : new long[] {0, 1, 7, 95, 98, 12_345, 99_999_990, 3, 999_999_999_990L}) {
            for (long number = first; number < first + 2_000; number++) {
                text.following(number).character(' ');
                expected.append(number).append(' ');
            }
        }
        text.flush();
        assertEquals(expected.toString(), out.toString());
    }
}
