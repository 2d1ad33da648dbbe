package dev.madt.testing;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Says how much of a test is run: in every verification enough to notice that its property broke,
 * in the soak profile all of it. Nothing else reads the system property.
 */
public final class Tier {
    /** Holds in the soak profile. */
    public static final boolean SOAK = Boolean.getBoolean("madt.soak");

    private Tier() {}

    /** Returns the first in the soak profile, the second otherwise. */
    public static int of(int soak, int otherwise) {
        return SOAK ? soak : otherwise;
    }

    /** Returns the first in the soak profile, the second otherwise. */
    public static long of(long soak, long otherwise) {
        return SOAK ? soak : otherwise;
    }

    /** Returns all in the soak profile; otherwise those at even distances, the first among them. */
    public static <T> List<T> some(List<T> all, int count) {
        return SOAK ? all : spread(all, count);
    }

    /** Returns all in the soak profile; otherwise the ones that are named, each of which is one. */
    public static List<String> only(Stream<String> all, String... named) {
        return SOAK ? all.toList() : chosen(all.toList(), named);
    }

    static <T> List<T> spread(List<T> all, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("none of " + all + " would be tested");
        }
        return count >= all.size()
                ? all
                : Stream.iterate(0, i -> i + 1)
                        .limit(count)
                        .map(i -> all.get(i * all.size() / count))
                        .toList();
    }

    static List<String> chosen(List<String> all, String... named) {
        Set<String> wanted = new LinkedHashSet<>(Arrays.asList(named));
        List<String> some = all.stream().filter(wanted::remove).toList();
        if (!wanted.isEmpty() || some.isEmpty()) {
            throw new IllegalArgumentException(wanted + " is not among " + all);
        }
        return some;
    }
}
