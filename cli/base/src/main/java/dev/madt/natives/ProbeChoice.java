package dev.madt.natives;

import dev.madt.trace.event.AccessKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which probes a plan has ({@code struct madtcode_choice}).
 *
 * @param probes by kind, those in front of instructions before those behind them, by address
 */
public record ProbeChoice(List<Probe> probes) {
    /** The end of a range that holds all addresses from its start on. */
    public static final long END = 0xffff_ffffL;
    /** Nothing is recorded. */
    public static final ProbeChoice NONE = new ProbeChoice(List.of());
    /** All accesses are recorded, and nothing else. */
    public static final ProbeChoice ACCESSES =
            new ProbeChoice(List.of(Probe.before(AccessKind.LOAD, 0, END, List.of())));

    private static final int HEAD_BYTES = 4 * Integer.BYTES;
    private static final int PROBE_BYTES = 6 * Integer.BYTES;
    private static final int WORD_BYTES = 16;

    /** {@code MADT_PROBE_LOADS}. */
    private static final int LOADS = 3;

    /**
     * A word of a payload.
     *
     * @param kind one of a payload's
     * @param place {@code enum madt_value}, a register, a counter, or a function's number
     * @param loads of memory, so many
     * @param piece of a text
     * @param displacements of an address and of each load
     */
    public record Word(
            AccessKind kind, int place, int loads, int piece, List<Integer> displacements) {
        /** The time. */
        public static final Word TIME = new Word(AccessKind.TIME, 0, 0, 0, List.of());
        /** The time behind all that has been executed ({@code MADT_TIME_ORDERED}). */
        public static final Word ORDERED_TIME = new Word(AccessKind.TIME, 1, 0, 0, List.of());

        /** The words of values, from a bit for each {@code enum madt_value}. */
        public static List<Word> values(int places) {
            List<Word> words = new ArrayList<>();
            for (int place = 0; place < Integer.SIZE; place++) {
                if ((places >>> place & 1) != 0) {
                    words.add(new Word(AccessKind.VALUE, place, 0, 0, List.of()));
                }
            }
            return words;
        }

        private void put(ByteBuffer bytes) {
            bytes.put((byte) kind.code()).put((byte) place).put((byte) loads).put((byte) piece);
            for (int i = 0; i < LOADS; i++) {
                bytes.putInt(i < displacements.size() ? displacements.get(i) : 0);
            }
        }
    }

    /**
     * The same probe at all places of a kind in a range.
     *
     * @param kind a probe's; any access stands for all of them
     * @param after whether it is behind the instruction
     * @param start ELF virtual address of the first instruction
     * @param end behind the last one
     */
    public record Probe(AccessKind kind, boolean after, long start, long end, List<Word> payload) {
        /** A function that is entered through a wrapper; {@code role}: what it does. */
        public static Probe hook(long address, int role) {
            return before(
                    AccessKind.HOOK,
                    address,
                    address + 1,
                    List.of(new Word(AccessKind.ROLE, 0, 0, 0, List.of(role))));
        }

        /** In front of instructions. */
        public static Probe before(AccessKind kind, long start, long end, List<Word> payload) {
            return new Probe(kind, false, start, end, payload);
        }
    }

    /** These, and others of one kind, by address. */
    public ProbeChoice with(List<Probe> others) {
        if (others.isEmpty()) {
            return this;
        }
        List<Probe> all = new ArrayList<>(probes);
        all.addAll(others);
        all.sort(Comparator.comparingInt(probe -> probe.kind().code()));
        return new ProbeChoice(all);
    }

    /** The structure, in memory. */
    public byte[] bytes(int variant, int flags) {
        Map<List<Word>, Integer> places = new LinkedHashMap<>();
        int words = 0;
        for (Probe probe : probes) {
            if (places.putIfAbsent(probe.payload, words) == null) {
                words += probe.payload.size();
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(
                        HEAD_BYTES + PROBE_BYTES * probes.size() + WORD_BYTES * words)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(variant)
                .putInt(flags)
                .putInt(probes.size())
                .putInt(words);
        for (Probe probe : probes) {
            bytes.putInt(probe.kind.code())
                    .putInt(probe.after ? 1 : 0)
                    .putInt((int) probe.start)
                    .putInt((int) probe.end)
                    .putInt(places.get(probe.payload))
                    .putInt(probe.payload.size());
        }
        places.keySet().forEach(payload -> payload.forEach(word -> word.put(bytes)));
        return bytes.array();
    }
}
