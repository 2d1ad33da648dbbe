package dev.madt.tracker;

import java.util.Arrays;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Walks the words of EVTS frames: looks up their runs, numbers and counts accesses and block events from 0, and calls
 * the consumer. Allocates per ring event, but not per access.
 */
final class EventsDecoder {
    private static final int EVENT_WORDS = 7;
    /** Code without a map can be made anew for ever: its sites are forgotten from time to time. */
    private static final int MOST_UNKNOWN_SITES = 65_536;

    private final EventConsumer consumer;
    private final RunTable runs = new RunTable();
    private final LongObjectHashMap<Site> unknownLoads = new LongObjectHashMap<>();
    private final LongObjectHashMap<Site> unknownStores = new LongObjectHashMap<>();
    private long[] words = new long[64];
    private long next;
    private long loads;
    private long stores;
    private long blocks;
    private long allocations;

    EventsDecoder(EventConsumer consumer) {
        this.consumer = consumer;
    }

    void define(int run, Site[] sites) {
        runs.put(new Run(run, sites));
    }

    /** @throws TraceFormatException if the words are malformed; those in front of the fault have been given */
    void decode(Frame frame) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.EVENTS);
        int thread = frame.tid();
        while (!cursor.atEnd()) {
            long header = cursor.u64();
            int run = (int) (header >>> 32) & SharedLayout.RUN_RESERVED;
            if (header >= 0 || run == SharedLayout.RUN_RESERVED) {
                throw cursor.malformed("0x" + Long.toHexString(header) + " in front of it is no run header");
            }
            switch (run) {
                case SharedLayout.RUN_EVENT -> event(cursor);
                case SharedLayout.RUN_COPY -> copy(cursor, thread);
                case SharedLayout.RUN_STORE -> block(cursor, thread, BlockKind.STORE);
                case SharedLayout.RUN_FETCH -> block(cursor, thread, BlockKind.FETCH);
                case SharedLayout.RUN_LOAD_UNKNOWN -> unknown(cursor, thread, unknownLoads, AccessKind.LOAD);
                case SharedLayout.RUN_WRITE_UNKNOWN -> unknown(cursor, thread, unknownStores, AccessKind.STORE);
                default -> accesses(cursor, thread, known(cursor, run));
            }
        }
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    long blocks() {
        return blocks;
    }

    long allocations() {
        return allocations;
    }

    /** The number that the next access or block event gets. */
    long next() {
        return next;
    }

    private Run known(PayloadCursor cursor, int number) throws TraceFormatException {
        Run run = runs.get(number);
        if (run == null) {
            throw cursor.malformed("run " + number + " in front of it is not defined");
        }
        return run;
    }

    private void accesses(PayloadCursor cursor, int thread, Run run) throws TraceFormatException {
        int length = run.length();
        cursor.need(8 * length);
        if (length > words.length) {
            words = Arrays.copyOf(words, 2 * length);
        }
        boolean missing = false;
        for (int i = 0; i < length; i++) {
            words[i] = cursor.word();
            missing |= words[i] == SharedLayout.WORD_NONE;
        }
        consumer.run(next, thread, run, words, 0);
        loads += run.loads();
        stores += run.stores();
        next += run.loads() + run.stores();
        if (missing) {
            takeBack(run);
        }
    }

    /** Takes accesses that were not made out of the counts. */
    private void takeBack(Run run) {
        for (int i = 0; i < run.length(); i++) {
            if (words[i] == SharedLayout.WORD_NONE) {
                AccessKind kind = run.site(i).kind();
                int load = kind == AccessKind.STORE ? 0 : 1;
                int store = kind == AccessKind.LOAD ? 0 : 1;
                loads -= load;
                stores -= store;
                next -= load + store;
            }
        }
    }

    private void access(int thread, Site site, long address) {
        AccessKind kind = site.kind();
        if (kind != AccessKind.STORE) {
            consumer.access(next++, thread, site, false, address);
            loads++;
        }
        if (kind != AccessKind.LOAD) {
            consumer.access(next++, thread, site, true, address);
            stores++;
        }
    }

    private void copy(PayloadCursor cursor, int thread) throws TraceFormatException {
        cursor.need(8 * 4);
        give(thread, BlockKind.COPY, cursor.word(), cursor.word(), cursor.word(), cursor.word());
    }

    private void block(PayloadCursor cursor, int thread, BlockKind kind) throws TraceFormatException {
        cursor.need(8 * 3);
        give(thread, kind, cursor.word(), cursor.word(), 0, cursor.word());
    }

    private void give(int thread, BlockKind kind, long code, long to, long from, long length) {
        if (to == SharedLayout.WORD_NONE || from == SharedLayout.WORD_NONE || length == SharedLayout.WORD_NONE) {
            return;
        }
        consumer.block(next++, thread, kind, to, from, length, code);
        blocks++;
    }

    private void unknown(PayloadCursor cursor, int thread, LongObjectHashMap<Site> sites, AccessKind kind)
            throws TraceFormatException {
        cursor.need(8 * 2);
        long code = cursor.word();
        long address = cursor.word();
        if (address == SharedLayout.WORD_NONE) {
            return;
        }
        Site site = sites.get(code);
        if (site == null) {
            if (sites.size() == MOST_UNKNOWN_SITES) {
                sites.clear();
            }
            site = new Site(code, 0, kind, 0, 0, false);
            sites.put(code, site);
        }
        access(thread, site, address);
    }

    private void event(PayloadCursor cursor) throws TraceFormatException {
        cursor.need(8 * EVENT_WORDS);
        long head = cursor.word();
        int callers = (int) (head >>> 16);
        RingEventType type = type(cursor, (int) head & 0xffff);
        if (head >>> 32 != 0 || callers > SharedLayout.EVENT_CALLERS) {
            throw cursor.malformed("ring event with head 0x" + Long.toHexString(head));
        }
        long ticket = cursor.word();
        int thread = (int) cursor.word();
        long address = cursor.word();
        long size = cursor.word();
        long old = cursor.word();
        long oldSize = cursor.word();
        long code = 0;
        for (int i = 0; i < callers; i++) {
            long word = cursor.u64();
            code = i == 0 ? word : code;
        }
        if (AllocationEvent.letter(type) != 0) {
            allocations++;
        }
        consumer.ring(new RingEvent(type, thread, ticket, address, size, old, oldSize, "", code));
    }

    private static RingEventType type(PayloadCursor cursor, int code) throws TraceFormatException {
        RingEventType type;
        try {
            type = RingEventType.of(code);
        } catch (IllegalArgumentException e) {
            throw cursor.malformed("unknown event type " + code);
        }
        if (!EventsFrame.belongs(type)) {
            throw cursor.malformed("event " + type + ", which has no place in a trace");
        }
        return type;
    }
}
