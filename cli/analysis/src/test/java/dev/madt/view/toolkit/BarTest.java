package dev.madt.view.toolkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class BarTest {
    private static Table table() {
        return new Table("rows", List.of("share", "loads", "symbol"))
                .row(new Table.Share(0.5), 1_000L, "counter")
                .row(new Table.Share(0.25), 500L, "table")
                .row(new Table.Share(0.0001), 1L, "flag")
                .row(new Table.Share(0), 0L, "nothing")
                .total(new Table.Share(1), 2_000L, "total");
    }

    @Test
    void shouldHaveEighthsOfACharacter() {
        assertEquals("████", Bar.of(1, 4, true));
        assertEquals("████", Bar.of(2, 4, true));
        assertEquals("██  ", Bar.of(0.5, 4, true));
        assertEquals("▌   ", Bar.of(0.125, 4, true));
        assertEquals("█▏  ", Bar.of(9 / 32.0, 4, true));
        assertEquals("▏   ", Bar.of(1e-9, 4, true));
        assertEquals("    ", Bar.of(0, 4, true));
    }

    @Test
    void shouldDoWithPlainCharacters() {
        assertEquals("####", Bar.of(1, 4, false));
        assertEquals("##  ", Bar.of(0.4, 4, false));
        assertEquals("#   ", Bar.of(1e-9, 4, false));
        assertEquals("    ", Bar.of(0, 4, false));
    }

    @Test
    void shouldStandBesideTheShare() {
        assertEquals(
                """
                  share             loads  symbol
                 50.0 % ██████████  1,000  counter
                 25.0 % █████         500  table
                  0.0 % ▏               1  flag
                  0.0 %                 0  nothing
                100.0 %             2,000  total
                """,
                new TextTable(false, 80).bars(true).render(table()));
        assertTrue(new TextTable(false, 80).bars(false).render(table()).contains(" ##########  "));
    }

    @Test
    void shouldFitTheLineAndHaveColourOfItsOwn() {
        Table wide = table().row(new Table.Share(0.1), 5L, "x".repeat(300));
        for (int width : new int[] {80, 120}) {
            new TextTable(false, width)
                    .bars(true)
                    .render(wide)
                    .lines()
                    .forEach(line -> assertTrue(line.length() <= width, line));
        }
        String hot = new TextTable(true, 80)
                .bars(true)
                .render(table())
                .lines()
                .toList()
                .get(1);
        assertEquals(
                "\033[31m 50.0 % \033[36m██████████\033[0m\033[31m  1,000  counter\033[0m", hot);
        assertFalse(new TextTable(false, 80).bars(true).render(table()).contains("\033"));
    }
}
