package dev.madt.trace.codec;

import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.EventsLayout;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;

/**
 * The columns of one EVTS frame as they grow: two bits for each record, four for each word, and
 * behind them what was not as predicted. Nothing is allocated for a record.
 *
 * <p>Each site has five numbers in {@link #sites}: its last address, the stride that is expected
 * and the last one, and where addresses begin, and how many, that need no question to the
 * {@link TemplateScope}.
 */
final class ReferenceRecordEncoder implements RecordEncoder {
    private static final int SITE = 5;
    private static final int STRIDE = 1;
    private static final int LAST_STRIDE = 2;
    private static final int START = 3;
    private static final int LENGTH = 4;
    /** Control bytes of a record: the byte itself and three numbers at most. */
    private static final int MOST_CONTROL = 1 + 5 + 5 + 5;

    private static final int MOST_DIRECT = 1 << 20;

    private final TemplateScope scope;
    private final BitColumn kinds = new BitColumn(2);
    private final BitColumn codes = new BitColumn(4);
    private final long[] range = new long[2];
    private final IntObjectHashMap<TemplateContext> large = new IntObjectHashMap<>();
    private final AllocationWords shortForms = new AllocationWords();
    private final AllocationColumns allocations = new AllocationColumns();
    private final List<TemplateContext> siteContexts = new ArrayList<>();
    private final long[] scratch = new long[RecordEncoder.builtIn(EVENT_WITH_CALLER)];
    private TemplateContext[] direct = new TemplateContext[1 << 10];
    private long[] sites = new long[SITE << 8];
    /**
     * For each site the range of addresses around the last one that does not count: start and
     * length.
     */
    private long[] passed = new long[2 << 8];

    private int sitesUsed;
    private byte[] control = new byte[1 << 10];
    private byte[] residuals = new byte[1 << 10];
    private int controlAt;
    private int residualsAt;
    private TemplateContext previous = TemplateContext.root();
    private int frame = 1;
    private int space = 1;
    private int indices;
    private int epoch;
    private long difference;
    private long address;
    private long moved;
    private int records;
    private int words;
    private long loads;
    private long stores;
    private long enters;
    private long leaves;
    /** Bulk transfers by template. */
    private final long[] blocks = new long[1 + SharedLayout.TEMPLATE_FETCH];
    /** Ring events by type. */
    private final long[] events = new long[RingEventType.values().length];

    ReferenceRecordEncoder(TemplateScope scope) {
        this.scope = scope;
    }

    @Override
    public int words(int template) {
        TemplateContext known = context(template);
        return known == null ? -1 : known.words;
    }

    @Override
    public int stored(int template) {
        TemplateContext known = context(template);
        return known == null ? -1 : known.stored();
    }

    @Override
    public boolean handsBack(int template) {
        return scope.handsBack(template);
    }

    /** The next template of this number is another one. */
    void forget(int template) {
        if (template < direct.length) {
            direct[template] = null;
        }
        large.remove(template);
    }

    private TemplateContext context(int number) {
        TemplateContext known = number < direct.length ? direct[number] : large.get(number);
        return known != null ? known : newContext(number);
    }

    private TemplateContext newContext(int number) {
        if (number < SharedLayout.TEMPLATE_FIRST_MODULE) {
            int count = RecordEncoder.builtIn(number);
            return count < 0
                    ? null
                    : keep(
                            number,
                            newContext(
                                    number == EVENT_WITH_CALLER
                                            ? SharedLayout.TEMPLATE_EVENT
                                            : number,
                                    count,
                                    null));
        }
        RecordTemplate template =
                number == SharedLayout.TEMPLATE_RESERVED ? null : scope.template(number);
        return template == null
                ? null
                : keep(number, newContext(template.number(), template.length(), template));
    }

    private TemplateContext keep(int number, TemplateContext context) {
        if (number >= MOST_DIRECT) {
            large.put(number, context);
            return context;
        }
        if (number >= direct.length) {
            direct = Arrays.copyOf(
                    direct, Math.max(number + 1, Math.min(MOST_DIRECT, 2 * direct.length)));
        }
        direct[number] = context;
        return context;
    }

