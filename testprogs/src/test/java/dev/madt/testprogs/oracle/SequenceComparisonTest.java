package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceComparisonTest {
    private static final List<PlacedAccess> SEQUENCE = List.of(
            access("prog", 0x1010, false, "[heap]", 0x2a0),
            access("libc.so.6", 0x26060, true, "[stack]", 0xff8),
            access("libc.so.6", 0x26060, true, "[stack]", 0xff0),
            access("prog", 0x1018, true, "[heap]", 0x2a8));

    private final SequenceComparison comparison = new SequenceComparison(new ValgrindModules());

    @Test
    void shouldCountWhatIsEqual() throws Exception {
        assertEquals("", comparison.difference(of(SEQUENCE), of(SEQUENCE)));
        assertEquals(4, comparison.compared());
        assertEquals(0, comparison.adjusted());
    }

    @Test
    void shouldFindAnAccessTooMuchAnywhere() throws Exception {
        for (int i = 0; i <= SEQUENCE.size(); i++) {
            List<PlacedAccess> more = new ArrayList<>(SEQUENCE);
            more.add(i, access("libc.so.6", 0x84f20, false, "[stack]", 0xf00));
            assertDifferent(more, SEQUENCE, "libc.so.6+0x84f20");
            assertTrue(comparison
                    .differingFunctions(of(more), of(SEQUENCE))
                    .contains("libc.so.6+0x84f20: MadT 1 L, 0 S, Valgrind 0 L, 0 S"));
        }
    }

    @Test
    void shouldFindAnAccessTooFewAnywhere() throws Exception {
        for (int i = 0; i < SEQUENCE.size(); i++) {
            List<PlacedAccess> less = new ArrayList<>(SEQUENCE);
            less.remove(i);
            assertDifferent(less, SEQUENCE, "Lackey");
        }
    }

    @Test
    void shouldFindOtherDataOtherSizesAndOtherOrder() throws Exception {
        List<PlacedAccess> data = new ArrayList<>(SEQUENCE);
        data.set(3, access("prog", 0x1018, true, "[heap]", 0x2b0));
        assertDifferent(data, SEQUENCE, "[heap]+0x2b0");
        List<PlacedAccess> size = new ArrayList<>(SEQUENCE);
        size.set(
                0,
                new PlacedAccess(
                        SEQUENCE.get(0).code(), false, 4, SEQUENCE.get(0).data()));
        assertDifferent(size, SEQUENCE, "L 4");
        List<PlacedAccess> order = new ArrayList<>(SEQUENCE);
        order.add(order.remove(0));
        assertDifferent(order, SEQUENCE, "element 0");
    }

    @Test
    void shouldFindThreadsThatTheOtherDoesNotHave() throws Exception {
        ThreadAccesses two = of(SEQUENCE);
        two.add(9, SEQUENCE.get(0));
        assertEquals("2 threads (MadT) and 1 (Lackey)", comparison.difference(two, of(SEQUENCE)));
    }

    private void assertDifferent(List<PlacedAccess> ours, List<PlacedAccess> theirs, String part)
            throws IOException {
        String difference = comparison.difference(of(ours), of(theirs));
        assertTrue(difference.contains(part), difference);
    }

    private static ThreadAccesses of(List<PlacedAccess> sequence) {
        ThreadAccesses accesses = new ThreadAccesses();
        sequence.forEach(access -> accesses.add(1, access));
        return accesses;
    }

    private static PlacedAccess access(
            String module, long code, boolean store, String region, long offset) {
        return new PlacedAccess(
                new ModulePlace(module, code), store, 8, new ModulePlace(region, offset));
    }
}
