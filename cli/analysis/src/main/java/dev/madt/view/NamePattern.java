package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A name with wildcards: {@code *} is any text, {@code ?} any character. The whole name must match,
 * in one of the spellings that views print: the linker's, the source's, and the source's in short.
 * It remembers the names that it was asked about.
 */
public final class NamePattern {
    private static final int MOST_NAMES = 1 << 16;

    private final String text;
    private final List<Demangler> spellings;
    private final Pattern pattern;
    /** What views may print for a pattern that is the linker's name; empty if it is none. */
    private final Collection<String> printed;

    private final Map<String, Boolean> known = new HashMap<>();
    private boolean matched;

    /** A pattern that names must match as they are. */
    public NamePattern(String wildcards) {
        this(wildcards, List.of());
    }

    /**
     * @param spellings make other spellings of the linker's names, any of which may match; the
     *     first changes every one of them
     */
    public NamePattern(String wildcards, List<Demangler> spellings) {
        this.text = wildcards;
        this.spellings = List.copyOf(spellings);
        this.pattern = pattern(wildcards);
        boolean linked =
                !spellings.isEmpty() && !respelled(wildcards, spellings.get(0)).equals(wildcards);
        this.printed = linked ? spellings(wildcards) : List.of();
    }

    private static Pattern pattern(String wildcards) {
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < wildcards.length(); i++) {
            char c = wildcards.charAt(i);
            expression.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    public boolean matches(String name) {
        Boolean answer = known.get(name);
        if (answer == null) {
            answer = matchesAnew(name);
            if (known.size() < MOST_NAMES) {
                known.put(name, answer);
            }
            matched |= answer;
        }
        return answer;
    }

    private boolean matchesAnew(String name) {
        return printed.contains(name)
                || spellings(name).stream()
                        .anyMatch(spelling -> pattern.matcher(spelling).matches());
    }

    /** Whether a variable, a block or the blocks of its call have the name. */
    public boolean matches(DataObject object) {
        return object.block() == null
                ? matches(object.name())
                : matches(object.commonName()) || !object.isSite() && matches(object.name());
    }

    /** The pattern as it was given. */
    public String text() {
        return text;
    }

    /** Whether it has matched any name so far. */
    public boolean hasMatched() {
        return matched;
    }

    /** Names that it was asked about; not all of them where there are very many. */
    public Collection<String> names() {
        return List.copyOf(known.keySet());
    }

    private Collection<String> spellings(String name) {
        LinkedHashSet<String> all = new LinkedHashSet<>();
        all.add(name);
        for (Demangler spelling : spellings) {
            all.add(respelled(name, spelling));
        }
        return all;
    }

    /**
     * In the name of a block, {@code <malloc0013@f+45>}, the function is what has another spelling.
     */
    private static String respelled(String name, Demangler spelling) {
        int at = name.indexOf('@');
        if (!name.startsWith("<") || at < 0) {
            return spelling.demangle(name);
        }
        int end = Math.max(name.lastIndexOf('+'), at + 1);
        if (end == at + 1) {
            end = name.endsWith(">") ? name.length() - 1 : name.length();
        }
        return name.substring(0, at + 1)
                + spelling.demangle(name.substring(at + 1, end))
                + name.substring(end);
    }
}
