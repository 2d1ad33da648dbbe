package dev.madt.cli.view;

/**
 * Loads and stores of one thread, in order, as columns: row {@code i} is access number {@code first() + i}. A modify has two
 * rows, the load first.
 */
public final class Accesses {
    /** So many that all columns stay in a first-level cache. */
    static final int CAPACITY = 1024;

    private final Place[] places = new Place[CAPACITY];
    private final Datum[] data = new Datum[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final int[] sizes = new int[CAPACITY];
    private final boolean[] stores = new boolean[CAPACITY];
    private int count;
    private long first;
    private int thread;
    private boolean defective;

    /** Rows. */
    public int count() {
        return count;
    }

    /** Number of the access in row 0. */
    public long first() {
        return first;
    }

    public int thread() {
        return thread;
    }

    /** The instruction. */
    public Place place(int row) {
        return places[row];
    }

    /** What lies at the address. */
    public Datum datum(int row) {
        return data[row];
    }

    public long address(int row) {
        return addresses[row];
    }

    /** Bytes; 0 where the code has no map. */
    public int size(int row) {
        return sizes[row];
    }

    public boolean store(int row) {
        return stores[row];
    }

    /** Whether a row is an access to a block after its end. */
    public boolean defective() {
        return defective;
    }

    boolean full() {
        return count == CAPACITY;
    }

    void begin(long number, int byThread) {
        clear();
        first = number;
        thread = byThread;
    }

    void add(Place place, Datum datum, long address, boolean store) {
        int row = count++;
        places[row] = place;
        data[row] = datum;
        addresses[row] = address;
        sizes[row] = place.size();
        stores[row] = store;
        defective |= datum.dead();
    }

    void clear() {
        count = 0;
        defective = false;
    }
}
