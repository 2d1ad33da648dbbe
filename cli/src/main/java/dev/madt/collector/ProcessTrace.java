package dev.madt.collector;

import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.modules.UnrecordedCode;
import dev.madt.natives.NativeRunEncoder;
import dev.madt.session.Engine;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RingEvents;
import dev.madt.trace.buffer.RunSpan;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.tracker.BlockTracker;
import java.io.IOException;

/**
 * The trace of one process as it grows: takes events in their final order, drops what is not traced, translates code words,
 * and writes definitions in front of their first use. When the sink fails, everything behind is passed over and {@link #failure}
 * says why; the counts are those of what was taken until then.
 */
final class ProcessTrace implements EventMerge.Output {
    private final int pid;
    private final Engine engine;
    private final long maxEvents;
    private final long maxSize;
    private final TraceFile sink;
    private final ProcessList processes;
    /** The blocks that the trace begins with, until they stand in it. */
    private BlockTracker inherited;
    private final RegionMap space;
    private final ModuleTable modules;
    private final TraceFrames frames;
    private final EventsFrame events;
    private final NativeRunEncoder encoder;
    private final TraceScope scope;
    private final SourceNotes notes;
    private final ThreadMemory threadMemory = new ThreadMemory();
    private final Bequest bequest;
    private final LiveBlocks live;
    private final TraceCode code;
    private boolean recording = true;
    private int windows;
    private RingEventType lastEvent;
    private boolean cut;

    ProcessTrace(int pid, Recording recording, TraceFile sink, RegionMap space, ModuleTable modules, ProcessList processes) {
        this.pid = pid;
        this.engine = recording.engine();
        this.maxEvents = recording.maxEvents();
        this.maxSize = recording.maxSize();
        this.sink = sink;
        this.processes = processes;
        this.space = space;
        this.modules = modules;
        this.bequest = new Bequest(threadMemory, modules);
        this.scope = new TraceScope(engine, recording.stack(), modules, space, threadMemory);
        this.frames = new TraceFrames(pid, recording, sink, modules, scope);
        this.events = frames.events();
        this.encoder = frames.encoder();
        this.live = new LiveBlocks(encoder, bequest, recording.follow());
        this.notes = frames.notes();
        this.code = new TraceCode(modules, frames);
    }

    Engine engine() {
        return engine;
    }

    /** What engine splice records nothing of. */
    UnrecordedCode unrecorded() {
        return modules.unrecorded();
    }

    long loads() {
        return frames.loads();
    }

    long stores() {
        return frames.stores();
    }

    long blocks() {
        return frames.blocks();
    }

    /** Loads and stores that were dropped, by {@code --lossy}. */
    long lostAccesses() {
        return frames.lostAccesses();
    }

    /** Block events likewise. */
    long lostBlocks() {
        return frames.lostBlocks();
    }

    /** Windows of recording so far. */
    int windows() {
        return windows;
    }

    TraceFile sink() {
        return sink;
    }

    /** Whether nothing came behind an exec. */
    boolean endedByExec() {
        return lastEvent == RingEventType.EXEC;
    }

    /** What children of fork take over. */
    Bequest bequest() {
        return bequest;
    }

    /** Puts the blocks that the process has from its parent in front of the first event that may need them. */
    void inherit(BlockTracker blocks) {
        inherited = blocks;
        live.inherit(blocks);
    }

    /** Nothing more will come; the {@link #bequest} stays. */
    void forgetBlocks() {
        live.forget();
        frames.flush();
        frames.flush(); // again: what was not lost of a frame that was
        events.forget();
    }

    /** Whether source lines and types are incomplete for want of memory. */
    boolean lacksSources() {
        return notes != null && notes.givenUp();
    }

    /** Why nothing more is written, or null. */
    IOException failure() {
        return frames.failure();
    }

    /** Gives the memory back; nothing more is written. */
    void fail(IOException reason) {
        live.forget();
        bequest.giveUp();
        frames.fail(reason);
    }

    /** Whether the limit of events is reached. */
    boolean full() {
        cut |= maxSize > 0 && sink.size() >= maxSize;
        return cut || maxEvents > 0 && counted() >= maxEvents;
    }

    /** The option that ended the recording. */
    String limit() {
        return maxSize > 0 && sink.size() >= maxSize ? "--max-size" : "--max-events";
    }

