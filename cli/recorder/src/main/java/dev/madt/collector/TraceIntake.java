package dev.madt.collector;

import dev.madt.modules.OpenFunctions;
import dev.madt.natives.NativeRecordEncoder;
import dev.madt.pipeline.Stage;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.IOException;

/**
 * Takes what a process did in its final order. What is usual goes to the encoder in the library,
 * which merges records and allocations by itself; everything else goes to {@link TraceEvents} and
 * {@link TraceRecords}, one by one.
 */
final class TraceIntake implements EventMerge.Output {
    private final TraceFrames frames;
    private final NativeRecordEncoder encoder;
    private final TraceLimit limit;
    private final TraceEvents events;
    private final TraceRecords records;
    private final LiveBlocks live;
    private final TraceCode code;
    private final OpenFunctions open;
    /** Null where it is not told how long system calls take. */
    private final Stage stage;

    TraceIntake(
            TraceFrames frames,
            TraceLimit limit,
            TraceEvents events,
            TraceRecords records,
            LiveBlocks live,
            TraceCode code,
            OpenFunctions open,
            Stage stage) {
        this.frames = frames;
        this.encoder = frames.encoder();
        this.limit = limit;
        this.events = events;
        this.records = records;
        this.live = live;
        this.code = code;
        this.open = open;
        this.stage = stage;
    }

    @Override
    public boolean isFull() {
        return frames.isBehind();
    }

    @Override
    public void both(RingEvents waiting, int thread, RecordSpan span, long last, long below)
            throws IOException {
        while (!span.isEmpty() && !isFull()) {
            NativeRecordEncoder.Stop stop = NativeRecordEncoder.Stop.TEMPLATE;
            if (isUsual()) {
                frames.events().thread(thread);
                stop = merge(waiting, span, last, below);
            }
            long due = waiting.isEmpty() ? Long.MAX_VALUE : waiting.epoch();
            if (stop == NativeRecordEncoder.Stop.DONE || span.isEmpty()) {
                if (!frames.flushWhenLong()) {
                    return;
                }
            } else {
                span.check(0);
                if (span.epoch() <= Math.min(due, last)) {
                    records(thread, span, Math.min(due, last));
                } else if (due < Math.min(span.epoch(), below)) {
                    event(waiting);
                } else {
                    return;
                }
            }
        }
    }

    @Override
    public void events(RingEvents waiting, long below) {
        while (!waiting.isEmpty() && waiting.epoch() < below && !isFull()) {
            NativeRecordEncoder.Stop stop = areEventsUsual()
                    ? merge(waiting, null, 0, below)
                    : NativeRecordEncoder.Stop.EVENT;
            if (stop != NativeRecordEncoder.Stop.DONE) {
                event(waiting);
            } else {
                frames.flushWhenLong();
            }
        }
    }

    /** Returns whether nothing but events and records is to be seen to. */
    private boolean isUsual() {
        return events.isRecording() && areEventsUsual();
    }

    /**
     * The same where there are no records: allocations are taken while nothing is recorded, too.
     */
    private boolean areEventsUsual() {
        return !records.followCalls() && !events.inherits() && !limit.countsEvents() && hasRoom();
    }

    private boolean isTaking() {
        return events.isRecording() && hasRoom();
    }

    private boolean hasRoom() {
        return frames.failure() == null && !limit.isReached();
    }

    /** Takes an absence of a thread. */
    void offCpu(TraceEvent event) {
        if (isTaking()) {
            events.offCpu(event);
        }
    }

    /** Leaves to the library what it can do; answers what it asks. */
    private NativeRecordEncoder.Stop merge(
            RingEvents waiting, RecordSpan span, long last, long below) {
        while (true) {
            int count = waiting.count();
            NativeRecordEncoder.Stop stop = encoder.merge(waiting, span, last, below);
            if (waiting.count() != count) {
                events.passedBy();
            }
            if (stop == NativeRecordEncoder.Stop.CODE) {
                long word = waiting.code();
                boolean allocates = waiting.type() != RingEventType.FREE
                        && waiting.type() != RingEventType.FREE_AMONG;
                encoder.code(word, allocates ? code.allocation(word) : code.call(word), allocates);
            } else if (stop == NativeRecordEncoder.Stop.JOURNAL) {
                live.catchUp();
            } else {
                return stop;
            }
        }
    }

    @Override
    public void event(RingEvents waiting) {
        TraceEvent event = waiting.remove();
        if (event instanceof TraceEvent.OpenFunction function) {
            event = open.take(function);
            if (event == null) {
                return;
            }
        }
        records.note(event);
        if (stage != null) {
            stage.take(event);
        }
        events.take(event);
    }

    @Override
    public void records(int thread, RecordSpan span, long last) throws MalformedBufferException {
        if (isTaking()) {
            events.putInherited();
            records.take(thread, span, last);
        } else {
            records.passOver(span, last);
        }
    }
}
