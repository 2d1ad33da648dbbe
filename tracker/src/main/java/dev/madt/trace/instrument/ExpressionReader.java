package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    /** A number with a point or an exponent. */
    private static final Pattern REAL =
            Pattern.compile("[0-9]+(\\.[0-9]+([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)");

    private static final String ARGUMENT = "arg[0-5]";
    /** Indices are smaller. */
    private static final long MOST = 1L << 24;
    /** Bytes of a text, if nobody says so, and at most. */
    private static final int TEXT = 32;

    private static final int MOST_TEXT = 64;

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
        if (first == '*') {
            return pointed();
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
        if (String.valueOf(first).matches(WORD) || isOutermost()) {
            return word();
        }
        throw wrong(
                at >= text.length()
                        ? "an expression is missing here"
                        : "no expression begins with '" + first + "'",
                at);
    }

    /** Reads what a pointer points to, which is its first element. */
    private Expression pointed() throws InstrumentSyntaxException {
        int star = at++;
        Expression inner = unary();
        if (!(inner instanceof Expression.Taken taken) || taken.leaf().isText()) {
            throw wrong("behind * comes a variable that is a pointer", star);
        }
        Leaf leaf = taken.leaf();
        List<Leaf.Step> steps = new ArrayList<>(leaf.steps());
        steps.add(new Leaf.Step(null, false, 0, star));
        return new Expression.Taken(
                new Leaf(leaf.kind(), leaf.root(), steps, 0, "*" + leaf.text(), star));
    }

    private Expression number() throws InstrumentSyntaxException {
        int from = at;
        Matcher real = REAL.matcher(text).region(at, text.length());
        if (real.lookingAt()) {
            at = real.end();
            return new Expression.Real(Double.parseDouble(real.group()));
        }
        while (at < text.length() && Character.isLetterOrDigit(peek())) {
            at++;
        }
        String digits = text.substring(from, at);
        try {
            return new Expression.Constant(
                    digits.matches("0[xX].+")
                            ? Long.parseUnsignedLong(digits.substring(2), 16)
                            : Long.parseUnsignedLong(digits));
        } catch (NumberFormatException e) {
            throw wrong("'" + digits + "' is no number of 64 bits", from);
        }
    }

    private Expression word() throws InstrumentSyntaxException {
        int from = at;
        pass();
        while (text.startsWith("::", at)) {
            at += 2;
            pass();
        }
        String word = text.substring(from, at);
        if (word.equals("reg")) {
            return steps(Leaf.Kind.REGISTER, register(), from);
        }
        if (word.equals("str") && nextIs('(')) {
            return str(from);
        }
        Leaf.Kind kind =
                switch (word) {
                    case "ret" -> Leaf.Kind.RESULT;
                    case "tid" -> Leaf.Kind.THREAD;
                    case "elapsed" -> Leaf.Kind.ELAPSED;
                    case Leaf.APART -> Leaf.Kind.APART;
                    default -> word.matches(ARGUMENT) ? Leaf.Kind.ARGUMENT : Leaf.Kind.NAME;
                };
        return steps(kind, word, from);
    }

    /** Returns whether a name stands here that is in no namespace: {@code ::name}. */
    private boolean isOutermost() {
        return text.startsWith("::", at)
                && at + 2 < text.length()
                && String.valueOf(text.charAt(at + 2)).matches(WORD);
    }

    /** Goes behind letters, digits and underscores. */
    private void pass() {
        while (at < text.length() && (peek() == '_' || Character.isLetterOrDigit(peek()))) {
            at++;
        }
    }

    private boolean nextIs(char wanted) {
        skip();
        return peek() == wanted;
    }

    /** Members and elements behind a name. */
    private Expression steps(Leaf.Kind kind, String root, int from)
            throws InstrumentSyntaxException {
        List<Leaf.Step> steps = new ArrayList<>();
        int end = at;
        for (skip(); isStep(); skip()) {
            int column = at;
            if (peek() == '[') {
                at++;
                skip();
                steps.add(new Leaf.Step(null, false, index(), column));
                expect(']');
            } else {
                boolean through = peek() == '-';
                at += through ? 2 : 1;
                skip();
                steps.add(new Leaf.Step(name("a member"), through, 0, column));
            }
            end = at;
        }
        at = end;
        String whole = text.substring(from, end).replaceAll("\\s", "");
        return new Expression.Taken(new Leaf(kind, root, steps, 0, whole, from));
    }

    private boolean isStep() {
        boolean dot = peek() == '.'
                && at + 1 < text.length()
                && (Character.isLetter(text.charAt(at + 1)) || text.charAt(at + 1) == '_');
        return peek() == '[' || dot || text.startsWith("->", at);
    }

    private String name(String what) throws InstrumentSyntaxException {
        int from = at;
        pass();
        if (from == at || Character.isDigit(text.charAt(from))) {
            throw wrong(what + " is missing here", from);
        }
        return text.substring(from, at);
    }

    private long index() throws InstrumentSyntaxException {
        int from = at;
        if (read() instanceof Expression.Constant constant && Math.abs(constant.value()) < MOST) {
            return constant.value();
        }
        throw wrong("an index is a number here", from);
    }

    /** A text: {@code str(p)}, {@code str(p, 24)}. */
    private Expression str(int from) throws InstrumentSyntaxException {
        expect('(');
        skip();
        int inner = at;
        Expression pointer = unary();
        if (!(pointer instanceof Expression.Taken taken)
                || taken.leaf().isText()
                || taken.leaf().isOfRecording()) {
            throw wrong("str takes a variable, an argument or a register", inner);
        }
        long bytes = TEXT;
        if (nextIs(',')) {
            at++;
            skip();
            int column = at;
            bytes = read() instanceof Expression.Constant constant ? constant.value() : 0;
            if (bytes < 1 || bytes > MOST_TEXT) {
                throw wrong("a text has 1 to " + MOST_TEXT + " bytes", column);
            }
        }
        expect(')');
        Leaf leaf = taken.leaf();
        String whole = text.substring(from, at).replaceAll("\\s", "");
        return new Expression.Taken(
                new Leaf(leaf.kind(), leaf.root(), leaf.steps(), (int) bytes, whole, from));
    }

    private String register() throws InstrumentSyntaxException {
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
        return name;
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
