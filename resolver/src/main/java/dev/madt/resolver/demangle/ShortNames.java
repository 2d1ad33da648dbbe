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
    private static final Pattern QUALIFIERS = Pattern.compile("( const| volatile| &&?)+$");

    /** Ends of names of functions of libstdc++ that call what they are given. */
    private static final Pattern CALLER = Pattern.compile("::(_M_invoke|_M_run)$");

    /** Finds the mangled names of these functions. */
    private static final Pattern MANGLED_CALLER = Pattern.compile("^_ZNSt.*(9_M_invokeE|6_M_runE)");

    /** Names of lambdas: gcc's, clang's, by their place, and closures of Rust. */
    private static final Pattern LAMBDA = Pattern.compile("\\{lambda[(#]|\\{lambda at |\\$_\\d+");

    /** Finds the function of a lambda whose place is known. */
    private static final Pattern CALLED =
            Pattern.compile("(\\{lambda[^({]* at [^{}]*})::operator\\(\\)(<.*>)?(?=$| \\[)");

    /** Of arguments in arguments. */
    private static final int DEEPEST = 100;

    private ShortNames() {}

    /**
     * The name without its parameter list and with {@code <…>} for template arguments:
     * {@code std::vector<…>::push_back}. Operators and the parts of names that only look like
     * brackets, {@code operator<}, {@code (anonymous namespace)}, stay.
     */
    public static String of(String name) {
        return of(name, 0, -1);
    }

    /**
     * As {@link #of(String)}, and without the type that the function returns. What only calls a
     * lambda, for {@code std::function} and {@code std::thread}, is called as that.
     */
    public static String brief(String name) {
        String text = CALLED.matcher(withoutType(of(name))).replaceFirst("$1");
        String lambda = calledLambda(name, text);
        return lambda == null ? text : withoutType(of(lambda));
    }

    /** The name with all template arguments, without parameters and the type that is returned. */
    public static String whole(String name) {
        return withoutType(of(name, DEEPEST, -1));
    }

    /** Returns whether the linker calls a function so that only calls what it is given. */
    public static boolean isCaller(String linkerName) {
        return MANGLED_CALLER.matcher(linkerName).find();
    }

    /** The first template argument that is a lambda, or null; only such functions have it. */
    static String calledLambda(String name) {
        return calledLambda(name, withoutType(of(name)));
    }

    private static String calledLambda(String name, String brief) {
        return name.startsWith("std::") && CALLER.matcher(brief).find() ? lambda(name) : null;
    }

    private static String lambda(String name) {
        Matcher matcher = LAMBDA.matcher(name);
        while (matcher.find()) {
            int end = matcher.group().startsWith("{")
                    ? behind(name, matcher.start(), '{', '}')
                    : matcher.end();
            if (end < name.length() && ",> ".indexOf(name.charAt(end)) >= 0) {
                return name.substring(argument(name, matcher.start()), end);
            }
        }
        return null;
    }

    /** Returns where the argument begins in which a place is. */
    static int argument(String name, int place) {
        int depth = 0;
        int at = place;
        while (at > 0) {
            depth -= nesting(name, at - 1);
            if (depth < 0 || depth == 0 && name.charAt(at - 1) == ',') {
                break;
            }
            at--;
        }
        return name.charAt(at) == ' ' ? at + 1 : at;
    }

    /** Returns 1 for a bracket that opens, -1 for one that closes, and 0 for all else. */
    static int nesting(String name, int at) {
        char c = name.charAt(at);
        boolean arrow = c == '>' && at > 0 && name.charAt(at - 1) == '-';
        return OPENING.indexOf(c) >= 0 ? 1 : CLOSING.indexOf(c) >= 0 && !arrow ? -1 : 0;
    }

    /**
     * The name with template arguments to a depth: of {@code f<map<int, A<B> > >}, depth 1 is
     * {@code f<map<…> >} and depth 2 {@code f<map<int, A<…> > >}.
     *
     * @param parameters the depth of template arguments in lists of parameters; -1: parameters are
     *     left out, too
     */
    static String of(String name, int depth, int parameters) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        while (at < name.length()) {
            int operator = operatorEnd(name, at);
            if (operator > at) {
                text.append(name, at, operator);
                at = operator;
            } else if (name.charAt(at) == '<' && (isTemplate(text) || isTurbofish(name, at))) {
                int end = behind(name, at, '<', '>');
                text.append(depth == 0 ? "<…>" : inside(name, at, end, depth - 1, depth - 1));
                at = end;
            } else if (name.charAt(at) == '('
                    && !name.startsWith("(anonymous", at)
                    && !name.startsWith("()", at)) {
                int end = behind(name, at, '(', ')');
                if (parameters >= 0) {
                    text.append(inside(name, at, end, parameters, parameters));
                } else if (name.startsWith("::", end)) {
                    text.append("(…)");
                }
                at = end;
            } else if (name.startsWith("()", at)) {
                at += 2;
                text.append(parameters >= 0 || name.startsWith("::", at) ? "()" : "");
            } else {
                text.append(name.charAt(at++));
            }
        }
        return text.toString();
    }

    /** A pair of brackets and what is in it, with arguments to a depth. */
    private static String inside(String name, int at, int end, int depth, int parameters) {
        return end - 1 <= at
                ? name.substring(at, end)
                : name.charAt(at)
                        + of(name.substring(at + 1, end - 1), depth, parameters)
                        + name.charAt(end - 1);
    }

    /**
     * A short name without what stands in front of it: functions made of templates have the type
     * that they return there, {@code void std::sort<…>}.
     */
    public static String withoutType(String shortName) {
        if (shortName.contains(" for ") || shortName.contains(" to ")) {
            return shortName; // vtable for C, non-virtual thunk to C::f: there is no type in front
        }
        int clones = shortName.indexOf(" [clone ");
        if (clones > 0) {
            return withoutType(shortName.substring(0, clones)) + shortName.substring(clones);
        }
        if (shortName.indexOf(' ') < 0) {
            return shortName;
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

    /** Returns where an operator's name that begins here ends; the same place if none does. */
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
    static int behind(String name, int at, char open, char close) {
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
