package dev.madt.trace.codec;

import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;

/**
 * The short form of malloc, calloc and free in an EVTS frame (docs/FORMAT.md, runs 7 to 11). What a
 * frame has told so far says which event of which thread by which call it is, and where allocators
 * place blocks: mostly where one of the same class of sizes was freed last. Writer and reader keep
 * the same state, which begins anew with each frame. Not for use by several threads.
 */
final class AllocationWords {
    /** An allocation at the place that was freed last in its class: site, size. */
    static final int AT_LAST = 7;
    /** At one that was freed before: site, size, how many were freed later. */
    static final int AT_EARLIER = 8;
    /** Elsewhere: site, size, address. */
    static final int ELSEWHERE = 9;
    /** The end of a block that the frame knows: site, allocations in the frame from it on. */
    static final int END_OF_KNOWN = 10;
    /** The end of another: site, address. */
    static final int END_OF_OTHER = 11;

    private static final int CLASSES = 64;
    private static final int CLASS_SHIFT = 4;
    /** What an allocator adds to a size before it rounds up to a class. */
    private static final int CLASS_ROUND = 23;

    private static final int DEEPEST = 255;
    private static final int MOST_SITES = 1 << 16;
    private static final int NONE = -1;

    /** What is the same in many events. */
    private record Site(RingEventType type, int thread, long code) {
        /** Not a record's own: see {@link EventCounts#equals}. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Site site
                    && type == site.type
                    && thread == site.thread
                    && code == site.code;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * type.ordinal() + thread) + Long.hashCode(code);
        }
    }

    private final List<Site> sites = new ArrayList<>();
    private final Map<Site, Integer> siteNumbers = new HashMap<>();
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
    private long ticket;

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
        Arrays.fill(freed, NONE);
        Arrays.fill(lastSites, NONE);
    }

    /** Words of one of these runs; -1 for another. */
    static int words(int run) {
        return switch (run) {
            case AT_LAST, END_OF_KNOWN, END_OF_OTHER -> 2;
            case AT_EARLIER, ELSEWHERE -> 3;
            default -> -1;
        };
    }

    /**
     * Follows an event of a frame that is written, and puts its words into {@code words} if it has
     * a short form.
     *
     * @return the run of the short form; -1 if the event has none
     */
    int encode(RingEvent event, long[] words) {
        int site = shortSite(event);
        ticket = event.epoch();
        if (event.type() == RingEventType.FREE) {
            return end(event, site, words);
        } else if (!allocates(event)) {
            return site(event);
        }
        int kind = classOf(event.size());
        int rank = site == NONE ? NONE : rank(kind, event.address());
        if (site == NONE) {
            site(event);
        }
        if (rank != NONE) {
            take(kind, rank);
        }
        live.put(event.address(), count);
        add(event.address(), kind);
        if (site == NONE) {
            return NONE;
        }
        words[0] = site;
        words[1] = event.size();
        words[2] = rank == NONE ? event.address() : rank;
        return rank == 0 ? AT_LAST : rank == NONE ? ELSEWHERE : AT_EARLIER;
    }

    private int end(RingEvent event, int site, long[] words) {
        int block = live.removeKeyIfAbsent(event.old(), NONE);
        if (site == NONE) {
            return site(event);
        }
        words[0] = site;
        words[1] = event.old();
        if (block == NONE) {
            return END_OF_OTHER;
        }
        words[1] = count - block;
        free(block);
        return END_OF_KNOWN;
    }

    /** The site of an event that can have a short form, if the frame knows the site. */
    private int shortSite(RingEvent event) {
        boolean isShort = event.oldSize() == 0
                && event.code() != 0
                && event.epoch() - ticket == (int) (event.epoch() - ticket)
                && (event.type() == RingEventType.FREE
                        ? event.address() == 0 && event.size() == 0
                        : allocates(event) && event.old() == 0);
        if (!isShort) {
            return NONE;
        }
        int last = lastSites[event.type().ordinal()];
        if (last != NONE
                && sites.get(last).code == event.code()
                && sites.get(last).thread == event.thread()) {
            return last;
        }
        Integer known = siteNumbers.get(new Site(event.type(), event.thread(), event.code()));
        if (known == null) {
            return NONE;
        }
        lastSites[event.type().ordinal()] = known;
        return known;
    }

    /** Follows an event of a frame that is read, which has no short form. */
    void plain(RingEvent event) {
        ticket = event.epoch();
        site(event);
        if (allocates(event)) {
            add(event.address(), classOf(event.size()));
        }
    }

    /** Keeps the site of an event; always -1. */
    private int site(RingEvent event) {
        if ((allocates(event) || event.type() == RingEventType.FREE)
                && event.code() != 0
                && sites.size() < MOST_SITES) {
            Site site = new Site(event.type(), event.thread(), event.code());
            if (siteNumbers.putIfAbsent(site, sites.size()) == null) {
                sites.add(site);
            }
        }
        return NONE;
    }

    /**
     * The event that is told in a short form.
     *
     * @param epoch of the run
     * @return null if no writer can have written this
     */
    RingEvent decode(int run, int epoch, long[] words, int at) {
        if (words[at] < 0 || words[at] >= sites.size()) {
            return null;
        }
        Site site = sites.get((int) words[at]);
        ticket += epoch - (int) ticket;
        if (site.type == RingEventType.FREE != run >= END_OF_KNOWN) {
            return null;
        }
        return run >= END_OF_KNOWN
                ? decodeEnd(run, site, words[at + 1])
                : decodeAllocation(run, site, words, at);
    }

    private RingEvent decodeEnd(int run, Site site, long word) {
        long old = word;
        if (run == END_OF_KNOWN) {
            if (word <= 0 || word > count || before[count - (int) word] != NONE) {
                return null;
            }
            int block = count - (int) word;
            old = addresses[block];
            free(block);
        }
        return new RingEvent(site.type, site.thread, ticket, 0, 0, old, 0, "", site.code);
    }

    private RingEvent decodeAllocation(int run, Site site, long[] words, int at) {
        long size = words[at + 1];
        int kind = classOf(size);
        long address = 0;
        if (run == ELSEWHERE) {
            address = words[at + 2];
        } else {
            long rank = run == AT_LAST ? 0 : words[at + 2];
            int block = rank < 0 || rank > DEEPEST ? NONE : take(kind, (int) rank);
            if (block == NONE) {
                return null;
            }
            address = addresses[block];
        }
        add(address, kind);
        return new RingEvent(site.type, site.thread, ticket, address, size, 0, 0, "", site.code);
    }

    private static boolean allocates(RingEvent event) {
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
        before[block] = freed[kind] == NONE ? block : freed[kind];
        freed[kind] = block;
    }

    /**
     * How many blocks of a class have been freed behind the one at an address; -1 if none is known
     * there.
     */
    private int rank(int kind, long address) {
        int block = freed[kind];
        for (int rank = 0; block != NONE && rank <= DEEPEST; rank++) {
            if (addresses[block] == address) {
                return rank;
            }
            block = before[block] == block ? NONE : before[block];
        }
        return NONE;
    }

    /** Takes the block of a rank out of the freed ones; -1 if there is none. */
    private int take(int kind, int rank) {
        int later = NONE;
        int block = freed[kind];
        for (int i = 0; i < rank && block != NONE; i++) {
            later = block;
            block = before[block] == block ? NONE : before[block];
        }
        if (block == NONE) {
            return NONE;
        }
        boolean first = before[block] == block;
        if (later == NONE) {
            freed[kind] = first ? NONE : before[block];
        } else {
            before[later] = first ? later : before[block];
        }
        return block;
    }
}
