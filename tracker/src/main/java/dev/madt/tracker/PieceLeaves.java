package dev.madt.tracker;

import java.util.Arrays;

/**
 * Ranges [start, end) of unsigned addresses that never overlap, each with a number, its row: for many changes and few questions. Sorted arrays,
 * the leaves, of at most {@value #MOST} ranges each; leaf <i>i</i> has the starts from {@code first[i]} up to {@code first[i + 1]}, and none is
 * empty but a single one.
 *
 * <p>Look-ups take logarithmic time, constant for neighbours of the last one, and nothing is allocated for a range. A change shifts at most the
 * ranges of a leaf, and one in about {@value #MOST} / 2 the list of leaves. Not for use by several threads.
 */
final class PieceLeaves {
    private static final int MOST = 64;
    /** Two neighbours with no more ranges than this become one leaf. */
    private static final int FEW = MOST / 4;

    private static final class Leaf {
        private final long[] starts = new long[MOST];
        private final long[] ends = new long[MOST];
        private final int[] rows = new int[MOST];
        private int count;

        /** Number of ranges that start at the point or below. */
        private int upTo(long point) {
            int low = 0;
            for (int left = count; left > 0;) {
                int half = left >>> 1;
                boolean below = Long.compareUnsigned(starts[low + half], point) <= 0;
                low = below ? low + half + 1 : low;
                left = below ? left - half - 1 : half;
            }
            return low;
        }

        private void insert(int at, long start, long end, int row) {
            move(at, at + 1);
            starts[at] = start;
            ends[at] = end;
            rows[at] = row;
            count++;
        }

        private void remove(int at) {
            move(at + 1, at);
            count--;
        }

        private void move(int from, int to) {
            int behind = count - from;
            System.arraycopy(starts, from, starts, to, behind);
            System.arraycopy(ends, from, ends, to, behind);
            System.arraycopy(rows, from, rows, to, behind);
        }

        /** Takes over what the other leaf, which comes behind this one, has from {@code from} on. */
        private void append(Leaf other, int from) {
            int more = other.count - from;
            System.arraycopy(other.starts, from, starts, count, more);
            System.arraycopy(other.ends, from, ends, count, more);
            System.arraycopy(other.rows, from, rows, count, more);
            other.count = from;
            count += more;
        }
    }

    private Leaf[] leaves = {new Leaf(), null};
    private long[] first = new long[2];
    private int used = 1;
    /** The leaf for the start that was looked for last. */
    private int last;
    /** The range with the latest start up to {@link #sought}: its place in a leaf is -1 if there is none, and known only while {@link #found}. */
    private int floorLeaf;
    private int floorAt;
    private long sought;
    private boolean found;

    /**
     * Adds [start, end), which is free.
     *
     * @throws IllegalArgumentException if the range is empty
     */
    void insert(long start, long end, int row) {
        if (Long.compareUnsigned(start, end) >= 0) {
            throw new IllegalArgumentException("range " + Long.toHexString(start) + " to " + Long.toHexString(end) + " is empty");
        }
        seek(start);
        int at = floorLeaf == last ? floorAt + 1 : 0;
        Leaf leaf = leaves[last];
        found = false;
        if (leaf.count < MOST) {
            leaf.insert(at, start, end, row);
        } else {
            split(leaf, at, start);
            insert(start, end, row);
        }
    }

    /** Makes room for one more at {@code at}: a leaf of its own at the end, since blocks mostly come in ascending order, else halves. */
    private void split(Leaf leaf, int at, long start) {
        Leaf behind = new Leaf();
        behind.append(leaf, at == MOST ? MOST : MOST / 2);
        if (used == leaves.length) {
            leaves = Arrays.copyOf(leaves, 2 * used);
            first = Arrays.copyOf(first, 2 * used);
        }
        int to = last + 1;
        System.arraycopy(leaves, to, leaves, to + 1, used - to);
        System.arraycopy(first, to, first, to + 1, used - to);
        leaves[to] = behind;
        first[to] = behind.count == 0 ? start : behind.starts[0];
        used++;
    }

    /** Removes the range with exactly these bounds; returns its row, -1 if there is none. */
    int remove(long start, long end) {
        seek(start);
        if (floorAt < 0 || leaves[floorLeaf].starts[floorAt] != start || leaves[floorLeaf].ends[floorAt] != end) {
            return -1;
        }
        Leaf leaf = leaves[floorLeaf];
        int row = leaf.rows[floorAt];
        leaf.remove(floorAt);
        found = false;
        if (leaf.count <= FEW && used > 1) {
            join(floorLeaf);
        }
        return row;
    }

