package dev.madt.collector;

import dev.madt.limit.RateLimit;
import dev.madt.natives.SharedMapping;
import dev.madt.session.Engine;
import dev.madt.session.ProcessStatus;
import dev.madt.trace.buffer.ChunkBuffer;
import dev.madt.trace.buffer.EventOrder;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.buffer.TemplateWords;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.List;

/**
 * One buffer, mapped: puts the records of its chunks into the merge, which gives the chunks back.
 */
public final class BufferReader implements AutoCloseable {
    /** For benchmarks of the target's side: chunks are refilled and given back unread. */
    public static final String DISCARD = "MADT_DISCARD";

    /**
     * Nanoseconds after which a thread is taken to be past a record, though it runs: many times as
     * long as from a word to its access, even if the thread loses the processor in between.
     */
    private static final long PATIENCE = 20_000_000;

    /** Nanoseconds until the first look at a thread, and between two, which double. */
    private static final long LOOK_EVERY = 200_000;

    private static final boolean DISCARDING = "1".equals(System.getenv(DISCARD));

    private final SharedMapping mapping;
    private final ChunkBuffer chunks;
    private final EventMerge merge;
    private final EventMerge.Source[] sources;
    private final boolean[] seen;
    private final int[] openAt;
    private final long[] openSince;
    private final long[] lookAgainAt;
    private final Runnable freed;
    private final RateLimit rateLimit;

    private BufferReader(
            SharedMapping mapping,
            TemplateWords templates,
            EventMerge merge,
            Runnable freed,
            Engine engine,
            RateLimit rateLimit)
            throws MalformedBufferException {
        this.rateLimit = rateLimit;
        this.mapping = mapping;
        this.chunks = new ChunkBuffer(mapping.bytes(), templates, engine == Engine.SPLICE);
        this.merge = merge;
        this.freed = freed;
        this.sources = new EventMerge.Source[chunks.chunks()];
        this.seen = new boolean[chunks.chunks()];
        this.openAt = new int[chunks.chunks()];
        this.openSince = new long[chunks.chunks()];
        this.lookAgainAt = new long[chunks.chunks()];
    }

    /** @param rateLimit is to see all records, or null */
    static BufferReader open(
            SharedMapping mapping,
            TemplateWords templates,
            EventMerge merge,
            Runnable freed,
            Engine engine,
            RateLimit rateLimit)
            throws IOException {
        try {
            return new BufferReader(mapping, templates, merge, freed, engine, rateLimit);
        } catch (MalformedBufferException e) {
            mapping.close();
            throw e;
        }
    }

    /**
     * Notes which chunks are taken. All buffers are looked at before any is scanned: when a thread
     * fills one chunk and takes another between the two, the later chunk is held until the earlier
     * one has been seen.
     */
    void look() {
        for (int i = 0; i < sources.length; i++) {
            seen[i] = chunks.state(i) != SharedLayout.FREE;
        }
    }

    /**
     * Takes whole records from every chunk that has any.
     *
     * @param ended the process has ended: what is there is all there will be
     * @return whether there was something
     */
    boolean scan(boolean ended) {
        boolean taken = false;
        for (int i = 0; i < sources.length; i++) {
            int state = chunks.state(i);
            if (DISCARDING) {
                taken |= discard(i, state);
            } else if (state != SharedLayout.FREE && !chunks.isLent(i) && chunks.live(i)) {
                taken |= scan(i, state, ended);
            }
        }
        return taken;
    }

    /**
     * Returns the least epoch of the records that the last {@link #scan} left open and whose
     * threads may not be past them yet, or {@link EventOrder#NEVER}: what comes behind them waits.
     */
    long openEpoch() {
        long now = System.nanoTime();
        long least = EventOrder.NEVER;
        for (int i = 0; i < sources.length; i++) {
            long epoch = chunks.openEpoch(i);
            if (epoch != EventOrder.NEVER && !chunks.isSettled(i)) {
                least = Math.min(least, epoch);
                lookAgain(i, now);
            }
        }
        return least;
    }

    private void lookAgain(int chunk, long now) {
        if (openAt[chunk] != chunks.openAt(chunk)) {
            openAt[chunk] = chunks.openAt(chunk);
            openSince[chunk] = now;
            lookAgainAt[chunk] = now + LOOK_EVERY;
        } else if (now - openSince[chunk] > PATIENCE) {
            chunks.settle(chunk);
        } else if (now >= lookAgainAt[chunk]) {
            lookAgainAt[chunk] = now + Math.max(LOOK_EVERY, now - openSince[chunk]);
            if (!ProcessStatus.isBusy(chunks.owner(chunk))) {
                chunks.settle(chunk);
            }
        }
    }

    /** Adds the system calls that the threads of a process are in that ended at this time. */
    void openCalls(long at, List<? super TraceEvent.SystemCall> calls) {
        for (int i = 0; i < sources.length; i++) {
            long begun = chunks.callBegun(i);
            if (begun != 0) {
                calls.add(SystemCallEvent.open(chunks.owner(i), chunks.callNumber(i), begun, at));
            }
        }
    }

    private boolean discard(int chunk, int state) {
        if (state == SharedLayout.READY) {
            chunks.recycle(chunk);
            freed.run();
        }
        return state == SharedLayout.READY;
    }

    private boolean scan(int chunk, int state, boolean ended) {
        EventMerge.Source source = sources[chunk];
        if (source == null) {
            source = merge.open(chunks.owner(chunk), chunks.claimTime(chunk));
            sources[chunk] = source;
        }
        source.hold(!seen[chunk]);
        if (!seen[chunk]) {
            return true; // next time
        }
        if (state == SharedLayout.READY) {
            source.add(looked(chunks.take(chunk)));
            source.finish();
            sources[chunk] = null;
            openAt[chunk] = 0;
            return true;
        }
        RecordSpan span = chunks.scan(chunk, ended);
        if (span != null) {
            source.add(looked(span));
        }
        return span != null;
    }

    private RecordSpan looked(RecordSpan span) {
        if (rateLimit != null) {
            rateLimit.look(span);
        }
        return span;
    }

    /** No more will come from any chunk. */
    void finish() {
        for (EventMerge.Source source : sources) {
            if (source != null) {
                source.hold(false);
                source.finish();
            }
        }
    }

    @Override
    public void close() {
        mapping.close();
    }
}
