package dev.madt.trace.instrument;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The instruments of a trace, and what its events say of their hits. */
public final class RecordedInstruments {
    /** Values of an event. */
    public static final int VALUES = 3;
    /** The key of META frames for texts by which tables go. */
    public static final String TEXTS = "instrument_texts";

    private final List<Instrument> instruments = new ArrayList<>();
    private Map<Integer, PlacedInstrument> places = Map.of();
    private String[] texts = {};
    /** By threads, the values in front of those of a hit. */
    private final Map<Integer, long[]> waiting = new HashMap<>();

    /** Takes what META frames tell. */
    public void meta(Map<String, String> values) {
        String rows = values.get(Instrument.KEY);
        if (rows != null) {
            String[] lines = rows.split("\n");
            for (int i = instruments.size(); i < lines.length; i++) {
                instruments.add(Instrument.ofRow(i, lines[i]));
            }
        }
        String placed = values.get(PlacedInstrument.KEY);
        if (placed != null) {
            places = PlacedInstrument.ofRows(placed);
        }
        texts = values.containsKey(TEXTS) ? values.get(TEXTS).split("\n", -1) : texts;
    }

    /** Returns a text by which a table goes; null: it is not known. */
    public String text(long number) {
        return number < 0 || number >= texts.length ? null : texts[(int) number];
    }

    /** Returns the instruments, null where a newer recorder wrote one. */
    public List<Instrument> all() {
        return instruments;
    }

    /** Returns the action of an INSTRUMENT_ROW; null: a newer recorder wrote it. */
    public Action action(long number) {
        long at = number / Action.MOST;
        Instrument instrument =
                number < 0 || at >= instruments.size() ? null : instruments.get((int) at);
        int action = (int) (number % Action.MOST);
        return instrument == null || action >= instrument.actions().size()
                ? null
                : instrument.actions().get(action);
    }

    /**
     * Returns whether an expression of an action has values without a sign, at some place at least.
     *
     * @param action as of {@link #action}
     */
    public boolean isUnsigned(long action, Expression expression) {
        return places.values().stream()
                .filter(place -> place.instrument() == action / Action.MOST)
                .anyMatch(place -> expression.isUnsigned(leaf -> {
                    LeafForm form = place.leaves().get(leaf.text());
                    return form != null && form.isUnsigned();
                }));
    }

    /** Returns the place with this number, or null. */
    public PlacedInstrument place(long number) {
        return places.get((int) number);
    }

    /** Returns all places. */
    public Iterable<PlacedInstrument> places() {
        return places.values();
    }

    /** Takes values that stand in front of a hit; whether the event is of that kind. */
    public boolean takes(TraceEvent event) {
        if (event.type() != RingEventType.INSTRUMENT_VALUES) {
            return false;
        }
        long[] before = waiting.getOrDefault(event.thread(), new long[0]);
        waiting.put(event.thread(), joined(before, event));
        return true;
    }

    private static long[] joined(long[] before, TraceEvent event) {
        long[] all = Arrays.copyOf(before, before.length + VALUES);
        for (int i = 0; i < VALUES; i++) {
            all[before.length + i] = event.word(i + 1);
        }
        return all;
    }

    /**
     * Holds what a hit says.
     *
     * @param text one for each log of its instrument
     * @param stack the node of the calls that control is in; 0: it is not known
     * @param calls of the stack that are to be told, at most; 0: none was taken
     */
    public record Said(String text, long stack, int calls) {}

    /** Returns what a hit says; null: it is not known. */
    public Said said(TraceEvent hit) {
        long[] before = waiting.remove(hit.thread());
        PlacedInstrument place = place(hit.word(0));
        Instrument instrument = place == null || place.instrument() >= instruments.size()
                ? null
                : instruments.get(place.instrument());
        if (instrument == null) {
            return null;
        }
        long[] words = joined(before == null ? new long[0] : before, hit);
        List<String> lines = new ArrayList<>();
        for (Action action : instrument.actions()) {
            if (action.tellsAll() && instrument.tellsAll()) {
                lines.add(place.call(words));
            } else if (action.kind() == Action.Kind.LOG) {
                lines.add(action.format()
                        .line(action.values().stream()
                                .map(value -> value.evaluate(place.values(words, hit.thread())))
                                .toList()));
            }
        }
        Leaf stack = instrument.stack();
        return stack == null
                ? new Said(String.join("; ", lines), 0, 0)
                : new Said(
                        String.join("; ", lines),
                        place.values(words, hit.thread()).apply(stack).bits(),
                        stack.calls());
    }
}
