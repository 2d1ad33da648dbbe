package dev.madt.modules;

import java.util.function.LongPredicate;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * Decides which calls are looked at for the type of what they allocate: those that allocate and, as
 * long as a call does not tell it, those that led to that one. Memory grows with the calls.
 */
public final class AllocatingCalls {
    private final LongHashSet known = new LongHashSet();
    private final LongHashSet untold = new LongHashSet();
    private final LongObjectHashMap<LongHashSet> callers = new LongObjectHashMap<>();
    private final LongArrayList next = new LongArrayList();

    /** Adds a call that allocates. */
    public void add(long code) {
        if (known.add(code)) {
            next.add(code);
        }
    }

    /** Adds a call that led to another one. */
    public void add(long code, long caller) {
        boolean first = callers.getIfAbsentPut(code, LongHashSet::new).add(caller);
        if (first && untold.contains(code)) {
            add(caller);
        }
    }

    /** Forgets the calls of a range: other code may come there. */
    public void forget(long start, long end) {
        known.removeIf(code -> code >= start && code < end);
        untold.removeIf(code -> code >= start && code < end);
        callers.keySet().select(code -> code >= start && code < end).forEach(callers::remove);
    }

    /** Forgets what is to be looked at. */
    public void clear() {
        next.clear();
    }

    /**
     * Looks at all calls that have not been looked at.
     *
     * @param tells looks at one; returns whether it tells the type
     */
    public void look(LongPredicate tells) {
        while (!next.isEmpty()) {
            long code = next.removeAtIndex(next.size() - 1);
            LongHashSet led = callers.get(code);
            if (!tells.test(code) && untold.add(code) && led != null) {
                led.forEach(this::add);
            }
        }
    }
}
