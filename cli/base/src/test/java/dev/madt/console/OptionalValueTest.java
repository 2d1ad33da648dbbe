package dev.madt.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionalValueTest {
    private static String spelled(String words) {
        return String.join(
                " ",
                OptionalValue.spelled(
                        words.split(" "), "--top", word -> word.matches("\\d+"), "20"));
    }

    @Test
    void shouldTakeOnlyAValue() {
        assertEquals("--top=5 a.madt", spelled("--top 5 a.madt"));
        assertEquals("--top=20 a.madt", spelled("--top a.madt"));
        assertEquals("a.madt --top=20", spelled("a.madt --top"));
        assertEquals("--top=7 --wide", spelled("--top=7 --wide"));
    }

    @Test
    void shouldKnowWhichLocalesHaveBlocks() {
        assertTrue(Terminal.isUnicode(Map.of("LANG", "de_DE.UTF-8")));
        assertTrue(Terminal.isUnicode(Map.of("LC_ALL", "C.utf8", "LANG", "C")));
        assertFalse(Terminal.isUnicode(Map.of("LC_ALL", "C", "LANG", "de_DE.UTF-8")));
        assertFalse(Terminal.isUnicode(Map.of()));
        assertTrue(Terminal.hasBlocks(Map.of("LANG", "C.UTF-8"), true));
        assertFalse(Terminal.hasBlocks(Map.of(), true));
        assertTrue(Terminal.hasBlocks(Map.of(), false));
        assertFalse(Terminal.hasBlocks(Map.of("LC_ALL", "C"), false));
    }
}
