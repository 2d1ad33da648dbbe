package dev.madt.tracker;

import dev.madt.tracker.IntervalTree.Node;

/**
 * The rules of an {@link IntervalTree}: order, colours, black heights, greatest ends, links and
 * size.
 */
final class IntervalTreeCheck<V> {
    private final Node<V> nil;

    private IntervalTreeCheck(Node<V> nil) {
        this.nil = nil;
    }

    /** @throws IllegalStateException naming the rule that does not hold */
    static <V> void check(Node<V> root, Node<V> nil, int size) {
        IntervalTreeCheck<V> check = new IntervalTreeCheck<>(nil);
        require(
                root.color == IntervalTree.BLACK && root.parent == nil,
                "the root is black and has no parent");
        require(
                nil.color == IntervalTree.BLACK && nil.greatest == 0 && nil.value == null,
                "the missing node is black and empty");
        check.ordered(root, nil);
        require(check.count(root) == size, "the size is the number of nodes");
        check.blackHeight(root);
    }

    /** Checks the order below a node given the node before it all; returns the last one. */
    private Node<V> ordered(Node<V> node, Node<V> before) {
        if (node == nil) {
            return before;
        }
        Node<V> left = ordered(node.left, before);
        require(left == nil || Long.compareUnsigned(left.start, node.start) < 0, "starts ascend");
        return ordered(node.right, node);
    }

    private int count(Node<V> node) {
        return node == nil ? 0 : 1 + count(node.left) + count(node.right);
    }

    private int blackHeight(Node<V> node) {
        if (node == nil) {
            return 0;
        }
        require(node.left == nil || node.left.parent == node, "the left child knows its parent");
        require(node.right == nil || node.right.parent == node, "the right child knows its parent");
        require(
                node.color == IntervalTree.BLACK
                        || node.left.color == IntervalTree.BLACK
                                && node.right.color == IntervalTree.BLACK,
                "no red below red");
        long greatest = IntervalTree.greater(
                node.end, IntervalTree.greater(node.left.greatest, node.right.greatest));
        require(node.greatest == greatest, "each node knows the greatest end below it");
        int height = blackHeight(node.left);
        require(height == blackHeight(node.right), "all ways down have as many black nodes");
        return height + (node.color == IntervalTree.BLACK ? 1 : 0);
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalStateException("interval tree: broken rule: " + rule);
        }
    }
}
