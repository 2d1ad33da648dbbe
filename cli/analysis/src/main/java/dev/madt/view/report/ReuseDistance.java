package dev.madt.view.report;

import java.util.Arrays;

/**
 * Reuse distances of a sequence of lines: how many distinct other lines were accessed since the
 * same line was (the LRU stack distance of Mattson, Gecsei, Slutz and Traiger, "Evaluation
 * techniques for storage hierarchies", IBM Systems Journal 9(2), 1970). Each line has the slot of
 * its last access, and the slots in use behind that one are counted by a tree over the slots, as in
 * Olken, "Efficient methods for calculating the success function of fixed space replacement
 * policies", LBL-12370, 1981; here it is a tree of three levels, whose leaves are bits:
 *
 * <pre>
 *   parts     one count for 32 groups, 65,536 slots
 *   groups    one count for 32 words, 2,048 slots
 *   used      one word for 64 slots, a bit each
 * </pre>
 *
 * <p>A change costs three additions. A question costs up to 32 words, 32 groups and all parts, and
 * few words where the last access is not long ago. When the slots run out they are numbered anew.
 *
 * <p>Memory is bounded: of more than {@code most} lines the one unused longest is forgotten, and
 * all smaller distances stay exact. A line costs 18 to 36 bytes in the table of lines and 16 to 33
 * in the slots.
 */
public final class ReuseDistance {
    /** Lines kept by a report: a working set of 64 MiB; the structure then takes about 42 MiB. */
    public static final int MOST = 1 << 20;

    private static final int FIRST_SLOTS = 1 << 10;
    private static final int WORD = 6;
    /** Bits of a slot's number below those of its group, and of its part. */
    private static final int GROUP = WORD + 5;

    private static final int PART = GROUP + 5;

    private final int most;
    private final LineSlots slots = new LineSlots();
    private long[] lines;
    private long[] used;
    private int[] groups;
    private int[] parts;
    private int next;
    private int oldest;

    public ReuseDistance(int most) {
        this.most = most;
        clear(FIRST_SLOTS);
    }

    /**
     * Returns the distance of this access; -1 for a first one or one farther than {@code most}
     * lines back.
     */
    public int access(long line) {
        if (next > 0 && lines[next - 1] == line) {
            return 0;
        }
        if (next == lines.length) {
            renumber();
        }
        int before = slots.put(line, next);
        int distance = -1;
        if (before >= 0) {
            distance = behind(before);
            release(before);
        } else if (slots.size() > most) {
            forgetOldest();
        }
        take(line);
        return distance;
    }

    /** Returns how many lines are kept. */
    public int lines() {
        return slots.size();
    }

    private void take(long line) {
        int slot = next++;
        lines[slot] = line;
        used[slot >> WORD] |= 1L << slot;
        groups[slot >> GROUP]++;
        parts[slot >> PART]++;
    }

    private void release(int slot) {
        used[slot >> WORD] &= ~(1L << slot);
        groups[slot >> GROUP]--;
        parts[slot >> PART]--;
    }

    private void forgetOldest() {
        while ((used[oldest >> WORD] >>> oldest & 1) == 0) {
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
            if ((used[i >> WORD] >>> i & 1) != 0) {
                kept[count++] = lines[i];
            }
        }
        clear(live > lines.length / 2 ? lines.length * 2 : lines.length);
        for (int i = 0; i < count; i++) {
            slots.put(kept[i], i);
            take(kept[i]);
        }
    }

    private void clear(int size) {
        if (lines == null || lines.length < size) {
            lines = new long[size];
            used = new long[size >> WORD];
            groups = new int[(size >> GROUP) + 1];
            parts = new int[(size >> PART) + 1];
        } else {
            Arrays.fill(used, 0);
            Arrays.fill(groups, 0);
            Arrays.fill(parts, 0);
        }
        next = 0;
        oldest = 0;
    }

    /** Returns how many slots behind this one are in use. */
    private int behind(int slot) {
        int word = slot >> WORD;
        int sum = Long.bitCount(used[word] >>> slot) - 1;
        int last = next - 1 >> WORD;
        int group = slot >> GROUP;
        int end = Math.min(last, (group + 1 << GROUP - WORD) - 1);
        while (word < end) {
            sum += Long.bitCount(used[++word]);
        }
        if (word == last) {
            return sum;
        }
        int part = slot >> PART;
        int lastGroup = next - 1 >> GROUP;
        int endGroup = Math.min(lastGroup, (part + 1 << PART - GROUP) - 1);
        while (group < endGroup) {
            sum += groups[++group];
        }
        for (int lastPart = next - 1 >> PART; part < lastPart; ) {
            sum += parts[++part];
        }
        return sum;
    }

    /** Returns the room for slots, for tests of the bound. */
    int room() {
        return lines.length;
    }
}
