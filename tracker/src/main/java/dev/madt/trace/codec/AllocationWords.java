package dev.madt.trace.codec;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * The short form of malloc, calloc and free in an EVTS frame (docs/FORMAT.md, template 12). What a
 * frame has told so far says which event of which thread by which call it is, and where allocators
 * place blocks: mostly where one of the same class of sizes was freed last. Writer and reader keep
 * the same state, which begins anew with each frame. Not for use by several threads.
 */
final class AllocationWords {
    private static final int CLASSES = 64;
    private static final int CLASS_SHIFT = 4;
    /** Says what an allocator adds to a size before it rounds up to a class. */
    private static final int CLASS_ROUND = 23;

    private static final int LEAST_CLASS = 2;
    private static final int CELLS = 1 << 12;
    private static final int DEEPEST = 255;
    /** Says how many freed blocks a writer's search passes over, at most. */
    private static final int SEARCHED = 31;

    private static final int MOST_SITES = 1 << 16;
    private static final int NONE = -1;

    /** Says what is the same in many events. */
    private record AccessSite(RingEventType type, int thread, long code, long chain) {
        static AccessSite of(TraceEvent.Allocation event) {
            return new AccessSite(event.type(), event.thread(), event.code(), event.chain());
        }

        /** Not a record's own: see {@link EventCounts#equals}. */
        @Override
        public boolean equals(Object other) {
            return other instanceof AccessSite site
                    && type == site.type
                    && thread == site.thread
                    && code == site.code
                    && chain == site.chain;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * (31 * type.ordinal() + thread) + Long.hashCode(code))
                    + Long.hashCode(chain);
        }
    }

    private final List<AccessSite> sites = new ArrayList<>();
    /** By their sites: the sizes of the last allocations. */
    private long[] sizes = new long[64];

    private final Map<AccessSite, Integer> siteNumbers = new HashMap<>();
    private final int[] lastSites = new int[RingEventType.values().length];
    private final LongIntHashMap live = new LongIntHashMap();
    /**
     * By the order of allocations in the frame: addresses, classes, and of a freed block the one of
     * its class that was freed before.
     */
    private long[] addresses = new long[64];

    private byte[] classes = new byte[64];
    private int[] before = new int[64];
    private int count;
    private final int[] freed = new int[CLASSES];
    /** The ends of the lists of freed blocks that are not empty. */
    private final int[] freedEnds = new int[CLASSES];
    /** By the word that moved last, the block that was allocated then, plus one. */
    private final int[] cells = new int[CELLS];

    private long ticket;
    /** Says where the last block ends whose address was told. */
    private long top;
    /** The last address told of an end. */
    private long gone;

    AllocationWords() {
        begin();
    }

    /** A frame begins. */
    void begin() {
        sites.clear();
        siteNumbers.clear();
        live.clear();
        count = 0;
        ticket = 0;
        top = 0;
        gone = 0;
        Arrays.fill(cells, 0);
        Arrays.fill(freed, NONE);
        Arrays.fill(lastSites, NONE);
    }

    /**
     * Follows an event of a frame that is written, and tells of it in the columns if it has a short
     * form.
     *
     * @param moved the last word that differed from the one before it at its place
     * @return the site of the short form; -1 if the event has none
     */
    int encode(TraceEvent told, long moved, AllocationColumns out) {
        if (!(told instanceof TraceEvent.Allocation event)) {
            ticket = told.epoch();
            return NONE;
        }
        int site = shortSite(event);
        ticket = event.epoch();
        if (event.type() == RingEventType.FREE) {
            end(event, site, moved, out);
        } else if (allocates(event)) {
            if (site != NONE) {
                tell(event, site, moved, out);
            }
            live.put(event.address(), count);
            add(event.address(), classOf(event.size()));
        }
        return site == NONE ? site(event) : site;
    }

    private void end(TraceEvent.Allocation event, int site, long moved, AllocationColumns out) {
        int block = live.removeKeyIfAbsent(event.old(), NONE);
        if (site == NONE) {
            return;
        }
        if (block == NONE) {
            out.endOfOther(event.old() - gone);
            gone = event.old();
            return;
        }
        if (cells[cell(moved)] == block + 1) {
            out.endInCell();
        } else {
            out.endOfKnown(count - block);
        }
        free(block);
    }

    /** Tells of an allocation. */
    private void tell(TraceEvent.Allocation event, int site, long moved, AllocationColumns out) {
        int kind = classOf(event.size());
        int rank = rank(kind, event.address());
        out.size(event.size(), sizes[site]);
        sizes[site] = event.size();
        if (rank == NONE) {
            out.elsewhere(event.address() - top);
            top = behind(event.address(), event.size());
        } else {
            out.rank(rank);
            take(kind, rank);
        }
        cells[cell(moved)] = count + 1;
    }

    private static int cell(long moved) {
        return (int) (moved >>> 3) & CELLS - 1;
    }

    /** Returns where an allocator can place what comes behind a block. */
    private static long behind(long address, long size) {
        long units = size + CLASS_ROUND >>> CLASS_SHIFT;
        return address + (Math.max(units, LEAST_CLASS) << CLASS_SHIFT);
    }

    /** The site of an event that can have a short form, if the frame knows the site. */
    private int shortSite(TraceEvent.Allocation event) {
        boolean isShort = event.code() != 0
                && event.epoch() - ticket == (int) (event.epoch() - ticket)
                && (event.type() == RingEventType.FREE
                        ? event.address() == 0 && event.size() == 0
                        : allocates(event) && event.word(2) == 0);
        if (!isShort) {
            return NONE;
        }
        int last = lastSites[event.type().ordinal()];
        if (last != NONE
                && sites.get(last).code == event.code()
                && sites.get(last).chain == event.chain()
                && sites.get(last).thread == event.thread()) {
            return last;
        }
        Integer known = siteNumbers.get(AccessSite.of(event));
        if (known == null) {
            return NONE;
        }
        lastSites[event.type().ordinal()] = known;
        return known;
    }

    /** Follows an event of a frame that is read, which has no short form. */
    void plain(TraceEvent told) {
        ticket = told.epoch();
        if (told instanceof TraceEvent.Allocation event) {
            site(event);
            if (allocates(event)) {
                add(event.address(), classOf(event.size()));
            }
        }
    }

    /** Keeps the site of an event; always -1. */
    private int site(TraceEvent.Allocation event) {
        if ((allocates(event) || event.type() == RingEventType.FREE)
                && event.code() != 0
                && sites.size() < MOST_SITES) {
            AccessSite site = AccessSite.of(event);
            if (siteNumbers.putIfAbsent(site, sites.size()) == null) {
                if (sites.size() == sizes.length) {
                    sizes = Arrays.copyOf(sizes, 2 * sizes.length);
                }
                sizes[sites.size()] = 0;
                sites.add(site);
            }
        }
        return NONE;
    }

    /**
     * The event that is told in a short form.
     *
     * @param epoch of the record
     * @param moved as in {@link #encode}
     * @return null if no writer can have written this
     */
    TraceEvent decode(int number, int epoch, long moved, AllocationNumbers in) {
        if (number < 0 || number >= sites.size()) {
            return null;
        }
        AccessSite site = sites.get(number);
        ticket += epoch - (int) ticket;
        TraceEvent.Allocation event = site.type == RingEventType.FREE
                ? decodeEnd(site, moved, in)
                : decodeAllocation(site, number, moved, in);
        return in.failed() ? null : event;
    }

    private TraceEvent.Allocation decodeEnd(AccessSite site, long moved, AllocationNumbers in) {
        int code = in.endCode();
        if (code == AllocationColumns.OTHER_BLOCK) {
            gone += in.signed();
            return end(site, gone);
        }
        long block;
        switch (code) {
            case AllocationColumns.IN_CELL -> block = cells[cell(moved)] - 1L;
            case AllocationColumns.KNOWN -> block = count - in.unsigned();
            default -> block = NONE;
        }
        return block < 0 || block >= count ? null : endOf(site, (int) block);
    }

    /** The end of a block; null if it has ended already. */
    private TraceEvent.Allocation endOf(AccessSite site, int block) {
        if (before[block] != NONE) {
            return null;
        }
        free(block);
        return end(site, addresses[block]);
    }

    private TraceEvent.Allocation end(AccessSite site, long old) {
        return new TraceEvent.Allocation(
                site.type, site.thread, ticket, 0, 0, old, site.chain, site.code);
    }

    private TraceEvent.Allocation decodeAllocation(
            AccessSite site, int number, long moved, AllocationNumbers in) {
        long size = in.size(sizes[number]);
        sizes[number] = size;
        int kind = classOf(size);
        int code = in.placeCode();
        long address;
        if (code == AllocationColumns.AT_LAST || code == AllocationColumns.AT_EARLIER) {
            long rank = code == AllocationColumns.AT_LAST ? 0 : in.unsigned();
            int block = rank < 0 || rank > DEEPEST ? NONE : take(kind, (int) rank);
            if (block == NONE) {
                return null;
            }
            address = addresses[block];
        } else {
            address = top + (code == AllocationColumns.AT_TOP ? 0 : in.signed());
            top = behind(address, size);
        }
        cells[cell(moved)] = count + 1;
        add(address, kind);
        return allocation(site, address, size);
    }

    private TraceEvent.Allocation allocation(AccessSite site, long address, long size) {
        return new TraceEvent.Allocation(
                site.type, site.thread, ticket, address, size, 0, site.chain, site.code);
    }

    private static boolean allocates(TraceEvent.Allocation event) {
        return event.type() == RingEventType.MALLOC || event.type() == RingEventType.CALLOC;
    }

    private static int classOf(long size) {
        long kind = size + CLASS_ROUND >>> CLASS_SHIFT;
        return size < 0 || kind >= CLASSES ? 0 : (int) kind;
    }

    private void add(long address, int kind) {
        if (count == addresses.length) {
            addresses = Arrays.copyOf(addresses, 2 * count);
            classes = Arrays.copyOf(classes, 2 * count);
            before = Arrays.copyOf(before, 2 * count);
        }
        addresses[count] = address;
        classes[count] = (byte) kind;
        before[count++] = NONE;
    }

    /** Ends are marked by links: the last one of a list leads to itself. */
    private void free(int block) {
        int kind = classes[block];
        if (freed[kind] == NONE) {
            freedEnds[kind] = block;
        }
        before[block] = freed[kind] == NONE ? block : freed[kind];
        freed[kind] = block;
    }

    /**
     * Returns how many blocks of a class have been freed behind the one at an address; -1 if none
     * is known there.
     */
    private int rank(int kind, long address) {
        int block = freed[kind];
        for (int rank = 0; block != NONE && rank <= SEARCHED; rank++) {
            if (addresses[block] == address) {
                return rank;
            }
            block = next(block);
        }
        return NONE;
    }

    /**
     * Takes the block of a rank out of the freed ones; -1 if there is none. Those in front of it go
     * to the end, as the allocator passed them over.
     */
    private int take(int kind, int rank) {
        int later = NONE;
        int block = freed[kind];
        for (int i = 0; i < rank && block != NONE; i++) {
            later = block;
            block = next(block);
        }
        if (block == NONE) {
            return NONE;
        }
        int rest = next(block);
        if (later == NONE) {
            freed[kind] = rest;
        } else {
            before[later] = later;
            if (rest != NONE) {
                before[freedEnds[kind]] = freed[kind];
                freed[kind] = rest;
            }
            freedEnds[kind] = later;
        }
        return block;
    }

    /** The one behind a block in a list of freed ones; -1 if it is the last. */
    private int next(int block) {
        return before[block] == block ? NONE : before[block];
    }
}
