package dev.madt.leaves;

import dev.madt.guard.Guard.Taken;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.instrument.Leaf;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Says how much room the words of a record take. */
public final class Room {
    private Room() {}

    /** Returns how many general registers words are taken from. */
    public static long registers(Collection<Word> words) {
        return words.stream()
                .map(Word::place)
                .filter(place -> place < Leaf.REGISTERS.size())
                .distinct()
                .count();
    }

    /**
     * Leaves out values that are computed of several words, from the last one on, until there is
     * room for the others.
     *
     * @param taken by the texts of leaves, in their order
     * @param words of a record, at most
     * @param registers of them, at most
     */
    public static void fit(Map<String, Taken> taken, int words, int registers) {
        while (!fits(taken, words, registers)) {
            String last = null;
            for (Map.Entry<String, Taken> one : taken.entrySet()) {
                last = one.getValue().form().formula() == null ? last : one.getKey();
            }
            if (last == null) {
                return;
            }
            taken.put(last, Taken.NOTHING);
        }
    }

    private static boolean fits(Map<String, Taken> taken, int words, int registers) {
        Set<Word> all = new LinkedHashSet<>();
        taken.values().forEach(one -> all.addAll(one.words()));
        return all.size() <= words && registers(all) <= registers;
    }
}