    /** Whether events should wait until the disk has caught up. */
    @Override
    public boolean isFull() {
        return frames.isBehind();
    }

    /** Writes key-value pairs behind everything so far. */
    void meta(Frame meta) {
        frames.flush();
        frames.write(meta);
    }

    @Override
    public void both(RingEvents waiting, int thread, RunSpan span, long limit, long below) throws IOException {
        while (!span.isEmpty() && !isFull()) {
            NativeRunEncoder.Stop stop = NativeRunEncoder.Stop.RUN;
            if (isUsual()) {
                events.thread(thread);
                stop = merge(waiting, span, limit, below);
            }
            long due = waiting.isEmpty() ? Long.MAX_VALUE : waiting.epoch();
            if (stop == NativeRunEncoder.Stop.DONE || span.isEmpty()) {
                if (!flushWhenFull()) {
                    return;
                }
            } else {
                span.check(0);
                if (span.epoch() <= Math.min(due, limit)) {
                    runs(thread, span, Math.min(due, limit));
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
            NativeRunEncoder.Stop stop = isUsual() ? merge(waiting, null, 0, below) : NativeRunEncoder.Stop.EVENT;
            if (stop != NativeRunEncoder.Stop.DONE) {
                event(waiting);
            } else {
                flushWhenFull();
            }
        }
    }

    /** Whether nothing but events and runs is to be seen to. */
    private boolean isUsual() {
        return inherited == null && recording && maxEvents == 0 && frames.failure() == null && !full();
    }

    /** Leaves to the library what it can do; answers what it asks. */
    private NativeRunEncoder.Stop merge(RingEvents waiting, RunSpan span, long limit, long below) {
        while (true) {
            int count = waiting.count();
            NativeRunEncoder.Stop stop = encoder.merge(waiting, span, limit, below);
            if (waiting.count() != count) {
                lastEvent = RingEventType.MALLOC;
            }
            if (stop == NativeRunEncoder.Stop.CODE) {
                long word = waiting.code();
                boolean allocates = waiting.type() != RingEventType.FREE;
                encoder.code(word, allocates ? code.allocation(word) : code.call(word), allocates);
            } else if (stop == NativeRunEncoder.Stop.JOURNAL) {
                live.catchUp();
            } else {
                return stop;
            }
        }
    }

    private boolean flushWhenFull() {
        boolean full = events.isFull();
        frames.flushWhenLong();
        return full;
    }

    @Override
    public void event(RingEvents waiting) {
        event(waiting.remove());
    }

    private void event(RingEvent event) {
        if (event.type() != RingEventType.EXEC || processes.namespaces().seenHere(pid, (int) event.address()) == pid) {
            lastEvent = event.type();
        }
        processes.note(pid, event);
        switch (event.type()) {
            case RECORD_START -> {
                recording = true;
                windows++;
            }
            case RECORD_STOP -> recording = false;
            case FORK_BEGIN -> beginFork(event);
            case FORK -> bequest.end(event.thread(), event.address() == 0);
            default -> { }
        }
        if (changesSpace(event.type())) {
            change(event);
        }
        if (EventsFrame.belongs(event.type())) {
            if (event.type() != RingEventType.EXEC) {
                putInherited(); // a child that does nothing but exec needs no blocks
            }
            long word = event.code();
            long call = word == 0 ? 0 : allocates(event.type()) ? code.allocation(word) : code.call(word);
            put(new RingEvent(event.type(), event.thread(), event.epoch(), event.address(),
                    event.size(), event.old(), event.oldSize(), event.name(), call));
        }
    }

    private static boolean allocates(RingEventType type) {
        return switch (type) {
            case MALLOC, CALLOC, REALLOC_END -> true;
            default -> false;
        };
    }

    /** An event whose code word is that of a trace, which knows it. */
    private void put(RingEvent event) {
        live.follow(event);
        write(event);
    }

    /** Whether children of fork do not know the blocks that they have from this process, for want of memory. */
    boolean lacksBlocks() {
        return live.givenUp();
    }

    private void write(RingEvent event) {
        if (events.isEmpty()) {
            events.thread(event.thread());
        }
        events.event(event);
        frames.flushWhenLong();
    }

    private void putInherited() {
        if (inherited == null) {
            return;
        }
        BlockTracker blocksOfParent = inherited;
        inherited = null;
        blocksOfParent.inherited(block -> {
            if (block.code() != 0) {
                code.inherited(block.code());
            }
            write(block);
        });
    }

    private void beginFork(RingEvent event) {
        live.fork(event);
    }

    private static boolean changesSpace(RingEventType type) {
        return type == RingEventType.THREAD_START
                || type == RingEventType.REGION_MAP
                || !EventsFrame.belongs(type) && type != RingEventType.FORK_BEGIN;
    }

    private void change(RingEvent event) {
        frames.flushEvents();
        code.change(event);
        modules.apply(event, space, frames.maps(), frames.symbols());
        threadMemory.apply(event);
        events.spaceChanged();
        frames.flushDefinitions();
    }

    /**
     * The address space as it is at the start.
     *
     * @param forker what the process that forked this one left to it, or null
     */
    void snapshot(Iterable<RegionMap.Region> regions, Bequest forker) {
        frames.flushEvents();
        for (RegionMap.Region region : regions) {
            space.add(region, frames.maps());
            if (forker == null && region.kind() == RegionMap.ANONYMOUS) {
                threadMemory.add(region.start(), region.end());
            }
        }
        if (forker != null) {
            threadMemory.inherit(forker.threadMemory());
        }
        events.spaceChanged();
        frames.flushDefinitions();
    }

    @Override
    public void runs(int thread, RunSpan span, long limit) throws MalformedBufferException {
        if (!recording || frames.failure() != null || full()) {
            passOver(span, limit);
            return;
        }
        putInherited();
        events.thread(thread);
        while (!span.isEmpty() && span.epoch() <= limit && !isFull()) {
            if (span.run() < SharedLayout.RUN_FIRST_MODULE) {
                builtIn(span);
            } else if (maxEvents > 0 && counted() + 2L * span.size() > maxEvents) {
                lastOnes(span);
            } else {
                events.runs(span, limit);
            }
            if (events.isFull()) {
                frames.flush();
                events.thread(thread);
            }
        }
    }

    private void passOver(RunSpan span, long limit) throws MalformedBufferException {
        while (!span.isEmpty() && span.epoch() <= limit) {
            span.skip(checked(span));
        }
    }

    /** Words of the first run, which is whole. */
    private int checked(RunSpan span) throws MalformedBufferException {
        int count = modules.words(span.run());
        span.check(count);
        return count;
    }

    private long counted() {
        return loads() + stores() + blocks();
    }

    /** A run near the limit: the words behind the limit are blanked. The two halves of a modify stay together. */
    private void lastOnes(RunSpan span) throws MalformedBufferException {
        int count = checked(span);
        Run run = scope.run(span.run());
        long[] words = new long[count];
        span.copy(count, words);
        long left = maxEvents - counted();
        for (int i = 0; i < count; i++) {
            Site site = run.site(i);
            boolean traced = words[i] != SharedLayout.WORD_NONE && scope.traced(site, words[i]);
            int weight = site.kind() == AccessKind.MODIFY ? 2 : 1;
            cut |= traced && weight > left;
            if (!traced || cut) {
                words[i] = SharedLayout.WORD_NONE;
            } else {
                left -= weight;
            }
        }
        events.run(span.run(), span.epoch(), words, 0, count);
        span.skip(count);
    }

    private void builtIn(RunSpan span) throws MalformedBufferException {
        int count = checked(span);
        long[] words = new long[count];
        span.copy(count, words);
        int run = span.run();
        boolean kept = !full() && switch (run) {
            case SharedLayout.RUN_COPY -> scope.shown(words[1]) || scope.shown(words[2]);
            case SharedLayout.RUN_STORE, SharedLayout.RUN_FETCH -> scope.shown(words[1]);
            default -> scope.traced(words[1]);
        };
        if (kept) {
            if (run <= SharedLayout.RUN_FETCH) {
                words[0] = code.call(words[0]);
            } else {
                frames.define(words[0]);
            }
            frames.builtIn(run, span.epoch(), words);
        }
        span.skip(count);
    }

    /** What has become frames, and grows into them. */
    TraceFrames frames() {
        return frames;
    }
}
