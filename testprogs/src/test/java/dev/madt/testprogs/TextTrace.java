package dev.madt.testprogs;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of {@code --both}: each event's raw and symbolic line, side by side. Reading them
 * checks what every such text must satisfy: the grammar, pairs of equal letter and number, numbers
 * that run from 0 (accesses) and 1 (allocations) without a gap.
 */
public final class TextTrace {
    /** The two lines of one event. */
    public record Pair(TraceLine symbolic, TraceLine raw) {}

    private final List<Pair> pairs = new ArrayList<>();

    private TextTrace() {}

    public static TextTrace parse(List<String> lines) {
        TextTrace text = new TextTrace();
        if (lines.size() % 2 != 0) {
            throw new AssertionError("odd number of lines: " + lines.size());
        }
        long accesses = 0;
        long allocations = 1;
        for (int i = 0; i < lines.size(); i += 2) {
            Pair pair = pair(lines.get(i), lines.get(i + 1));
            boolean allocation = pair.raw.isAllocation();
            long expected = allocation ? allocations++ : accesses++;
            if (pair.raw.number() != expected) {
                throw new AssertionError(
                        "number " + expected + " is missing before '" + lines.get(i) + "'");
            }
            text.pairs.add(pair);
        }
        return text;
    }

    private static Pair pair(String first, String second) {
        TraceLine one = TraceLine.parse(first);
        TraceLine two = TraceLine.parse(second);
        if (one.raw() == two.raw()
                || one.letter() != two.letter()
                || one.number() != two.number()) {
            throw new AssertionError(
                    "'" + first + "' and '" + second + "' are not the two lines of one event");
        }
        return one.raw() ? new Pair(two, one) : new Pair(one, two);
    }

    public List<Pair> pairs() {
        return pairs;
    }
}
