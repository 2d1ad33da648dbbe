package dev.madt.cli;

import dev.madt.tracker.AccessKind;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.EventsFrame;
import dev.madt.tracker.Frame;
import dev.madt.tracker.MalformedBufferException;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RingEventType;
import dev.madt.tracker.RingEvents;
import dev.madt.tracker.Run;
import dev.madt.tracker.RunSpan;
import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.Site;
import java.io.IOException;

/**
 * The trace of one process as it grows: takes events in their final order, drops what is not traced, translates code words,
 * and writes definitions in front of their first use. When the sink fails, everything behind is passed over and {@link #failure}
 * says why; the counts are those of what was taken until then.
 */
final class ProcessTrace implements EventMerge.Output {
    /** Blocks that fit into half of the memory, so that there is enough for everything else. */
    private static final long MOST_BLOCKS = Runtime.getRuntime().maxMemory() / 64;

    private final int pid;
    private final Engine engine;
    private final long maxEvents;
    private final long maxSize;
    private final TraceFile sink;
    private final ProcessList processes;
    /** Follows the blocks that children of fork inherit; null if none is followed. */
    private BlockTracker live;
    /** The blocks that the trace begins with, until they stand in it. */
    private BlockTracker inherited;
    private final AddressSpace space;
    private final ModuleTable modules;
    private final TraceFrames frames;
    private final EventsFrame events;
    private final TraceScope scope;
    private final SourceNotes notes;
    private final ThreadMemory threadMemory = new ThreadMemory();
    private final Bequest bequest = new Bequest(threadMemory);
    private final TraceCode code;
    private boolean recording = true;
    private int windows;
    private RingEventType lastEvent;
    private boolean cut;
    private boolean blocksGivenUp;

    ProcessTrace(int pid, RunOptions options, TraceFile sink, AddressSpace space, ModuleTable modules, ProcessList processes) {
        this.pid = pid;
        this.engine = options.engine();
        this.maxEvents = options.maxEvents();
        this.maxSize = options.maxSize();
        this.sink = sink;
        this.processes = processes;
        this.live = options.follow() ? new BlockTracker((start, end) -> {}, BlockKeeper.NOTHING) : null;
        this.space = space;
        this.modules = modules;
        this.scope = new TraceScope(engine, options.stack(), modules, space, threadMemory);
        this.frames = new TraceFrames(pid, options, sink, modules, scope);
        this.events = frames.events();
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
        live = live == null ? null : blocks;
    }

    /** Nothing more will come; the {@link #bequest} stays. */
    void forgetBlocks() {
        live = null;
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
        live = null;
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

    /** Writes key-value pairs behind everything so far. */
    void meta(Frame meta) {
        frames.flush();
        frames.write(meta);
    }

    @Override
    public void event(RingEvents events) {
        RingEventType type = events.type();
        if (isOfHeap(type)) {
            lastEvent = type;
            putInherited();
            long word = events.code();
            put(events.remove(word == 0 ? 0 : allocates(type) ? code.allocation(word) : code.call(word)));
        } else {
            event(events.remove());
        }
    }

    /** Events that do nothing else, and come in great numbers. */
    private static boolean isOfHeap(RingEventType type) {
        return switch (type) {
            case MALLOC, CALLOC, REALLOC_BEGIN, REALLOC_END, FREE -> true;
            default -> false;
        };
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
            long call = event.code() == 0 ? 0 : code.call(event.code());
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
        if (live != null) {
            follow(event);
        }
        write(event);
    }

    /** The trace does without the blocks, and so the process goes on to be recorded whole: only children of fork miss them. */
    private void follow(RingEvent event) {
        try {
            live.follow(event);
            if (live.heap().size() > MOST_BLOCKS) {
                giveUpBlocks();
            }
        } catch (OutOfMemoryError e) {
            giveUpBlocks();
        }
    }

    private void giveUpBlocks() {
        live = null;
        bequest.giveUp();
        blocksGivenUp = true;
    }

    /** Whether children of fork do not know the blocks that they have from this process, for want of memory. */
    boolean lacksBlocks() {
        return blocksGivenUp;
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
        if (live != null) {
            bequest.begin(event.thread(), event.epoch(), live.fork());
        }
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
    void snapshot(Iterable<AddressSpace.Region> regions, Bequest forker) {
        frames.flushEvents();
        for (AddressSpace.Region region : regions) {
            space.add(region, frames.maps());
            if (forker == null && region.kind() == AddressSpace.ANONYMOUS) {
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
        while (!span.isEmpty() && span.epoch() <= limit) {
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
            events.run(run, span.epoch(), words, 0, count);
        }
        span.skip(count);
    }

    /** Hands everything over to the sink, definitions in front of the events that need them. */
    void flush() {
        frames.flush();
    }
}
