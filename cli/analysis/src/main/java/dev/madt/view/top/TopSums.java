package dev.madt.view.top;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Everything that was counted up to a moment.
 *
 * @param nanos that moment, of System.nanoTime
 * @param processes how many have begun
 * @param running how many of them have not ended
 * @param sampled data were counted by random samples while that was behind
 * @param rows of each kind, by what is equal of rows that count the same thing
 */
public record TopSums(
        long nanos,
        int processes,
        int running,
        boolean sampled,
        Map<TopKind, Map<String, TopRow>> rows) {
    /** Nothing, at a moment. */
    public static TopSums none(long nanos) {
        return new TopSums(nanos, 0, 0, false, Map.of());
    }

    Collection<TopRow> of(TopKind kind) {
        return rows.getOrDefault(kind, Map.of()).values();
    }

    /** Returns what a row counted here; null if there was none. */
    TopRow of(TopKind kind, String key) {
        return rows.getOrDefault(kind, Map.of()).get(key);
    }

    /** Loads and stores. */
    public long accesses() {
        return of(TopKind.THREADS).stream().mapToLong(TopRow::accesses).sum();
    }

    /** Returns what has been counted since an earlier moment. */
    public TopSums since(TopSums earlier) {
        Map<TopKind, Map<String, TopRow>> since = new HashMap<>();
        rows.forEach((kind, all) -> {
            Map<String, TopRow> some = new HashMap<>();
            all.forEach((key, row) -> {
                TopRow before = earlier.of(kind, key);
                TopRow rest = before == null ? row : row.minus(before);
                if (rest.accesses() > 0) {
                    some.put(key, rest);
                }
            });
            since.put(kind, some);
        });
        return new TopSums(nanos, processes, running, sampled, since);
    }
}
