package dev.madt.resolver.type;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Paths inside a type, any of which an access may mean.
 *
 * @param paths one or more, each as it stands behind a name
 * @param fit how well the access covers what they name
 */
record Places(List<String> paths, Fit fit) {
    /** Says how an access covers what a path names; later ones are better. */
    enum Fit {
        /** It begins there. */
        NONE,
        /** It covers just all parts of it. */
        PARTS,
        /** It covers just this, which is accessed as one. */
        EXACT
    }

    private static final int MOST = 8;
    private static final int LONGEST = 240;

    /** One path. */
    Places(String path, Fit fit) {
        this(List.of(path), fit);
    }

    /** A place that has no name of its own. */
    static Places rest(long offset) {
        return new Places(
                offset == 0 ? "" : offset > 0 ? "+" + offset : Long.toString(offset), Fit.NONE);
    }

    /** Returns whether it is a place in no member, or the whole. */
    boolean isUnnamed() {
        return paths.get(0).isEmpty() || "+-".indexOf(first()) >= 0;
    }

    /** The paths of those that the access fits best. */
    static Places anyOf(List<Places> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        List<Places> named = all.stream().filter(one -> !one.isUnnamed()).toList();
        Fit fit = named.stream().map(Places::fit).max(Comparator.naturalOrder()).orElse(Fit.NONE);
        Set<String> paths = new LinkedHashSet<>();
        for (Places one : named) {
            if (one.fit() == fit) {
                paths.addAll(one.paths());
            }
        }
        return paths.isEmpty() ? all.get(0) : new Places(List.copyOf(paths), fit);
    }

    /** The one path, or {@code .{i|f}} for several. */
    String text() {
        if (paths.size() == 1) {
            return paths.get(0);
        }
        List<String> names = new ArrayList<>();
        for (String path : paths) {
            names.add(!path.isEmpty() && path.charAt(0) == first() ? path.substring(1) : path);
        }
        return first() + braced(names, "|");
    }

    /** Behind the name stands a point, or the percent sign of Fortran. */
    private char first() {
        return paths.get(0).charAt(0);
    }

    /** Names in braces, a bounded number of them. */
    static String braced(List<String> names, String separator) {
        StringBuilder text = new StringBuilder("{");
        int count = 0;
        for (String name : names) {
            if (count == MOST || count > 0 && text.length() + name.length() > LONGEST) {
                return text.append(separator).append("…}").toString();
            }
            text.append(count++ > 0 ? separator : "").append(name);
        }
        return text.append('}').toString();
    }
}
