package dev.madt.trace.instrument;

/**
 * The value of an expression at a hit.
 *
 * @param bits of 64
 * @param known false: something on the way to it could not be read
 */
public record Value(long bits, boolean known) {
    /** Something could not be read. */
    public static final Value UNKNOWN = new Value(0, false);

    /** A value that is known. */
    public static Value of(long bits) {
        return new Value(bits, true);
    }

    /** Returns whether it is known, and not zero. */
    public boolean isTrue() {
        return known && bits != 0;
    }
}
