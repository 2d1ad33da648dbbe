package dev.madt.tracker;

import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/** The sites of each run by its number: every run asks here. Numbers are given from 16 on; large ones, which no engine gives, are hashed. */
final class RunTable {
    private static final int MOST_DIRECT = 1 << 20;
    private static final int FIRST = 1 << 10;

    private final IntObjectHashMap<Site[]> large = new IntObjectHashMap<>();
    private Site[][] direct = new Site[FIRST][];

    void put(int run, Site[] sites) {
        if (run >= MOST_DIRECT) {
            large.put(run, sites);
            return;
        }
        if (run >= direct.length) {
            direct = Arrays.copyOf(direct, Math.max(run + 1, Math.min(MOST_DIRECT, 2 * direct.length)));
        }
        direct[run] = sites;
    }

    /** The sites of a run, numbers from 0; null if it has none. */
    Site[] get(int run) {
        return run < direct.length ? direct[run] : large.get(run);
    }
}
