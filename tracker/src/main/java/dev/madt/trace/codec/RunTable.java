package dev.madt.trace.codec;

import dev.madt.trace.event.Run;
import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The runs by their numbers: every run asks here. Numbers are given from 16 on; large ones, which
 * no engine gives, are hashed.
 */
public final class RunTable {
    private static final int MOST_DIRECT = 1 << 20;
    private static final int FIRST = 1 << 10;

    private final IntObjectHashMap<Run> large;
    private Run[] direct;

    public RunTable() {
        large = new IntObjectHashMap<>();
        direct = new Run[FIRST];
    }

    private RunTable(RunTable other) {
        large = new IntObjectHashMap<>(other.large);
        direct = other.direct.clone();
    }

    /** A table of its own that has the same runs. */
    public RunTable copy() {
        return new RunTable(this);
    }

    public void put(Run run) {
        int number = run.number();
        if (number >= MOST_DIRECT) {
            large.put(number, run);
            return;
        }
        if (number >= direct.length) {
            direct = Arrays.copyOf(
                    direct, Math.max(number + 1, Math.min(MOST_DIRECT, 2 * direct.length)));
        }
        direct[number] = run;
    }

    /** The run of a number, from 0; null if there is none. */
    Run get(int number) {
        return number < direct.length ? direct[number] : large.get(number);
    }
}
