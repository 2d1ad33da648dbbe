package dev.madt.testprogs.recording;

import dev.madt.testprogs.AddressRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Holds what a program of threads/ says of its own accesses: known.h and handover.c have the lines.
 * Threads are those of all its processes.
 */
final class KnownAccesses {
    /** A word as one thread sees it. */
    record Place(int thread, long address) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return thread != other.thread
                    ? Integer.compare(thread, other.thread)
                    : Long.compare(address, other.address);
        }

        @Override
        public String toString() {
            return "thread " + thread + ", 0x" + Long.toHexString(address);
        }
    }

    /** Says how often a word was accessed; a modification is one of each. */
    record Count(long loads, long stores) {
        static final Count NONE = new Count(0, 0);

        Count plus(Count other) {
            return new Count(loads + other.loads, stores + other.stores);
        }

        boolean exceeds(Count other) {
            return loads > other.loads || stores > other.stores;
        }

        long sum() {
            return loads + stores;
        }
    }

    /** One use of a block: what was accessed, and which block that is. */
    record Use(boolean store, long address, long block, long size, int maker) {}

    private final AddressRanges data = new AddressRanges();
    private final List<Long> code = new ArrayList<>();
    private final Map<Place, Count> counts = new TreeMap<>();
    private final Map<Integer, List<Use>> uses = new TreeMap<>();

    static KnownAccesses parse(String output) {
        KnownAccesses known = new KnownAccesses();
        output.lines().forEach(known::line);
        return known;
    }

    private void line(String line) {
        String[] word = line.split(" ");
        switch (word[0]) {
            case "data" -> data.add(Long.parseLong(word[1]), Long.parseLong(word[2]));
            case "code" -> code.add(Long.parseLong(word[1]));
            case "count" ->
                count(
                        new Place(Integer.parseInt(word[1]), Long.parseLong(word[2])),
                        new Count(Long.parseLong(word[3]), Long.parseLong(word[4])));
            case "use" ->
                use(
                        Integer.parseInt(word[1]),
                        new Use(
                                word[2].equals("S"),
                                Long.parseLong(word[3]),
                                Long.parseLong(word[4]),
                                Long.parseLong(word[5]),
                                Integer.parseInt(word[6])));
            default ->
                throw new IllegalArgumentException("not a line about accesses: '" + line + "'");
        }
    }

    /**
     * As if the program were to say it; what is said twice adds up, as of a thread that executes
     * another program.
     */
    void count(Place place, Count count) {
        counts.merge(place, count, Count::plus);
    }

    void use(int thread, Use use) {
        uses.computeIfAbsent(thread, id -> new ArrayList<>()).add(use);
    }

    boolean counts(long address) {
        return data.contains(address);
    }

    boolean follows(long instruction) {
        return code.contains(instruction);
    }

    Map<Place, Count> counts() {
        return counts;
    }

    /** By thread, in its order. */
    Map<Integer, List<Use>> uses() {
        return uses;
    }

    long sum() {
        return counts.values().stream().mapToLong(Count::sum).sum()
                + uses.values().stream().mapToLong(List::size).sum();
    }
}