    /** A context for a template that has none; its words get their places. */
    private TemplateContext newContext(int number, int count, RecordTemplate template) {
        TemplateContext context = new TemplateContext(number, count, sitesUsed);
        if (template != null) {
            context.identify(template);
        }
        sitesUsed += count;
        if (SITE * sitesUsed > sites.length) {
            sites = Arrays.copyOf(sites, Math.max(2 * sites.length, SITE * sitesUsed));
        }
        if (2 * sitesUsed > passed.length) {
            passed = Arrays.copyOf(passed, Math.max(2 * passed.length, 2 * sitesUsed));
        }
        return context;
    }

    @Override
    public void spaceChanged() {
        space++;
    }

    @Override
    public int records() {
        return records;
    }

    @Override
    public void forget() {
        direct = new TemplateContext[0];
        large.clear();
        sites = new long[0];
        passed = new long[0];
        control = new byte[0];
        residuals = new byte[0];
        kinds.forget();
        codes.forget();
    }

    @Override
    public long blocks(int template) {
        return blocks[template];
    }

    @Override
    public long allocations(RingEventType type) {
        return events[type.ordinal()];
    }

    @Override
    public int epoch() {
        return epoch;
    }

    @Override
    public int words() {
        return words;
    }

    @Override
    public long loads() {
        return loads;
    }

    @Override
    public long stores() {
        return stores;
    }

    @Override
    public long enters() {
        return enters;
    }

    @Override
    public long leaves() {
        return leaves;
    }

    @Override
    public boolean append(int template, int recordEpoch, long[] from, int first) {
        TemplateContext context = context(template);
        makeRoom(1 + context.words);
        return appendThere(context, recordEpoch, from, first);
    }

    @Override
    public void event(TraceEvent event) {
        events[event.type().ordinal()]++;
        int site = shortForms.encode(event, moved, allocations);
        if (site < 0) {
            append(inFull(event), (int) event.epoch(), scratch, 0);
            return;
        }
        while (siteContexts.size() <= site) {
            siteContexts.add(TemplateContext.ofSite(siteContexts.size(), 0));
        }
        makeRoom(1);
        appendThere(siteContexts.get(site), (int) event.epoch(), scratch, 0);
    }

    /** The template of an event without a short form; its words are in {@link #scratch}. */
    private int inFull(TraceEvent event) {
        int callers = event.code() == 0 ? 0 : 1;
        scratch[0] = event.type().code() | callers << 16;
        scratch[1] = event.epoch();
        scratch[2] = event.thread() & 0xffff_ffffL;
        scratch[3] = event.word(0);
        scratch[4] = event.word(1);
        scratch[5] = event.word(2);
        scratch[6] = event.word(3);
        scratch[7] = event.code();
        return callers == 0 ? SharedLayout.TEMPLATE_EVENT : EVENT_WITH_CALLER;
    }

    @Override
    public void append(RecordSpan span, long limit, int most) {
        while (!span.isEmpty()
                && span.isRecord()
                && span.template() >= SharedLayout.TEMPLATE_FIRST_MODULE
                && span.goesBefore(limit)
                && words < most) {
            TemplateContext context = context(span.template());
            int stored = context == null ? 0 : context.stored();
            if (context == null || handsBack(span.template()) || stored >= span.size()) {
                break;
            }
            long[] from = new long[stored];
            span.copy(stored, from);
            long[] restored =
                    stored == context.words ? from : context.template.sources().restore(from);
            makeRoom(1 + context.words);
            appendThere(context, (int) span.epoch(), restored, 0);
            span.skip(stored);
        }
    }

