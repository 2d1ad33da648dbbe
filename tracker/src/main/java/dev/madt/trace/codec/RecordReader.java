package dev.madt.trace.codec;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.util.Arrays;

/**
 * Walks the records of one EVTS frame after the other. A frame needs nothing of the frames in front
 * of it; what its records mean is in TMPL frames. Allocates per template and frame, not per record.
 * Not for use by several threads; each may have its own.
 *
 * <p>Whatever the bytes are: memory stays below 100 MiB, and what is not as docs/FORMAT.md says is
 * a TraceFormatException.
 */
public final class RecordReader {
    /**
     * Says what is known of a word of a record: its last value, the stride that is expected, the
     * last one.
     */
    private static final int SITE = 3;

    private static final int STRIDE = 1;
    private static final int LAST_STRIDE = 2;
    private static final int PIECE = EventsLayout.CODES_AT_ONCE;
    private static final long[] MASKS = new long[16];
    private static final int[] SIZES = new int[16];

    static {
        for (int code = 0; code < EventsLayout.NOT_MADE; code++) {
            int size = code & 7;
            SIZES[code] = size == 7 ? 8 : size;
            MASKS[code] = size == 0 ? 0 : -1L >>> 64 - 8 * SIZES[code];
        }
    }

    private byte[] bytes = {};
    private int start;
    private int kindsAt;
    private int codesAt;
    private int controlAt;
    private int controlEnd;
    private int residualsAt;
    private int residualsEnd;
    private int record;
    private int records;
    private int word;
    private int codeCount;
    private TemplateContext[] contexts = new TemplateContext[64];
    /** The contexts introduced last, by the low bits of their numbers. */
    private final TemplateContext[] introduced = new TemplateContext[1 << 14];

    private int known;
    private int sitesUsed;
    private long[] sites = new long[SITE << 8];
    private long[] words = new long[16];
    private TemplateContext previous;
    private int epoch;
    private long difference;
    private long address;
    /** The last word that differed from the one before it at its place. */
    private long moved;

    private final AllocationNumbers allocations = new AllocationNumbers();
    private boolean missing;
    private long made;
    private EventCounts counts;

    /**
     * Begins a frame; {@link #next} goes to its first record.
     *
     * @throws TraceFormatException if the head of the payload is malformed
     * @throws IllegalArgumentException if the frame is of another type: a fault of the caller
     */
    public void begin(Frame frame) throws TraceFormatException {
        PayloadCursor head = new PayloadCursor(frame, FrameType.EVENTS);
        records = head.u32();
        int all = head.u32();
        counts = new EventCounts(head.u32(), head.u32(), head.u32(), head.u32());
        ColumnSizes columns = new ColumnSizes(
                head.u32(), head.u32(), head.u32(), head.u32(), head.u32(), head.u32());
        if (all < 0
                || all > EventsLayout.MOST_WORDS
                || records < 0
                || records > all
                || !counts.possible()) {
            throw head.malformed("counts in front of it that are not possible");
        }
        codeCount = all - records;
        int bits = EventsLayout.kindBytes(records) + EventsLayout.codeBytes(codeCount);
        if (!columns.possible()
                || bits + columns.bytes() + EventsLayout.PADDING != head.remaining()) {
            throw head.malformed("columns of " + bits + ", "
                    + Integer.toUnsignedString(columns.control()) + " and "
                    + Integer.toUnsignedString(columns.residuals())
                    + " bytes, and those of " + columns + ", in front of it, "
                    + head.remaining() + " bytes behind it");
        }
        bytes = frame.payload().array();
        start = frame.payload().arrayOffset();
        kindsAt = start + EventsLayout.HEAD_BYTES;
        codesAt = kindsAt + EventsLayout.kindBytes(records);
        controlAt = kindsAt + bits;
        controlEnd = controlAt + columns.control();
        residualsAt = controlEnd;
        residualsEnd = residualsAt + columns.residuals();
        allocations.begin(bytes, residualsEnd, columns);
        record = 0;
        word = 0;
        known = 0;
        sitesUsed = 0;
        previous = TemplateContext.root();
        epoch = 0;
        difference = 0;
        address = 0;
        moved = 0;
    }

    /** The last word that differed from the one before it at its place. */
    long moved() {
        return moved;
    }

    /** Returns what the short forms of allocation events say. */
    AllocationNumbers allocations() {
        return allocations;
    }

    /** Returns what the head of the frame says is in it. */
    public EventCounts counts() {
        return counts;
    }

