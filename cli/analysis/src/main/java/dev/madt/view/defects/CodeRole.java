package dev.madt.view.defects;

import dev.madt.view.Place;
import java.util.regex.Pattern;

/**
 * Says whose code something is, as far as that decides what its accesses mean.
 *
 * @param libc it is code of the C library or the loader
 * @param strings it may look at bytes in front of a string and behind it
 * @param context it prepares a block to be a stack
 * @param unseen it is in a function that may write to variables of its callers unseen
 * @param unwinds what it does on stacks is of no interest: libc, and who unwinds them
 * @param runtime it is a library that has blocks of its own from its start on: that of C++,
 *     tcmalloc
 * @param stub it belongs to no function but leads to one: an entry of the procedure linkage table
 */
public record CodeRole(
        boolean libc,
        boolean strings,
        boolean context,
        boolean unseen,
        boolean unwinds,
        boolean runtime,
        boolean stub) {
    /** Functions that write to variables of their callers by code that is not recorded. */
    private static final Pattern UNSEEN = Pattern.compile(
            "_*(clock_get.*|gettimeofday|timespec_get|time|getcpu|sched_getcpu|posix_memalign)");

    private static final String[] LIBC = {
        "[libc.so", "[libc-", "[ld-linux", "[libm.so", "[libm-", "[libpthread", "[vdso]"
    };
    /**
     * Functions of libc that look at strings by whole vectors; and what functions are called where
     * there are no symbols.
     */
    private static final Pattern STRINGS =
            Pattern.compile("_*(str|stp|mem|wcs|wmem|rawmem).*|func@.*|\\[.*");
    /** Functions among these that load what they copy and nothing else, but for old ones. */
    private static final Pattern EXACT = Pattern.compile("_*mem(p?cpy|move)(_(?!.*ssse3).*)?");

    public static CodeRole of(Place place) {
        String function = place.symbol();
        String module = place.module();
        boolean libc = startsWithOne(module);
        return new CodeRole(
                libc,
                libc
                        && STRINGS.matcher(function).matches()
                        && !EXACT.matcher(function).matches(),
                function.contains("makecontext"),
                libc && UNSEEN.matcher(function).matches(),
                libc || module.startsWith("[libgcc_s"),
                module.startsWith("[libstdc++") || module.startsWith("[libtcmalloc"),
                function.endsWith("@plt") || function.equals(".plt"));
    }

    private static boolean startsWithOne(String module) {
        for (String name : LIBC) {
            if (module.startsWith(name)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a load or a store may be by a whole vector around a string. */
    boolean looksAround(boolean store) {
        return strings && !store;
    }
}
