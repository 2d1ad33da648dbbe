package dev.madt.trace.instrument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An instrument at one of its places.
 *
 * @param number of the place in the recording
 * @param instrument its number
 * @param label how people call the place: {@code inflate:block(3)}
 * @param module that it is in
 * @param address ELF virtual address of the instruction
 * @param after whether it stands behind the instruction
 * @param leaves texts of the leaves that its values are, in their order
 */
public record PlacedInstrument(
        int number,
        int instrument,
        String label,
        String module,
        long address,
        boolean after,
        List<String> leaves) {
    /** The key of META frames for places. */
    public static final String KEY = "instrument_places";

    private static final String BETWEEN = "¦";
    private static final String COMMA = " ";
    private static final int PARTS = 7;

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
                String.join(COMMA, leaves));
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
                parts[6].isEmpty() ? List.of() : List.of(parts[6].split(COMMA)));
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

    /**
     * Returns the values of an instrument's leaves.
     *
     * @param words as they were recorded, in the order of `leaves`
     */
    public Function<Leaf, Value> values(long[] words, int thread) {
        return leaf -> {
            if (leaf.kind() == Leaf.Kind.THREAD) {
                return Value.of(thread);
            }
            int at = leaves.indexOf(leaf.text());
            return at < 0 || at >= words.length ? Value.UNKNOWN : Value.of(words[at]);
        };
    }

    /** Returns the texts of what an instrument takes from the program. */
    public static List<String> leavesOf(Instrument instrument) {
        List<String> texts = new ArrayList<>();
        for (Leaf leaf : instrument.leaves()) {
            if (leaf.kind() != Leaf.Kind.THREAD && !texts.contains(leaf.text())) {
                texts.add(leaf.text());
            }
        }
        return texts;
    }
}
