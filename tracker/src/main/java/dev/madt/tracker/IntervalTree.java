package dev.madt.tracker;

/** Red-black interval tree; starts are unique, ends exclusive, both unsigned. */
public final class IntervalTree<V> {
    /** Takes the intervals that {@link #overlapping} finds; must not change the tree. */
    @FunctionalInterface
    public interface Visitor<V> {
        void visit(long start, long end, V value);
    }

    /** Adds [start, end); an interval with the same start is replaced and its value returned, else null. */
    public V insert(long start, long end, V value) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Removes the interval with this start and returns its value, or null. */
    public V remove(long start) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The value of the interval that contains the point, the one with the latest start if several do, or null. */
    public V find(long point) {
        throw new UnsupportedOperationException("not yet");
    }

    /** The value of the interval with the latest start not above the point, whether it contains the point or not, or null. */
    public V floor(long point) {
        throw new UnsupportedOperationException("not yet");
    }

    /** Visits the intervals that overlap [start, end), by ascending start. */
    public void overlapping(long start, long end, Visitor<? super V> visitor) {
        throw new UnsupportedOperationException("not yet");
    }

    public int size() {
        throw new UnsupportedOperationException("not yet");
    }

    public void clear() {
        throw new UnsupportedOperationException("not yet");
    }

    public void checkInvariants() {
        throw new UnsupportedOperationException("not yet");
    }
}
