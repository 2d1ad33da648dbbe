package dev.madt.trace.instrument;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An instrument as the user asked for it.
 *
 * @param number from 0, in the order in which they were typed
 * @param typed place as typed
 * @param typedActions actions as typed
 * @param condition as typed; empty: none
 * @param filter hits at which it is not true are left out; null: none is
 */
public record Instrument(
        int number,
        String typed,
        Place place,
        String typedActions,
        List<Action> actions,
        String condition,
        Expression filter) {
    /** The key of META frames for the instruments of a recording. */
    public static final String KEY = "instruments";
    /** Between the parts of one, in META frames. */
    private static final String BETWEEN = "¦";

    /** Reads one. */
    public static Instrument of(int number, String place, String actions, String condition)
            throws InstrumentSyntaxException {
        return new Instrument(
                number,
                place,
                new PlaceReader(place).read(),
                actions,
                new ActionReader(actions).read(),
                condition,
                condition.isEmpty() ? null : expression(condition));
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

    /** Returns its line in META frames. */
    public String row() {
        return plain(typed) + BETWEEN + plain(typedActions) + BETWEEN + plain(condition);
    }

    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}¦]", " ");
    }

    /** Returns the one with this line; null: a newer recorder wrote it. */
    public static Instrument ofRow(int number, String row) {
        String[] parts = row.split(BETWEEN, -1);
        try {
            return parts.length < 3 ? null : of(number, parts[0], parts[1], parts[2]);
        } catch (InstrumentSyntaxException e) {
            return null;
        }
    }

    /** Returns what its expressions take from the program, in their order. */
    public Set<Leaf> leaves() {
        Set<Leaf> leaves = new LinkedHashSet<>();
        if (filter != null) {
            filter.addLeaves(leaves);
        }
        for (Action action : actions) {
            action.values().forEach(value -> value.addLeaves(leaves));
            if (action.key() != null) {
                action.key().addLeaves(leaves);
            }
        }
        return leaves;
    }

    /** Returns whether a log tells all values of a place that the source names. */
    public boolean tellsAll() {
        return place.kind() == Place.Kind.STATIC && actions.stream().anyMatch(Action::tellsAll);
    }

    /** Returns whether each hit makes a record, since more than a count is wanted. */
    public boolean records() {
        return filter != null
                || actions.stream().anyMatch(action -> action.kind() != Action.Kind.COUNT);
    }

    /** Returns whether the time of a function is taken. */
    public boolean times() {
        return actions.stream().anyMatch(action -> action.kind() == Action.Kind.TIME);
    }

    /** Returns whether hits are counted where they happen. */
    public boolean counts() {
        return filter == null
                && actions.stream().anyMatch(action -> action.kind() == Action.Kind.COUNT);
    }
}