    private boolean appendThere(TemplateContext context, int recordEpoch, long[] from, int first) {
        boolean begins = context.frame != frame;
        if (begins) {
            begin(context);
        }
        if (context.space != space) {
            forgetRanges(context);
        }
        int missing = encode(context, from, first);
        if (missing == context.words && missing > 0) {
            takeBack(context, begins);
            return false;
        }
        records++;
        words += 1 + context.words;
        loads += context.loads;
        stores += context.stores;
        enters += context.enters;
        leaves += context.leaves;
        boolean isBlock = context.template == null
                && context.number >= SharedLayout.TEMPLATE_COPY
                && context.number <= SharedLayout.TEMPLATE_FETCH;
        if (isBlock && isMade(from, first + 1, context.words - 1)) {
            blocks[context.number]++;
        }
        follow(context, recordEpoch, begins);
        return true;
    }

    private static boolean isMade(long[] words, int from, int count) {
        for (int i = from; i < from + count; i++) {
            if (words[i] == SharedLayout.WORD_NONE) {
                return false;
            }
        }
        return true;
    }

    /** Room for so many words, headers among them. */
    private void makeRoom(int count) {
        if (MOST_CONTROL * count > control.length - controlAt) {
            control = Arrays.copyOf(control, 2 * controlAt + MOST_CONTROL * count);
        }
        int mostResiduals = 8 * count + EventsLayout.PADDING;
        if (mostResiduals > residuals.length - residualsAt) {
            residuals = Arrays.copyOf(residuals, 2 * residualsAt + mostResiduals);
        }
        kinds.makeRoom(count);
        codes.makeRoom(count);
    }

    /** The first words of a record in a frame are taken to be near the word in front of them. */
    private void begin(TemplateContext context) {
        context.begin(frame, indices++);
        for (int i = SITE * context.base; i < SITE * (context.base + context.words); i += SITE) {
            sites[i] = address;
            sites[i + STRIDE] = 0;
            sites[i + LAST_STRIDE] = 0;
        }
    }

    /** Undoes what a record did of which nothing was made. */
    private void takeBack(TemplateContext context, boolean begins) {
        codes.shorten(codes.size() - context.words);
        loads += context.loads;
        stores += context.stores;
        enters += context.enters;
        leaves += context.leaves;
        if (begins) {
            context.frame = 0;
            indices--;
        }
    }

    private void forgetRanges(TemplateContext context) {
        context.space = space;
        for (int i = context.base; i < context.base + context.words; i++) {
            sites[SITE * i + LENGTH] = context.template == null ? SharedLayout.WORD_NONE : 0;
            passed[2 * i + 1] = 0;
        }
    }

    /** The codes and residuals of a record's words; returns how many were not made. */
    private int encode(TemplateContext context, long[] from, int first) {
        long[] known = sites;
        byte[] out = residuals;
        int outAt = residualsAt;
        long near = difference;
        int missing = 0;
        int site = SITE * context.base;
        for (int i = 0; i < context.words; i++, site += SITE) {
            long word = from[first + i];
            if (word - known[site + START] + Long.MIN_VALUE >= known[site + LENGTH] + Long.MIN_VALUE
                    && !counts(context, i, word)) {
                leave(context, i);
                missing++;
                continue;
            }
            long step = word - known[site];
            long own = zigzag(step - known[site + STRIDE]);
            long other = zigzag(step - near);
            boolean neighbour = other >>> 48 == 0 && size(other) < size(own);
            long residual = neighbour ? other : own;
            int size = size(residual);
            size -= size >>> 3; // 8 bytes have the code of 7, and 7 are stored as 8
            EventsLayout.LONG.set(out, outAt, residual);
            outAt += size + (size + 1 >>> 3);
            codes.add(neighbour ? size | EventsLayout.NEIGHBOUR : size);
            known[site] = word;
            known[site + STRIDE] = step == known[site + LAST_STRIDE] ? step : known[site + STRIDE];
            known[site + LAST_STRIDE] = step;
            if (step != 0) {
                near = step;
                moved = word;
            }
            address = word;
        }
        residualsAt = outAt;
        difference = near;
        return missing;
    }

