package dev.madt.tracker;

import java.util.Arrays;

/**
 * Walks the runs of one EVTS frame after the other. A frame needs nothing of the frames in front of it; what its runs mean is in RUNS
 * frames. Allocates per run of the program and frame, not per execution of it. Not for use by several threads; each may have its own.
 *
 * <p>Whatever the bytes are: memory stays below 100 MiB, and what is not as docs/FORMAT.md says is a TraceFormatException.
 */
public final class RunReader {
    private static final int SITE = 2;
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
    private int controlAt;
    private int controlEnd;
    private int residualsAt;
    private int residualsEnd;
    private int runsLeft;
    private int wordsLeft;
    private RunContext[] contexts = new RunContext[64];
    private int known;
    private int sitesUsed;
    private long[] sites = new long[SITE << 8];
    private long[] words = new long[EventsLayout.PIECE];
    private RunContext previous;
    private int epoch;
    private long difference;
    private long address;
    private boolean missing;
    private EventCounts counts;

    /**
     * Begins a frame; {@link #next} goes to its first run.
     *
     * @throws TraceFormatException if the head of the payload is malformed
     * @throws IllegalArgumentException if the frame is of another type: a fault of the caller
     */
    public void begin(Frame frame) throws TraceFormatException {
        PayloadCursor head = new PayloadCursor(frame, FrameType.EVENTS);
        runsLeft = head.u32();
        wordsLeft = head.u32();
        counts = new EventCounts(head.u32(), head.u32(), head.u32(), head.u32());
        int control = head.u32();
        int residuals = head.u32();
        if (wordsLeft < 0 || wordsLeft > EventsLayout.MOST_WORDS || runsLeft < 0 || runsLeft > wordsLeft || !counts.possible()) {
            throw head.malformed("counts in front of it that are not possible");
        }
        if (control < 0 || residuals < 0
                || (long) control + residuals + EventsLayout.PADDING != head.remaining()) {
            throw head.malformed("columns of " + Integer.toUnsignedString(control) + " and "
                    + Integer.toUnsignedString(residuals) + " bytes in front of it, " + head.remaining() + " bytes behind it");
        }
        bytes = frame.payload().array();
        start = frame.payload().arrayOffset();
        controlAt = start + EventsLayout.HEAD_BYTES;
        controlEnd = controlAt + control;
        residualsAt = controlEnd;
        residualsEnd = residualsAt + residuals;
        known = 0;
        sitesUsed = 0;
        previous = RunContext.root();
        epoch = 0;
        difference = 0;
        address = 0;
    }

    /** What the head of the frame says is in it. */
    public EventCounts counts() {
        return counts;
    }

    /** Number of the run at hand. */
    public int run() {
        return previous.number;
    }

    /** Epoch of the run at hand, its low 32 bits. */
    public int epoch() {
        return epoch;
    }

    /** The words of the run at hand, from 0 on; they change with {@link #next}. */
    public long[] words() {
        return words;
    }

    /** How many words the run at hand has. */
    public int length() {
        return previous.words;
    }

    /** Whether one of the words is {@link SharedLayout#WORD_NONE}. */
    public boolean missing() {
        return missing;
    }

    /** What is known of the run at hand. */
    RunContext context() {
        return previous;
    }

    /**
     * Goes to the next run.
     *
     * @return false behind the last one
     * @throws TraceFormatException if there is none where one must be, or not all of it
     */
    public boolean next() throws TraceFormatException {
        if (runsLeft == 0) {
            if (controlAt != controlEnd || residualsAt != residualsEnd || wordsLeft != 0) {
                throw malformed("something is left behind the last run");
            }
            return false;
        }
        if (controlAt == controlEnd) {
            throw malformed(runsLeft + " runs are missing");
        }
        runsLeft--;
        int control = bytes[controlAt++];
        RunContext run = previous.likely;
        if ((control & ~EventsLayout.SHAPE) != 0 || run == null) {
            run = turn(control);
        }
        previous = run;
        wordsLeft -= 1 + run.words;
        missing = false;
        if (run.words > EventsLayout.PIECE) {
            longRun(run, control);
            return true;
        }
        if ((control & EventsLayout.SHAPE) != 0) {
            run.shape(shape(run.words));
        }
        fits(run.shape, run.words);
        piece(run.shape, run.base, 0, run.words);
        return true;
    }

