package dev.madt.resolver.demangle;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes demangled names short enough for a table: template arguments and parameters become an
 * ellipsis.
 */
public final class ShortNames {
    private static final String OPERATORS = "<>=!+-*/%^&|~,[]";
    private static final String OPENING = "<({[";
    private static final String CLOSING = ">)}]";
    /** {@code vtable for C}, {@code non-virtual thunk to C::f}: no type in front of a name. */
    private static final Pattern SPECIAL = Pattern.compile(".* (for|to) .*");

    private static final Pattern QUALIFIERS = Pattern.compile("( const| volatile| &&?)+$");
    /** What a compiler made of a function: {@code f [clone .isra.0]}. */
    private static final Pattern CLONES = Pattern.compile("( \\[clone [^]]*])+$");

    private ShortNames() {}

    /**
     * The name without its parameter list and with {@code <…>} for template arguments:
     * {@code std::vector<…>::push_back}. Operators and the parts of names that only look like
     * brackets, {@code operator<}, {@code (anonymous namespace)}, stay.
     */
    public static String of(String name) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < name.length()) {
            int operator = operatorEnd(name, at);
            if (operator > at) {
                text.append(name, at, operator);
                at = operator;
            } else if (name.charAt(at) == '<' && (isTemplate(text) || isTurbofish(name, at))) {
                at = behind(name, at, '<', '>');
                text.append("<…>");
            } else if (name.charAt(at) == '('
                    && !name.startsWith("(anonymous", at)
                    && !name.startsWith("()", at)) {
                at = behind(name, at, '(', ')');
                if (name.startsWith("::", at)) {
                    text.append("(…)");
                }
            } else if (name.startsWith("()", at)) {
                at += 2;
                text.append(name.startsWith("::", at) ? "()" : "");
            } else {
                text.append(name.charAt(at++));
            }
        }
        return text.toString();
    }

    /**
     * A short name without what stands in front of it: functions made of templates have the type
     * that they return there, {@code void std::sort<…>}.
     */
    public static String withoutType(String shortName) {
        if (SPECIAL.matcher(shortName).matches()) {
            return shortName;
        }
        Matcher clones = CLONES.matcher(shortName);
        if (clones.find()) {
            return withoutType(shortName.substring(0, clones.start())) + clones.group();
        }
        int end = shortName.indexOf("operator");
        int begin = 0;
        int depth = 0;
        String name = QUALIFIERS.matcher(shortName).replaceFirst("");
        for (int i = 0; i < (end < 0 ? name.length() : end); i++) {
            char c = name.charAt(i);
            depth += OPENING.indexOf(c) >= 0 ? 1 : CLOSING.indexOf(c) >= 0 ? -1 : 0;
            begin = c == ' ' && depth == 0 ? i + 1 : begin;
        }
        return name.substring(begin);
    }

    /**
     * Angle brackets behind a name, or an operator and a blank, are a template's; those at the
     * start of a name, or of a part of it, are of {@code <T as Trait>}.
     */
    private static boolean isTemplate(StringBuilder before) {
        int last = before.length() - 1;
        if (last > 0 && before.charAt(last) == ' ') {
            return OPERATORS.indexOf(before.charAt(last - 1)) >= 0;
        }
        return last >= 0
                && (Character.isLetterOrDigit(before.charAt(last)) || before.charAt(last) == '_');
    }

    /**
     * Rust's arguments of generic functions: {@code fill::<u8>}; but not a part of a name in
     * brackets: {@code string::<impl Display for String>::fmt}, {@code main::<lambda(int)>}.
     */
    private static boolean isTurbofish(String name, int at) {
        return name.startsWith("::", at - 2)
                && !name.startsWith("impl ", at + 1)
                && !name.startsWith("lambda", at + 1)
                && !name.startsWith("unnamed", at + 1);
    }

    /** Where an operator's name that begins here ends; the same place if none does. */
    private static int operatorEnd(String name, int at) {
        String word = "operator";
        if (!name.startsWith(word, at)
                || at > 0 && Character.isJavaIdentifierPart(name.charAt(at - 1))) {
            return at;
        }
        int end = at + word.length();
        if (name.startsWith("()", end)) {
            return end + 2;
        }
        while (end < name.length() && OPERATORS.indexOf(name.charAt(end)) >= 0) {
            end++;
        }
        return end;
    }

    /** The place behind the bracket that closes the one here; the end of the name if none does. */
    private static int behind(String name, int at, char open, char close) {
        int depth = 0;
        for (int i = at; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean arrow = c == '>' && i > 0 && name.charAt(i - 1) == '-';
            depth += c == open ? 1 : c == close && !arrow ? -1 : 0;
            if (depth == 0) {
                return i + 1;
            }
        }
        return name.length();
    }
}
