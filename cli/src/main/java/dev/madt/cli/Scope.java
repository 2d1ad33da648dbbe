package dev.madt.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which regions are traced: those that one of the {@code --only} patterns matches, if there are any, and none of the {@code
 * --exclude} patterns. A pattern is a region ({@code [heap]}, {@code .bss}, {@code libc.so.6:.data}), a module ({@code libz*},
 * the program's own name) or a mapped file; {@code *} stands for any text, {@code ?} for one character, brackets around the
 * whole may be left out.
 *
 * @param only empty: everything
 */
record Scope(List<Pattern> only, List<Pattern> exclude) {
    static final Scope EVERYTHING = new Scope(List.of(), List.of());

    private static final String FILE = "file:";
    private static final Pattern HEAP = Pattern.compile("heap|anon");
    private static final Pattern DATA = Pattern.compile("\\..*");
    private static final Pattern LIBRARIES = Pattern.compile("(?!file:).*:.*");
    /** They mean labels only. */
    private static final Set<Pattern> SHORTHANDS = Set.of(HEAP, DATA, LIBRARIES);

    /** The patterns of an option, and those of the shorthands that are on. */
    static Scope of(String[] only, String[] exclude, boolean heap, boolean data, boolean libraries) {
        List<Pattern> wanted = patterns(only);
        if (heap) {
            wanted.add(HEAP);
        }
        if (data) {
            wanted.add(DATA);
        }
        if (libraries) {
            wanted.add(LIBRARIES);
        }
        return new Scope(List.copyOf(wanted), List.copyOf(patterns(exclude)));
    }

    private static List<Pattern> patterns(String[] globs) {
        List<Pattern> patterns = new ArrayList<>();
        for (String glob : globs == null ? new String[0] : globs) {
            patterns.add(pattern(inner(glob)));
        }
        return patterns;
    }

    private static Pattern pattern(String glob) {
        StringBuilder expression = new StringBuilder();
        for (char c : glob.toCharArray()) {
            expression.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    private static String inner(String label) {
        return label.startsWith("[") && label.endsWith("]") ? label.substring(1, label.length() - 1) : label;
    }

    boolean isEverything() {
        return only.isEmpty() && exclude.isEmpty();
    }

    /**
     * Whether a region is traced.
     *
     * @param label as in MAPS frames
     * @param program the name of the program, whose sections have labels without it
     */
    boolean covers(String label, String program) {
        List<String> names = names(inner(label), program);
        return (only.isEmpty() || matches(only, names)) && !matches(exclude, names);
    }

    /** Whether some mapped file or shared memory may be traced; their names are not known beforehand. */
    boolean mayCoverMapped() {
        return only.isEmpty() || !SHORTHANDS.containsAll(only) || covers("[anon]", "");
    }

    private static List<String> names(String label, String program) {
        int colon = label.indexOf(':');
        if (label.startsWith(".")) {
            return List.of(label, program, program + ":" + label);
        } else if (label.startsWith(FILE)) {
            return List.of(label, label.substring(FILE.length()));
        }
        return colon < 0 ? List.of(label) : List.of(label, label.substring(0, colon));
    }

    private static boolean matches(List<Pattern> patterns, List<String> names) {
        for (Pattern pattern : patterns) {
            for (String name : SHORTHANDS.contains(pattern) ? names.subList(0, 1) : names) {
                if (pattern.matcher(name).matches()) {
                    return true;
                }
            }
        }
        return false;
    }
}
