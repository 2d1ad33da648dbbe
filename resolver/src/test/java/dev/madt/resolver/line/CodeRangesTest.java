package dev.madt.resolver.line;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RegionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class CodeRangesTest {
    private static final long BASE = 0x40_0000;
    private static final int PLACES = 211;
    private static final BiPredicate<String, String> WANTED =
            (name, label) -> name.startsWith("f1") || label.equals("[m2]") && name.equals("f2");

    private static AccessSite site(long address) {
        return new AccessSite(address, 1, AccessKind.LOAD, 0, 8, false);
    }

    private static Definition random(Random random) {
        long start = BASE + random.nextInt(PLACES);
        long length = random.nextInt(20);
        return switch (random.nextInt(8)) {
            case 0 ->
                new Definition.Region(
                        RegionKind.CODE,
                        5,
                        start,
                        start + length + 1,
                        start,
                        "[m" + random.nextInt(4) + "]");
            case 1 -> new Definition.RegionsForgotten(start, start + length + 1);
            case 2 -> new Definition.SymbolsForgotten(start, start + length + 1);
            default ->
                new Definition.Symbol(
                        random.nextInt(5) > 0,
                        start,
                        random.nextInt(10) == 0 ? 0 : length + 1,
                        "f" + random.nextInt(12));
        };
    }

    /** Whatever an address is called at some time: if that is wanted, it is in the ranges. */
    @Test
    void shouldHoldEachPlaceThatHasAWantedNameAtSomeTime() {
        Random random = new Random(6_007);
        int inside = 0;
        int outside = 0;
        for (int round = 0; round < 400; round++) {
            List<Definition> all = new ArrayList<>();
            int count = 2 + random.nextInt(12);
            for (int i = 0; i < count; i++) {
                all.add(random(random));
            }
            CodeRanges ranges = new CodeRanges(WANTED, Demangler.NONE);
            all.forEach(ranges::define);
            boolean[] wanted = new boolean[PLACES + 40];
            AddressSpace space = new AddressSpace();
            for (Definition definition : all) {
                space.define(definition);
                for (int i = 0; i < wanted.length; i++) {
                    wanted[i] |= isWanted(space, BASE + i);
                }
            }
            for (int i = 0; i < wanted.length; i++) {
                boolean held = ranges.mayHold(site(BASE + i));
                assertTrue(held || !wanted[i], "round " + round + ", place " + i + ": " + all);
                inside += wanted[i] ? 1 : 0;
                outside += held ? 0 : 1;
            }
        }
        assertTrue(inside > 1_000, inside + " wanted");
        assertTrue(outside > 10_000, outside + " left out");
    }

    /** As the places of accesses are named. */
    private static boolean isWanted(AddressSpace space, long address) {
        AddressSpace.Symbol symbol = space.function(address);
        String label = space.label(address);
        return WANTED.test(symbol == null ? label : symbol.text(), label);
    }

    @Test
    void shouldTakeWhatHasNoNameForWhatItsRegionIsCalled() {
        CodeRanges ranges = new CodeRanges((name, label) -> name.equals("[m]"), Demangler.NONE);
        assertTrue(ranges.isEmpty());
        ranges.define(new Definition.Region(RegionKind.CODE, 5, BASE, BASE + 16, BASE, "[m]"));
        assertTrue(ranges.mayHold(site(BASE + 15)));
        assertFalse(ranges.mayHold(site(BASE + 16)));
        assertFalse(ranges.isEmpty());
        CodeRanges unknown = new CodeRanges((name, label) -> name.equals("[?]"), Demangler.NONE);
        assertTrue(unknown.mayHold(site(BASE)));
    }

    @Test
    void shouldSayWhereFramesAreTold() {
        CodeRanges ranges = new CodeRanges(WANTED, Demangler.NONE);
        assertEquals(false, ranges.hasFrames());
        ranges.define(new Definition.FrameScope(List.of()));
        assertEquals(true, ranges.hasFrames());
    }
}
