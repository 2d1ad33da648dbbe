package dev.madt.tracker;

/**
 * A map from intervals [start, end) of unsigned 64-bit addresses to values: a red-black tree
 * ordered by start, each node of which also knows the greatest end below it (Cormen, Leiserson,
 * Rivest, Stein, <i>Introduction to Algorithms</i>, chapters 13 and 14). Starts are unique;
 * intervals may overlap and nest. Insert, remove, find and floor take logarithmic time, find and
 * floor allocate nothing. Not for use by several threads.
 */
public final class IntervalTree<V> {
    /** Takes the intervals that {@link #overlapping} finds; must not change the tree. */
    @FunctionalInterface
    public interface Visitor<V> {
        void visit(long start, long end, V value);
    }

    static final boolean RED = true;
    static final boolean BLACK = false;

    static final class Node<V> {
        long start;
        long end;
        long greatest;
        V value;
        boolean color;
        Node<V> parent;
        Node<V> left;
        Node<V> right;
    }

    /** Stands for every missing child and the root's parent; black, below every end. */
    private final Node<V> nil = new Node<>();

    private Node<V> root = nil;
    private int size;

    public IntervalTree() {
        nil.parent = nil;
        nil.left = nil;
        nil.right = nil;
    }

    public int size() {
        return size;
    }

    public void clear() {
        root = nil;
        size = 0;
    }

    /**
     * Adds [start, end). An interval with the same start is replaced and its value returned, else
     * null.
     *
     * @throws IllegalArgumentException if the interval is empty
     */
    public V insert(long start, long end, V value) {
        if (Long.compareUnsigned(start, end) >= 0) {
            throw new IllegalArgumentException("interval " + Long.toHexString(start) + " to "
                    + Long.toHexString(end) + " is empty");
        }
        Node<V> parent = nil;
        Node<V> at = root;
        while (at != nil && at.start != start) {
            parent = at;
            at = less(start, at.start) ? at.left : at.right;
        }
        if (at != nil) {
            V replaced = at.value;
            at.end = end;
            at.value = value;
            updateUp(at);
            return replaced;
        }
        attach(parent, start, end, value);
        return null;
    }

    private void attach(Node<V> parent, long start, long end, V value) {
        Node<V> node = new Node<>();
        node.start = start;
        node.end = end;
        node.value = value;
        node.color = RED;
        node.parent = parent;
        node.left = nil;
        node.right = nil;
        if (parent == nil) {
            root = node;
        } else if (less(start, parent.start)) {
            parent.left = node;
        } else {
            parent.right = node;
        }
        size++;
        updateUp(node);
        repairInsert(node);
    }

    /** Removes the interval with this start and returns its value, or null. */
    public V remove(long start) {
        Node<V> node = root;
        while (node != nil && node.start != start) {
            node = less(start, node.start) ? node.left : node.right;
        }
        if (node == nil) {
            return null;
        }
        V value = node.value;
        detach(node);
        size--;
        return value;
    }

    private void detach(Node<V> node) {
        Node<V> gone = node;
        if (node.left != nil && node.right != nil) {
            gone = node.right;
            while (gone.left != nil) {
                gone = gone.left;
            }
            node.start = gone.start;
            node.end = gone.end;
            node.value = gone.value;
        }
        Node<V> child = gone.left != nil ? gone.left : gone.right;
        replace(gone, child);
        updateUp(gone.parent);
        if (gone.color == BLACK) {
            repairRemove(child);
        }
        nil.parent = nil;
    }

    /**
     * The value of the interval that contains the point, the one with the latest start if several
     * do, or null. The way leads to the latest start not above the point and from there back
     * through ever earlier ones, passing over every subtree whose greatest end is not above the
     * point.
     */
    public V find(long point) {
        return findNode(point).value;
    }

    /**
     * The value that {@link #find(long)} gives; cuts a range around the point to the points with
     * the same one.
     */
    public V find(long point, AddressRange same) {
        Node<V> found = findNode(point);
        same.cut(latestEnd(found == nil ? 0 : found.start + 1, point), nextStart(point));
        if (found != nil) {
            same.cut(found.start, found.end);
        }
        return found.value;
    }

    private Node<V> findNode(long point) {
        Node<V> at = floorNode(point);
        while (at != nil) {
            if (less(point, at.end)) {
                return at;
            }
            if (less(point, at.left.greatest)) {
                return latestIn(at.left, point);
            }
            while (at == at.parent.left) {
                at = at.parent;
            }
            at = at.parent;
        }
        return nil;
    }

    /** Returns the least start above the point, the greatest address if there is none. */
    public long nextStart(long point) {
        Node<V> at = root;
        long next = -1;
        while (at != nil) {
            boolean above = less(point, at.start);
            next = above ? at.start : next;
            at = above ? at.left : at.right;
        }
        return next;
    }

    /** The greatest end of the intervals that start in [from, to], 0 if there is none. */
    private long latestEnd(long from, long to) {
        Node<V> top = root;
        while (top != nil && (less(top.start, from) || less(to, top.start))) {
            top = less(top.start, from) ? top.right : top.left;
        }
        long latest = top.end;
        for (Node<V> at = top.left; at != nil; at = less(at.start, from) ? at.right : at.left) {
            latest = less(at.start, from)
                    ? latest
                    : greater(latest, greater(at.end, at.right.greatest));
        }
        for (Node<V> at = top.right; at != nil; at = less(to, at.start) ? at.left : at.right) {
            latest = less(to, at.start)
                    ? latest
                    : greater(latest, greater(at.end, at.left.greatest));
        }
        return latest;
    }

