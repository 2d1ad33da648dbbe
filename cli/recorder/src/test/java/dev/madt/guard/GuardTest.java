package dev.madt.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.madt.console.Failure;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.LeafForm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuardTest {
    private static final Path HEADER = Path.of("..", "..", "madt-native/include/madt_payload.h");

    /** A register of 32 bits without a sign, memory, a pointer, and what is nowhere. */
    private static final Map<String, Guard.Taken> LEAVES = Map.of(
            "small",
            taken(AccessKind.VALUE, LeafForm.Kind.REGISTER, 4),
            "long",
            taken(AccessKind.MEMORY, LeafForm.Kind.MEMORY, 8),
            "pointer",
            taken(AccessKind.MEMORY, LeafForm.Kind.POINTER, 8),
            "gone",
            Guard.Taken.NOTHING,
            "str(p)",
            taken(AccessKind.TEXT, LeafForm.Kind.TEXT, 8));

    private static Guard.Taken taken(AccessKind word, LeafForm.Kind kind, int size) {
        return new Guard.Taken(
                List.of(new Word(word, 3, 1, size, List.of(16))),
                new LeafForm(kind, size, false, 0));
    }

    private static String names(List<Word> steps) {
        return steps == null
                ? null
                : steps.stream()
                        .map(word -> GuardStep.values()[word.piece() & 31].name())
                        .collect(Collectors.joining(" "));
    }

    private static List<Word> whole(String condition) throws Exception {
        return Guard.whole(Instrument.of(0, "f", "count", condition).filter(), LEAVES);
    }

    @Test
    void shouldHaveTheNumbersOfTheHeader() throws Exception {
        Map<Integer, String> wanted = new TreeMap<>();
        Matcher constant = Pattern.compile("\\bMADT_GUARD_([A-Z_]+) = (\\d+)")
                .matcher(Files.readString(HEADER));
        while (constant.find()) {
            wanted.put(Integer.parseInt(constant.group(2)), constant.group(1));
        }
        Map<Integer, String> found = new TreeMap<>();
        for (GuardStep step : GuardStep.values()) {
            found.put(step.ordinal(), step.name());
        }
        assertEquals(wanted, found);
    }

    @ParameterizedTest
    @CsvSource({
        "small == 3, REGISTER CONSTANT EQUAL END",
        "-long, MEMORY NEGATE END",
        "pointer && small < 2, POINTER BOTH REGISTER CONSTANT LESS END END",
        "gone || 1, NOWHERE EITHER CONSTANT END END"
    })
    void shouldBeMadeOfSteps(String condition, String steps) throws Exception {
        assertEquals(steps, names(whole(condition)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tid == 3", "str(p) == 1", "small || tid", "1 + tid"})
    void shouldBeLeftToTheLauncher(String condition) throws Exception {
        assertNull(whole(condition));
    }

    /** A long without a sign makes its operators such, an int without one does not. */
    @ParameterizedTest
    @CsvSource({
        "long < 3, LESS",
        "3 >= long + small, AT_LEAST",
        "long / 2, DIVIDE",
        "long >> 2, RIGHT",
        "small < 0x8000000000000000, LESS",
        "small < 3, ''",
        "2 >> long, ''",
        "(long < 3) < 1, LESS",
        "(long == 3) % 2, ''"
    })
    void shouldComputeWithoutSigns(String condition, String wanted) throws Exception {
        assertEquals(
                wanted,
                whole(condition).stream()
                        .filter(word -> word.piece() > 0x80 && (word.piece() & 31) > 12)
                        .map(word -> GuardStep.values()[word.piece() & 31].name())
                        .collect(Collectors.joining(" ")));
    }

    @Test
    void shouldRefuseWithOneSideOfTwo() throws Exception {
        assertEquals(
                "REGISTER END MEMORY END",
                names(Guard.necessary(
                        Instrument.of(0, "f", "count", "small && tid && long").filter(), LEAVES)));
    }

    @Test
    void shouldNotBeTooDeep() throws Exception {
        String right = "small" + " + (small".repeat(6) + ")".repeat(6);
        assertEquals(7 + 6 + 1, whole(right).size());
        assertNull(whole("small + (small + (" + right + "))"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hits:0", "hits:x", "signal:USR1", "return:f>10ms", "after:3", "now"})
    void shouldRefuseOtherTimes(String text) {
        assertThrows(Failure.class, () -> SwitchTime.of(text, "--from", 1));
    }
}
