package dev.madt.view.report;

import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * Reuse distances of a sequence of lines: how many distinct other lines were accessed since the
 * same line was (the LRU stack distance of Mattson et al., 1970). Each line holds the slot of its
 * last access; a binary indexed tree counts the slots in use (Fenwick, 1994), so an access takes
 * logarithmic time. When the slots run out they are numbered anew. Memory is bounded: of more than
 * {@code most} lines the one unused longest is forgotten, and all smaller distances stay exact.
 */
public final class ReuseDistance {
    /** Lines kept by a report: a working set of 64 MiB; the structure then takes about 70 MiB. */
    public static final int MOST = 1 << 20;

    private static final int FIRST_SLOTS = 1 << 10;

    private final int most;
    private final LongIntHashMap slots = new LongIntHashMap();
    private long[] lines = new long[FIRST_SLOTS];
    private boolean[] used = new boolean[FIRST_SLOTS];
    private int[] tree = new int[FIRST_SLOTS + 1];
    private int next;
    private int oldest;

    public ReuseDistance(int most) {
        this.most = most;
    }

    /**
     * The distance of this access; -1 for a first one or one farther than {@code most} lines back.
     */
    public int access(long line) {
        if (next == lines.length) {
            renumber();
        }
        int before = slots.getIfAbsent(line, -1);
        int distance = -1;
        if (before >= 0) {
            distance = slots.size() - upTo(before);
            release(before);
        } else if (slots.size() == most) {
            forgetOldest();
        }
        take(next++, line);
        return distance;
    }

    private void take(int slot, long line) {
        slots.put(line, slot);
        lines[slot] = line;
        used[slot] = true;
        add(slot, 1);
    }

    private void release(int slot) {
        used[slot] = false;
        add(slot, -1);
    }

    private void forgetOldest() {
        while (!used[oldest]) {
            oldest++;
        }
        slots.remove(lines[oldest]);
        release(oldest);
    }

    private void renumber() {
        int live = slots.size();
        long[] kept = new long[live];
        int count = 0;
        for (int i = 0; i < next; i++) {
            if (used[i]) {
                kept[count++] = lines[i];
            }
        }
        int size = live > lines.length / 2 ? lines.length * 2 : lines.length;
        lines = new long[size];
        used = new boolean[size];
        tree = new int[size + 1];
        oldest = 0;
        for (next = 0; next < count; next++) {
            take(next, kept[next]);
        }
    }

    private void add(int slot, int change) {
        for (int i = slot + 1; i < tree.length; i += i & -i) {
            tree[i] += change;
        }
    }

    /** Slots in use from the first up to this one. */
    private int upTo(int slot) {
        int sum = 0;
        for (int i = slot + 1; i > 0; i -= i & -i) {
            sum += tree[i];
        }
        return sum;
    }

    /** Room for slots, for tests of the bound. */
    int room() {
        return lines.length;
    }
}
