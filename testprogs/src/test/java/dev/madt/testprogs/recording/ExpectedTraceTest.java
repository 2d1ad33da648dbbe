package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExpectedTraceTest {
    private static final List<String> TRACE = List.of(
            "M$7:<malloc0007@make+21>,528",
            "L$0:<malloc0007@make+21>+0,[heap],main+45",
            "S$1:table+8,[.bss],main+52",
            "S$2:table+16,[.bss],main+52");

    @Test
    void shouldAcceptExactLinesWithPlaceholders() {
        assertNull(difference(
                "# all four",
                "M$%{event}:<malloc%{block}@make+%{call}>,528",
                "L$%d:<malloc%{block}@make+%{call}>+0,[heap],main+%d",
                "2 * S$%d:table+%d,[.bss],…"));
    }

    @Test
    void shouldRefuseAnotherNumberForABoundName() {
        assertNotNull(difference(
                "M$%{event}:<malloc%{block}@make+21>,528", "L$%d:<malloc%{event}@…", "..."));
    }

    @Test
    void shouldSkipLinesOnlyWhereAGapStands() {
        assertNull(difference("...", "S$%d:table+8,…", "..."));
        assertEquals(
                "expected 'S$%d:table+8,…', but line 1 is '" + TRACE.get(0)
                        + "'; numbers so far: {}",
                difference("S$%d:table+8,…", "..."));
    }

    @Test
    void shouldRefuseLinesThatAreTooManyOrTooFew() {
        assertEquals("unexpected line 4: '" + TRACE.get(3) + "'", difference("...", "S$1:…"));
        assertNotNull(difference("keep S…", "3 * S$%d:…"));
    }

    @Test
    void shouldLookOnlyAtKeptLines() {
        assertNull(difference(
                "keep S$%d:table…", "S$1:table+8,[.bss],main+52", "S$2:table+16,[.bss],main+52"));
    }

    private static String difference(String... expected) {
        return ExpectedTrace.of(List.of(expected)).difference(TRACE);
    }
}