    /**
     * Returns whether a template with a number below 128 may be in the frame, which has just begun;
     * false is certain.
     */
    boolean mayHave(int number) {
        for (int at = controlAt; at + 1 < controlEnd; at++) {
            if ((bytes[at] & EventsLayout.WHICH) == EventsLayout.NEW
                    && (bytes[at + 1] & 0x7f) == number) {
                return true;
            }
        }
        return false;
    }

    /** Number of the template at hand. */
    public int template() {
        return previous.number;
    }

    /** Epoch of the record at hand, its low 32 bits. */
    public int epoch() {
        return epoch;
    }

    /** The words of the record at hand, from 0 on; they change with {@link #next()}. */
    public long[] words() {
        return words;
    }

    /** Returns how many words the record at hand has. */
    public int length() {
        return previous.words;
    }

    /** Returns whether one of the words is {@link SharedLayout#WORD_NONE}. */
    public boolean missing() {
        return missing;
    }

    /** Returns what is known of the record at hand. */
    TemplateContext context() {
        return previous;
    }

    /**
     * Goes to the next record.
     *
     * @return false behind the last one
     * @throws TraceFormatException if there is none where one must be, or not all of it
     */
    public boolean next() throws TraceFormatException {
        if (!advance()) {
            return false;
        }
        if (words.length < previous.words) {
            words = new long[previous.words];
        }
        take(previous, words, 0);
        return true;
    }

    /**
     * Goes to the next record and writes its words to an array, from {@code at} on, where the
     * longest record has room.
     */
    boolean next(long[] to, int at) throws TraceFormatException {
        if (!advance()) {
            return false;
        }
        take(previous, to, at);
        return true;
    }

    /** Writes the words of the record at hand, which {@link #rows} has left, to an array. */
    void take(long[] to, int at) throws TraceFormatException {
        take(previous, to, at);
    }

    /** Says that there must be no further record. */
    void end() throws TraceFormatException {
        if (controlAt != controlEnd || residualsAt != residualsEnd || word != codeCount) {
            throw malformed("something is left behind the last record");
        }
    }

    /** Returns whether there is a next record, which then is the one at hand but for its words. */
    private boolean advance() throws TraceFormatException {
        if (record == records) {
            end();
            return false;
        }
        int kind = bytes[kindsAt + (record >>> 2)] >>> 2 * (record & 3) & 3;
        record++;
        TemplateContext next = kind == EventsLayout.LIKELY ? previous.likely : turn(kind);
        if (next == null) {
            throw malformed("no template is known to follow template " + previous.number);
        }
        previous = next;
        if (next.words > codeCount - word) {
            throw malformed("template " + next.number + " of " + next.words + " words, "
                    + (codeCount - word) + " are left");
        }
        return true;
    }

    /** The next record, when it is not the likely one. */
    private TemplateContext turn(int kind) throws TraceFormatException {
        int control = kind;
        if (kind != EventsLayout.SECOND) {
            control = control(kind);
        }
        TemplateContext next =
                switch (control & EventsLayout.WHICH) {
                    case EventsLayout.LIKELY -> previous.likely;
                    case EventsLayout.SECOND -> previous.second;
                    case EventsLayout.LISTED -> listed(number());
                    default -> introduced(number(), number());
                };
        if (next != null && (control & EventsLayout.WHICH) != EventsLayout.LIKELY) {
            previous.follow(next);
        }
        if ((control & EventsLayout.EPOCH) != 0) {
            int step = number();
            epoch += step >>> 1 ^ -(step & 1);
        }
        return next;
    }

    private int control(int kind) throws TraceFormatException {
        if (kind != EventsLayout.TURN) {
            throw malformed("a record of kind " + kind);
        }
        if (controlAt == controlEnd) {
            throw malformed("the control bytes end in front of a record");
        }
        int control = bytes[controlAt++];
        if ((control & ~EventsLayout.CONTROL_BITS) != 0) {
            throw malformed("control byte 0x" + Integer.toHexString(control & 0xff));
        }
        return control;
    }

    private TemplateContext listed(int index) throws TraceFormatException {
        if (index < 0 || index >= known) {
            throw malformed(
                    "template with index " + Integer.toUnsignedString(index) + " of " + known);
        }
        return contexts[index];
    }

