package dev.madt.view.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedList;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReuseDistanceTest {
    /** A stack of lines, the last used on top: the distance is how deep a line lies. */
    private static int pull(LinkedList<Long> stack, long line, int most) {
        int depth = stack.indexOf(line);
        stack.removeFirstOccurrence(line);
        stack.addFirst(line);
        if (stack.size() > most) {
            stack.removeLast();
        }
        return depth;
    }

    @ParameterizedTest
    @CsvSource({
        "1, 7, 100",
        "2, 257, 1000",
        "3, 1499, 1000",
        "4, 3001, 4096",
        "5, 97, 96",
        "6, 2, 1"
    })
    void shouldEqualTheDepthInAStack(long seed, int lines, int most) {
        Random random = new Random(seed);
        ReuseDistance reuse = new ReuseDistance(most);
        LinkedList<Long> stack = new LinkedList<>();
        for (int i = 0; i < 20_011; i++) {
            long line = random.nextBoolean()
                    ? random.nextInt(lines)
                    : (long) (lines * Math.pow(random.nextDouble(), 4));
            assertEquals(pull(stack, line, most), reuse.access(line), "access " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 1023"})
    void shouldKeepWithinItsBound(long seed, int most) {
        Random random = new Random(seed);
        ReuseDistance reuse = new ReuseDistance(most);
        for (int i = 0; i < 300_007; i++) {
            reuse.access(random.nextLong());
        }
        assertTrue(reuse.room() <= 2_048, "room " + reuse.room());
    }
}
