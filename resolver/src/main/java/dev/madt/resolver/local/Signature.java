package dev.madt.resolver.local;

import dev.madt.trace.event.Argument;
import java.util.List;

/**
 * Says what a function is given and what it returns, and where that is (System V ABI, AMD64
 * supplement, section 3.2.3).
 *
 * @param more whether it takes others, which have no names ({@code ...})
 * @param result null if it returns nothing
 * @param registers where each eight bytes of each argument are: as {@link Argument#place}, and with
 *     {@link #ADDRESS} the one that holds its address; none of an argument that is not in
 *     registers, or not known to be there
 */
public record Signature(
        List<Argument> arguments, boolean more, Argument result, List<List<Integer>> registers) {
    /** Is added to the register that holds the address of an argument. */
    public static final int ADDRESS = 256;

    /** A bit for each place of an argument that is recorded. */
    public int entering() {
        return arguments.stream().mapToInt(Signature::bit).reduce(0, (some, one) -> some | one);
    }

    /** A bit for the place of the result, if it is recorded. */
    public int leaving() {
        return result == null ? 0 : bit(result);
    }

    private static int bit(Argument argument) {
        return argument.place() < Argument.PLACES ? 1 << argument.place() : 0;
    }
}