    /** The latest interval that contains the point in a subtree of earlier starts that has one. */
    private Node<V> latestIn(Node<V> subtree, long point) {
        Node<V> at = subtree;
        while (true) {
            if (less(point, at.right.greatest)) {
                at = at.right;
            } else if (less(point, at.end)) {
                return at;
            } else {
                at = at.left;
            }
        }
    }

    /**
     * The value of the interval with the latest start not above the point, whether it contains the
     * point or not, or null.
     */
    public V floor(long point) {
        return floorNode(point).value;
    }

    private Node<V> floorNode(long point) {
        Node<V> at = root;
        Node<V> best = nil;
        while (at != nil) {
            if (less(point, at.start)) {
                at = at.left;
            } else {
                best = at;
                at = at.right;
            }
        }
        return best;
    }

    /**
     * Visits the intervals that overlap [start, end), by ascending start; takes logarithmic time
     * for each.
     */
    public void overlapping(long start, long end, Visitor<? super V> visitor) {
        overlapping(root, start, end, visitor);
    }

    private void overlapping(Node<V> at, long start, long end, Visitor<? super V> visitor) {
        if (at == nil || !less(start, at.greatest)) {
            return;
        }
        overlapping(at.left, start, end, visitor);
        if (less(at.start, end)) {
            if (less(start, at.end)) {
                visitor.visit(at.start, at.end, at.value);
            }
            overlapping(at.right, start, end, visitor);
        }
    }

    private void replace(Node<V> node, Node<V> by) {
        if (node.parent == nil) {
            root = by;
        } else if (node == node.parent.left) {
            node.parent.left = by;
        } else {
            node.parent.right = by;
        }
        by.parent = node.parent;
    }

    /**
     *
     *
     * <pre>
     *     node             child
     *     /  \    left     /  \
     *    a  child  --->  node  c
     *       /  \         /  \
     *      b    c       a    b
     * </pre>
     */
    private void rotateLeft(Node<V> node) {
        Node<V> child = node.right;
        node.right = child.left;
        if (child.left != nil) {
            child.left.parent = node;
        }
        replace(node, child);
        child.left = node;
        node.parent = child;
        update(node);
        update(child);
    }

    /** The mirror image of {@link #rotateLeft}. */
    private void rotateRight(Node<V> node) {
        Node<V> child = node.left;
        node.left = child.right;
        if (child.right != nil) {
            child.right.parent = node;
        }
        replace(node, child);
        child.right = node;
        node.parent = child;
        update(node);
        update(child);
    }

    private void rotate(Node<V> node, boolean left) {
        if (left) {
            rotateLeft(node);
        } else {
            rotateRight(node);
        }
    }

    /** Ends with no red node below a red one; {@code added} is red, all else is in order. */
    private void repairInsert(Node<V> added) {
        Node<V> node = added;
        while (node.parent.color == RED) {
            Node<V> grandparent = node.parent.parent;
            boolean onLeft = node.parent == grandparent.left;
            Node<V> uncle = onLeft ? grandparent.right : grandparent.left;
            if (uncle.color == RED) {
                node.parent.color = BLACK;
                uncle.color = BLACK;
                grandparent.color = RED;
                node = grandparent;
                continue;
            }
            if (node == (onLeft ? node.parent.right : node.parent.left)) {
                node = node.parent;
                rotate(node, onLeft);
            }
            node.parent.color = BLACK;
            grandparent.color = RED;
            rotate(grandparent, !onLeft);
        }
        root.color = BLACK;
    }

    /**
     * Ends with equal numbers of black nodes on all ways down; those through {@code lacking} have
     * one too few.
     */
    private void repairRemove(Node<V> lacking) {
        Node<V> node = lacking;
        while (node != root && node.color == BLACK) {
            boolean onLeft = node == node.parent.left;
            Node<V> sibling = onLeft ? node.parent.right : node.parent.left;
            if (sibling.color == RED) {
                sibling.color = BLACK;
                node.parent.color = RED;
                rotate(node.parent, onLeft);
                sibling = onLeft ? node.parent.right : node.parent.left;
            }
            if (sibling.left.color == BLACK && sibling.right.color == BLACK) {
                sibling.color = RED;
                node = node.parent;
            } else {
                borrow(node, sibling, onLeft);
                node = root;
            }
        }
        node.color = BLACK;
    }

    /**
     * Takes a black node over from the sibling's side; the sibling is black and has a red child.
     */
    private void borrow(Node<V> node, Node<V> sibling, boolean onLeft) {
        Node<V> nephew = sibling;
        if ((onLeft ? sibling.right : sibling.left).color == BLACK) {
            (onLeft ? sibling.left : sibling.right).color = BLACK;
            sibling.color = RED;
            rotate(sibling, !onLeft);
            nephew = onLeft ? node.parent.right : node.parent.left;
        }
        nephew.color = node.parent.color;
        node.parent.color = BLACK;
        (onLeft ? nephew.right : nephew.left).color = BLACK;
        rotate(node.parent, onLeft);
    }

    private void update(Node<V> node) {
        node.greatest = greater(node.end, greater(node.left.greatest, node.right.greatest));
    }

    private void updateUp(Node<V> from) {
        for (Node<V> node = from; node != nil; node = node.parent) {
            update(node);
        }
    }

    private static boolean less(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    static long greater(long a, long b) {
        return less(a, b) ? b : a;
    }

    /**
     * Checks order, colours, black heights, greatest ends, links and size; for tests.
     *
     * @throws IllegalStateException naming the rule that does not hold
     */
    public void checkInvariants() {
        IntervalTreeCheck.check(root, nil, size);
    }
}
