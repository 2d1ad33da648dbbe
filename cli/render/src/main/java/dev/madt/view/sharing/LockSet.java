package dev.madt.view.sharing;

import dev.madt.view.locks.LockName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The locks that a thread holds at an access.
 *
 * @param locks by their addresses, each once
 */
record LockSet(List<Lock> locks) {
    /**
     * Says which lock it is.
     *
     * @param shared whether others may have it, too: it guards nothing that is stored
     */
    record Lock(long address, LockName name, boolean shared) {
        private String text() {
            return name.single() + (shared ? " (read)" : "");
        }
    }

    static final LockSet NONE = new LockSet(List.of());

    static LockSet of(List<Lock> locks) {
        List<Lock> all = new ArrayList<>();
        for (Lock lock : locks) {
            if (all.stream().noneMatch(one -> one.address() == lock.address())) {
                all.add(lock);
            }
        }
        all.sort(Comparator.comparingLong(Lock::address));
        return all.isEmpty() ? NONE : new LockSet(all);
    }

    /** Returns those that no other thread has. */
    LockSet exclusive() {
        return locks.stream().noneMatch(Lock::shared)
                ? this
                : of(locks.stream().filter(lock -> !lock.shared()).toList());
    }

    boolean isEmpty() {
        return locks.isEmpty();
    }

    private boolean has(long address) {
        for (int i = 0; i < locks.size(); i++) {
            if (locks.get(i).address() == address) {
                return true;
            }
        }
        return false;
    }

    /** Returns the locks that are in both. */
    LockSet common(LockSet other) {
        if (this == other) {
            return this;
        }
        int both = 0;
        for (int i = 0; i < locks.size(); i++) {
            both += other.has(locks.get(i).address()) ? 1 : 0;
        }
        if (both == locks.size()) {
            return this;
        }
        return both == 0
                ? NONE
                : of(locks.stream().filter(lock -> other.has(lock.address())).toList());
    }

    String text() {
        return locks.isEmpty()
                ? "no lock"
                : locks.stream()
                        .map(Lock::text)
                        .sorted()
                        .distinct()
                        .collect(Collectors.joining(", "));
    }
}
