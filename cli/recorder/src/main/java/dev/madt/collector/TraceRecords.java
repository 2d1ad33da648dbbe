package dev.madt.collector;

import dev.madt.locks.LockCalls;
import dev.madt.modules.InstrumentHits;
import dev.madt.modules.ModuleTable;
import dev.madt.natives.NativeRecordEncoder;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;

/**
 * The records of a process on their way into its frames: those of modules, those that the shim has
 * built in, and the last ones in front of a limit.
 */
final class TraceRecords {
    /**
     * A word of a chunk stands for no more of a trace: a header and a word for a header and all.
     */
    private static final int MOST_DERIVED = (1 + SplicePlan.DERIVED_WORDS + 1) / 2;

    private final ModuleTable modules;
    private final TraceScope scope;
    private final TraceFrames frames;
    private final EventsFrame events;
    private final TraceCode code;
    private final TraceLimit limit;
    private final boolean accesses;
    private final CallScope calls;
    private final InstrumentHits instruments;
    private final LockCalls locks;
    private final NativeRecordEncoder encoder;
    private final long[] range = new long[2];
    /** The words of a call of a lock function. */
    private long[] lockWords = new long[1];

    /** @param accesses whether the records built in are wanted, which tell of accesses */
    TraceRecords(
            ModuleTable modules,
            TraceScope scope,
            TraceFrames frames,
            TraceCode code,
            TraceLimit limit,
            boolean accesses,
            CallScope calls,
            InstrumentHits instruments,
            LockCalls locks) {
        this.locks = locks;
        this.calls = calls;
        this.instruments = instruments;
        this.accesses = accesses;
        this.modules = modules;
        this.scope = scope;
        this.frames = frames;
        this.events = frames.events();
        this.encoder = frames.encoder();
        this.code = code;
        this.limit = limit;
        scope.handBack(template -> isOfInstruments(template) || isOfLocks(template));
    }

    /**
     * Takes records with epochs up to {@code last} from the front of a span, as far as there is
     * room.
     */
    void take(int thread, RecordSpan span, long last) throws MalformedBufferException {
        events.thread(thread);
        while (span.goesBefore(last) && !frames.isBehind()) {
            if (span.template() < SharedLayout.TEMPLATE_FIRST_MODULE) {
                builtIn(thread, span);
            } else if (isOfInstruments(span.template())) {
                instrument(thread, span);
            } else if (isOfLocks(span.template())) {
                lockCall(thread, span);
            } else if (calls.isAny() && !isWithin(thread, span)) {
                span.skip(checked(span));
            } else if (calls.isAny() || limit.isNear((long) MOST_DERIVED * span.size())) {
                single(span);
            } else {
                events.records(span, last);
            }
            if (events.isFull()) {
                frames.flush();
                events.thread(thread);
            }
        }
    }

    /** An event on its way into the trace. */
    void note(TraceEvent event) {
        calls.note(event);
        locks.note(event);
        if (event instanceof TraceEvent.Pause pause) {
            instruments.pause(pause);
        } else if (event.type() == RingEventType.RECORD_STOP) {
            instruments.closes();
        }
    }

    /** Returns whether each record has to be looked at. */
    boolean followCalls() {
        return calls.isAny();
    }

    private boolean isOfInstruments(int template) {
        return instruments.areRecorded() && instruments.are(template);
    }

    private boolean isOfLocks(int template) {
        return locks.areRecorded() && locks.are(template);
    }

    /** Passes over records with epochs up to {@code last} at the front of a span. */
    void passOver(RecordSpan span, long last) throws MalformedBufferException {
        while (span.goesBefore(last)) {
            span.skip(checked(span));
        }
    }

    /** Words of the first record, which is whole. */
    private int checked(RecordSpan span) throws MalformedBufferException {
        int count = modules.words(span.template());
        span.check(count);
        return count;
    }

    private long[] words(RecordSpan span, int count) {
        long[] words = new long[count];
        span.copy(count, words);
        return words;
    }

