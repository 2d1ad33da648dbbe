package dev.madt.trace.instrument;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * An instrument as the user asked for it.
 *
 * @param number from 0, in the order in which they were typed
 * @param typed place as typed
 * @param typedActions actions as typed
 * @param selection which hits are taken
 */
public record Instrument(
        int number,
        String typed,
        Place place,
        String typedActions,
        List<Action> actions,
        Selection selection) {
    /** The key of META frames for the instruments of a recording. */
    public static final String KEY = "instruments";
    /** Between the parts of one, in META frames. */
    private static final String BETWEEN = "¦";
    /** Parts of one of whose hits not all are taken. */
    private static final int PARTS = 6;

    /** Reads one of whose hits all are taken for which a condition holds. */
    public static Instrument of(int number, String place, String actions, String condition)
            throws InstrumentSyntaxException {
        return of(number, place, actions, Selection.of(condition, "", "", ""));
    }

    /** Reads one. */
    public static Instrument of(int number, String place, String actions, Selection selection)
            throws InstrumentSyntaxException {
        return new Instrument(
                number,
                place,
                new PlaceReader(place).read(),
                actions,
                new ActionReader(actions).read(),
                selection);
    }

    /** Returns the condition as typed; empty: there is none. */
    public String condition() {
        return selection.condition();
    }

    /** Returns the condition; null: there is none. */
    public Expression filter() {
        return selection.filter();
    }

    /** Returns its line in META frames. */
    public String row() {
        return plain(typed) + BETWEEN + plain(typedActions) + BETWEEN + plain(selection);
    }

    private static String plain(Selection selection) {
        return new Selection(
                        plain(selection.condition()),
                        null,
                        selection.every(),
                        plain(selection.from()),
                        plain(selection.until()))
                .row(BETWEEN);
    }

    private static String plain(String text) {
        return text.replaceAll("[\\p{Cntrl}¦]", " ");
    }

    /** Returns the one with this line; null: a newer recorder wrote it. */
    public static Instrument ofRow(int number, String row) {
        String[] parts = row.split(BETWEEN, -1);
        try {
            boolean more = parts.length >= PARTS;
            return parts.length < 3
                    ? null
                    : of(
                            number,
                            parts[0],
                            parts[1],
                            Selection.of(
                                    parts[2],
                                    more ? parts[3] : "",
                                    more ? parts[4] : "",
                                    more ? parts[5] : ""));
        } catch (InstrumentSyntaxException e) {
            return null;
        }
    }

    /** Returns what its expressions take from the program, in their order. */
    public Set<Leaf> leaves() {
        Set<Leaf> leaves = new LinkedHashSet<>();
        if (filter() != null) {
            filter().addLeaves(leaves);
        }
        leaves.addAll(valueLeaves());
        return leaves;
    }

    /** Returns what its actions take from the program, in their order. */
    public Set<Leaf> valueLeaves() {
        Set<Leaf> leaves = new LinkedHashSet<>();
        for (Action action : actions) {
            action.values().forEach(value -> value.addLeaves(leaves));
            if (action.key() != null) {
                action.key().addLeaves(leaves);
            }
        }
        return leaves;
    }

    /** Returns the calls by which hits are counted, or which logs tell; null: none are taken. */
    public Leaf stack() {
        return actions.stream()
                .map(Action::stack)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a log tells all values of a place that the source names. */
    public boolean tellsAll() {
        return place.kind() == Place.Kind.STATIC && actions.stream().anyMatch(Action::tellsAll);
    }

    /** Returns whether more is wanted than counts. */
    public boolean tellsMore() {
        return actions.stream()
                .anyMatch(action ->
                        action.kind() != Action.Kind.COUNT && action.kind() != Action.Kind.CALL);
    }

    /** Returns whether hits may make records. */
    public boolean records() {
        return filter() != null || tellsMore();
    }

    /** Returns whether the time of a function is taken. */
    public boolean times() {
        return actions.stream().anyMatch(action -> action.kind() == Action.Kind.TIME);
    }

    /** Returns whether functions are called. */
    public boolean calls() {
        return actions.stream().anyMatch(action -> action.kind() == Action.Kind.CALL);
    }

    /** Returns whether hits are counted. */
    public boolean counts() {
        return actions.stream().anyMatch(action -> action.kind() == Action.Kind.COUNT);
    }
}