    private TemplateContext introduced(int number, int told) throws TraceFormatException {
        boolean ofSite = number == SharedLayout.TEMPLATE_SITE;
        int count = ofSite ? 0 : told;
        boolean possible = number >= 0
                && number < SharedLayout.TEMPLATE_RESERVED
                && count >= 0
                && count <= EventsLayout.MOST_RECORD_WORDS
                && count <= codeCount - word;
        if (!possible) {
            throw malformed("template " + Integer.toUnsignedString(number) + " of "
                    + Integer.toUnsignedString(count) + " words");
        }
        TemplateContext context = ofSite
                ? TemplateContext.ofSite(told, sitesUsed)
                : new TemplateContext(number, count, sitesUsed);
        context.begin(0, known);
        if (known == contexts.length) {
            contexts = Arrays.copyOf(contexts, 2 * known);
        }
        if (!ofSite) {
            findTwin(context);
        }
        contexts[known++] = context;
        sitesUsed += count;
        if (SITE * sitesUsed > sites.length) {
            sites = Arrays.copyOf(sites, Math.max(2 * sites.length, SITE * sitesUsed));
        }
        for (int i = SITE * context.base; i < SITE * sitesUsed; i += SITE) {
            sites[i] = address;
            sites[i + 1] = 0;
            sites[i + 2] = 0;
        }
        return context;
    }

    /**
     * A writer has no reason to introduce a template twice; templates whose numbers differ in their
     * high bits are taken for such.
     */
    private void findTwin(TemplateContext context) {
        int slot = context.number & introduced.length - 1;
        TemplateContext other = introduced[slot];
        if (other != null && other.index < known && contexts[other.index] == other) {
            other.twin = true;
            other.moving = 1;
            context.twin = true;
        }
        introduced[slot] = context;
    }

