package dev.madt.testprogs.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * All accesses of a process: a sequence for each thread, in the order in which the threads began;
 * and how often each place of the code loads and stores.
 */
final class ThreadAccesses {
    /** Says how often. */
    record Count(long loads, long stores) {
        static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(loads + other.loads, stores + other.stores);
        }

        @Override
        public String toString() {
            return loads + " L, " + stores + " S";
        }
    }

    private final Map<Long, List<PlacedAccess>> threads = new TreeMap<>();

    /** @param thread ascends in the order in which threads begin */
    void add(long thread, PlacedAccess access) {
        threads.computeIfAbsent(thread, id -> new ArrayList<>()).add(access);
    }

    /** All but those of some places of the code. */
    ThreadAccesses without(Predicate<ModulePlace> code) {
        Map<ModulePlace, Boolean> known = new HashMap<>();
        ThreadAccesses rest = new ThreadAccesses();
        threads.forEach((thread, sequence) -> rest.threads.put(
                thread,
                sequence.stream()
                        .filter(access -> !known.computeIfAbsent(access.code(), code::test))
                        .toList()));
        return rest;
    }

    /** Each as another. */
    ThreadAccesses map(UnaryOperator<PlacedAccess> other) {
        ThreadAccesses mapped = new ThreadAccesses();
        threads.forEach((thread, sequence) ->
                mapped.threads.put(thread, sequence.stream().map(other).toList()));
        return mapped;
    }

    List<List<PlacedAccess>> sequences() {
        return List.copyOf(threads.values());
    }

    Map<ModulePlace, Count> counts() {
        Map<ModulePlace, Count> counts = new TreeMap<>();
        for (List<PlacedAccess> sequence : threads.values()) {
            for (PlacedAccess access : sequence) {
                counts.merge(
                        access.code(),
                        new Count(access.store() ? 0 : 1, access.store() ? 1 : 0),
                        Count::plus);
            }
        }
        return counts;
    }
}
