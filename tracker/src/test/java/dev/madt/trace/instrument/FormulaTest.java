package dev.madt.trace.instrument;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.List;
import org.junit.jupiter.api.Test;

class FormulaTest {
    private static Value value(String text, long... words) {
        Formula formula = Formula.of(text);
        assertEquals(text, formula.text());
        return formula.evaluate(words, 0);
    }

    private static double real(String text, double... words) {
        long[] bits = new long[words.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Double.doubleToRawLongBits(words[i]);
        }
        return Double.longBitsToDouble(value(text, bits).bits());
    }

    @Test
    void shouldCompute() {
        assertEquals(Value.of(12), value("1,w0,#5,add", 7));
        assertEquals(Value.of(-2), value("2,w0,w1,subtract", 5, 7));
        assertEquals(Value.of(-3), value("1,w0,#2,divide", -7));
        assertEquals(Value.of(-1), value("1,w0,#2,remainder", -7));
        assertEquals(Value.of(1), value("1,w0,#2,remainder_unsigned", -7));
        assertEquals(Value.of(0x0f), value("1,w0,#60,right", -7));
        assertEquals(Value.of(-1), value("1,w0,#60,right_signed", -7));
        assertEquals(Value.of(-56), value("1,w0,signed_byte", 200));
        assertEquals(Value.of(200), value("1,w0,byte", -56));
        assertEquals(Value.of(1), value("2,w0,w1,less", -1, 0));
        assertEquals(Value.of(0), value("2,w0,w1,less_unsigned", -1, 0));
        assertEquals(0.75, real("2,w0,w1,multiply_real", 1.5, 0.5));
        assertEquals((double) 0.1f, real("1,w0,to_float,of_float", 0.1));
        assertEquals(Value.of(-2), value("1,w0,of_signed,#0,of_signed,add_real,to_signed", -2));
    }

    @Test
    void shouldNotKnowWhatHasNoValue() {
        assertEquals(Value.UNKNOWN, value("1,w0,#0,divide", 7));
        assertEquals(Value.UNKNOWN, value("1,w0,#64,left", 7));
        assertEquals(Value.UNKNOWN, value("1,m0,#1,and", -1));
        assertEquals(Value.UNKNOWN, value("2,h0", 5, -1));
        assertEquals(Value.of(0x1_0000_0005L), value("2,h0", 5, 1));
        assertEquals(Value.UNKNOWN, value("1,w0,of_a_newer_recorder", 7));
        assertEquals(Value.UNKNOWN, value("1,add", 7));
        assertEquals(Value.UNKNOWN, value("1,w3", 7));
        assertEquals(Value.UNKNOWN, value("1,w0,w0", 7));
    }

    @Test
    void shouldTakeTheWayOfACaller() {
        String ways = "2,w0,?1149:3,w1,negate,j4,?fffffffffffffff0:2,#77,j1,n";
        assertEquals(Value.of(-5), value(ways, 0x1149, 5));
        assertEquals(Value.of(77), value(ways, -16, 5));
        assertEquals(Value.UNKNOWN, value(ways, 0x114a, 5));
    }

    @Test
    void shouldBeInForms() {
        Formula formula = Formula.of("2,w0,w1,add");
        LeafForm form = new LeafForm(LeafForm.Kind.COMPUTED, 2, true, 8, formula);
        assertEquals("xs2+8~2,w0,w1,add", form.text());
        assertEquals(form, LeafForm.of(form.text()));
        assertEquals(2, form.words());
        assertEquals(Value.of(-2), form.read(new long[] {0xfffe00, 0xff}, 0));
        LeafForm real = new LeafForm(LeafForm.Kind.COMPUTED_FLOAT, 4, false, 0, formula);
        assertEquals(Value.of(0.5, 4), real.read(new long[] {Float.floatToRawIntBits(0.5f), 0}, 0));
        LeafForm memory = new LeafForm(LeafForm.Kind.FLOAT_MEMORY, 8, false, 0);
        long bits = Double.doubleToRawLongBits(-1e300);
        assertEquals(
                Value.of(-1e300, 8), memory.read(new long[] {bits & 0xffff_ffffL, bits >>> 32}, 0));
        assertEquals(Value.UNKNOWN, memory.read(new long[] {-1, -1}, 0));
    }

    private static Value evaluated(String expression, Value a) throws Exception {
        Instrument instrument = Instrument.of(0, "f", "log " + expression, "");
        Expression one = instrument.actions().get(0).values().get(0);
        assertNotNull(one);
        return one.evaluate(leaf -> a);
    }

    @Test
    void shouldComputeWithFloatingPointNumbers() throws Exception {
        Value half = Value.of(0.5, 8);
        assertEquals(Value.of(1.25, 8), evaluated("a * 2 + 0.25", half));
        assertEquals(Value.of(1), evaluated("a < 1 && a == 5e-1", half));
        assertEquals(Value.of(0), evaluated("!a", half));
        assertEquals(Value.of(0), evaluated("a - 0.5 && 1", half));
        assertEquals(Value.of(-0.5, 8), evaluated("-a", half));
        assertEquals(Value.UNKNOWN, evaluated("a % 2", half));
        assertEquals(Value.UNKNOWN, evaluated("~a", half));
        assertEquals(Value.of((double) (0.1f + 0.1f), 4), evaluated("a + a", Value.of(0.1f, 4)));
        assertEquals(Value.of(0x1e5), evaluated("0x1e5 + a * 0", Value.of(3)));
    }

    @Test
    void shouldWriteAsFewDigitsAsTellANumber() throws Exception {
        List<Object[]> texts = List.of(
                new Object[] {0.1, 8, "0.1"},
                new Object[] {(double) 0.1f, 4, "0.1"},
                new Object[] {(double) 0.1f, 8, "0.10000000149011612"},
                new Object[] {3.0, 8, "3"},
                new Object[] {-0.0, 8, "-0"},
                new Object[] {1e16, 8, "10000000000000000"},
                new Object[] {-1.5e300, 8, "-1.5e+300"},
                new Object[] {2e-7, 8, "2e-07"},
                new Object[] {Double.NaN, 8, "nan"},
                new Object[] {Double.NEGATIVE_INFINITY, 4, "-inf"});
        Action log = Instrument.of(0, "f", "log a", "").actions().get(0);
        for (Object[] one : texts) {
            Value value = Value.of((double) one[0], (int) one[1]);
            assertEquals("a=" + one[2], log.format().line(List.of(value)));
        }
    }
}
