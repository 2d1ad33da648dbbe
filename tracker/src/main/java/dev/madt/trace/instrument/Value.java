package dev.madt.trace.instrument;

/**
 * The value of an expression at a hit.
 *
 * @param bits of 64
 * @param known false: something on the way to it could not be read
 * @param text that lies at that address; null: none was asked for
 */
public record Value(long bits, boolean known, String text) {
    /** Something could not be read. */
    public static final Value UNKNOWN = new Value(0, false, null);

    /** A value that is known. */
    public static Value of(long bits) {
        return new Value(bits, true, null);
    }

    /** Returns whether it is known, and not zero. */
    public boolean isTrue() {
        return known && bits != 0;
    }
}
