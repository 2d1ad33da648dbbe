package dev.madt.tracker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The columns of one EVTS frame as they grow: a control byte for each run, which is 0 when run, epoch and the shape of its words are as
 * predicted, and behind that the residuals of the words. Nothing is allocated for a run, and an access that is predicted costs no byte.
 *
 * <p>Each site has four numbers in {@link #sites}: its last address, its last stride, and where addresses begin, and how many, that need
 * no question to the {@link RunScope}.
 */
final class RunEncoder {
    private static final int SITE = 4;
    private static final int STRIDE = 1;
    private static final int START = 2;
    private static final int LENGTH = 3;
    /** Control bytes of a run in front of its shape: the byte itself and three numbers at most. */
    private static final int MOST_CONTROL = 1 + 5 + 5 + 5;
    private static final long NEIGHBOURS = 1L << 48;

    private final RunScope scope;
    private final long[] range = new long[2];
    private long[] sites = new long[SITE << 8];
    /** Likewise for addresses that do not count: start and length. */
    private long[] passed = new long[2 << 8];
    private int sitesUsed;
    private byte[] control = new byte[1 << 10];
    private byte[] residuals = new byte[1 << 10];
    private long[] shapes = new long[1];
    private int controlAt;
    private int residualsAt;
    private RunContext previous = RunContext.root();
    private int frame = 1;
    private int space = 1;
    private int indices;
    private int epoch;
    private long difference;
    private long address;
    private int runs;
    private int words;
    private long loads;
    private long stores;

    RunEncoder(RunScope scope) {
        this.scope = scope;
    }

    /** A context for a run that has none; its words get their places. */
    RunContext newContext(int number, int count, Run run) {
        RunContext context = new RunContext(number, count, sitesUsed);
        context.run = run;
        sitesUsed += count;
        if (SITE * sitesUsed > sites.length) {
            sites = Arrays.copyOf(sites, Math.max(2 * sites.length, SITE * sitesUsed));
            passed = Arrays.copyOf(passed, sites.length / 2);
        }
        return context;
    }

    /** What {@link RunScope#traced} said is true no more. */
    void spaceChanged() {
        space++;
    }

    int runs() {
        return runs;
    }

    /** Gives the memory back; nothing can be added any more. */
    void forget() {
        sites = new long[0];
        passed = new long[0];
        control = new byte[0];
        residuals = new byte[0];
    }

    /** Epoch of the last run, its low 32 bits. */
    int epoch() {
        return epoch;
    }

    int words() {
        return words;
    }

    long loads() {
        return loads;
    }

    long stores() {
        return stores;
    }

    /** Bytes of payload so far. */
    int size() {
        return runs == 0 ? 0 : EventsLayout.HEAD_BYTES + controlAt + residualsAt + EventsLayout.PADDING;
    }

    /**
     * Adds a run. Words that do not count become accesses that were not made; a run of nothing else is passed over.
     *
     * @return whether the run was added
     */
    boolean append(RunContext run, int runEpoch, long[] from, int first) {
        makeRoom(1 + run.words);
        return appendThere(run, runEpoch, from, first);
    }

    /**
     * Adds module runs from the front of a span, as long as their contexts are there, their epochs are up to {@code limit}, and the
     * frame has no more than {@code most} words in front of them.
     */
    void append(RunSpan span, long limit, int most, RunContext[] contexts) {
        long[] from = span.words;
        int end = span.end;
        int at = span.position;
        long last = span.epoch;
        makeRoom(end - at);
        while (at < end && words < most) {
            long header = from[at];
            int number = (int) (header >>> 32) & SharedLayout.RUN_RESERVED;
            if (header >= 0 || number >= contexts.length || number < SharedLayout.RUN_FIRST_MODULE) {
                break;
            }
            RunContext run = contexts[number];
            long runEpoch = last + ((int) header - (int) last);
            if (run == null || runEpoch > limit || run.words >= end - at) {
                break;
            }
            appendThere(run, (int) header, from, at + 1);
            last = runEpoch;
            at += 1 + run.words;
        }
        span.position = at;
        span.epoch = last;
    }

    private boolean appendThere(RunContext run, int runEpoch, long[] from, int first) {
        int count = run.words;
        boolean begins = run.frame != frame;
        if (begins) {
            begin(run);
        }
        if (run.space != space) {
            forgetRanges(run);
        }
        if (count > EventsLayout.PIECE) {
            return appendLong(run, runEpoch, from, first, begins);
        }
        long shape = piece(run, 0, count, from, first);
        if (shape == EventsLayout.noneMade(count) && count > 0) {
            unbegin(run, begins);
            return false;
        }
        boolean reshaped = shape != run.shape;
        control(run, runEpoch, begins, reshaped);
        if (reshaped) {
            EventsLayout.LONG.set(control, controlAt, shape);
            controlAt += EventsLayout.shapeBytes(count);
            run.shape(shape);
        }
        loads += run.loads;
        stores += run.stores;
        return true;
    }

    private boolean appendLong(RunContext run, int runEpoch, long[] from, int first, boolean begins) {
        int pieces = (run.words + EventsLayout.PIECE - 1) / EventsLayout.PIECE;
        if (shapes.length < pieces) {
            shapes = new long[pieces];
        }
        boolean made = false;
        for (int i = 0; i < pieces; i++) {
            int at = i * EventsLayout.PIECE;
            int count = Math.min(EventsLayout.PIECE, run.words - at);
            shapes[i] = piece(run, at, count, from, first);
            made |= shapes[i] != EventsLayout.noneMade(count);
        }
        if (!made) {
            unbegin(run, begins);
            return false;
        }
        control(run, runEpoch, begins, true);
        for (int i = 0; i < pieces; i++) {
            EventsLayout.LONG.set(control, controlAt + 8 * i, shapes[i]);
        }
        controlAt += EventsLayout.shapeBytes(run.words);
        countLong(run);
        return true;
    }

    private void countLong(RunContext run) {
        for (int i = 0; i < run.words && run.run != null; i++) {
            boolean made = (shapes[i / EventsLayout.PIECE] >>> 4 * (i % EventsLayout.PIECE) & EventsLayout.NOT_MADE)
                    != EventsLayout.NOT_MADE;
            AccessKind kind = run.run.site(i).kind();
            loads += made && kind != AccessKind.STORE ? 1 : 0;
            stores += made && kind != AccessKind.LOAD ? 1 : 0;
        }
    }

    /** Room for so many words, headers among them. */
    private void makeRoom(int count) {
        int mostControl = (MOST_CONTROL + 1) * count + EventsLayout.PADDING;
        if (mostControl > control.length - controlAt) {
            control = Arrays.copyOf(control, 2 * controlAt + mostControl);
        }
        int mostResiduals = 8 * count + EventsLayout.PADDING;
        if (mostResiduals > residuals.length - residualsAt) {
            residuals = Arrays.copyOf(residuals, 2 * residualsAt + mostResiduals);
        }
    }

    /** The first words of a run in a frame are taken to be near the word in front of them. */
    private void begin(RunContext run) {
        run.begin(frame, indices++);
        for (int i = run.base; i < run.base + run.words; i++) {
            sites[SITE * i] = address;
            sites[SITE * i + STRIDE] = 0;
        }
    }

    private void unbegin(RunContext run, boolean begins) {
        if (begins) {
            run.frame = 0;
            indices--;
        }
    }

    private void forgetRanges(RunContext run) {
        run.space = space;
        for (int i = run.base; i < run.base + run.words; i++) {
            sites[SITE * i + LENGTH] = run.run == null ? SharedLayout.WORD_NONE : 0;
            passed[2 * i + 1] = 0;
        }
    }

    /** The residuals of up to 16 words from word {@code at} of the run on; returns their shape. */
    private long piece(RunContext run, int at, int count, long[] from, int first) {
        long[] known = sites;
        byte[] out = residuals;
        int outAt = residualsAt;
        long near = difference;
        long last = address;
        long shape = 0;
        for (int i = 0; i < count; i++) {
            long word = from[first + at + i];
            int site = SITE * (run.base + at + i);
            if (word - known[site + START] + Long.MIN_VALUE >= known[site + LENGTH] + Long.MIN_VALUE
                    && !counts(run, at + i, word)) {
                shape |= (long) EventsLayout.NOT_MADE << 4 * i;
                continue;
            }
            long step = word - known[site];
            if (step == known[site + STRIDE]) { // what follows would say the same: no residual, four bits of 0
                known[site] = word;
                near = step;
                last = word;
                continue;
            }
            long own = zigzag(step - known[site + STRIDE]);
            long other = zigzag(step - near);
            long most = own >>> 48 == 0 ? own : NEIGHBOURS;
            boolean neighbour = other >= 0 && other < most;
            long residual = neighbour ? other : own;
            int size = Math.min(71 - Long.numberOfLeadingZeros(residual) >>> 3, 7);
            int code = neighbour ? size | EventsLayout.NEIGHBOUR : size;
            int before = (int) (run.shape >>> 4 * i) & EventsLayout.NOT_MADE;
            if (before == code + 1 && size < 6) { // a byte more, and the shape stays as it was
                code = before;
                size++;
            }
            EventsLayout.LONG.set(out, outAt, residual);
            outAt += size + (size + 1 >>> 3);
            shape |= (long) code << 4 * i;
            known[site] = word;
            known[site + STRIDE] = step;
            near = step;
            last = word;
        }
        residualsAt = outAt;
        difference = near;
        address = last;
        return shape;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> 63;
    }

    /** Whether a word counts that is not where the last ones of its site were. */
    private boolean counts(RunContext run, int index, long word) {
        int site = run.base + index;
        if (word == SharedLayout.WORD_NONE || run.run == null
                || Long.compareUnsigned(word - passed[2 * site], passed[2 * site + 1]) < 0) {
            return false;
        }
        boolean traced = scope.traced(run.run.site(index), word, range);
        long[] ranges = traced ? sites : passed;
        int at = traced ? SITE * site + START : 2 * site;
        ranges[at] = range[0];
        ranges[at + 1] = range[1] - range[0];
        return traced;
    }

    private void control(RunContext run, int runEpoch, boolean begins, boolean reshaped) {
        runs++;
        words += 1 + run.words;
        int kind = reshaped ? EventsLayout.SHAPE : 0;
        if (previous.likely == run && runEpoch == epoch) {
            control[controlAt++] = (byte) kind;
            previous = run;
            return;
        }
        kind |= begins ? EventsLayout.NEW : previous.likely == run ? EventsLayout.LIKELY
                : previous.second == run ? EventsLayout.SECOND : EventsLayout.LISTED;
        kind |= runEpoch == epoch ? 0 : EventsLayout.EPOCH;
        control[controlAt++] = (byte) kind;
        which(run, kind & EventsLayout.WHICH);
        if (runEpoch != epoch) {
            int step = runEpoch - epoch;
            number(step << 1 ^ step >> 31);
            epoch = runEpoch;
        }
    }

    private void which(RunContext run, int which) {
        if (which == EventsLayout.LISTED) {
            number(run.index);
        } else if (which == EventsLayout.NEW) {
            number(run.number);
            number(run.words);
            define(run);
        }
        if (which != EventsLayout.LIKELY) {
            previous.follow(run);
        }
        previous = run;
    }

    private void define(RunContext run) {
        if (!run.defined && run.run != null) {
            run.defined = true;
            scope.define(run.run);
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

    /** The payload; the columns are empty afterwards and predict nothing. */
    ByteBuffer build(long blocks, long allocations) {
        ByteBuffer payload = ByteBuffer.allocate(EventsLayout.HEAD_BYTES + controlAt + residualsAt + EventsLayout.PADDING)
                .order(ByteOrder.LITTLE_ENDIAN);
        payload.putInt(runs).putInt(words).putInt((int) loads).putInt((int) stores);
        payload.putInt((int) blocks).putInt((int) allocations).putInt(controlAt).putInt(residualsAt);
        payload.put(control, 0, controlAt).put(residuals, 0, residualsAt).putLong(0);
        frame++;
        previous = RunContext.root();
        controlAt = 0;
        residualsAt = 0;
        indices = 0;
        epoch = 0;
        difference = 0;
        address = 0;
        runs = 0;
        words = 0;
        loads = 0;
        stores = 0;
        return payload.flip();
    }
}
