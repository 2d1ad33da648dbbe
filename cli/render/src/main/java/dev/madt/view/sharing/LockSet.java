package dev.madt.view.sharing;

import dev.madt.view.locks.LockName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
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

    /** Returns the same locks for a load, which one that others have as readers guards, too. */
    LockSet forLoads() {
        return locks.stream().noneMatch(Lock::shared)
                ? this
                : new LockSet(locks.stream()
                        .map(lock -> new Lock(lock.address(), lock.name(), false))
                        .toList());
    }

    /** Returns those that no reader had at a store. */
    LockSet guards() {
        return locks.stream().noneMatch(Lock::shared)
                ? this
                : of(locks.stream().filter(lock -> !lock.shared()).toList());
    }

    boolean isEmpty() {
        return locks.isEmpty();
    }

    private Lock at(long address) {
        for (int i = 0; i < locks.size(); i++) {
            if (locks.get(i).address() == address) {
                return locks.get(i);
            }
        }
        return null;
    }

    /** Returns a lock of another set as both have it, shared if one has it so; null: not here. */
    private Lock both(Lock lock) {
        Lock here = at(lock.address());
        return here == null || !lock.shared() ? here : lock;
    }

    /** Returns the locks that are in both; shared where they are in one of them. */
    LockSet common(LockSet other) {
        if (this == other) {
            return this;
        }
        int same = 0;
        for (int i = 0; i < locks.size(); i++) {
            Lock both = other.both(locks.get(i));
            same += both != null && both.shared() == locks.get(i).shared() ? 1 : 0;
        }
        return same == locks.size()
                ? this
                : of(locks.stream().map(other::both).filter(Objects::nonNull).toList());
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
