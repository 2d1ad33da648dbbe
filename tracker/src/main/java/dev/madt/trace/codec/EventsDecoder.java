package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BuiltInRuns;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.Run;
import dev.madt.trace.event.RunRows;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.UnknownCode;
import dev.madt.trace.layout.SharedLayout;

/**
 * Decodes the runs of EVTS frames: looks up what they mean, numbers accesses, bulk transfers and
 * calls from 0, and counts. Allocates per ring event, but not per access.
 */
public final class EventsDecoder {
    private final RunReader reader = new RunReader();
    private RunTable runs = new RunTable();
    private final RingEventWords ringEvents = new RingEventWords();
    private final UnknownCode unknownCode;
    private int thread;
    private TraceEvent ring;
    private long number;
    private long next;
    private long loads;
    private long stores;
    private long blocks;
    private long calls;
    /** Of kinds that are not known, and those of them that are numbered. */
    private long unknown;

    private long probes;
    private long allocations;
    private long loadsBefore;
    private long storesBefore;
    private long blocksBefore;
    private long callsBefore;
    private long probesBefore;
    private long allocationsBefore;
    private int stamp;

    public EventsDecoder() {
        this(new UnknownCode());
    }

    /** @param unknown may be that of other decoders too */
    public EventsDecoder(UnknownCode unknown) {
        this.unknownCode = unknown;
    }

    void define(int run, AccessSite[] sites) {
        runs.put(new Run(run, sites));
    }

    /**
     * As {@link #begin(Frame)}; the runs are those of a table, and the first access or bulk
     * transfer has a number.
     */
    public void begin(Frame frame, RunTable known, long first) throws TraceFormatException {
        runs = known;
        next = first;
        begin(frame);
    }

    /**
     * Begins a frame, whose runs {@link #next} gives.
     *
     * @throws TraceFormatException if the head of the payload is malformed
     */
    public void begin(Frame frame) throws TraceFormatException {
        thread = frame.tid();
        reader.begin(frame);
        ringEvents.begin();
        loadsBefore = loads;
        storesBefore = stores;
        blocksBefore = blocks;
        callsBefore = calls;
        probesBefore = probes;
        allocationsBefore = allocations;
    }

    /**
     * Counts everything in the frame that has begun, unread, by its head; only where all of it
     * comes before an access number and no ring event is among it. Otherwise false, and nothing has
     * happened.
     */
    public boolean passOver(long from) {
        EventCounts all = reader.counts();
        if (next + all.numbered() >= from || reader.mayHave(SharedLayout.RUN_EVENT)) {
            return false;
        }
        next += all.numbered();
        loads += all.loads();
        stores += all.stores();
        blocks += all.blocks();
        return true;
    }

    /**
     * Decodes the next run of the frame that says something; its words go to an array from
     * {@code at} on, where the longest run must have room.
     *
     * @return a run as {@link BuiltInRuns} has it, or one of the program; null behind the last one
     * @throws TraceFormatException if the payload is malformed
     */
    Run next(long[] words, int at) throws TraceFormatException {
        while (reader.next(words, at)) {
            RunContext context = reader.context();
            number = next;
            Run run = context.number >= SharedLayout.RUN_FIRST_MODULE
                    ? ofProgram(context, words, at)
                    : builtIn(context, words, at);
            if (run != null) {
                return run;
            }
        }
        check();
        return null;
    }

    /**
     * Adds rows for the next runs of the frame, until there are enough.
     *
     * @param most rows or words behind which no run begins
     * @return whether there may be more runs
     * @throws TraceFormatException if the payload is malformed; the runs in front of the fault have
     *     rows
     */
    boolean fill(RunRows rows, int most) throws TraceFormatException {
        stamp++;
        rows.begin(next, thread, most);
        while (!rows.isFull()) {
            boolean other = reader.rows(rows, stamp);
            count(reader.takeMade());
            if (other) {
                add(rows);
            } else if (!rows.isFull()) {
                reader.end();
                check();
                return false;
            }
        }
        return true;
    }

    private void count(long made) {
        loads += made >>> Integer.SIZE;
        stores += (int) made;
        next += (made >>> Integer.SIZE) + (int) made;
    }

    /**
     * Adds a row for the run at hand, which is none that the reader adds: one of the program that
     * it does not know, a long or a built-in one.
     */
    private void add(RunRows rows) throws TraceFormatException {
        RunContext context = reader.context();
        long[] words = rows.words();
        int at = rows.used();
        reader.take(words, at);
        boolean program = context.number >= SharedLayout.RUN_FIRST_MODULE;
        Run run = program ? ofProgram(context, words, at) : builtIn(context, words, at);
        if (run == null) {
            return;
        }
        if (run.number() >= SharedLayout.RUN_FIRST_MODULE) {
            int form = run.isProbe() ? RunRows.OTHER : RunRows.WORDS;
            rows.add(RunReader.place(context, rows, stamp), form, context.words);
            return;
        }
        rows.add(rows.place(run), RunRows.OTHER, BuiltInRuns.words(run.number()));
        if (run.number() == SharedLayout.RUN_EVENT) {
            rows.ring(ring);
        }
    }

