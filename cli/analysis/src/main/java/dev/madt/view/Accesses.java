package dev.madt.view;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.layout.SharedLayout;

/**
 * Loads and stores of one thread, in order, as columns: row {@code i} is access number
 * {@code first() + i}. A modify has two rows, the load first.
 */
public final class Accesses {
    /** So many that all columns stay in a first-level cache. */
    static final int CAPACITY = 1024;

    private final Place[] places = new Place[CAPACITY];
    private final DataObject[] data = new DataObject[CAPACITY];
    private final long[] addresses = new long[CAPACITY];
    private final long[] starts = new long[CAPACITY];
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

    /** Returns what lies at the address. */
    public DataObject object(int row) {
        return data[row];
    }

    public long address(int row) {
        return addresses[row];
    }

    /**
     * Returns where the data object begins, from which offsets count; of a block where blocks go by
     * site, where the block does.
     */
    public long start(int row) {
        return starts[row];
    }

    /** Bytes; 0 where the code has no map. */
    public int size(int row) {
        return places[row].size();
    }

    public boolean store(int row) {
        return stores[row];
    }

    /** Returns whether a row is an access to a block after its end. */
    public boolean defective() {
        return defective;
    }

    /**
     * Returns whether so many more rows of a thread, from a number on, go behind those that there
     * are.
     */
    boolean takes(int more, int byThread, long number) {
        return count + more <= CAPACITY && thread == byThread && number == first + count;
    }

    /** Begins anew: row 0 is the access with this number. */
    void begin(long number, int byThread) {
        clear();
        first = number;
        thread = byThread;
    }

    /**
     * Adds the accesses of a record, its places as
     * {@link Places#of(dev.madt.tracker.RecordTemplate)} gives them; they must fit.
     */
    void add(Place[] sites, long[] words, int from, DataObjectIndex index) {
        Place[] intoPlaces = places;
        DataObject[] intoData = data;
        long[] intoAddresses = addresses;
        boolean[] intoStores = stores;
        AddressStates states = index.states();
        int row = count;
        for (int i = 0; i < sites.length; i++) {
            long address = words[from + i];
            if (address == SharedLayout.WORD_NONE) {
                continue;
            }
            Place place = sites[i];
            boolean held = place.holds(address, states) && index.touched(place, address);
            DataObject object = held ? place.lastObject : at(place, address, index);
            long start = held ? place.lastStart : object.isSite() ? index.start() : object.start();
            AccessKind kind = place.kind();
            intoPlaces[row] = place;
            intoData[row] = object;
            intoAddresses[row] = address;
            starts[row] = start;
            intoStores[row++] = kind == AccessKind.STORE;
            if (kind == AccessKind.MODIFY) {
                intoPlaces[row] = place;
                intoData[row] = object;
                intoAddresses[row] = address;
                starts[row] = start;
                intoStores[row++] = true;
            }
        }
        count = row;
    }

    void add(Place place, long address, boolean store, DataObjectIndex index) {
        int row = count++;
        places[row] = place;
        data[row] = at(place, address, index);
        addresses[row] = address;
        starts[row] = data[row].isSite() ? index.start() : data[row].start();
        stores[row] = store;
    }

    /**
     * Makes this the rows of another batch from one up to, and without, another; of dead blocks the
     * batch as a whole says whether there are any.
     */
    Accesses of(Accesses batch, int from, int to) {
        int rows = to - from;
        System.arraycopy(batch.places, from, places, 0, rows);
        System.arraycopy(batch.data, from, data, 0, rows);
        System.arraycopy(batch.addresses, from, addresses, 0, rows);
        System.arraycopy(batch.starts, from, starts, 0, rows);
        System.arraycopy(batch.stores, from, stores, 0, rows);
        count = rows;
        first = batch.first + from;
        thread = batch.thread;
        defective = batch.defective;
        return this;
    }

    private DataObject at(Place place, long address, DataObjectIndex index) {
        DataObject object = index.at(place, address);
        defective |= object.dead();
        return object;
    }

    void clear() {
        count = 0;
        defective = false;
    }
}
