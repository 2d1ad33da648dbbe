package dev.madt.top;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.view.top.TopKind;
import dev.madt.view.top.TopRow;
import dev.madt.view.top.TopSums;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopViewTest {
    private static final long SECOND = 1_000_000_000;
    private static final int NAMES = 50;

    private final TopView view = new TopView("prog", TopKind.DATA, 0);

    /** Names 0 to 49, of which each has one access more than the one before, so many times. */
    private static TopSums sums(long second, long times) {
        Map<TopKind, Map<String, TopRow>> rows = new HashMap<>();
        for (TopKind kind : TopKind.values()) {
            Map<String, TopRow> all = new HashMap<>();
            for (int i = 0; i < NAMES; i++) {
                String name = kind.name() + i;
                all.put(name, new TopRow(name, name, "[x]", times * i, times));
            }
            rows.put(kind, all);
        }
        return new TopSums(second * SECOND, 1, 1, false, rows);
    }

    private List<String> lines() {
        return view.screen(100, 12, false, true).lines().toList();
    }

    private void type(String keys) {
        keys.chars().forEach(key -> assertTrue(view.key(key)));
    }

    @Test
    void shouldShowTheHottestAndTheirRates() {
        view.take(sums(1, 10));
        view.take(sums(3, 30));
        assertEquals(
                """
                madt top: prog   3.0 s   38,250 accesses   12,750 a second
                [1 data] 2 functions  3 access sites  4 threads   by all accesses
                  share               a second   loads  stores  symbol  region
                  3.9 % ████████████       500   1,470      30  DATA49  [x]
                  3.8 % ███████████▊       490   1,440      30  DATA48  [x]
                  3.8 % ███████████▌       480   1,410      30  DATA47  [x]
                  3.7 % ███████████▎       470   1,380      30  DATA46  [x]
                  3.6 % ███████████        460   1,350      30  DATA45  [x]
                  3.5 % ██████████▊        450   1,320      30  DATA44  [x]
                … 44 more
                100.0 %                 12,750  36,750   1,500  total
                1-4, Tab: what is shown   s: sort   space: freeze   r: reset   q: quit""",
                String.join("\n", lines()));
    }

    @Test
    void shouldTurnToOtherRowsAndOrders() {
        view.take(sums(1, 10));
        type("2");
        assertTrue(lines().get(1).contains("[2 functions]"));
        assertTrue(lines().get(3).contains("FUNCTIONS49"));
        type("\t\t");
        assertTrue(lines().get(3).contains("THREADS49"));
        type("\t");
        assertTrue(lines().get(3).contains("DATA49"));
        view.turn(-1);
        assertTrue(lines().get(3).contains("THREADS49"));
        type("1ss");
        assertTrue(lines().get(1).endsWith("by name"));
        assertTrue(lines().get(3).contains("DATA0 "));
        type("s");
        assertTrue(lines().get(1).endsWith("by all accesses"));
        assertFalse(view.key('x'));
    }

    @Test
    void shouldFreezeAndReset() {
        view.take(sums(1, 10));
        type(" ");
        String frozen = String.join("\n", lines());
        assertTrue(frozen.contains("   frozen"));
        view.take(sums(2, 20));
        assertEquals(frozen, String.join("\n", lines()));
        type(" ");
        view.take(sums(3, 30));
        assertTrue(lines().get(0).contains("38,250 accesses   12,750 a second"), lines().get(0));
        type("r");
        assertTrue(lines().get(0).contains("0 accesses"), lines().get(0));
        view.take(sums(4, 31));
        assertTrue(lines().get(0).contains("1,275 accesses   1,275 a second"), lines().get(0));
        view.end(sums(5, 32));
        assertTrue(lines().get(0).contains("2,550 accesses   1,275 a second"), lines().get(0));
    }

    @ParameterizedTest
    @CsvSource({"80,24", "120,40", "60,10", "80,3", "200,100"})
    void shouldFitTheTerminal(int columns, int rows) {
        TopView named = new TopView("p".repeat(300), TopKind.SITES, 0);
        named.take(sums(1, 1_000_000_007));
        for (boolean coloured : new boolean[] {true, false}) {
            List<String> lines =
                    named.screen(columns, rows, coloured, true).lines().toList();
            assertTrue(lines.size() <= Math.max(rows, 7), lines.size() + " lines");
            for (String line : lines) {
                String plain = line.replaceAll("\033\\[[0-9]*m", "");
                assertTrue(plain.length() <= columns, plain);
            }
        }
    }
}
