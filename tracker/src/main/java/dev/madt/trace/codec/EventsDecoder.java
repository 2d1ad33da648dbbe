package dev.madt.trace.codec;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BuiltInTemplates;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.UnknownCode;
import dev.madt.trace.layout.SharedLayout;

/**
 * Decodes the records of EVTS frames: looks up what they mean, numbers accesses, bulk transfers and
 * calls from 0, and counts. Allocates per ring event, but not per access.
 */
public final class EventsDecoder {
    private final RecordReader reader = new RecordReader();
    private TemplateTable templates = new TemplateTable();
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
    private boolean takesTimes;

    public EventsDecoder() {
        this(new UnknownCode());
    }

    /** @param unknown may be that of other decoders too */
    public EventsDecoder(UnknownCode unknown) {
        this.unknownCode = unknown;
    }

    /** Takes records of {@link SharedLayout#TEMPLATE_TIMES}, in rows. */
    void takeTimes() {
        takesTimes = true;
    }

    void define(int template, AccessSite[] sites) {
        templates.put(new RecordTemplate(template, sites));
    }

    /**
     * As {@link #begin(Frame)}; the templates are those of a table, and the first access or bulk
     * transfer has a number.
     */
    public void begin(Frame frame, TemplateTable known, long first) throws TraceFormatException {
        templates = known;
        next = first;
        begin(frame);
    }

    /**
     * Begins a frame, whose records {@link #next} gives.
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
        if (next + all.numbered() >= from || reader.mayHave(SharedLayout.TEMPLATE_EVENT)) {
            return false;
        }
        next += all.numbered();
        loads += all.loads();
        stores += all.stores();
        blocks += all.blocks();
        return true;
    }

    /**
     * Decodes the next record of the frame that says something; its words go to an array from
     * {@code at} on, where the longest record must have room.
     *
     * @return a template as {@link BuiltInTemplates} has it, or one of the program; null behind the
     *     last one
     * @throws TraceFormatException if the payload is malformed
     */
    RecordTemplate next(long[] words, int at) throws TraceFormatException {
        while (reader.next(words, at)) {
            TemplateContext context = reader.context();
            number = next;
            RecordTemplate template = context.number >= SharedLayout.TEMPLATE_FIRST_MODULE
                    ? ofProgram(context, words, at)
                    : builtIn(context, words, at);
            if (template != null) {
                return template;
            }
        }
        check();
        return null;
    }

