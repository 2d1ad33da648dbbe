package dev.madt.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
    private static final List<String> LABELS = List.of(
            "[heap]",
            "[anon]",
            "[.data]",
            "[.bss]",
            "[libc.so.6:.bss]",
            "[libz.so.1:.data]",
            "[file:table.db]");

    private static String covered(Scope scope) {
        return String.join(
                " ",
                LABELS.stream().filter(label -> scope.covers(label, "sort")).toList());
    }

    private static String[] globs(String text) {
        return text == null ? null : text.split(";");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    [heap]      |              | [heap] [anon]
                    heap;.bss   |              | [heap] [anon] [.bss]
                    h?ap        |              | [heap]
                                | [heap]       | [.data] [.bss] [libc.so.6:.bss] [libz.so.1:.data] \
                    [file:table.db]
                    libc*       |              | [libc.so.6:.bss]
                    lib*        | *:.data      | [libc.so.6:.bss]
                    sort        |              | [.data] [.bss]
                    sort:.data  |              | [.data]
                    *.db        |              | [file:table.db]
                    file:*      |              | [file:table.db]
                    *.bss       |              | [.bss] [libc.so.6:.bss]
                                | [anon];lib?.so.1 | [heap] [.data] [.bss] [libc.so.6:.bss] \
                    [file:table.db]
                    LIBC*       |              | ''
                    .           |              | ''
                    """)
    void shouldCoverWhatThePatternsSay(String only, String exclude, String expected) {
        assertEquals(
                expected,
                covered(Scope.of(globs(only), globs(exclude), false, false, false, false, false)));
    }

    @Test
    void shouldAddTheShorthandsUp() {
        assertEquals(
                "[heap] [anon]", covered(Scope.of(null, null, true, false, false, false, false)));
        assertEquals(
                "[.data] [.bss]", covered(Scope.of(null, null, false, true, false, false, false)));
        assertEquals(
                "[libc.so.6:.bss] [libz.so.1:.data]",
                covered(Scope.of(null, null, false, false, true, false, false)));
        assertEquals(
                "[heap] [anon] [libc.so.6:.bss] [libz.so.1:.data] [file:table.db]",
                covered(Scope.of(globs("*.db"), null, true, false, true, false, false)));
        assertEquals(String.join(" ", LABELS), covered(Scope.EVERYTHING));
        assertTrue(Scope.of(null, null, true, false, false, false, true).covers("[tls]", "sort"));
        assertTrue(Scope.of(null, null, true, false, false, false, true).covers("[tcb]", "sort"));
        assertFalse(Scope.of(null, null, true, false, false, false, false).covers("[tls]", "sort"));
    }

    @Test
    void shouldLeaveMappedMemoryAloneOnlyWhenNoPatternCanMeanIt() {
        assertTrue(Scope.EVERYTHING.mayCoverMapped());
        assertTrue(
                Scope.of(globs("x.db"), null, false, false, false, false, false).mayCoverMapped());
        assertTrue(Scope.of(null, null, true, false, false, false, false).mayCoverMapped());
        assertFalse(Scope.of(null, null, false, true, true, false, false).mayCoverMapped());
    }
}
