package dev.madt.trace.instrument;

import java.util.List;

/**
 * Reads expressions out of a text, from a position on: C's operators but for assignments, with C's
 * precedence.
 */
final class ExpressionReader {
    /** From those that bind least. */
    private static final List<List<String>> LEVELS = List.of(
            List.of("||"),
            List.of("&&"),
            List.of("|"),
            List.of("^"),
            List.of("&"),
            List.of("==", "!="),
            List.of("<=", ">=", "<", ">"),
            List.of("<<", ">>"),
            List.of("+", "-"),
            List.of("*", "/", "%"));

    private static final String WORD = "[A-Za-z_]";
    private static final String ARGUMENT = "arg[0-5]";

    private final String text;
    private int at;

    ExpressionReader(String text, int at) {
        this.text = text;
        this.at = at;
    }

    /** Returns the position behind what was read. */
    int position() {
        return at;
    }

    /** Reads one. */
    Expression read() throws InstrumentSyntaxException {
        return level(0);
    }

    private Expression level(int number) throws InstrumentSyntaxException {
        if (number == LEVELS.size()) {
            return unary();
        }
        Expression left = level(number + 1);
        for (String operator = operator(number); operator != null; operator = operator(number)) {
            at += operator.length();
            left = new Expression.Binary(operator, left, level(number + 1));
        }
        return left;
    }

    /** Returns the operator of a level that stands here; null: another one does, or none. */
    private String operator(int number) {
        skip();
        String found = null;
        for (List<String> level : LEVELS) {
            for (String operator : level) {
                boolean longer = found == null || operator.length() > found.length();
                if (longer && text.startsWith(operator, at)) {
                    found = operator;
                }
            }
        }
        return found != null
                        && LEVELS.get(number).contains(found)
                        && !text.startsWith(found + "=", at)
                ? found
                : null;
    }

    private Expression unary() throws InstrumentSyntaxException {
        skip();
        char first = peek();
        if (first == '-' || first == '~' || first == '!') {
            at++;
            return new Expression.Unary(first, unary());
        }
        if (first == '(') {
            at++;
            Expression inner = read();
            expect(')');
            return inner;
        }
        if (Character.isDigit(first)) {
            return number();
        }
        if (String.valueOf(first).matches(WORD)) {
            return word();
        }
        throw wrong(
                at >= text.length()
                        ? "an expression is missing here"
                        : "no expression begins with '" + first + "'",
                at);
    }

    private Expression number() throws InstrumentSyntaxException {
        int from = at;
        while (at < text.length() && Character.isLetterOrDigit(peek())) {
            at++;
        }
        String digits = text.substring(from, at);
        try {
            return new Expression.Constant(
                    digits.matches("0[xX].+")
                            ? Long.parseUnsignedLong(digits.substring(2), 16)
                            : Long.parseLong(digits));
        } catch (NumberFormatException e) {
            throw wrong("'" + digits + "' is no number of 64 bits", from);
        }
    }

    private Expression word() throws InstrumentSyntaxException {
        int from = at;
        while (at < text.length() && (peek() == '_' || Character.isLetterOrDigit(peek()))) {
            at++;
        }
        String word = text.substring(from, at);
        if (word.equals("reg")) {
            return register();
        }
        Leaf.Kind kind = word.matches(ARGUMENT)
                ? Leaf.Kind.ARGUMENT
                : word.equals("ret")
                        ? Leaf.Kind.RESULT
                        : word.equals("tid") ? Leaf.Kind.THREAD : Leaf.Kind.NAME;
        return new Expression.Taken(new Leaf(kind, word, from));
    }

    private Expression register() throws InstrumentSyntaxException {
        expect('(');
        skip();
        int from = at;
        while (at < text.length() && Character.isLetterOrDigit(peek())) {
            at++;
        }
        String name = text.substring(from, at);
        if (!Leaf.REGISTERS.contains(name)) {
            throw wrong(
                    (name.isEmpty()
                                    ? "a register is missing here"
                                    : "no register is called '" + name + "'")
                            + "; there are " + String.join(", ", Leaf.REGISTERS),
                    from);
        }
        expect(')');
        return new Expression.Taken(new Leaf(Leaf.Kind.REGISTER, name, from));
    }

    private void expect(char wanted) throws InstrumentSyntaxException {
        skip();
        if (peek() != wanted) {
            throw wrong("a '" + wanted + "' is missing here", at);
        }
        at++;
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private InstrumentSyntaxException wrong(String what, int column) {
        return new InstrumentSyntaxException(what, text, column);
    }
}
