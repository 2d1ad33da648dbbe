package dev.madt.testprogs.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The expected lines of a program, from the file {@code NAME.expected} beside its source:
 *
 * <pre>
 *   # a comment
 *   with OPTIONS      options for madt run, separated by blanks
 *   keep PATTERN      only lines that match a keep pattern are looked at; without any, all are
 *   ...               any number of lines
 *   130 * PATTERN     the pattern this many times
 *   PATTERN           exactly this line
 * </pre>
 *
 * In a pattern {@code %d} is a decimal number, {@code %x} a hexadecimal one with 0x, {@code …} any
 * text, {@code %{name}} a decimal number that is the same wherever the name stands; everything else
 * means itself.
 */
final class ExpectedTrace {
    private static final Pattern TOKEN = Pattern.compile("%d|%x|…|%\\{(\\w+)}");
    private static final Pattern REPEATED = Pattern.compile("(\\d+) \\* (.*)");
    private static final String GAP = "...";

    private final List<String> options = new ArrayList<>();
    private final List<String> keeps = new ArrayList<>();
    private final List<String> patterns = new ArrayList<>();
    private final Map<String, String> bound = new HashMap<>();

    private ExpectedTrace() {}

    static ExpectedTrace read(Path file) throws IOException {
        return of(Files.readAllLines(file));
    }

    static ExpectedTrace of(List<String> lines) {
        ExpectedTrace expected = new ExpectedTrace();
        for (String line : lines) {
            if (line.startsWith("with ")) {
                expected.options.addAll(List.of(line.substring(5).split(" ")));
            } else if (line.startsWith("keep ")) {
                expected.keeps.add(line.substring(5));
            } else if (!line.isBlank() && !line.startsWith("# ")) {
                expected.add(line);
            }
        }
        return expected;
    }

    /** Options that madt run needs for this trace. */
    List<String> options() {
        return options;
    }

    private void add(String line) {
        Matcher repeated = REPEATED.matcher(line);
        int count = repeated.matches() ? Integer.parseInt(repeated.group(1)) : 1;
        for (int i = 0; i < count; i++) {
            patterns.add(repeated.matches() ? repeated.group(2) : line);
        }
    }

    /** Null if the lines are as expected, else what differs. */
    String difference(List<String> trace) {
        List<String> lines = kept(trace);
        bound.clear();
        int next = 0;
        boolean gap = false;
        for (String pattern : patterns) {
            if (pattern.equals(GAP)) {
                gap = true;
                continue;
            }
            int found = find(
                    pattern, lines, next, gap ? lines.size() : Math.min(next + 1, lines.size()));
            if (found < 0) {
                String line = next < lines.size()
                        ? "line " + (next + 1) + " is '" + lines.get(next) + "'"
                        : "the trace ended";
                return "expected '" + pattern + "'"
                        + (gap ? " somewhere after " + next + " lines" : ", but " + line)
                        + "; numbers so far: " + bound;
            }
            next = found + 1;
            gap = false;
        }
        return gap || next == lines.size()
                ? null
                : "unexpected line " + (next + 1) + ": '" + lines.get(next) + "'";
    }

    private List<String> kept(List<String> trace) {
        if (keeps.isEmpty()) {
            return trace;
        }
        List<String> lines = new ArrayList<>();
        for (String line : trace) {
            for (String keep : keeps) {
                if (matches(keep, line)) {
                    lines.add(line);
                    break;
                }
            }
        }
        return lines;
    }

    private int find(String pattern, List<String> lines, int from, int to) {
        for (int i = from; i < to; i++) {
            if (matches(pattern, lines.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private boolean matches(String pattern, String line) {
        StringBuilder regex = new StringBuilder();
        List<String> names = new ArrayList<>();
        Matcher token = TOKEN.matcher(pattern);
        int end = 0;
        while (token.find()) {
            regex.append(Pattern.quote(pattern.substring(end, token.start())))
                    .append(regexOf(token, names));
            end = token.end();
        }
        regex.append(Pattern.quote(pattern.substring(end)));
        Matcher match = Pattern.compile(regex.toString()).matcher(line);
        if (!match.matches()) {
            return false;
        }
        for (String name : names) {
            bound.put(name, match.group(name));
        }
        return true;
    }

    private String regexOf(Matcher token, List<String> names) {
        String name = token.group(1);
        if (name == null) {
            return switch (token.group()) {
                case "%d" -> "[0-9]+";
                case "%x" -> "0x[0-9a-f]+";
                default -> ".*";
            };
        }
        if (bound.containsKey(name)) {
            return bound.get(name);
        }
        if (names.contains(name)) {
            return "\\k<" + name + ">";
        }
        names.add(name);
        return "(?<" + name + ">[0-9]+)";
    }
}