    /** The next run, when run or epoch are not as predicted. */
    private RunContext turn(int control) throws TraceFormatException {
        if ((control & ~EventsLayout.CONTROL_BITS) != 0) {
            throw malformed("control byte 0x" + Integer.toHexString(control & 0xff));
        }
        RunContext run = switch (control & EventsLayout.WHICH) {
            case EventsLayout.LIKELY -> previous.likely;
            case EventsLayout.SECOND -> previous.second;
            case EventsLayout.LISTED -> listed(number());
            default -> introduced(number(), number());
        };
        if (run == null) {
            throw malformed("no run is known to follow run " + previous.number);
        }
        if ((control & EventsLayout.WHICH) != EventsLayout.LIKELY) {
            previous.follow(run);
        }
        if ((control & EventsLayout.EPOCH) != 0) {
            int step = number();
            epoch += step >>> 1 ^ -(step & 1);
        }
        return run;
    }

    private RunContext listed(int index) throws TraceFormatException {
        if (index < 0 || index >= known) {
            throw malformed("run with index " + Integer.toUnsignedString(index) + " of " + known);
        }
        return contexts[index];
    }

    private RunContext introduced(int number, int count) throws TraceFormatException {
        boolean possible = number >= 0 && number < SharedLayout.RUN_RESERVED && count >= 0 && count <= EventsLayout.MOST_RUN_WORDS
                && count <= wordsLeft && EventsLayout.shapeBytes(count) <= controlEnd - controlAt + EventsLayout.PIECE / 2;
        if (!possible) {
            throw malformed("run " + Integer.toUnsignedString(number) + " of " + Integer.toUnsignedString(count) + " words");
        }
        RunContext run = new RunContext(number, count, sitesUsed);
        run.begin(0, known);
        if (known == contexts.length) {
            contexts = Arrays.copyOf(contexts, 2 * known);
        }
        contexts[known++] = run;
        sitesUsed += count;
        if (SITE * sitesUsed > sites.length) {
            sites = Arrays.copyOf(sites, Math.max(2 * sites.length, SITE * sitesUsed));
        }
        if (count > words.length) {
            words = new long[count];
        }
        for (int i = SITE * run.base; i < SITE * sitesUsed; i += SITE) {
            sites[i] = address;
            sites[i + 1] = 0;
        }
        return run;
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

    private long shape(int count) throws TraceFormatException {
        int size = EventsLayout.shapeBytes(count);
        if (controlEnd - controlAt < size) {
            throw malformed("the control bytes end in a shape");
        }
        long shape = (long) EventsLayout.LONG.get(bytes, controlAt); // may reach into the residuals, of which there are 8 at least
        controlAt += size;
        return count == 0 ? 0 : shape & EventsLayout.noneMade(count);
    }

    private void longRun(RunContext run, int control) throws TraceFormatException {
        if ((control & EventsLayout.SHAPE) == 0) {
            throw malformed("run of " + run.words + " words without a shape");
        }
        for (int at = 0; at < run.words; at += EventsLayout.PIECE) {
            int count = Math.min(EventsLayout.PIECE, run.words - at);
            long shape = shape(count);
            fits(shape, count);
            piece(shape, run.base + at, at, count);
        }
    }

    /** Whether residuals of this shape are there. */
    private void fits(long shape, int count) throws TraceFormatException {
        if (residualsEnd - residualsAt >= 8 * count) {
            return;
        }
        int size = 0;
        for (int i = 0; i < count; i++) {
            size += SIZES[(int) (shape >>> 4 * i) & 15];
        }
        if (size > residualsEnd - residualsAt) {
            throw malformed(size + " bytes of residuals expected, " + (residualsEnd - residualsAt) + " are left");
        }
    }

    private void piece(long shape, int base, int to, int count) {
        long[] sitesNow = sites;
        long[] out = words;
        byte[] in = bytes;
        int at = residualsAt;
        long near = difference;
        long last = address;
        long codes = shape;
        for (int i = 0; i < count; i++) {
            int code = (int) codes & 15;
            codes >>>= 4;
            if (code == EventsLayout.NOT_MADE) {
                out[to + i] = SharedLayout.WORD_NONE;
                missing = true;
                continue;
            }
            int site = SITE * (base + i);
            long residual = (long) EventsLayout.LONG.get(in, at) & MASKS[code];
            at += SIZES[code];
            near = (code < EventsLayout.NEIGHBOUR ? sitesNow[site + 1] : near) + (residual >>> 1 ^ -(residual & 1));
            last = sitesNow[site] + near;
            sitesNow[site] = last;
            sitesNow[site + 1] = near;
            out[to + i] = last;
        }
        residualsAt = at;
        difference = near;
        address = last;
    }

    /** The exception for a fault at the place that has been reached. */
    TraceFormatException malformed(String cause) {
        return new TraceFormatException("EVTS frame, byte " + (controlAt - start) + " of its payload: " + cause);
    }
}