    /**
     * Adds rows for the next records of the frame, until there are enough.
     *
     * @param most rows or words behind which no record begins
     * @return whether there may be more records
     * @throws TraceFormatException if the payload is malformed; the records in front of the fault
     *     have rows
     */
    boolean fill(RecordRows rows, int most) throws TraceFormatException {
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
     * Adds a row for the record at hand, which is none that the reader adds: one of the program
     * that it does not know, a long or a built-in one.
     */
    private void add(RecordRows rows) throws TraceFormatException {
        TemplateContext context = reader.context();
        long[] words = rows.words();
        int at = rows.used();
        reader.take(words, at);
        if (takesTimes && context.number == SharedLayout.TEMPLATE_TIMES) {
            times(rows, words[at], words[at + 1]);
            return;
        }
        boolean program = context.number >= SharedLayout.TEMPLATE_FIRST_MODULE;
        number = next;
        RecordTemplate template =
                program ? ofProgram(context, words, at) : builtIn(context, words, at);
        if (template == null) {
            return;
        }
        if (template.isUnwanted() && !template.isProbe()) {
            words[at] = next - number;
            rows.add(rows.passedPlace(), RecordRows.OTHER, 1);
            return;
        }
        if (template.number() >= SharedLayout.TEMPLATE_FIRST_MODULE) {
            int form = template.isProbe() ? RecordRows.OTHER : RecordRows.WORDS;
            rows.add(RecordReader.place(context, rows, stamp), form, context.words);
            return;
        }
        rows.add(rows.place(template), RecordRows.OTHER, BuiltInTemplates.words(template.number()));
        if (template.number() == SharedLayout.TEMPLATE_EVENT) {
            rows.ring(ring);
        }
    }

    /** Adds a row for records of a template of which the frame has only how many there are. */
    private void times(RecordRows rows, long index, long times) throws TraceFormatException {
        TemplateContext context = reader.contextOf(index);
        if (context == null || !context.isOfAccesses() || times < 0) {
            throw reader.malformed(times + " more records of the template with index " + index);
        }
        RecordTemplate template = context.template;
        loads += times * template.loads();
        stores += times * (template.accesses() - template.loads());
        next += times * template.accesses();
        rows.words()[rows.used()] = times;
        reader.last(context, rows.words(), rows.used() + 1);
        rows.add(RecordReader.place(context, rows, stamp), RecordRows.OTHER, 1 + template.length());
    }

    /** The number of the first access of the record at hand, or of its bulk transfer. */
    long number() {
        return number;
    }

    /** The thread of the record at hand. */
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
    public long next() {
        return next;
    }

    /** A template of the program, whose accesses are counted; null for a call that was not made. */
    private RecordTemplate ofProgram(TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        if (context.template == null) {
            context.identify(known(context));
        }
        if (!context.template.isProbe()) {
            count(context.made
                    - (reader.missing() ? RecordReader.lost(context.template, words, at) : 0));
        } else if (reader.missing() && words[at] == SharedLayout.WORD_NONE) {
            return null;
        } else if (context.template.isUnknown()) {
            probes++;
            next++;
            return newer(TraceEvent.Unknown.PROBE, 0);
        } else {
            calls++;
            next++;
        }
        return context.template;
    }

    private RecordTemplate known(TemplateContext context) throws TraceFormatException {
        RecordTemplate template = templates.get(context.number);
        if (template == null) {
            throw reader.malformed("template " + context.number + " in front of it is not defined");
        }
        if (template.length() != context.words) {
            throw reader.malformed("template " + context.number + " has " + context.words
                    + " words, " + template.length() + " by its definition");
        }
        return template;
    }

    /** Returns what a newer recorder wrote, as an event. */
    private RecordTemplate newer(int kind, int which) {
        unknown++;
        ring = new TraceEvent.Unknown(thread, 0, kind, which);
        return BuiltInTemplates.of(SharedLayout.TEMPLATE_EVENT);
    }

    /** A record of the format; null if it was not made, or says whose the records behind it are. */
    private RecordTemplate builtIn(TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        switch (context.number) {
            case SharedLayout.TEMPLATE_EVENT, SharedLayout.TEMPLATE_SITE -> {
                ring = ringEvents.decode(reader, context, words, at);
                unknown += ring.type() == RingEventType.UNKNOWN ? 1 : 0;
                allocations += ring.type().isAllocation() ? 1 : 0;
                return BuiltInTemplates.of(SharedLayout.TEMPLATE_EVENT);
            }
            case SharedLayout.TEMPLATE_COPY,
                    SharedLayout.TEMPLATE_STORE,
                    SharedLayout.TEMPLATE_FETCH -> {
                return block(context, words, at);
            }
            case SharedLayout.TEMPLATE_LOAD_UNKNOWN, SharedLayout.TEMPLATE_WRITE_UNKNOWN -> {
                return unknown(context, words, at);
            }
            case SharedLayout.TEMPLATE_THREAD -> {
                expect(context, 1, 1);
                thread = (int) words[at];
            }
            default -> {
                return newer(TraceEvent.Unknown.TEMPLATE, context.number);
            }
        }
        return BuiltInTemplates.of(context.number);
    }

    private void expect(TemplateContext context, int fewest, int most) throws TraceFormatException {
        if (context.words < fewest || context.words > most) {
            throw reader.malformed(
                    "template " + context.number + " of " + context.words + " words");
        }
    }

    /**
     * A bulk transfer: a code word, then one or two addresses and a length, none of which may be
     * missing.
     */
    private RecordTemplate block(TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        int length = context.number == SharedLayout.TEMPLATE_COPY ? 4 : 3;
        expect(context, length, length);
        for (int i = 1; i < length; i++) {
            if (words[at + i] == SharedLayout.WORD_NONE) {
                return null;
            }
        }
        next++;
        blocks++;
        return BuiltInTemplates.of(context.number);
    }

    private RecordTemplate unknown(TemplateContext context, long[] words, int at)
            throws TraceFormatException {
        expect(context, 2, 2);
        if (words[at + 1] == SharedLayout.WORD_NONE) {
            return null;
        }
        next++;
        loads += context.loads;
        stores += context.stores;
        return unknownCode.template(context.number, words[at]);
    }
}
