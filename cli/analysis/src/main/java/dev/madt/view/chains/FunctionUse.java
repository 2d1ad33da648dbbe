package dev.madt.view.chains;

import dev.madt.view.Place;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts how one function allocates, and what becomes of its blocks. */
final class FunctionUse {
    /** Bytes that an allocator may keep in front of what it gives to its caller. */
    static final int HEADER = 16;

    private static final int ENOUGH = 8;
    private static final int MOST = 64;
    private static final int CALLERS = 3;
    private static final int SIZES = 3;
    /** Functions of the allocator itself that look at a header. */
    private static final int KEEPERS = 3;

    private static final double NEARLY_ALL = 0.95;

    private final Map<String, Integer> calls = new HashMap<>();
    private final Set<String> callers = new HashSet<>();
    private final Set<Long> sizes = new HashSet<>();
    private final Set<FunctionUse> readers = new HashSet<>();
    private long blocks;
    private boolean header;
    private boolean used;

    /** It has allocated a block by a call in it, for a caller, which may be null. */
    void allocate(Place call, Place caller, long size) {
        blocks++;
        if (calls.size() < MOST) {
            calls.merge(code(call), 1, Integer::sum);
        }
        add(callers, code(caller));
        add(sizes, size);
    }

    /** Code that is inlined at several addresses is the same if its line is. */
    private static String code(Place place) {
        if (place == null) {
            return "";
        }
        return place.line() > 0
                ? place.symbol() + ' ' + place.file() + ':' + place.line()
                : Long.toHexString(place.address());
    }

    /** It accesses a block of its own. */
    void touch(long offset) {
        header |= offset < HEADER;
        used |= offset >= HEADER;
    }

    /** Another function accesses the beginning of one of its blocks. */
    void touchedBy(FunctionUse function) {
        add(readers, function);
    }

    private static <T> void add(Set<T> set, T element) {
        if (set.size() < MOST) {
            set.add(element);
        }
    }

    boolean isWrapper() {
        int most = calls.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        return blocks >= ENOUGH
                && most >= NEARLY_ALL * blocks
                && callers.size() >= CALLERS
                && sizes.size() >= SIZES
                && !used
                && (!header || readers.size() <= KEEPERS);
    }
}
