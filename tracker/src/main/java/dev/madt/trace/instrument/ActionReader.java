package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the actions of an instrument: {@code ACTION; ACTION}. */
final class ActionReader {
    private static final String BY = "by";
    private static final int MOST_DIGITS = 3;

    private final String text;
    private int at;
    /** Null: no action has taken a stack. */
    private Leaf stack;

    ActionReader(String text) {
        this.text = text;
    }

    List<Action> read() throws InstrumentSyntaxException {
        List<Action> actions = new ArrayList<>();
        do {
            skip();
            if (at < text.length() || actions.isEmpty()) {
                actions.add(action());
            }
            skip();
            if (at < text.length() && text.charAt(at) != ';') {
                if (text.startsWith(BY, at)
                        && actions.get(actions.size() - 1).kind() == Action.Kind.COUNT) {
                    throw wrong("count has no key: 'sum 1 by …' counts for each", at);
                }
                throw wrong("a ';' between actions, or an operator, is missing here", at);
            }
            at++;
        } while (at < text.length());
        if (actions.size() > Action.MOST) {
            throw wrong("an instrument has up to " + Action.MOST + " actions", 0);
        }
        return actions;
    }

    private Action action() throws InstrumentSyntaxException {
        int from = at;
        String word = word();
        for (Action.Kind kind : Action.Kind.values()) {
            if (kind.word().equals(word)) {
                return switch (kind) {
                    case LOG -> log(from);
                    case CALL -> call(from);
                    case STACK -> new Action(kind, null, List.of(), stack(from), typed(from));
                    case TIME -> new Action(kind, null, List.of(), key(), typed(from));
                    default ->
                        kind.takesValues()
                                ? table(kind, from)
                                : new Action(kind, null, List.of(), null, word);
                };
            }
        }
        throw wrong(
                (word.isEmpty()
                                ? "an action is missing here"
                                : "no action is called '" + word + "'")
                        + nearest(word) + "; there are " + words(),
                from);
    }

    private static String words() {
        return Arrays.stream(Action.Kind.values())
                .map(Action.Kind::word)
                .collect(Collectors.joining(", "));
    }

    private static String nearest(String word) {
        for (Action.Kind kind : Action.Kind.values()) {
            boolean near = word.length() > 2 && kind.word().startsWith(word.substring(0, 2));
            if (near || word.startsWith(kind.word())) {
                return ", did you mean '" + kind.word() + "'?";
            }
        }
        return "";
    }

    private Action log(int start) throws InstrumentSyntaxException {
        skip();
        int from = at;
        String quoted = at < text.length() && text.charAt(at) == '"' ? quoted() : null;
        List<Expression> values = new ArrayList<>();
        StringBuilder named = new StringBuilder();
        for (skip(); at < text.length() && text.charAt(at) != ';'; skip()) {
            int begin = at;
            values.add(expression());
            named.append(named.length() > 0 ? " " : "")
                    .append(text.substring(begin, at).strip().replace("%", "%%"))
                    .append(isText(values.get(values.size() - 1)) ? "=%s" : "=%d");
            skip();
            if (at < text.length() && text.charAt(at) == ',') {
                at++;
            }
        }
        LogFormat format =
                new LogFormat(quoted == null ? named.toString() : quoted, text, from + 1);
        if (format.values() != values.size()) {
            throw wrong(
                    "the text has places for " + format.values() + " values, and " + values.size()
                            + " are given",
                    from);
        }
        return new Action(Action.Kind.LOG, format, values, null, typed(start));
    }

    /** Reads a function and its library, up to the end of the action. */
    private Action call(int start) throws InstrumentSyntaxException {
        skip();
        int from = at;
        int end = text.indexOf(';', at);
        at = end < 0 ? text.length() : end;
        String named = text.substring(from, at).strip();
        int of = named.indexOf(Action.OF);
        if (of < 1 || of + 1 == named.length()) {
            throw wrong("call takes a function and its library: call FUNC@./my.so", from);
        }
        return new Action(Action.Kind.CALL, null, List.of(), null, typed(start));
    }

    private static boolean isText(Expression value) {
        return value instanceof Expression.Taken taken && taken.leaf().isText();
    }

    private String quoted() throws InstrumentSyntaxException {
        int end = text.indexOf('"', at + 1);
        if (end < 0) {
            throw wrong("the text that begins here has no '\"' at its end", at);
        }
        String inner = text.substring(at + 1, end);
        at = end + 1;
        return inner;
    }

    private Action table(Action.Kind kind, int start) throws InstrumentSyntaxException {
        Expression value = expression();
        Expression key = kind == Action.Kind.HIST ? null : key();
        return new Action(kind, null, List.of(value), key, typed(start));
    }

    /** Reads by what a table goes, if that is said. */
    private Expression key() throws InstrumentSyntaxException {
        skip();
        if (!text.startsWith(BY, at)) {
            return null;
        }
        at += BY.length();
        skip();
        int from = at;
        boolean byStack = word().equals(Action.Kind.STACK.word());
        at = byStack ? at : from;
        return byStack ? stack(from) : expression();
    }

    /** Reads how many callers there are to be, if that is said, behind the word. */
    private Expression stack(int from) throws InstrumentSyntaxException {
        skip();
        int begin = at;
        while (at < text.length() && text.charAt(at) != ';') {
            at++;
        }
        String typed = text.substring(begin, at).strip();
        int callers = typed.isEmpty()
                ? stack == null ? Leaf.CALLERS : stack.calls() - 1
                : typed.length() <= MOST_DIGITS && typed.matches("[0-9]+")
                        ? Integer.parseInt(typed)
                        : 0;
        if (callers < 1 || callers > Leaf.MOST_CALLERS) {
            throw wrong(
                    "stack takes a number of callers, from 1 to " + Leaf.MOST_CALLERS + ", or none",
                    begin);
        }
        Leaf taken = Leaf.stack(callers, from);
        if (stack != null && stack.calls() != taken.calls()) {
            throw wrong(
                    "stacks of one instrument have one number of callers, and another action has "
                            + stack.root(),
                    begin);
        }
        stack = stack == null ? taken : stack;
        return new Expression.Taken(stack);
    }

    private String typed(int from) {
        return text.substring(from, at).strip();
    }

    private Expression expression() throws InstrumentSyntaxException {
        ExpressionReader reader = new ExpressionReader(text, at);
        Expression expression = reader.read();
        at = reader.position();
        return expression;
    }

    private String word() {
        int from = at;
        while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        return text.substring(from, at);
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private InstrumentSyntaxException wrong(String what, int column) {
        return new InstrumentSyntaxException(what, text, Math.min(column, text.length()));
    }
}
