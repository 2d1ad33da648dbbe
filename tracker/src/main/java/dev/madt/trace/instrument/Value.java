package dev.madt.trace.instrument;

import java.math.BigDecimal;

/**
 * The value of an expression at a hit.
 *
 * @param bits of 64
 * @param known false: something on the way to it could not be read
 * @param text that lies at that address; null: none was asked for
 * @param real bytes of the floating-point number that it is, whose value the bits are as those of a
 *     double; 0: it is an integer
 * @param unsigned whether it is an integer of 64 bits that has no sign
 */
public record Value(long bits, boolean known, String text, int real, boolean unsigned) {
    /** Something could not be read. */
    public static final Value UNKNOWN = new Value(0, false, null, 0, false);
    /** Numbers from here on, and up to one, have an exponent. */
    private static final double LARGE = 1e17;

    private static final double SMALL = 1e-5;

    /** A value that is known. */
    public static Value of(long bits) {
        return of(bits, false);
    }

    /** An integer that is known. */
    public static Value of(long bits, boolean unsigned) {
        return new Value(bits, true, null, 0, unsigned);
    }

    /** A floating-point number that is known, of a type with so many bytes. */
    public static Value of(double number, int bytes) {
        return new Value(Double.doubleToRawLongBits(number), true, null, bytes, false);
    }

    /** Returns it as a floating-point number. */
    public double number() {
        return real > 0
                ? Double.longBitsToDouble(bits)
                : unsigned && bits < 0 ? 2.0 * (bits >>> 1 | bits & 1) : bits;
    }

    /** Returns whether it is known, and not zero. */
    public boolean isTrue() {
        return known && (real > 0 ? number() != 0 : bits != 0);
    }

    /** Returns an integer in decimal. */
    String integerText() {
        return unsigned ? Long.toUnsignedString(bits) : Long.toString(bits);
    }

    /** Returns a floating-point number with as few digits as tell it from others of its type. */
    String realText() {
        double number = number();
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return 1 / number < 0 ? "-0" : "0";
        }
        String digits =
                real == Float.BYTES ? Float.toString((float) number) : Double.toString(number);
        BigDecimal exact = new BigDecimal(digits).stripTrailingZeros();
        double size = Math.abs(number);
        if (size >= SMALL && size < LARGE) {
            return exact.toPlainString();
        }
        String unscaled = exact.unscaledValue().abs().toString();
        int exponent = exact.precision() - exact.scale() - 1;
        return (number < 0 ? "-" : "")
                + unscaled.charAt(0)
                + (unscaled.length() > 1 ? "." + unscaled.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }
}
