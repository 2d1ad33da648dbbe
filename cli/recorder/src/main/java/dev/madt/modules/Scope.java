package dev.madt.modules;

import dev.madt.console.Suggestion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Says which regions are traced: those that one of the {@code --only} patterns matches, if there
 * are any, and none of the {@code --exclude} patterns. A pattern is a region ({@code [heap]},
 * {@code .bss}, {@code libc.so.6:.data}), a module ({@code libz*}, the program's own name) or a
 * mapped file; {@code *} stands for any text, {@code ?} for one character, brackets around the
 * whole may be left out. {@code [heap]} is what {@code --heap} is: blocks in mappings of their own
 * ({@code [anon]}) too.
 *
 * @param only empty: everything
 */
public record Scope(List<Glob> only, List<Glob> exclude) {
    static final Scope EVERYTHING = new Scope(List.of(), List.of());

    /**
     * One pattern.
     *
     * @param option as the user typed it, or null for a shorthand, which may mean nothing in a
     *     program
     */
    record Glob(String option, Pattern pattern) {
        private String text(String kind) {
            return option == null ? kind + " '" + pattern.pattern() + "'" : option;
        }

        boolean matches(Collection<String> names) {
            return names.stream().anyMatch(name -> pattern.matcher(name).matches());
        }
    }

    private static final String FILE = "file:";
    private static final String STACK_LABEL = "[stack]";
    private static final Glob HEAP = new Glob(null, Pattern.compile("heap|anon"));
    private static final Glob DATA = new Glob(null, Pattern.compile("\\..*"));
    private static final Glob LIBRARIES = new Glob(null, Pattern.compile("(?!file:).*:.*"));
    private static final Glob STORAGE = new Glob(null, Pattern.compile("tls|tcb"));
    private static final Glob STACK = new Glob(null, Pattern.compile("stack"));
    private static final int MOST_NAMES = 12;

    /**
     * The patterns of an option, and those of the shorthands that are on; {@code stack} and {@code
     * tls} add to what others choose.
     */
    public static Scope of(
            String[] only,
            String[] exclude,
            boolean heap,
            boolean data,
            boolean libraries,
            boolean stack,
            boolean tls) {
        List<Glob> wanted = globs("--only", only);
        if (heap) {
            wanted.add(HEAP);
        }
        if (data) {
            wanted.add(DATA);
        }
        if (libraries) {
            wanted.add(LIBRARIES);
        }
        if (stack && !wanted.isEmpty()) {
            wanted.add(STACK);
        }
        if (tls && !wanted.isEmpty()) {
            wanted.add(STORAGE);
        }
        return new Scope(List.copyOf(wanted), List.copyOf(globs("--exclude", exclude)));
    }

    private static List<Glob> globs(String option, String[] texts) {
        List<Glob> globs = new ArrayList<>();
        for (String text : texts == null ? new String[0] : texts) {
            globs.add(
                    inner(text).equals("heap")
                            ? HEAP
                            : new Glob(option + " '" + text + "'", pattern(inner(text))));
        }
        return globs;
    }

    /** {@code *} stands for any text, {@code ?} for one character. */
    public static Pattern pattern(String glob) {
        StringBuilder expression = new StringBuilder();
        for (char c : glob.toCharArray()) {
            expression.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    private static String inner(String label) {
        return label.startsWith("[") && label.endsWith("]")
                ? label.substring(1, label.length() - 1)
                : label;
    }

    public boolean isEverything() {
        return only.isEmpty() && exclude.isEmpty();
    }

    /** Returns whether all heap blocks are traced, wherever they lie. */
    public boolean coversHeap() {
        return covers("[heap]", "") && covers("[anon]", "");
    }

    /** The options, for people. */
    public String text() {
        return Stream.concat(
                        only.stream().map(glob -> glob.text("--only")),
                        exclude.stream().map(glob -> glob.text("--exclude")))
                .collect(Collectors.joining(" "));
    }

    /**
     * Returns whether a region is traced.
     *
     * @param label as in MAPS frames
     * @param program the name of the program, whose sections have labels without it
     */
    public boolean covers(String label, String program) {
        List<String> names = names(label, program);
        return (only.isEmpty() || matches(only, names)) && !matches(exclude, names);
    }

    /** Returns whether transfers to and from stacks are. */
    boolean coversStacks() {
        return covers(STACK_LABEL, "");
    }

    /**
     * Returns whether some mapped file or shared memory may be traced; their names are not known
     * beforehand.
     */
    public boolean mayCoverMapped() {
        return only.isEmpty()
                || only.stream().anyMatch(glob -> glob.option() != null)
                || covers("[anon]", "");
    }

    /** All that a pattern may call a region, its label first. */
    static List<String> names(String bracketed, String program) {
        String label = inner(bracketed);
        int colon = label.indexOf(':');
        if (label.startsWith(".")) {
            return List.of(label, program, program + ":" + label);
        } else if (label.startsWith(FILE)) {
            return List.of(label, label.substring(FILE.length()));
        }
        String module = colon < 0 ? label : label.substring(0, colon);
        List<String> names = new ArrayList<>(List.of(label));
        names.addAll(colon < 0 ? List.of() : List.of(module));
        if (module.contains("/")) { // one of several of a name
            names.add(module.substring(module.lastIndexOf('/') + 1));
        }
        return names;
    }

    /** A shorthand means labels only. */
    private static boolean matches(List<Glob> globs, List<String> names) {
        return globs.stream()
                .anyMatch(
                        glob -> glob.matches(glob.option() == null ? names.subList(0, 1) : names));
    }

    /**
     * Returns what to say about the patterns that meant nothing, a sentence each.
     *
     * @param seen all {@link #names} of the regions that there were, in all processes
     */
    public List<String> unmatched(Collection<String> seen) {
        List<String> sentences = new ArrayList<>();
        for (List<Glob> globs : List.of(only, exclude)) {
            for (Glob glob : globs) {
                if (glob.option() != null && !glob.matches(seen)) {
                    sentences.add(glob.option() + " matches no region or module."
                            + Suggestion.sentence(text(glob), seen));
                }
            }
        }
        if (!sentences.isEmpty()) {
            sentences.add("There were: " + listed(seen) + ".");
        }
        return sentences;
    }

    private static String text(Glob glob) {
        String quoted = glob.option()
                .substring(glob.option().indexOf('\'') + 1, glob.option().length() - 1);
        return inner(quoted);
    }

    /** Modules and regions that are no part of one. */
    private static String listed(Collection<String> seen) {
        List<String> names = new TreeSet<>(seen)
                .stream().filter(name -> name.indexOf(':') < 0).toList();
        String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
        return names.size() <= MOST_NAMES
                ? some
                : some + " and " + (names.size() - MOST_NAMES) + " more";
    }
}
