package dev.madt.view.locks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LockHistogramTest {
    private static final LockName NAME = new LockName("m", "m");

    private static Holding holding(int depth) {
        return new Holding(NAME, 1, 1, 0, null, false, depth);
    }

    private static List<String> found(String picture, String pattern) {
        return Pattern.compile(pattern)
                .matcher(picture)
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    /** All times from 0 to 20 µs, one each, and one of a second. */
    private static LockHistogram lengths() {
        LockHistogram lengths = new LockHistogram(LockHistogram.Of.LENGTH);
        for (int nanos = 0; nanos < 20_000; nanos++) {
            lengths.released(holding(0), nanos);
        }
        lengths.released(holding(0), 1_000_000_000);
        lengths.got(holding(0), "mutex", 5, null, List.of(), false); // nothing that is asked for
        return lengths;
    }

    @Test
    void shouldCountInBinsOfATenthOfAMicrosecond() {
        Table table = lengths().table(true);
        assertEquals(201, table.rows().size());
        long from = 0;
        for (Object[] row : table.rows().subList(0, 200)) {
            assertEquals(new Table.Time(from), row[0]);
            assertEquals(100L, row[1]);
            from += 100;
        }
        assertEquals(new Table.Share(1), table.rows().get(200)[3]);
        assertEquals(20_001, lengths().all());
    }

    @Test
    void shouldDrawAllOfThemInFewBars() {
        String picture = lengths().chart("t.madt").svg();
        assertTrue(picture.contains("How long locks were held: t.madt, 20,001 times"), picture);
        List<String> bars = found(picture, "so long, ([^<]*): [0-9.]+ %</title></rect>");
        assertEquals("0 ns to 100 ns", bars.get(0));
        assertEquals(100 + 10 + 1, bars.size(), "up to 10 µs, to 20 µs, a second");
        List<String> curve = found(picture, "so long or less, [^<]*: ([0-9.]+ %)</title>");
        assertEquals("100.0 %", curve.get(curve.size() - 1));
        assertEquals(bars.size(), curve.size());
    }

    /** Times that no recording has, as a damaged trace may. */
    @Test
    void shouldEndWithTheLongestTime() {
        LockHistogram lengths = new LockHistogram(LockHistogram.Of.LENGTH);
        lengths.released(holding(0), Long.MAX_VALUE);
        assertEquals(1, lengths.table(false).rows().size());
        assertEquals(
                1,
                found(lengths.chart("t.madt").svg(), "so long, ([^<]*)</title></rect>")
                        .size());
    }

    @Test
    void shouldCountDepthsOfAllAcquisitions() {
        LockHistogram depths = new LockHistogram(LockHistogram.Of.DEPTH);
        for (int depth : new int[] {0, 0, 0, 1, 3}) {
            depths.got(holding(depth), "mutex", 0, null, List.of(), false);
        }
        List<Object> all = new ArrayList<>();
        depths.table(true).rows().forEach(row -> all.addAll(List.of(row[0], row[1], row[3])));
        assertEquals(
                List.of(
                        0L,
                        3L,
                        new Table.Share(0.6),
                        1L,
                        1L,
                        new Table.Share(0.8),
                        3L,
                        1L,
                        new Table.Share(1)),
                all);
        String picture = depths.chart("t.madt").svg();
        assertEquals(
                List.of("60.0 %", "20.0 %", "20.0 %"),
                found(picture, "so many, [0-9]+: ([0-9.]+ %)</title></rect>"));
    }
}
