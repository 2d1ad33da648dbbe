package dev.madt.view.sharing;

import java.util.List;
import java.util.TreeSet;

/**
 * The locks that a thread holds at an access, by their names.
 *
 * @param names ascending, each once
 */
record LockSet(List<String> names) {
    static final LockSet NONE = new LockSet(List.of());

    static LockSet of(Iterable<String> names) {
        TreeSet<String> all = new TreeSet<>();
        names.forEach(all::add);
        return all.isEmpty() ? NONE : new LockSet(List.copyOf(all));
    }

    /** Returns the locks that are in both. */
    LockSet common(LockSet other) {
        return equals(other)
                ? this
                : of(names.stream().filter(other.names::contains).toList());
    }

    String text() {
        return names.isEmpty() ? "no lock" : String.join(", ", names);
    }
}
