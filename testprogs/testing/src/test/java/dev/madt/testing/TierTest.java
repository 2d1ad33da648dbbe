package dev.madt.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TierTest {
    private static final List<Integer> ALL = List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);

    @SoakCases({"a, b,c", "d,, ''"})
    private static final class Three {}

    @Soak
    private static final class Long {}

    @Test
    void shouldTakeSomeFromAllOver() {
        assertEquals(List.of(0), Tier.spread(ALL, 1));
        assertEquals(List.of(0, 3, 6), Tier.spread(ALL, 3));
        assertEquals(ALL, Tier.spread(ALL, 10));
        assertEquals(ALL, Tier.spread(ALL, 11));
        assertEquals(Tier.SOAK ? ALL : List.of(0, 5), Tier.some(ALL, 2));
        assertThrows(IllegalArgumentException.class, () -> Tier.spread(ALL, 0));
    }

    @Test
    void shouldTakeThoseThatAreNamed() {
        List<String> all = List.of("a", "b", "c");
        assertEquals(List.of("a", "c"), Tier.chosen(all, "c", "a"));
        assertEquals(Tier.SOAK ? all : List.of("b"), Tier.only(all.stream(), "b"));
        assertThrows(IllegalArgumentException.class, () -> Tier.chosen(all, "a", "d"));
        assertThrows(IllegalArgumentException.class, () -> Tier.chosen(all));
    }

    @Test
    void shouldMeanTheSameEverywhere() {
        assertEquals(Tier.SOAK, Boolean.getBoolean("madt.soak"));
        assertEquals(Tier.SOAK ? 2 : 1, Tier.of(2, 1));
        assertEquals(Tier.SOAK ? 2L : 1L, Tier.of(2L, 1L));
        assertEquals(
                Tier.SOAK,
                !new Soak.Profile()
                        .evaluateExecutionCondition((ExtensionContext) null)
                        .isDisabled());
        assertEquals(1, Long.class.getAnnotationsByType(Soak.class).length);
    }

    @Test
    void shouldSplitCasesOfSeveralArguments() {
        SoakCases.Cases cases = new SoakCases.Cases();
        cases.accept(Three.class.getAnnotation(SoakCases.class));
        assertEquals(
                List.of(List.of("a", "b", "c"), Arrays.asList("d", null, "")),
                cases.cases(3).map(each -> Arrays.asList(each.get())).toList());
        assertEquals(
                List.of(List.of("a, b,c"), List.of("d,, ''")),
                cases.cases(1).map(each -> Arrays.asList(each.get())).toList());
    }

    /** Would fail in the soak profile without it, and in every verification with all cases. */
    @ParameterizedTest
    @ValueSource(ints = 1)
    @SoakCases("2")
    void shouldAddCasesInTheSoakProfile(int number) {
        assertEquals(Tier.SOAK ? number : 1, number);
    }

    @Test
    @Soak
    void shouldRunInTheSoakProfileAlone() {
        assertEquals(true, Tier.SOAK);
    }
}
