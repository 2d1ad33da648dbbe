package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.OwnSource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventFilterTest {
    private static final int EVENTS = 20_011;

    private static List<String> all(long seed, LineOptions form) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RandomEvents(seed, new LineWriter(out, form)).give(EVENTS);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static List<String> filtered(long seed, LineOptions form, Selection selection) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RandomEvents(
                        seed,
                        new EventFilter(selection, new LineWriter(out, form), OwnSource.USUAL))
                .give(EVENTS);
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static void assertFiltered(
            long seed, LineOptions form, Selection selection, Predicate<String> wanted) {
        List<String> expected = all(seed, form).stream().filter(wanted).toList();
        assertFalse(expected.isEmpty());
        assertEquals(expected, filtered(seed, form, selection));
    }

    private static boolean isAllocation(String line) {
        return "MCPREFU".indexOf(line.charAt(0)) >= 0;
    }

    @Test
    void shouldLetEverythingThroughThatIsNotRestricted() {
        assertFiltered(1, LineOptions.BOTH, Selection.ALL, line -> true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"L", "SW", "MCR", "YFU"})
    void shouldSelectKinds(String letters) {
        assertFiltered(
                2,
                LineOptions.SYMBOLIC,
                new Selection(null, null, letters, -1, -1, 0, -1),
                line -> letters.indexOf(line.charAt(0)) >= 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "<malloc0*", "<freed:*@one+*"})
    void shouldSelectTheDataOfLoads(String symbol) {
        String expression = ":" + symbol.replace("+", "\\+").replace("*", ".*") + "\\+\\d+";
        assertFiltered(
                3,
                LineOptions.SYMBOLIC,
                new Selection(new NamePattern(symbol), null, "L", -1, -1, 0, -1),
                line -> line.startsWith("L")
                        && line.substring(line.indexOf(':'), line.indexOf(','))
                                .matches(expression));
    }

    /** The name of a call stands for all its blocks, the ended ones too. */
    @Test
    void shouldSelectTheBlocksOfACall() {
        List<String> lines = filtered(
                8,
                LineOptions.SYMBOLIC,
                new Selection(new NamePattern("<calloc@t*"), null, "L", -1, -1, 0, -1));
        assertTrue(lines.stream()
                .allMatch(line -> line.matches("L\\$\\d+:<(calloc|freed:|unmap:)\\d+@t.*")));
        assertTrue(lines.stream().anyMatch(line -> line.contains("<calloc")));
        assertTrue(lines.stream().anyMatch(line -> line.contains("<freed:")));
    }

    @Test
    void shouldSelectFunctions() {
        assertFiltered(
                4,
                LineOptions.SYMBOLIC,
                new Selection(null, new NamePattern("t?o"), "LSYWG", -1, -1, 0, -1),
                line -> !isAllocation(line) && line.matches(".*,two\\+\\d+~?"));
    }

    @Test
    void shouldSelectAPage() {
        assertFiltered(
                5, LineOptions.RAW, new Selection(null, null, "W", -1, 0x101234, 0, -1), line -> {
                    if (!line.startsWith("W#")) {
                        return false;
                    }
                    String[] fields = line.substring(line.indexOf(':') + 3).split(",");
                    long address = Long.parseLong(fields[0], 16);
                    long end = address + Math.max(1, Long.parseLong(fields[1]));
                    return address < 0x102000 && end > 0x101000;
                });
    }

    @Test
    void shouldBeginAtANumberAndEndAfterACount() {
        List<String> expected = all(6, LineOptions.SYMBOLIC).stream()
                .filter(line -> line.startsWith("S$")
                        && Long.parseLong(line.substring(2, line.indexOf(':'))) >= 5_001)
                .limit(7)
                .toList();
        assertEquals(7, expected.size());
        assertEquals(
                expected,
                filtered(
                        6, LineOptions.SYMBOLIC, new Selection(null, null, "S", -1, -1, 5_001, 7)));
    }

    @Test
    void shouldSelectAThread() {
        List<String> one =
                filtered(7, LineOptions.SYMBOLIC, new Selection(null, null, "LS", 1, -1, 0, -1));
        List<String> two =
                filtered(7, LineOptions.SYMBOLIC, new Selection(null, null, "LS", 2, -1, 0, -1));
        assertTrue(!one.isEmpty() && !two.isEmpty());
        long all = all(7, LineOptions.SYMBOLIC).stream()
                .filter(line -> line.startsWith("L$") || line.startsWith("S$"))
                .count();
        assertEquals(all, one.size() + two.size());
    }

    @Test
    void shouldTakeWildcardsOnlyForWhatTheyAre() {
        assertTrue(new NamePattern("a*.c?").matches("a/b.cc"));
        assertFalse(new NamePattern("a.c").matches("abc"));
        assertFalse(new NamePattern("main").matches("main2"));
    }
}