    /** The number of the first access of the run at hand, or of its bulk transfer. */
    long number() {
        return number;
    }

    /** The thread of the run at hand. */
    int thread() {
        return thread;
    }

    /** The ring event at hand. */
    TraceEvent ring() {
        return ring;
    }

    private void check() throws TraceFormatException {
        EventCounts found = new EventCounts(
                (int) (loads - loadsBefore),
                (int) (stores - storesBefore),
                (int) (blocks - blocksBefore + calls - callsBefore + probes - probesBefore),
                (int) (allocations - allocationsBefore));
        if (!found.equals(reader.counts())) {
            throw reader.malformed("its head says " + reader.counts() + ", in it are " + found);
        }
        if (!reader.allocations().isEmpty()) {
            throw reader.malformed("something is left of what allocations are");
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

    /** Functions entered and left. */
    long calls() {
        return calls;
    }

    long allocations() {
        return allocations;
    }

    /** Events of kinds that are not known, since the last call. */
    public long takeUnknown() {
        long taken = unknown;
        unknown = 0;
        return taken;
    }

    /** The number that the next access or bulk transfer gets. */
    long next() {
        return next;
    }

    /** A run of the program, whose accesses are counted; null for a call that was not made. */
    private Run ofProgram(RunContext context, long[] words, int at) throws TraceFormatException {
        if (context.run == null) {
            context.identify(known(context));
        }
        if (!context.run.isProbe()) {
            count(context.made - (reader.missing() ? RunReader.lost(context.run, words, at) : 0));
        } else if (reader.missing() && words[at] == SharedLayout.WORD_NONE) {
            return null;
        } else if (context.run.isUnknown()) {
            probes++;
            next++;
            return newer(TraceEvent.Unknown.PROBE, 0);
        } else {
            calls++;
            next++;
        }
        return context.run;
    }

    private Run known(RunContext context) throws TraceFormatException {
        Run run = runs.get(context.number);
        if (run == null) {
            throw reader.malformed("run " + context.number + " in front of it is not defined");
        }
        if (run.length() != context.words) {
            throw reader.malformed("run " + context.number + " has " + context.words + " words, "
                    + run.length() + " by its definition");
        }
        return run;
    }

    /** What a newer recorder wrote is told of as an event. */
    private Run newer(int kind, int which) {
        unknown++;
        ring = new TraceEvent.Unknown(thread, 0, kind, which);
        return BuiltInRuns.of(SharedLayout.RUN_EVENT);
    }

    /** A run of the format; null if it was not made, or says whose the runs behind it are. */
    private Run builtIn(RunContext context, long[] words, int at) throws TraceFormatException {
        switch (context.number) {
            case SharedLayout.RUN_EVENT, SharedLayout.RUN_SITE -> {
                ring = ringEvents.decode(reader, context, words, at);
                unknown += ring.type() == RingEventType.UNKNOWN ? 1 : 0;
                allocations += ring.type().isAllocation() ? 1 : 0;
                return BuiltInRuns.of(SharedLayout.RUN_EVENT);
            }
            case SharedLayout.RUN_COPY, SharedLayout.RUN_STORE, SharedLayout.RUN_FETCH -> {
                return block(context, words, at);
            }
            case SharedLayout.RUN_LOAD_UNKNOWN, SharedLayout.RUN_WRITE_UNKNOWN -> {
                return unknown(context, words, at);
            }
            case SharedLayout.RUN_THREAD -> {
                expect(context, 1, 1);
                thread = (int) words[at];
            }
            default -> {
                return newer(TraceEvent.Unknown.RUN, context.number);
            }
        }
        return BuiltInRuns.of(context.number);
    }

    private void expect(RunContext context, int fewest, int most) throws TraceFormatException {
        if (context.words < fewest || context.words > most) {
            throw reader.malformed("run " + context.number + " of " + context.words + " words");
        }
    }

    /**
     * A bulk transfer: a code word, then one or two addresses and a length, none of which may be
     * missing.
     */
    private Run block(RunContext context, long[] words, int at) throws TraceFormatException {
        int length = context.number == SharedLayout.RUN_COPY ? 4 : 3;
        expect(context, length, length);
        for (int i = 1; i < length; i++) {
            if (words[at + i] == SharedLayout.WORD_NONE) {
                return null;
            }
        }
        next++;
        blocks++;
        return BuiltInRuns.of(context.number);
    }

    private Run unknown(RunContext context, long[] words, int at) throws TraceFormatException {
        expect(context, 2, 2);
        if (words[at + 1] == SharedLayout.WORD_NONE) {
            return null;
        }
        next++;
        loads += context.loads;
        stores += context.stores;
        return unknownCode.run(context.number, words[at]);
    }
}
