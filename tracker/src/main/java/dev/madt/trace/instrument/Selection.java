package dev.madt.trace.instrument;

/**
 * Says which hits of an instrument are taken.
 *
 * @param condition as typed; empty: none
 * @param filter hits at which it is not true are left out; null: none is
 * @param every of the others, each so manieth of a thread is taken
 * @param from when it begins, as typed; empty: at once
 * @param until when it ends, as typed; empty: never
 */
public record Selection(
        String condition, Expression filter, long every, String from, String until) {
    /** All hits. */
    public static final Selection ALL = new Selection("", null, 1, "", "");

    /**
     * Reads one.
     *
     * @param every a number; empty: 1
     */
    public static Selection of(String condition, String every, String from, String until)
            throws InstrumentSyntaxException {
        return new Selection(
                condition,
                condition.isEmpty() ? null : expression(condition),
                every.isEmpty() ? 1 : number(every),
                from,
                until);
    }

    private static Expression expression(String text) throws InstrumentSyntaxException {
        ExpressionReader reader = new ExpressionReader(text, 0);
        Expression expression = reader.read();
        if (!text.substring(reader.position()).isBlank()) {
            throw new InstrumentSyntaxException(
                    "an operator is missing here", text, reader.position());
        }
        return expression;
    }

    private static long number(String text) throws InstrumentSyntaxException {
        if (!text.matches("0*[1-9][0-9]{0,8}")) {
            throw new InstrumentSyntaxException("--every takes a number from 1 on", text, 0);
        }
        return Long.parseLong(text);
    }

    /** Returns what META frames have of it: parts, behind those of its instrument. */
    String row(String between) {
        String all = condition;
        if (every > 1 || !from.isEmpty() || !until.isEmpty()) {
            all += between + every + between + from + between + until;
        }
        return all;
    }
}