    /**
     * A record by itself, where records are chosen or the limit is near: the words behind the limit
     * are blanked. The two halves of a modify stay together. What has derived words is added in its
     * whole form, which has the next number.
     */
    private void single(RecordSpan span) throws MalformedBufferException {
        int stored = checked(span);
        RecordTemplate template = scope.template(span.template());
        int count = template.length();
        long[] words = words(span, stored);
        words = template.sources() == null ? words : template.sources().restore(words);
        long left = limit.isNear(count) ? limit.left() : Long.MAX_VALUE;
        boolean whole = !limit.isReached();
        for (int i = 0; i < count; i++) {
            AccessSite site = template.site(i);
            boolean traced = words[i] != SharedLayout.WORD_NONE && scope.traced(site, words[i]);
            int weight = site.kind() == AccessKind.MODIFY ? 2 : isMore(site.kind()) ? 0 : 1;
            whole &= !traced || weight <= left;
            if (traced && whole) {
                left -= weight;
            } else {
                words[i] = SharedLayout.WORD_NONE;
            }
        }
        if (!whole) {
            limit.cut();
        }
        events.record(
                stored == count ? span.template() : span.template() + 1,
                span.epoch(),
                words,
                0,
                count);
        span.skip(stored);
    }

    /** Returns what is said of a call beside that it is made. */
    private static boolean isMore(AccessKind kind) {
        return kind == AccessKind.TIME || kind == AccessKind.VALUE;
    }

    /** Of a record that is whole; of all records, in their order. */
    private boolean isWithin(int thread, RecordSpan span) throws MalformedBufferException {
        long[] words = words(span, checked(span));
        RecordTemplate template = scope.template(span.template());
        return calls.covers(thread, template.site(0), words[0], template.isTimed() ? words[1] : 0);
    }

    /** A record of instruments, which becomes events. */
    private void instrument(int thread, RecordSpan span) throws MalformedBufferException {
        int count = checked(span);
        MetaFrame news = instruments.news();
        if (news != null) {
            frames.flush();
            frames.write(news.build(frames.pid(), 0));
            events.thread(thread);
        }
        instruments.take(thread, span.template(), span.epoch(), words(span, count), event -> {
            frames.define(event.code());
            events.event(event);
        });
        span.skip(count);
    }

    /** A record of a call of a lock function, which becomes events. */
    private void lockCall(int thread, RecordSpan span) throws MalformedBufferException {
        int template = span.template();
        boolean covered = !calls.isAny() || isWithin(thread, span);
        long epoch = span.epoch();
        int count = checked(span);
        if (count > lockWords.length) {
            lockWords = new long[count];
        }
        span.copy(count, lockWords);
        if (covered && locks.areKept(template)) {
            single(span);
        } else {
            span.skip(count);
        }
        if (covered) {
            locks.take(thread, template, epoch, lockWords);
        }
    }

    private void builtIn(int thread, RecordSpan span) throws MalformedBufferException {
        int count = checked(span);
        long[] words = words(span, count);
        boolean wanted =
                !limit.isReached() && accesses && (!calls.isAny() || calls.isInside(thread));
        if (wanted && span.template() <= SharedLayout.TEMPLATE_FETCH) {
            block(span.template(), span.epoch(), words);
        } else if (wanted && scope.traced(words[1])) {
            frames.define(words[0]);
            events.record(span.template(), span.epoch(), words, 0, count);
        }
        span.skip(count);
    }

    /**
     * A bulk transfer; the encoder learns what it needs to take the next one of the kind itself.
     */
    private void block(int template, long epoch, long[] words) {
        boolean shown = isShown(words[1]);
        if (template == SharedLayout.TEMPLATE_COPY && !shown) {
            shown = isShown(words[2]);
        }
        if (shown) {
            long call = code.call(words[0]);
            if (scope.isOfAllocator(call)) {
                return;
            }
            if (words[0] != 0) {
                encoder.code(words[0], call, false);
            }
            words[0] = call;
            events.record(template, epoch, words, 0, words.length);
        }
    }

    private boolean isShown(long address) {
        boolean shown = scope.shown(address, range);
        encoder.shows(range[0], range[1], shown);
        return shown;
    }
}
