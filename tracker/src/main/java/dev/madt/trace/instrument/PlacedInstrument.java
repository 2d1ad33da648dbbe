package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An instrument at one of its places.
 *
 * @param number of the place in the recording
 * @param instrument its number
 * @param label how people call the place: {@code inflate:block(3)}
 * @param module that it is in
 * @param address ELF virtual address of the instruction
 * @param after whether it stands behind the instruction
 * @param leaves what its values are, in their order: texts of leaves, and the forms of their words
 */
public record PlacedInstrument(
        int number,
        int instrument,
        String label,
        String module,
        long address,
        boolean after,
        Map<String, LeafForm> leaves) {
    /** The key of META frames for places. */
    public static final String KEY = "instrument_places";

    private static final String BETWEEN = "¦";
    private static final String COMMA = " ";
    private static final int PARTS = 7;
    private static final String IS = "=";

    /** Returns its line in META frames. */
    public String row() {
        return String.join(
                BETWEEN,
                Integer.toString(number),
                Integer.toString(instrument),
                label,
                module,
                Long.toHexString(address),
                after ? "after" : "",
                leaves.entrySet().stream()
                        .map(leaf -> leaf.getKey() + IS + leaf.getValue().text())
                        .collect(Collectors.joining(COMMA)));
    }

    /** Returns the one with this line; null: a newer recorder wrote it. */
    static PlacedInstrument ofRow(String row) {
        String[] parts = row.split(BETWEEN, -1);
        if (parts.length < PARTS) {
            return null;
        }
        return new PlacedInstrument(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                parts[2],
                parts[3],
                Long.parseUnsignedLong(parts[4], 16),
                !parts[5].isEmpty(),
                leaves(parts[6]));
    }

    private static Map<String, LeafForm> leaves(String text) {
        Map<String, LeafForm> leaves = new LinkedHashMap<>();
        for (String leaf : text.isEmpty() ? new String[0] : text.split(COMMA)) {
            int end = leaf.lastIndexOf(IS);
            leaves.put(leaf.substring(0, end), LeafForm.of(leaf.substring(end + 1)));
        }
        return leaves;
    }

    /** Returns the number of a leaf's first word; -1: it has none. */
    public int position(String leaf) {
        int at = 0;
        for (Map.Entry<String, LeafForm> known : leaves.entrySet()) {
            if (known.getKey().equals(leaf)) {
                return at;
            }
            at += known.getValue().words();
        }
        return -1;
    }

    /** Returns them by their numbers, as META frames have them. */
    static Map<Integer, PlacedInstrument> ofRows(String rows) {
        Map<Integer, PlacedInstrument> places = new LinkedHashMap<>();
        for (String row : rows.split("\n")) {
            PlacedInstrument place = row.isEmpty() ? null : ofRow(row);
            if (place != null) {
                places.put(place.number, place);
            }
        }
        return places;
    }

    /** Returns all values, as a call is written: {@code event:step(3, "two")}. */
    String call(long[] words) {
        List<String> values = new ArrayList<>();
        int at = 0;
        for (Map.Entry<String, LeafForm> leaf : leaves.entrySet()) {
            LeafForm form = leaf.getValue();
            if (!leaf.getKey().equals(Leaf.STACK)) {
                values.add(form.show(form.read(words, at)));
            }
            at += form.words();
        }
        return label + "(" + String.join(", ", values) + ")";
    }

    /**
     * Returns the values of an instrument's leaves.
     *
     * @param words as they were recorded, in the order of `leaves`
     */
    public Function<Leaf, Value> values(long[] words, int thread) {
        Map<String, Value> values = new HashMap<>();
        int at = 0;
        for (Map.Entry<String, LeafForm> leaf : leaves.entrySet()) {
            values.put(leaf.getKey(), leaf.getValue().read(words, at));
            at += leaf.getValue().words();
        }
        return leaf -> leaf.kind() == Leaf.Kind.THREAD
                ? Value.of(thread)
                : values.getOrDefault(leaf.text(), Value.UNKNOWN);
    }
}
