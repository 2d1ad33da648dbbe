package dev.madt.tracker;

import java.util.Arrays;

/**
 * A node of a {@link RowTree}: leaves, and the least key that each may have. It belongs to the tree
 * that has its owner number; others copy it before they change it.
 */
final class RowNode {
    private static final int FIRST_LEAVES = 4;

    int owner;
    int count;
    /** The least key of each leaf; of the first leaf it is that of the node. */
    long[] firsts = new long[FIRST_LEAVES];

    long[][] leaves = new long[FIRST_LEAVES][];

    RowNode(int owner) {
        this.owner = owner;
    }

    RowNode copyFor(int newOwner) {
        RowNode copy = new RowNode(newOwner);
        copy.count = count;
        copy.firsts = firsts.clone();
        copy.leaves = leaves.clone();
        return copy;
    }

    void insert(int at, long first, long[] leaf) {
        if (count == firsts.length) {
            firsts = Arrays.copyOf(firsts, 2 * count);
            leaves = Arrays.copyOf(leaves, 2 * count);
        }
        System.arraycopy(firsts, at, firsts, at + 1, count - at);
        System.arraycopy(leaves, at, leaves, at + 1, count - at);
        firsts[at] = first;
        leaves[at] = leaf;
        count++;
    }

    void remove(int at) {
        long least = firsts[0];
        count--;
        System.arraycopy(firsts, at + 1, firsts, at, count - at);
        System.arraycopy(leaves, at + 1, leaves, at, count - at);
        firsts[0] = least;
        leaves[count] = null;
    }
}
