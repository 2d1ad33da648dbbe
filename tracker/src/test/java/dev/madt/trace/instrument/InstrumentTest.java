package dev.madt.trace.instrument;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstrumentTest {
    private static Instrument log(String expression) throws InstrumentSyntaxException {
        return Instrument.of(0, "f", "log " + expression, "");
    }

    private static Value value(String expression) throws InstrumentSyntaxException {
        Expression parsed = log(expression).actions().get(0).values().get(0);
        return parsed.evaluate(leaf -> leaf.root().equals("wild")
                ? Value.UNKNOWN
                : Value.of(leaf.root().length()));
    }

    @ParameterizedTest
    @CsvSource({
        "1 + 2 * 3, 7",
        "(1 + 2) * 3, 9",
        "7 - 2 - 1, 4",
        "1 << 4 | 1, 17",
        "6 & 3 == 3, 0",
        "0x10 % 7, 2",
        "-7 / 2, -3",
        "~0 >> 70, -1",
        "1 < 2 && 3 > 4 || !0, 1",
        "four + arg3, 8",
        "reg(r12) * 10, 30",
        "0 && wild, 0",
        "1 || wild, 1",
        "7 ^ 2, 5"
    })
    void shouldEvaluateAsCDoes(String expression, long wanted) throws Exception {
        assertEquals(Value.of(wanted), value(expression));
    }

    @ParameterizedTest
    @CsvSource({
        "0xffffffffffffffff / 2, 9223372036854775807",
        "0xffffffffffffffff >> 63, 1",
        "18446744073709551615 > 5, 1",
        "-1 < 0xffffffffffffffff, 0",
        "0x8000000000000000 % 10, 8",
        "-1 < 1, 1"
    })
    void shouldComputeWithoutSignsAsCDoes(String expression, long wanted) throws Exception {
        assertEquals(wanted, value(expression).bits());
    }

    @ParameterizedTest
    @CsvSource({"wild + 1", "1 / 0", "1 % 0", "1 && wild", "wild == wild"})
    void shouldNotKnowWhatCannotBeTold(String expression) throws Exception {
        assertFalse(value(expression).known());
    }

    @Test
    void shouldTakeTimesByKeys() throws Exception {
        Instrument keyed = Instrument.of(0, "f", "time by str(arg0); time; hist apart", "");
        Action byText = keyed.actions().get(0);
        assertTrue(byText.takesTimes() && byText.goesByTexts() && !byText.hasSlots());
        assertTrue(keyed.actions().get(1).takesTimes() && keyed.actions().get(1).hasSlots());
        assertTrue(keyed.actions().get(2).takesTimes() && keyed.actions().get(2).hasSlots());
        assertFalse(
                Instrument.of(0, "f", "hist apart / 1000", "").actions().get(0).takesTimes());
        assertEquals(
                List.of("str(arg0)", "apart"),
                keyed.valueLeaves().stream().map(Leaf::text).toList());
        assertThrows(InstrumentSyntaxException.class, () -> Instrument.of(0, "f", "time by", ""));
        assertThrows(InstrumentSyntaxException.class, () -> log("str(apart)"));
    }

    @Test
    void shouldTellTextsOfTablesByTheirNumbers() {
        RecordedInstruments recorded = new RecordedInstruments();
        recorded.meta(Map.of(RecordedInstruments.TEXTS, "one\n\ntwo"));
        assertEquals(
                List.of("one", "", "two"),
                List.of(recorded.text(0), recorded.text(1), recorded.text(2)));
        assertNull(recorded.text(3));
    }

    @Test
    void shouldTakeInstrumentsThatCameLater() throws Exception {
        RecordedInstruments recorded = new RecordedInstruments();
        String first = Instrument.of(0, "f", "count", "").row();
        String second = Instrument.of(1, "g", "max i", "i > 0").row();
        recorded.meta(Map.of(Instrument.KEY, first));
        recorded.meta(Map.of(Instrument.KEY, first + "\n" + second));
        recorded.meta(Map.of(Instrument.KEY, first));
        assertEquals(
                List.of("f", "g"),
                recorded.all().stream().map(Instrument::typed).toList());
        assertEquals(1, recorded.all().get(1).number());
    }

    @Test
    void shouldReadMembersElementsAndTexts() throws Exception {
        Leaf leaf = log("*list -> next[ 2 ].name").leaves().iterator().next();
        assertEquals("*list->next[2].name", leaf.text());
        assertEquals("list", leaf.root());
        assertEquals(
                List.of("next true 0", "null false 2", "name false 0", "null false 0"),
                leaf.steps().stream()
                        .map(step -> step.member() + " " + step.through() + " " + step.index())
                        .toList());
        Leaf text = log("str(arg1, 17)").leaves().iterator().next();
        assertEquals(17, text.bytes());
        assertEquals(6, text.register());
    }

    @ParameterizedTest
    @CsvSource({
        "f, ENTRY, , f, 0, false",
        "f:return, RETURN, , f, 0, false",
        "ns::f:block(3), BLOCK, , ns::f, 3, false",
        "libx.so:ns::f*:block(*):after, BLOCK, libx.so, ns::f*, -1, true",
        "f+0x1f:after, OFFSET, , f, 31, true",
        "libx.so:*, ENTRY, libx.so, *, 0, false",
        "f:line(12), LINE, , f, 12, false",
        "src/a.cpp:120, FILE_LINE, , src/a.cpp, 120, false"
    })
    void shouldReadPlaces(
            String text, Place.Kind kind, String module, String name, long number, boolean after)
            throws Exception {
        Place place = Instrument.of(0, text, "count", "").place();
        assertEquals(new Place(kind, module, name, number, after, place.column()), place);
    }

    @ParameterizedTest
    @CsvSource({
        "log 1 +, 7",
        "log (1, 6",
        "log 1 = 2, 6",
        "count; what, 7",
        "sum arg0 by, 11",
        "log reg(eax), 8",
        "log p->, 7",
        "log p[x], 6",
        "stack 0, 6",
        "stack 64, 6",
        "stack -1, 6",
        "stack 1 2, 6",
        "stack 5; sum a by stack 6, 24"
    })
    void shouldPointAtWhatIsWrong(String actions, int column) {
        InstrumentSyntaxException wrong = assertThrows(
                InstrumentSyntaxException.class, () -> Instrument.of(0, "f", actions, ""));
        assertEquals(column, wrong.column(), wrong.picture());
        assertTrue(wrong.picture().endsWith("^"));
    }

    @Test
    void shouldSayWhatCountsByKeys() {
        InstrumentSyntaxException wrong = assertThrows(
                InstrumentSyntaxException.class,
                () -> Instrument.of(0, "f", "count by str(arg0)", ""));
        assertTrue(wrong.getMessage().contains("'sum 1 by …'"), wrong.getMessage());
        assertEquals(6, wrong.column());
    }

    @Test
    void shouldTellHitsAsTheirTextSays() throws Exception {
        Instrument instrument = Instrument.of(
                0, "f", "log \"%d %u %x %p %c 100%% %s\" a a a b c, str(t, 8)", "a != 1 | 2");
        Map<String, LeafForm> leaves = new LinkedHashMap<>();
        leaves.put("a", new LeafForm(LeafForm.Kind.MEMORY, 4, true, 0));
        leaves.put("b", new LeafForm(LeafForm.Kind.POINTER, 8, false, 16));
        leaves.put("c", new LeafForm(LeafForm.Kind.MEMORY, 8, true, 0));
        leaves.put("str(t,8)", new LeafForm(LeafForm.Kind.TEXT, 8, false, 0));
        PlacedInstrument placed = new PlacedInstrument(5, 0, "f", "m", 0x1149, false, leaves);
        RecordedInstruments recorded = new RecordedInstruments();
        recorded.meta(Map.of(Instrument.KEY, instrument.row(), PlacedInstrument.KEY, placed.row()));
        long piece = 0x6766656463626120L;
        long[] words = {0xfffffffdL, 0x10, 'x', 0, 0x2001, piece, 'h', 0, 0};
        String line = null;
        for (int i = 0; i < words.length; i += 3) {
            TraceEvent event = TraceEvent.of(
                    i + 3 < words.length
                            ? RingEventType.INSTRUMENT_VALUES
                            : RingEventType.INSTRUMENT_HIT,
                    7,
                    0,
                    5,
                    words[i],
                    words[i + 1],
                    words[i + 2],
                    "",
                    0);
            line = recorded.takes(event) ? null : recorded.said(event).text();
        }
        assertEquals("-3 18446744073709551613 fffffffffffffffd 0x20 x 100% \"abcdefgh…\"", line);
    }

    @Test
    void shouldTakeStacks() throws Exception {
        Instrument instrument = Instrument.of(0, "f", "log b; stack 3; sum a by stack", "");
        Leaf stack = instrument.stack();
        assertEquals(4, stack.calls());
        assertEquals(stack, instrument.actions().get(1).stack());
        assertEquals(stack, instrument.actions().get(2).stack());
        assertNull(instrument.actions().get(0).stack());
        assertEquals(21, Instrument.of(0, "f", "stack", "").stack().calls());
        assertEquals(64, Instrument.of(0, "f", "stack 63", "").stack().calls());
        assertEquals(SharedLayout.CHAIN_CALLS, 1 + Leaf.MOST_CALLERS);
        // the program may have a variable of the name
        assertNull(Instrument.of(0, "f", "sum a by (stack)", "").stack());
        Map<String, LeafForm> leaves = new LinkedHashMap<>();
        leaves.put("b", new LeafForm(LeafForm.Kind.MEMORY, 4, true, 0));
        leaves.put("stack()", LeafForm.WHOLE);
        leaves.put("a", LeafForm.WHOLE);
        PlacedInstrument placed = new PlacedInstrument(5, 0, "f", "m", 0x1149, false, leaves);
        RecordedInstruments recorded = new RecordedInstruments();
        recorded.meta(Map.of(Instrument.KEY, instrument.row(), PlacedInstrument.KEY, placed.row()));
        TraceEvent hit = TraceEvent.of(RingEventType.INSTRUMENT_HIT, 7, 0, 5, 12, 77, 9, "", 0);
        assertEquals(new RecordedInstruments.Said("b=12", 77, 4), recorded.said(hit));
        assertEquals(instrument.actions().get(2), recorded.action(2));
        assertNull(recorded.action(3));
        assertNull(recorded.action(8));
    }

    @Test
    void shouldTellWhatIsNotThere() {
        long[] none = {-1, -1, -1};
        assertFalse(new LeafForm(LeafForm.Kind.MEMORY, 4, true, 0).read(none, 0).known());
        assertFalse(new LeafForm(LeafForm.Kind.MEMORY, 8, true, 0).read(none, 0).known());
        assertFalse(
                new LeafForm(LeafForm.Kind.POINTER, 8, false, 0).read(none, 0).known());
        assertFalse(new LeafForm(LeafForm.Kind.TEXT, 8, false, 0).read(none, 0).known());
        assertFalse(LeafForm.NOWHERE.read(none, 0).known());
        long[] minusOne = {0xffffffffL, 0xffffffffL};
        assertEquals(
                Value.of(-1), new LeafForm(LeafForm.Kind.MEMORY, 8, true, 0).read(minusOne, 0));
        assertEquals(
                Value.of(0xffffffffL),
                new LeafForm(LeafForm.Kind.MEMORY, 4, false, 0).read(minusOne, 0));
    }

    @Test
    void shouldCountBySlotsOfTwoPowers() {
        assertEquals(0, Action.slot(0));
        assertEquals(1, Action.slot(1));
        assertEquals(3, Action.slot(7));
        assertEquals(4, Action.slot(8));
        assertEquals(-3, Action.slot(-5));
    }
}
