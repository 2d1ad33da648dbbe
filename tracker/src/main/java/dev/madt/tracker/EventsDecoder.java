package dev.madt.tracker;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Walks the runs of EVTS frames: looks up what they mean, numbers and counts accesses and block events from 0, and calls the consumer.
 * Allocates per ring event, but not per access.
 */
final class EventsDecoder {
    private static final int EVENT_WORDS = 7;
    /** Code words of a ring event; more than one is not written yet. */
    private static final int MOST_CALLERS = 8;
    /** Code without a map can be made anew for ever: its sites are forgotten from time to time. */
    private static final int MOST_UNKNOWN_SITES = 65_536;

    private final EventConsumer consumer;
    private final RunReader reader = new RunReader();
    private final RunTable runs = new RunTable();
    private final LongObjectHashMap<Site> unknownLoads = new LongObjectHashMap<>();
    private final LongObjectHashMap<Site> unknownStores = new LongObjectHashMap<>();
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

    /** @throws TraceFormatException if the payload is malformed; the events in front of the fault have been given */
    void decode(Frame frame) throws TraceFormatException {
        long loadsBefore = loads;
        long storesBefore = stores;
        long blocksBefore = blocks;
        long allocationsBefore = allocations;
        int thread = frame.tid();
        reader.begin(frame);
        while (reader.next()) {
            RunContext context = reader.context();
            if (context.number >= SharedLayout.RUN_FIRST_MODULE) {
                accesses(thread, context);
            } else if (context.number == SharedLayout.RUN_THREAD) {
                thread = thread(context);
            } else {
                builtIn(thread, context);
            }
        }
        EventCounts found = new EventCounts((int) (loads - loadsBefore), (int) (stores - storesBefore),
                (int) (blocks - blocksBefore), (int) (allocations - allocationsBefore));
        if (!found.equals(reader.counts())) {
            throw reader.malformed("its head says " + reader.counts() + ", in it are " + found);
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

    private void accesses(int thread, RunContext context) throws TraceFormatException {
        if (context.run == null) {
            context.identify(known(context));
        }
        consumer.run(next, thread, context.run, reader.words(), 0);
        loads += context.loads;
        stores += context.stores;
        next += context.loads + context.stores;
        if (reader.missing()) {
            takeBack(context.run);
        }
    }

    private Run known(RunContext context) throws TraceFormatException {
        Run run = runs.get(context.number);
        if (run == null) {
            throw reader.malformed("run " + context.number + " in front of it is not defined");
        }
        if (run.length() != context.words) {
            throw reader.malformed("run " + context.number + " has " + context.words + " words, " + run.length()
                    + " by its definition");
        }
        return run;
    }

    /** Takes accesses that were not made out of the counts. */
    private void takeBack(Run run) {
        long[] words = reader.words();
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

    private int thread(RunContext context) throws TraceFormatException {
        expect(context, 1, 1);
        return (int) reader.words()[0];
    }

    /** Runs between 6 and 16 may come to mean something; until then they are passed over. */
    private void builtIn(int thread, RunContext context) throws TraceFormatException {
        switch (context.number) {
            case SharedLayout.RUN_EVENT -> event(context);
            case SharedLayout.RUN_COPY -> {
                expect(context, 4, 4);
                long[] words = reader.words();
                give(thread, BlockKind.COPY, words[0], words[1], words[2], words[3]);
            }
            case SharedLayout.RUN_STORE -> block(context, thread, BlockKind.STORE);
            case SharedLayout.RUN_FETCH -> block(context, thread, BlockKind.FETCH);
            case SharedLayout.RUN_LOAD_UNKNOWN -> unknown(context, thread, unknownLoads, AccessKind.LOAD);
            case SharedLayout.RUN_WRITE_UNKNOWN -> unknown(context, thread, unknownStores, AccessKind.STORE);
            default -> { }
        }
    }

    private void expect(RunContext context, int fewest, int most) throws TraceFormatException {
        if (context.words < fewest || context.words > most) {
            throw reader.malformed("run " + context.number + " of " + context.words + " words");
        }
    }

    private void block(RunContext context, int thread, BlockKind kind) throws TraceFormatException {
        expect(context, 3, 3);
        long[] words = reader.words();
        give(thread, kind, words[0], words[1], 0, words[2]);
    }

    private void give(int thread, BlockKind kind, long code, long to, long from, long length) {
        if (to == SharedLayout.WORD_NONE || from == SharedLayout.WORD_NONE || length == SharedLayout.WORD_NONE) {
            return;
        }
        consumer.block(next++, thread, kind, to, from, length, code);
        blocks++;
    }

    private void unknown(RunContext context, int thread, LongObjectHashMap<Site> sites, AccessKind kind)
            throws TraceFormatException {
        expect(context, 2, 2);
        long code = reader.words()[0];
        long address = reader.words()[1];
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
        consumer.access(next++, thread, site, kind == AccessKind.STORE, address);
        loads += context.loads;
        stores += context.stores;
    }

    private void event(RunContext context) throws TraceFormatException {
        expect(context, EVENT_WORDS, EVENT_WORDS + MOST_CALLERS);
        long[] words = reader.words();
        RingEventType type = type((int) words[0] & 0xffff);
        if (words[0] >>> 16 != context.words - EVENT_WORDS) {
            throw reader.malformed("ring event with head 0x" + Long.toHexString(words[0]) + " and " + context.words + " words");
        }
        long code = context.words == EVENT_WORDS ? 0 : words[EVENT_WORDS];
        if (AllocationEvent.letter(type) != 0) {
            allocations++;
        }
        consumer.ring(new RingEvent(type, (int) words[2], words[1], words[3], words[4], words[5], words[6], "", code));
    }

    private RingEventType type(int code) throws TraceFormatException {
        RingEventType type;
        try {
            type = RingEventType.of(code);
        } catch (IllegalArgumentException e) {
            throw reader.malformed("unknown event type " + code);
        }
        if (!EventsFrame.belongs(type)) {
            throw reader.malformed("event " + type + ", which has no place in a trace");
        }
        return type;
    }
}