    private static int size(long residual) {
        return 71 - Long.numberOfLeadingZeros(residual) >>> 3;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    /** Returns whether a word counts that is not where the last ones of its site were. */
    private boolean counts(TemplateContext context, int index, long word) {
        int site = context.base + index;
        if (word == SharedLayout.WORD_NONE
                || context.template == null
                || Long.compareUnsigned(word - passed[2 * site], passed[2 * site + 1]) < 0) {
            return false;
        }
        boolean traced = traced(context.template.site(index), word);
        long[] ranges = traced ? sites : passed;
        int at = traced ? SITE * site + START : 2 * site;
        ranges[at] = range[0];
        ranges[at + 1] = range[1] - range[0];
        return traced;
    }

    /** Returns whether an access counts, with the range in which that is so for this site. */
    private boolean traced(AccessSite site, long word) {
        boolean always = site.kind().probes() || scope.traced(site) && scope.everywhere(site);
        if (!always && scope.traced(site)) {
            return scope.traced(word, range);
        }
        range[0] = 0;
        range[1] = SharedLayout.WORD_NONE;
        return always;
    }

    /** An access that was not made, or does not count, is not counted. */
    private void leave(TemplateContext context, int word) {
        codes.add(EventsLayout.NOT_MADE);
        loads -= context.loads(word) ? 1 : 0;
        stores -= context.stores(word) ? 1 : 0;
        enters -= word == 0 ? context.enters : 0;
        leaves -= word == 0 ? context.leaves : 0;
    }

    /** Says which template it is of. */
    private void follow(TemplateContext context, int recordEpoch, boolean begins) {
        if (recordEpoch == epoch && previous.likely == context) {
            kinds.add(EventsLayout.LIKELY);
        } else if (recordEpoch == epoch && previous.second == context) {
            kinds.add(EventsLayout.SECOND);
            previous.follow(context);
        } else {
            kinds.add(EventsLayout.TURN);
            turn(context, recordEpoch, begins);
        }
        previous = context;
    }

    private void turn(TemplateContext context, int recordEpoch, boolean begins) {
        int which = begins
                ? EventsLayout.NEW
                : previous.likely == context
                        ? EventsLayout.LIKELY
                        : previous.second == context ? EventsLayout.SECOND : EventsLayout.LISTED;
        control[controlAt++] = (byte) (recordEpoch == epoch ? which : which | EventsLayout.EPOCH);
        if (which == EventsLayout.LISTED) {
            number(context.index);
        } else if (which == EventsLayout.NEW) {
            number(context.number);
            number(context.site < 0 ? context.words : context.site);
            define(context);
        }
        if (which != EventsLayout.LIKELY) {
            previous.follow(context);
        }
        if (recordEpoch != epoch) {
            int step = recordEpoch - epoch;
            number(step << 1 ^ step >> 31);
            epoch = recordEpoch;
        }
    }

    private void define(TemplateContext context) {
        if (!context.defined && context.template != null) {
            context.defined = true;
            scope.define(context.template);
        }
    }

    /** Seven bits a byte, the lowest first. */
    private void number(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            control[controlAt++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        control[controlAt++] = (byte) rest;
    }

    @Override
    public ByteBuffer build(long blocks) {
        ByteBuffer payload = RecordEncoder.payload(
                this, blocks, allocations.withRecords(controlAt, residualsAt));
        kinds.moveTo(payload);
        codes.moveTo(payload);
        payload.put(control, 0, controlAt).put(residuals, 0, residualsAt);
        allocations.moveTo(payload);
        payload.putLong(0);
        frame++;
        shortForms.begin();
        Arrays.fill(events, 0);
        Arrays.fill(this.blocks, 0);
        previous = TemplateContext.root();
        controlAt = 0;
        residualsAt = 0;
        indices = 0;
        epoch = 0;
        difference = 0;
        address = 0;
        moved = 0;
        records = 0;
        words = 0;
        loads = 0;
        stores = 0;
        enters = 0;
        leaves = 0;
        return payload.flip();
    }
}
