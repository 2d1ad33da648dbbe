package dev.madt.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.OwnSource;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Checks that what views get of a selection is what {@code print} prints of it. */
class SelectedViewTest {
    private static final int EVENTS = 20_011;

    /** Writes accesses and bulk transfers as lines, without names. */
    private static final class Noted implements Analysis {
        private final List<String> lines = new ArrayList<>();
        private final Predicate<Place> code;
        private final Predicate<DataObject> data;

        private Noted(Predicate<Place> code, Predicate<DataObject> data) {
            this.code = code;
            this.data = data;
        }

        @Override
        public void accesses(Accesses batch) {
            for (int i = 0; i < batch.count(); i++) {
                assertEquals(batch.place(i).size(), batch.size(i));
                if (code.test(batch.place(i)) && data.test(batch.object(i))) {
                    lines.add((batch.store(i) ? "S$" : "L$") + (batch.first() + i));
                }
            }
        }

        @Override
        public void block(BlockAccess event) {
            boolean wanted = data.test(event.target())
                    || event.source() != null && data.test(event.source());
            if (code.test(event.place()) && wanted) {
                lines.add("YWG" + "$" + event.number());
            }
        }
    }

    private static List<String> viewed(long seed, Selection selection) {
        Noted noted = new Noted(place -> true, object -> true);
        new RandomEvents(seed, new ViewFeed(new SelectedView(noted, selection))).give(EVENTS);
        return noted.lines;
    }

    private static List<String> picked(
            long seed, Predicate<Place> code, Predicate<DataObject> data) {
        Noted noted = new Noted(code, data);
        new RandomEvents(seed, new ViewFeed(noted)).give(EVENTS);
        return noted.lines;
    }

    private static List<String> printed(long seed, Selection selection) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new RandomEvents(
                        seed,
                        new EventFilter(
                                selection, new LineWriter(out, LineOptions.RAW), OwnSource.USUAL))
                .give(EVENTS);
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> "LSYWG".indexOf(line.charAt(0)) >= 0)
                .map(line -> ("LS".indexOf(line.charAt(0)) >= 0 ? line.substring(0, 1) : "YWG")
                        + line.substring(1, line.indexOf(':')).replace('#', '$'))
                .toList();
    }

    private static NamePattern name(String text) {
        return new NamePattern(text);
    }

    private static Selection of(
            NamePattern symbol,
            NamePattern region,
            NamePattern site,
            NamePattern function,
            NamePattern file,
            LineRange lines) {
        return new Selection(
                symbol,
                region,
                site,
                null,
                function,
                file,
                lines,
                null,
                ThreadChoice.ALL,
                -1,
                0,
                -1,
                -1,
                -1);
    }

    private static void assertSame(long seed, Selection selection) {
        List<String> printed = printed(seed, selection);
        assertFalse(printed.isEmpty());
        assertEquals(printed, viewed(seed, selection));
    }

    @Test
    void shouldGiveAllThatIsPrinted() {
        assertSame(1, Selection.ALL);
        assertSame(2, new Selection(name("table"), null, null, -1, -1, 0, -1));
        assertSame(3, new Selection(name("<malloc@*"), name("t?o"), null, -1, -1, 0, -1));
        assertSame(4, new Selection(null, null, "SG", -1, -1, 0, -1));
        assertSame(5, new Selection(null, null, null, 2, -1, 0, -1));
        assertSame(6, new Selection(null, null, null, -1, 0x101234, 0, -1));
        assertSame(
                7,
                new Selection(
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        ThreadChoice.ALL,
                        -1,
                        700,
                        3_100,
                        -1,
                        -1));
        assertSame(8, of(null, name("[heap]"), null, null, null, null));
    }

    @Test
    void shouldSelectByTheCallThatAllocated() {
        String call = "two+*";
        List<String> expected = picked(
                9,
                place -> true,
                object -> object.call() != null && object.call().name().startsWith("two+"));
        assertTrue(expected.size() > 100, expected.size() + " lines");
        assertEquals(expected, viewed(9, of(null, null, name(call), null, null, null)));
        assertEquals(expected, printed(9, of(null, null, name("two"), null, null, null)));
        List<String> others = picked(9, place -> true, object -> object.block() == null);
        assertEquals(others, viewed(9, of(null, null, name(Selection.NO_BLOCK), null, null, null)));
    }

    @Test
    void shouldSelectByType() {
        Selection typed = type("made_up*");
        List<String> expected = picked(12, place -> true, object -> object.type() != null);
        assertTrue(expected.size() > 100, expected.size() + " lines");
        assertEquals(expected, viewed(12, typed));
        assertEquals(expected, printed(12, typed));
        List<String> array =
                picked(12, place -> true, object -> "made_up[31]".equals(object.type()));
        assertTrue(!array.isEmpty() && array.size() < expected.size(), array.size() + " lines");
        assertEquals(array, viewed(12, type("made_up[31]")));
        assertEquals(
                picked(12, place -> true, object -> object.type() == null),
                printed(12, type(Selection.NO_TYPE)));
    }

    private static Selection type(String name) {
        return new Selection(
                null,
                null,
                null,
                name(name),
                null,
                null,
                null,
                null,
                ThreadChoice.ALL,
                -1,
                0,
                -1,
                -1,
                -1);
    }

    @Test
    void shouldSelectBySourceLine() {
        List<String> expected =
                picked(10, place -> place.line() >= 20 && place.line() <= 40, object -> true);
        assertTrue(expected.size() > 100, expected.size() + " lines");
        assertEquals(
                expected,
                viewed(10, of(null, null, null, null, null, new LineRange(null, 20, 40))));
        assertEquals(
                expected,
                printed(10, of(null, null, null, null, null, new LineRange(name("*"), 20, 40))));
        assertEquals(
                List.of(),
                viewed(
                        10,
                        of(
                                null,
                                null,
                                null,
                                null,
                                name("elsewhere.c"),
                                new LineRange(null, 20, 40))));
    }

    @Test
    void shouldTakeEverySpellingOfAName() {
        NamePattern pattern = new NamePattern(
                "Book::match",
                List.of(spelled -> spelled.equals("_ZN4Book5matchEv") ? "Book::match" : spelled));
        assertTrue(pattern.matches("_ZN4Book5matchEv"));
        assertTrue(pattern.matches("Book::match"));
        assertFalse(pattern.matches("_ZN4Book3addEv"));
        NamePattern block = new NamePattern(
                "<malloc@Book::match+45>",
                List.of(spelled -> spelled.equals("_ZN4Book5matchEv") ? "Book::match" : spelled));
        assertTrue(block.matches("<malloc@_ZN4Book5matchEv+45>"));
        assertFalse(block.matches("<malloc@_ZN4Book5matchEv+46>"));
        NamePattern linked = new NamePattern(
                "_ZN4Book5matchEv",
                List.of(spelled -> spelled.equals("_ZN4Book5matchEv") ? "Book::match" : spelled));
        assertTrue(linked.matches("Book::match"));
        assertTrue(linked.hasMatched());
        assertEquals(List.of("Book::match"), List.copyOf(linked.names()));
    }
}