    /** Joins a leaf with few ranges with a neighbour that has few; one that has none always. */
    private void join(int at) {
        boolean none = leaves[at].count == 0;
        if (at + 1 < used && (none || leaves[at + 1].count <= FEW)) {
            leaves[at].append(leaves[at + 1], 0);
            removeLeaf(at + 1);
        } else if (at > 0 && (none || leaves[at - 1].count <= FEW)) {
            leaves[at - 1].append(leaves[at], 0);
            removeLeaf(at);
        }
    }

    private void removeLeaf(int at) {
        int behind = --used - at;
        System.arraycopy(leaves, at + 1, leaves, at, behind);
        System.arraycopy(first, at + 1, first, at, behind);
        leaves[used] = null;
        last = 0;
    }

    /** The row of the range that contains the point; -1 if there is none. */
    int row(long point) {
        seek(point);
        return reaches(point) ? leaves[floorLeaf].rows[floorAt] : -1;
    }

    /** Whether no range overlaps [start, end). */
    boolean isFree(long start, long end) {
        seek(start);
        return (!reaches(start) || start == end && leaves[floorLeaf].starts[floorAt] == start)
                && Long.compareUnsigned(end, next()) <= 0;
    }

    /** Start of the first range that overlaps [start, end); it must not be free. */
    long firstStart(long start) {
        seek(start);
        return reaches(start) ? leaves[floorLeaf].starts[floorAt] : next();
    }

    /** End of the range that starts there. */
    long end(long start) {
        seek(start);
        return leaves[floorLeaf].ends[floorAt];
    }

    /** Takes each range, by ascending address. */
    @FunctionalInterface
    interface Visitor {
        void visit(long start, long end, int row);
    }

    void forEach(Visitor visitor) {
        for (int i = 0; i < used; i++) {
            Leaf leaf = leaves[i];
            for (int at = 0; at < leaf.count; at++) {
                visitor.visit(leaf.starts[at], leaf.ends[at], leaf.rows[at]);
            }
        }
    }

    /** Looks for the range with the latest start up to the point. */
    private void seek(long point) {
        if (found && sought == point) {
            return;
        }
        floorAt = leaf(point).upTo(point) - 1;
        floorLeaf = last;
        if (floorAt < 0 && last > 0) {
            floorLeaf = last - 1;
            floorAt = leaves[floorLeaf].count - 1;
        }
        sought = point;
        found = true;
    }

    /** Whether the range that was sought contains the point. */
    private boolean reaches(long point) {
        return floorAt >= 0 && Long.compareUnsigned(point, leaves[floorLeaf].ends[floorAt]) < 0;
    }

    /** Start of the range behind the one that was sought, the greatest address if there is none. */
    private long next() {
        Leaf leaf = leaves[floorLeaf];
        if (floorAt + 1 < leaf.count) {
            return leaf.starts[floorAt + 1];
        }
        return floorLeaf + 1 < used ? leaves[floorLeaf + 1].starts[0] : -1;
    }

    /** The leaf for a start; from here on the {@link #last}. */
    private Leaf leaf(long start) {
        int at = last;
        if (Long.compareUnsigned(start, first[at]) < 0 || at + 1 < used && Long.compareUnsigned(start, first[at + 1]) >= 0) {
            int low = 0;
            for (int high = used - 1; low < high;) {
                int middle = (low + high + 1) >>> 1;
                boolean below = Long.compareUnsigned(first[middle], start) <= 0;
                low = below ? middle : low;
                high = below ? high : middle - 1;
            }
            last = low;
        }
        return leaves[last];
    }

    /** For tests. @throws IllegalStateException naming the rule that does not hold */
    void checkInvariants() {
        require(first[0] == 0, "the first leaf begins at 0");
        long end = 0;
        for (int i = 0; i < used; i++) {
            Leaf leaf = leaves[i];
            require(leaf.count > 0 || used == 1, "no leaf is empty");
            require(i == 0 || Long.compareUnsigned(first[i - 1], first[i]) < 0, "leaves ascend");
            for (int at = 0; at < leaf.count; at++) {
                long start = leaf.starts[at];
                require(Long.compareUnsigned(end, start) <= 0 && Long.compareUnsigned(start, leaf.ends[at]) < 0, "ranges ascend");
                require(Long.compareUnsigned(first[i], start) <= 0, "a leaf's starts are not below its first");
                require(i + 1 == used || Long.compareUnsigned(start, first[i + 1]) < 0, "nor in the next leaf");
                end = leaf.ends[at];
            }
        }
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("leaves of pieces: broken rule: " + rule);
        }
    }
}
