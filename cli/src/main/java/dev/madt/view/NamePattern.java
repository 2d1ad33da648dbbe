package dev.madt.view;

import java.util.regex.Pattern;

/** A name with wildcards: {@code *} is any text, {@code ?} any character. The whole name must match. */
public final class NamePattern {
    private final Pattern pattern;

    public NamePattern(String wildcards) {
        StringBuilder expression = new StringBuilder();
        for (int i = 0; i < wildcards.length(); i++) {
            char c = wildcards.charAt(i);
            expression.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        pattern = Pattern.compile(expression.toString(), Pattern.DOTALL);
    }

    public boolean matches(String name) {
        return pattern.matcher(name).matches();
    }

    /** Whether a variable, a block or the blocks of its call have the name. */
    public boolean matches(Datum datum) {
        return matches(datum.name()) || datum.block() != null && matches(datum.commonName());
    }
}