    private int number() throws TraceFormatException {
        int value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            if (controlAt == controlEnd) {
                throw malformed("the control bytes end in a number");
            }
            int part = bytes[controlAt++];
            value |= (part & 0x7f) << shift;
            if (part >= 0) {
                return value;
            }
        }
        throw malformed("a number of more than 5 bytes");
    }

    /** Returns a template that the frame has introduced, by its index; null if there is none. */
    TemplateContext contextOf(long index) {
        return index >= 0 && index < known ? contexts[(int) index] : null;
    }

    /** Writes the words of a template's last record to an array. */
    void last(TemplateContext context, long[] to, int at) {
        for (int i = 0, site = SITE * context.base; i < context.words; i++, site += SITE) {
            to[at + i] = sites[site];
        }
    }

    /** Decodes the words of the record at hand. */
    private void take(TemplateContext context, long[] out, int to) throws TraceFormatException {
        missing = false;
        for (int at = 0; at < context.words; at += PIECE) {
            int count = Math.min(PIECE, context.words - at);
            piece(codes(count), SITE * (context.base + at), out, to + at, count);
            if (residualsAt > residualsEnd) {
                throw malformed("the residuals end in a record of " + context.words + " words");
            }
            word += count;
        }
        context.moving = 1;
        context.whole = !missing && !context.twin;
    }

    /**
     * Adds rows for the next records, up to one that is not {@link TemplateContext#plain}: that one
     * is then at hand, but for its words.
     *
     * @param stamp number of the rows, which {@link TemplateContext#rows} compares
     * @return whether there is such a record; otherwise the rows are full, or the frame is at its
     *     end
     * @throws TraceFormatException if the payload is malformed; the records in front of the fault
     *     have rows
     */
    boolean rows(RecordRows out, int stamp) throws TraceFormatException {
        int[] rows = out.rows();
        long[] to = out.words();
        byte[] in = bytes;
        int count = out.count();
        int used = out.used();
        int most = out.most();
        int passed = -1; // where the word of the row of unwanted accesses stands, if it is the last
        while (count < most && used < most && record < records) {
            int kind = in[kindsAt + (record >>> 2)] >>> 2 * (record & 3) & 3;
            TemplateContext context = kind == EventsLayout.LIKELY ? previous.likely : null;
            if (context == null || !context.plain || context.words > codeCount - word) {
                out.added(count, used);
                advance();
                context = previous;
                if (!context.plain) {
                    return true;
                }
            } else {
                record++;
                previous = context;
            }
            int length = context.words;
            long codes = (long) EventsLayout.LONG.get(in, codesAt + (word >>> 1)) >>> 4 * (word & 1)
                    & context.codeBits;
            long before = made;
            made += context.made;
            boolean again = true;
            if ((codes | context.moving) == 0) {
                word += length;
                address = sites[SITE * (context.base + length - 1)];
            } else {
                again = plain(context, codes, to, used, out, count);
            }
            if (context.unwanted) {
                long more = made - before;
                if (passed < 0) {
                    rows[count++] = out.passedPlace() << RecordRows.FORM_BITS | RecordRows.OTHER;
                    passed = used++;
                    to[passed] = 0;
                }
                to[passed] += (more >>> Integer.SIZE) + (int) more;
                continue;
            }
            passed = -1;
            if (!again) {
                rows[count++] =
                        place(context, out, stamp) << RecordRows.FORM_BITS | RecordRows.WORDS;
                used += length;
            } else if (context.rows == stamp) {
                rows[count++] = context.place << RecordRows.FORM_BITS | RecordRows.AGAIN;
            } else {
                rows[count++] =
                        place(context, out, stamp) << RecordRows.FORM_BITS | RecordRows.AGAIN_WORDS;
                last(context, to, used);
                used += length;
            }
        }
        out.added(count, used);
        return false;
    }

    /** The place of a template among those of the rows. */
    static int place(TemplateContext context, RecordRows out, int stamp) {
        if (context.rows != stamp) {
            context.rows = stamp;
            context.place = out.place(context.template);
        }
        return context.place;
    }

    /** Decodes the words of a plain record; whether they are those of the last time. */
    private boolean plain(
            TemplateContext context, long codes, long[] to, int used, RecordRows out, int count)
            throws TraceFormatException {
        missing = false;
        long moves = codes | piece(codes, SITE * context.base, to, used, context.words);
        word += context.words;
        if (residualsAt > residualsEnd) {
            out.added(count, used);
            throw malformed("the residuals end in a record of " + context.words + " words");
        }
        boolean again = moves == 0 && context.whole;
        context.moving = moves;
        context.whole = true;
        if (missing || context.twin) {
            context.moving = 1;
            context.whole = false;
            made -= lost(context.template, to, used);
        }
        return again;
    }

    /** The accesses of a record that were not made, as {@link TemplateContext#made} counts them. */
    static long lost(RecordTemplate of, long[] words, int at) {
        long lost = 0;
        for (int i = 0; i < of.length(); i++) {
            if (words[at + i] == SharedLayout.WORD_NONE) {
                AccessKind kind = of.site(i).kind();
                lost += (kind.loads() ? 1L << Integer.SIZE : 0) + (kind.stores() ? 1 : 0);
            }
        }
        return lost;
    }

    /**
     * The accesses of the records since the last call: loads in the upper half, stores in the lower
     * one.
     */
    long takeMade() {
        long all = made;
        made = 0;
        return all;
    }

    /** The codes of the next words, {@value #PIECE} at most. */
    private long codes(int count) {
        return (long) EventsLayout.LONG.get(bytes, codesAt + (word >>> 1)) >>> 4 * (word & 1)
                & (1L << 4 * count) - 1;
    }

    /**
     * Any words; behind the residuals none is read, but the place reached tells. The strides that
     * are expected next, in one word, which is 0 if all are.
     */
    private long piece(long all, int site, long[] out, int to, int count) {
        long moves = 0;
        long[] known = sites;
        byte[] in = bytes;
        int end = residualsEnd;
        int at = residualsAt;
        long near = difference;
        long last = address;
        long far = moved;
        long codes = all;
        for (int i = 0, place = site; i < count && at <= end; i++, place += SITE) {
            int code = (int) codes & 15;
            codes >>>= 4;
            if (code == EventsLayout.NOT_MADE) {
                out[to + i] = SharedLayout.WORD_NONE;
                missing = true;
                continue;
            }
            long residual = (long) EventsLayout.LONG.get(in, at) & MASKS[code];
            at += SIZES[code];
            long stride = known[place + STRIDE];
            long step = (code < EventsLayout.NEIGHBOUR ? stride : near)
                    + (residual >>> 1 ^ -(residual & 1));
            last = known[place] + step;
            known[place] = last;
            stride = step == known[place + LAST_STRIDE] ? step : stride;
            known[place + STRIDE] = stride;
            known[place + LAST_STRIDE] = step;
            moves |= stride;
            if (step != 0) {
                near = step;
                far = last;
            }
            out[to + i] = last;
        }
        residualsAt = at;
        difference = near;
        address = last;
        moved = far;
        return moves;
    }

    /** The exception for a fault at the place that has been reached. */
    TraceFormatException malformed(String cause) {
        return new TraceFormatException(
                "EVTS frame, byte " + (controlAt - start) + " of its payload: " + cause);
    }
}
