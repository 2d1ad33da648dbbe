package dev.madt.tracker;

import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Holds something for cells of memory: arrays of a page of 4 KiB each, those of the last pages at
 * hand without a look-up.
 *
 * @param <T> what is held of a cell
 */
public final class PagedCells<T> {
    private static final int PAGE_BITS = 12;
    private static final int AT_HAND_BITS = 10;
    /** Pages at hand. */
    private static final int AT_HAND = 1 << AT_HAND_BITS;

    /** 2^64 divided by the golden ratio: arenas of allocators lie at powers of two. */
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private final int cellBits;
    private final int mask;
    private final LongObjectHashMap<Object[]> pages = new LongObjectHashMap<>();
    private final long[] numbers = new long[AT_HAND];
    private final Object[][] cells = new Object[AT_HAND][];

    /** @param cellBits cells have 2 to the power of this many bytes, 12 at most */
    public PagedCells(int cellBits) {
        this.cellBits = cellBits;
        this.mask = (1 << PAGE_BITS - cellBits) - 1;
    }

    /** Returns what is held of the cell that an address is in; null: nothing. */
    @SuppressWarnings("unchecked") // only put writes to pages
    public T get(long address) {
        Object[] page = page(address >>> PAGE_BITS);
        return page == null ? null : (T) page[(int) (address >>> cellBits) & mask];
    }

    /** Holds something of the cell that an address is in; null: nothing from now on. */
    public void put(long address, T value) {
        long number = address >>> PAGE_BITS;
        Object[] page = page(number);
        if (page == null) {
            if (value == null) {
                return;
            }
            page = new Object[mask + 1];
            pages.put(number, page);
            int slot = slot(number);
            numbers[slot] = number;
            cells[slot] = page;
        }
        page[(int) (address >>> cellBits) & mask] = value;
    }

    private Object[] page(long number) {
        int slot = slot(number);
        if (numbers[slot] == number && cells[slot] != null) {
            return cells[slot];
        }
        Object[] page = pages.get(number);
        if (page != null) {
            numbers[slot] = number;
            cells[slot] = page;
        }
        return page;
    }

    private static int slot(long number) {
        return (int) (number * SPREAD >>> Long.SIZE - AT_HAND_BITS);
    }

    /** Holds nothing any more of the cells that have a byte from an address on, up to another. */
    public void forget(long start, long end) {
        long first = start >>> PAGE_BITS;
        long last = end - 1 >>> PAGE_BITS;
        if (Long.compareUnsigned(last - first, pages.size()) < 0) {
            for (long number = first; number != last + 1; number++) {
                forget(number, start, end);
            }
        } else {
            for (long number : pages.keySet().toArray()) {
                if (Long.compareUnsigned(number - first, last - first) <= 0) {
                    forget(number, start, end);
                }
            }
        }
    }

    private void forget(long number, long start, long end) {
        Object[] page = page(number);
        if (page != null) {
            long from = Math.max(number << PAGE_BITS, start) >>> cellBits;
            long to = Math.min(number + 1 << PAGE_BITS, end) - 1 >>> cellBits;
            Arrays.fill(page, (int) from & mask, ((int) to & mask) + 1, null);
        }
    }

    /** Gives all that is held, with the first address of each cell, in no order. */
    @SuppressWarnings("unchecked") // as above
    public void forEach(Taker<T> taker) {
        pages.forEachKeyValue((number, page) -> {
            for (int i = 0; i < page.length; i++) {
                if (page[i] != null) {
                    taker.take((number << PAGE_BITS) + ((long) i << cellBits), (T) page[i]);
                }
            }
        });
    }

    /** Returns how many pages have cells. */
    public int pages() {
        return pages.size();
    }

    /** Takes what is held of a cell. */
    public interface Taker<T> {
        void take(long address, T value);
    }

    public void clear() {
        pages.clear();
        Arrays.fill(cells, null);
    }
}
