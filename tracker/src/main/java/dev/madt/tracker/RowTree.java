package dev.madt.tracker;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Rows of a few numbers, sorted by their first one, the key, which is unsigned and unique: a
 * B+-tree of three levels whose leaves are plain arrays, so that a hundred million rows are no work
 * for the garbage collector and cost little more than their numbers. Look-ups, insertions and
 * removals take logarithmic time; neighbours of the last key are found at once. A copy
 * ({@link #share}) takes constant time: both trees copy a leaf when they first change it.
 *
 * <pre>
 *   top     | node | node | ...
 *   node    | leaf | leaf | ... at most FAN, and the least key that each may have
 *   leaf    | owner, count | row | row | ... at most ROWS
 * </pre>
 *
 * <p>The tree has a cursor, which stands at one row. Any change but {@link #set} leaves it nowhere.
 * Not for use by several threads.
 */
final class RowTree {
    private static final int ROWS = 64;
    private static final int FAN = 256;
    private static final int FIRST_ROWS = 4;
    /**
     * A leaf or node of no more than this is joined with a neighbour, and one of no more than
     * {@link #ROOM} takes rows from a full one.
     */
    private static final int FEW = ROWS / 4;

    private static final int ROOM = ROWS * 3 / 4;
    private static final int KNOWN = 1 << 10;
    private static final int KNOWN_SHIFT = 12;
    private static final int OWNER_SHIFT = 32;
    private static final AtomicInteger OWNERS = new AtomicInteger();

    private final int width;
    private int owner = OWNERS.incrementAndGet();
    private RowNode[] nodes = new RowNode[1];
    private long[] firsts = new long[1];
    private int used = 1;
    private long size;

    /** The leaf at hand, which has the keys from {@code low} to {@code low + span}. */
    private int node;

    private int slot;
    private long[] leaf;
    private long low;
    private long span;
    /**
     * Says where leaves were found, by bits of the key; true as long as no leaf has come, gone or
     * changed its bounds. Made when there are many rows.
     */
    private long[] knownLows;

    private long[] knownSpans;
    private long[] knownPlaces;
    private int structure = 1;
    /** Index in the leaf of the cursor's row; where the cursor is nowhere, perhaps of none. */
    private int at = 1;

    /** @param width numbers of a row, the key included */
    RowTree(int width) {
        this.width = width;
        nodes[0] = new RowNode(owner);
        nodes[0].insert(0, 0, new long[1]);
        turnTo(0, 0);
        own();
    }

    private RowTree(RowTree other) {
        width = other.width;
        nodes = other.nodes.clone();
        firsts = other.firsts.clone();
        used = other.used;
        size = other.size;
        turnTo(0, 0);
    }

    /**
     * Another tree with the rows of this one; what is changed in one is not changed in the other.
     */
    RowTree share() {
        owner = OWNERS.incrementAndGet();
        return new RowTree(this);
    }

    /** Number of rows. */
    long size() {
        return size;
    }

    /** Moves the cursor to the row with the greatest key up to this one; false if there is none. */
    boolean floor(long key) {
        if (isFloor(key)) {
            return true;
        }
        int index = locate(key);
        if (index < 0) {
            return stepBack();
        }
        at = 1 + index * width;
        return true;
    }

    /**
     * Returns whether the cursor stands, or happens to stand, at the row that {@link #floor} looks
     * for.
     */
    private boolean isFloor(long key) {
        int behind = at + width;
        int end = 1 + count(leaf) * width;
        return at < end
                && Long.compareUnsigned(leaf[at], key) <= 0
                && (behind < end
                        ? Long.compareUnsigned(key, leaf[behind]) < 0
                        : Long.compareUnsigned(key - low, span) <= 0);
    }

    /** Moves the cursor to the first row; false if there is none. */
    boolean first() {
        turnTo(0, 0);
        at = 1;
        return count(leaf) > 0;
    }

    /** Moves the cursor on by a row; false if it was the last. */
    boolean next() {
        at += width;
        if (at < 1 + count(leaf) * width) {
            return true;
        }
        if (slot + 1 < nodes[node].count) {
            turnTo(node, slot + 1);
        } else if (node + 1 < used) {
            turnTo(node + 1, 0);
        } else {
            at -= width;
            return false;
        }
        at = 1;
        return true;
    }

    /** A number of the row at the cursor. */
    long get(int column) {
        return leaf[at + column];
    }

    /** Changes a number of the row at the cursor, not its key. */
    void set(int column, long value) {
        int kept = at;
        own();
        leaf[kept + column] = value;
    }

    /** Adds a row, whose key is not there; further numbers of it are 0. */
    void insert(long key, long second, long third) {
        int index = locate(key) + 1;
        if (count(leaf) == ROWS) {
            makeRoom(index, key);
            index = locate(key) + 1;
        }
        own();
        int count = count(leaf);
        if (leaf.length < 1 + (count + 1) * width) {
            replace(Arrays.copyOf(
                    leaf,
                    1
                            + width
                                    * Math.min(
                                            ROWS,
                                            Math.max(
                                                    FIRST_ROWS, size >= ROWS ? ROWS : 2 * count))));
        }
        at = 1 + index * width;
        System.arraycopy(leaf, at, leaf, at + width, (count - index) * width);
        leaf[at] = key;
        leaf[at + 1] = second;
        leaf[at + 2] = third;
        for (int column = 3; column < width; column++) {
            leaf[at + column] = 0;
        }
        leaf[0]++;
        size++;
    }

    /** Removes the row at the cursor. */
    void remove() {
        int kept = at;
        own();
        int count = count(leaf) - 1;
        System.arraycopy(leaf, kept + width, leaf, kept, 1 + count * width - kept);
        leaf[0]--;
        size--;
        if (count == 0 && (nodes[node].count > 1 || used > 1)) {
            removeLeaf(slot);
        } else if (count <= FEW) {
            join();
        }
    }

    private static int count(long[] leaf) {
        return (int) leaf[0];
    }

    /**
     * Turns to the leaf that may have the key; index there of the last row with a key up to it, -1
     * if there is none.
     */
    private int locate(long key) {
        if (Long.compareUnsigned(key - low, span) > 0) {
            descend(key);
        }
        int below = 0;
        for (int left = count(leaf); left > 0; ) {
            int half = left >>> 1;
            boolean before = Long.compareUnsigned(leaf[1 + (below + half) * width], key) <= 0;
            below = before ? below + half + 1 : below;
            left = before ? left - half - 1 : half;
        }
        return below - 1;
    }

    private void descend(long key) {
        int entry = (int) (key >>> KNOWN_SHIFT) & KNOWN - 1;
        if (knownLows != null
                && Long.compareUnsigned(key - knownLows[entry], knownSpans[entry]) <= 0
                && (int) knownPlaces[entry] == structure) {
            int place = (int) (knownPlaces[entry] >>> Integer.SIZE);
            node = place / FAN;
            slot = place % FAN;
            leaf = nodes[node].leaves[slot];
            low = knownLows[entry];
            span = knownSpans[entry];
            return;
        }
        int in = search(firsts, used, key);
        turnTo(in, search(nodes[in].firsts, nodes[in].count, key));
        if (size >= 4 * ROWS) {
            keep(entry);
        }
    }

    private void keep(int entry) {
        if (knownLows == null) {
            knownLows = new long[KNOWN];
            knownSpans = new long[KNOWN];
            knownPlaces = new long[KNOWN];
        }
        knownLows[entry] = low;
        knownSpans[entry] = span;
        knownPlaces[entry] = (long) (node * FAN + slot) << Integer.SIZE | structure;
    }

    /** Leaves or their bounds have changed. */
    private void restructured() {
        structure = structure + 1 & Integer.MAX_VALUE;
    }

    /** The last that is up to the key; the first one counts as such. */
    private static int search(long[] keys, int count, long key) {
        int from = 0;
        for (int to = count - 1; from < to; ) {
            int middle = (from + to + 1) >>> 1;
            boolean before = Long.compareUnsigned(keys[middle], key) <= 0;
            from = before ? middle : from;
            to = before ? to : middle - 1;
        }
        return from;
    }

    private void turnTo(int ofNode, int ofSlot) {
        RowNode in = nodes[ofNode];
        node = ofNode;
        slot = ofSlot;
        leaf = in.leaves[ofSlot];
        low = in.firsts[ofSlot];
        long behind = ofSlot + 1 < in.count
                ? in.firsts[ofSlot + 1]
                : ofNode + 1 < used ? firsts[ofNode + 1] : 0;
        span = behind - 1 - low;
    }

    /** To the last row of the leaf before the one at hand. */
    private boolean stepBack() {
        if (slot > 0) {
            turnTo(node, slot - 1);
        } else if (node > 0) {
            turnTo(node - 1, nodes[node - 1].count - 1);
        } else {
            return false;
        }
        at = 1 + (count(leaf) - 1) * width;
        return true;
    }

    /** Makes the leaf at hand this tree's own. */
    private void own() {
        if (leaf[0] >>> OWNER_SHIFT != owner) {
            replace(leaf.clone());
        }
    }

    private void replace(long[] by) {
        by[0] = (long) owner << OWNER_SHIFT | count(by);
        ownNode().leaves[slot] = by;
        leaf = by;
    }

    private RowNode ownNode() {
        if (nodes[node].owner != owner) {
            nodes[node] = nodes[node].copyFor(owner);
        }
        return nodes[node];
    }

    private long[] ownLeaf(int other) {
        RowNode in = ownNode();
        long[] found = in.leaves[other];
        long[] room = 1 + ROWS * width > found.length || found[0] >>> OWNER_SHIFT != owner
                ? Arrays.copyOf(found, 1 + ROWS * width)
                : found;
        room[0] = (long) owner << OWNER_SHIFT | count(found);
        in.leaves[other] = room;
        return room;
    }

    /**
     * Makes room in or beside the full leaf at hand for a row at {@code index}: keys mostly ascend,
     * so behind the last row a leaf begins.
     */
    private void makeRoom(int index, long key) {
        RowNode in = ownNode();
        own();
        restructured();
        if (index == ROWS) {
            long[] empty = new long[1 + ROWS * width];
            empty[0] = (long) owner << OWNER_SHIFT;
            addLeaf(slot + 1, key, empty);
        } else if (slot + 1 < in.count && count(in.leaves[slot + 1]) <= ROOM) {
            pourRight((ROWS - count(in.leaves[slot + 1])) / 2);
        } else if (slot > 0 && count(in.leaves[slot - 1]) <= ROOM) {
            pourLeft((ROWS - count(in.leaves[slot - 1])) / 2);
        } else {
            long[] half = new long[1 + ROWS * width];
            half[0] = (long) owner << OWNER_SHIFT;
            move(leaf, ROWS / 2, half, 0, ROWS / 2);
            addLeaf(slot + 1, half[1], half);
        }
        descend(key);
    }

    /** Moves the last rows of the leaf at hand into the next one. */
    private void pourRight(int rows) {
        long[] to = ownLeaf(slot + 1);
        System.arraycopy(to, 1, to, 1 + rows * width, count(to) * width);
        move(leaf, count(leaf) - rows, to, 0, rows);
        ownNode().firsts[slot + 1] = to[1];
    }

    /** Moves the first rows of the leaf at hand into the one before it. */
    private void pourLeft(int rows) {
        long[] to = ownLeaf(slot - 1);
        move(leaf, 0, to, count(to), rows);
        System.arraycopy(leaf, 1 + rows * width, leaf, 1, count(leaf) * width);
        ownNode().firsts[slot] = leaf[1];
    }

    /** Moves rows, and their count. */
    private void move(long[] from, int first, long[] to, int place, int rows) {
        System.arraycopy(from, 1 + first * width, to, 1 + place * width, rows * width);
        from[0] -= rows;
        to[0] += rows;
    }

    private void addLeaf(int place, long first, long[] added) {
        RowNode in = nodes[node];
        if (in.count < FAN) {
            in.insert(place, first, added);
            return;
        }
        int keep = place == FAN ? FAN : FAN / 2;
        RowNode behind = new RowNode(owner);
        for (int i = keep; i < FAN; i++) {
            behind.insert(i - keep, in.firsts[i], in.leaves[i]);
            in.leaves[i] = null;
        }
        in.count = keep;
        if (place >= keep) {
            behind.insert(place - keep, first, added);
        } else {
            in.insert(place, first, added);
        }
        addNode(node + 1, behind);
    }

    private void addNode(int place, RowNode added) {
        if (used == nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * used);
            firsts = Arrays.copyOf(firsts, 2 * used);
        }
        System.arraycopy(nodes, place, nodes, place + 1, used - place);
        System.arraycopy(firsts, place, firsts, place + 1, used - place);
        nodes[place] = added;
        firsts[place] = added.firsts[0];
        used++;
    }

    /** Joins the leaf at hand, which has few rows, with a neighbour. */
    private void join() {
        RowNode in = ownNode();
        if (slot + 1 < in.count && count(leaf) + count(in.leaves[slot + 1]) <= ROOM) {
            append(slot, slot + 1);
        } else if (slot > 0 && count(leaf) + count(in.leaves[slot - 1]) <= ROOM) {
            append(slot - 1, slot);
        }
    }

    private void append(int to, int from) {
        long[] into = ownLeaf(to);
        long[] gone = nodes[node].leaves[from];
        System.arraycopy(gone, 1, into, 1 + count(into) * width, count(gone) * width);
        into[0] += count(gone);
        removeLeaf(from);
    }

    private void removeLeaf(int gone) {
        restructured();
        RowNode in = ownNode();
        in.remove(gone);
        if (in.count == 0) {
            long least = firsts[0];
            used--;
            System.arraycopy(nodes, node + 1, nodes, node, used - node);
            System.arraycopy(firsts, node + 1, firsts, node, used - node);
            nodes[used] = null;
            firsts[0] = least;
            node = 0;
            ownNode().firsts[0] = least;
        }
        turnTo(0, 0);
    }

    /** For tests. @throws IllegalStateException naming the rule that does not hold */
    void checkInvariants() {
        long rows = 0;
        long key = 0;
        require(firsts[0] == 0, "the first leaf begins at 0");
        for (int i = 0; i < used; i++) {
            RowNode in = nodes[i];
            require(
                    in.firsts[0] == firsts[i] && in.count > 0 && in.count <= FAN,
                    "a node begins with its first leaf");
            for (int j = 0; j < in.count; j++) {
                int count = count(in.leaves[j]);
                require(count > 0 || used == 1 && in.count == 1, "no leaf is empty");
                require(
                        j == 0 || Long.compareUnsigned(in.firsts[j - 1], in.firsts[j]) < 0,
                        "leaves ascend");
                for (int row = 0; row < count; row++) {
                    long next = in.leaves[j][1 + row * width];
                    require(rows == 0 || Long.compareUnsigned(key, next) < 0, "keys ascend");
                    require(
                            Long.compareUnsigned(in.firsts[j], next) <= 0,
                            "keys are in their leaf");
                    key = next;
                    rows++;
                }
            }
        }
        require(rows == size, "rows are counted");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("tree of rows: broken rule: " + rule);
        }
    }
}
