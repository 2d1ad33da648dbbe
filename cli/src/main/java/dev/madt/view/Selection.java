package dev.madt.view;

/**
 * Which events are wanted; what is null or negative does not select.
 *
 * @param symbol name of the variable or block
 * @param function name of the function that accesses or calls
 * @param letters first characters of their lines
 * @param thread the only thread
 * @param page an address of the only page
 * @param from number of the first access or block event; what comes before it is left out
 * @param count at most so many lines
 */
public record Selection(
        NamePattern symbol, NamePattern function, String letters, long thread, long page, long from, long count) {
    /** Selects everything. */
    public static final Selection ALL = new Selection(null, null, null, -1, -1, 0, -1);

    private static final int PAGE_BITS = 12;

    boolean selectsData() {
        return symbol != null || page >= 0;
    }

    boolean letter(char letter) {
        return letters == null || letters.indexOf(letter) >= 0;
    }

    boolean thread(int tid) {
        return thread < 0 || Integer.toUnsignedLong(tid) == thread;
    }

    boolean function(Place place) {
        return function == null || function.matches(place.function());
    }

    /** Whether one of the bytes from an address on is wanted. */
    boolean data(Datum datum, long address, long length) {
        return (symbol == null || symbol.matches(datum)) && page(address, length);
    }

    private boolean page(long address, long length) {
        long wanted = page >>> PAGE_BITS;
        return page < 0 || address >>> PAGE_BITS <= wanted && wanted <= address + Math.max(1, length) - 1 >>> PAGE_BITS;
    }
}
