package dev.madt.cli;

import dev.madt.resolver.CodeWord;
import dev.madt.tracker.AccessKind;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.EventsFrame;
import dev.madt.tracker.Frame;
import dev.madt.tracker.MapsFrame;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RingEventType;
import dev.madt.tracker.RunsFrame;
import dev.madt.tracker.SharedLayout;
import dev.madt.tracker.Site;
import dev.madt.tracker.SymbolsFrame;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The trace of one process as it grows: takes events in their final order, drops what is not traced, translates code words,
 * and writes definitions in front of their first use. When the sink fails, everything behind is passed over and {@link #failure}
 * says why; the counts are those of what was taken until then.
 */
final class ProcessTrace implements EventMerge.Output {
    private static final int FRAME_BYTES = 1 << 20;

    private final int pid;
    private final Engine engine;
    private final long maxEvents;
    private final long maxSize;
    private final TraceFile sink;
    private final ProcessList processes;
    /** Follows the blocks that children of fork inherit; null if none is followed. */
    private BlockTracker live;
    private final Map<Long, List<RingEvent>> inheritances = new HashMap<>();
    private final Map<Integer, Long> begunForks = new HashMap<>();
    private List<RingEvent> inherited = List.of();
    private final AddressSpace space;
    private final ModuleTable modules;
    private final MapsFrame maps = new MapsFrame();
    private final SymbolsFrame symbols = new SymbolsFrame();
    private final RunsFrame runs = new RunsFrame();
    private final EventsFrame events = new EventsFrame();
    private final SourceNotes notes;
    private int eventsThread;
    private final ThreadMemory threadMemory = new ThreadMemory();
    private final BitSet definedRuns = new BitSet();
    private boolean recording = true;
    private int windows;
    private long loads;
    private long stores;
    private long blocks;
    private RingEventType lastEvent;
    private boolean cut;
    private IOException failure;

    ProcessTrace(int pid, RunOptions options, TraceFile sink, AddressSpace space, ModuleTable modules, ProcessList processes) {
        this.pid = pid;
        this.engine = options.engine();
        this.maxEvents = options.maxEvents();
        this.maxSize = options.maxSize();
        this.sink = sink;
        this.processes = processes;
        this.live = options.follow() ? new BlockTracker() : null;
        this.space = space;
        this.modules = modules;
        this.notes = sink.saves() ? new SourceNotes(modules) : null;
    }

    Engine engine() {
        return engine;
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

    /**
     * The blocks that the child of a fork inherits; null if the fork has not been seen yet.
     *
     * @param ticket of the fork's beginning, and 1, as the child knows it
     */
    List<RingEvent> takeInheritance(long ticket) {
        return inheritances.remove(ticket - 1);
    }

    /** Puts the blocks that the process has from its parent in front of the first event that may need them. */
    void inherit(List<RingEvent> blocks) {
        inherited = blocks;
    }

    /** Nothing more will come; what children have not taken stays. */
    void forgetBlocks() {
        live = null;
    }

    /** Whether source lines and types are incomplete for want of memory. */
    boolean lacksSources() {
        return notes != null && notes.givenUp();
    }

    /** Why nothing more is written, or null. */
    IOException failure() {
        return failure;
    }

    /** Whether the limit of events is reached. */
    boolean full() {
        cut |= maxSize > 0 && sink.size() >= maxSize;
        return cut || maxEvents > 0 && loads + stores + blocks >= maxEvents;
    }

    /** The option that ended the recording. */
    String limit() {
        return maxSize > 0 && sink.size() >= maxSize ? "--max-size" : "--max-events";
    }

    /** Writes key-value pairs behind everything so far. */
    void meta(Frame meta) {
        flush();
        write(meta);
    }

    @Override
    public void event(RingEvent event) {
        if (event.type() != RingEventType.EXEC || event.address() == pid) {
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
            case FORK -> endFork(event);
            default -> { }
        }
        if (changesSpace(event.type())) {
            change(event);
        }
        if (EventsFrame.belongs(event.type())) {
            putInherited();
            long code = event.code() == 0 ? 0 : modules.callAddress(event.code());
            put(event.thread(), new RingEvent(event.type(), event.thread(), event.epoch(), event.address(),
                    event.size(), event.old(), event.oldSize(), event.name(), code));
        }
    }

    private void noteAllocation(RingEventType type, long code) {
        boolean allocates = switch (type) {
            case MALLOC, CALLOC, REALLOC_END, INHERIT -> true;
            default -> false;
        };
        if (notes != null && allocates) {
            notes.allocation(CodeWord.inside(code));
        }
    }

    /** An event whose code word is that of a trace. */
    private void put(int thread, RingEvent event) {
        if (event.code() != 0) {
            define(event.code());
            noteAllocation(event.type(), event.code());
        }
        if (live != null) {
            live.apply(event);
        }
        frameOf(thread).event(event);
        flushWhenLong();
    }

    private void putInherited() {
        List<RingEvent> blocksOfParent = inherited;
        inherited = List.of();
        for (RingEvent block : blocksOfParent) {
            put(pid, block);
        }
    }

    private void beginFork(RingEvent event) {
        if (live != null) {
            inheritances.put(event.epoch(), live.inheritance());
            begunForks.put(event.thread(), event.epoch());
        }
    }

    private void endFork(RingEvent event) {
        Long begun = begunForks.remove(event.thread());
        if (begun != null && event.address() == 0) {
            inheritances.remove(begun);
        }
    }

    private static boolean changesSpace(RingEventType type) {
        return type == RingEventType.THREAD_START
                || !EventsFrame.belongs(type) && type != RingEventType.FORK_BEGIN;
    }

    private void change(RingEvent event) {
        flushEvents();
        if (notes != null && event.type() == RingEventType.MODULE_UNLOAD) {
            notes.forget(event.address(), event.address() + event.size());
        }
        modules.apply(event, space, maps, symbols);
        threadMemory.apply(event);
        flushDefinitions();
    }

    /**
     * The address space as it is at the start.
     *
     * @param forker the trace of the process that forked this one, or null
     */
    void snapshot(Iterable<AddressSpace.Region> regions, ProcessTrace forker) {
        flushEvents();
        for (AddressSpace.Region region : regions) {
            space.add(region, maps);
            if (forker == null && region.kind() == AddressSpace.ANONYMOUS) {
                threadMemory.add(region.start(), region.end());
            }
        }
        if (forker != null) {
            threadMemory.inherit(forker.threadMemory);
        }
        flushDefinitions();
    }

    @Override
    public void run(int thread, long epoch, int run, long[] words, int from, int count) {
        if (!recording || failure != null || full()) {
            return;
        }
        if (!inherited.isEmpty()) {
            putInherited();
        }
        boolean kept = run < SharedLayout.RUN_FIRST_MODULE
                ? keepBuiltIn(run, words, from, count)
                : keepAccesses(run, words, from, count);
        if (kept) {
            frameOf(thread).run(run, epoch, words, from, count);
            flushWhenLong();
        }
    }

    /** Blanks the words of accesses that are not traced; false if none is left. */
    private boolean keepAccesses(int run, long[] words, int from, int count) {
        Site[] sites = modules.sites(run);
        boolean kept = false;
        for (int i = 0; i < count; i++) {
            long address = words[from + i];
            if (address != SharedLayout.WORD_NONE && traced(sites[i], address) && counted(sites[i].kind())) {
                kept = true;
            } else {
                words[from + i] = SharedLayout.WORD_NONE;
            }
        }
        if (kept && !definedRuns.get(run)) {
            definedRuns.set(run);
            runs.add(run, sites);
            define(sites);
        }
        return kept;
    }

    private boolean traced(Site site, long address) {
        return !site.stack() && traced(address);
    }

    private boolean traced(long address) {
        return switch (space.kindAt(address)) {
            case AddressSpace.CODE, AddressSpace.STACK, AddressSpace.SPECIAL, AddressSpace.UNTRACED -> false;
            case AddressSpace.ANONYMOUS -> engine == Engine.TRAP || !threadMemory.covers(address);
            default -> true;
        };
    }

    /** Counts an access unless that would exceed the limit; the two halves of a modify stay together. */
    private boolean counted(AccessKind kind) {
        int load = kind == AccessKind.STORE ? 0 : 1;
        int store = kind == AccessKind.LOAD ? 0 : 1;
        if (cut || maxEvents > 0 && loads + stores + blocks + load + store > maxEvents) {
            cut = true;
            return false;
        }
        loads += load;
        stores += store;
        return true;
    }

    private boolean keepBuiltIn(int run, long[] words, int from, int count) {
        boolean kept = switch (run) {
            case SharedLayout.RUN_COPY -> shown(words[from + 1]) || shown(words[from + 2]);
            case SharedLayout.RUN_STORE, SharedLayout.RUN_FETCH -> shown(words[from + 1]);
            case SharedLayout.RUN_LOAD_UNKNOWN -> traced(words[from + 1]) && counted(AccessKind.LOAD);
            case SharedLayout.RUN_WRITE_UNKNOWN -> traced(words[from + 1]) && counted(AccessKind.STORE);
            default -> false;
        };
        if (!kept) {
            return false;
        }
        if (run <= SharedLayout.RUN_FETCH) {
            blocks++;
            words[from] = modules.callAddress(words[from]);
        }
        define(words[from]);
        return true;
    }

    /** Block events count on stacks too, but not where madt has nothing to say. */
    private boolean shown(long address) {
        int kind = space.kindAt(address);
        return kind != AddressSpace.SPECIAL && kind != AddressSpace.UNTRACED;
    }

    /** The symbols and the source lines of a run. */
    private void define(Site[] sites) {
        for (Site site : sites) {
            define(site.address());
        }
    }

    /** The symbol and the source line of a code address, once. */
    private void define(long code) {
        modules.defineCode(CodeWord.inside(code), symbols);
        if (notes != null) {
            notes.place(CodeWord.inside(code));
        }
    }

    private EventsFrame frameOf(int thread) {
        if (thread != eventsThread) {
            flush();
            eventsThread = thread;
        }
        return events;
    }

    private void flushWhenLong() {
        if (events.size() >= FRAME_BYTES) {
            flush();
        }
    }

    /** Hands everything over to the sink, definitions in front of the events that need them. */
    void flush() {
        flushDefinitions();
        flushEvents();
    }

    private void flushDefinitions() {
        if (!maps.isEmpty()) {
            write(maps.build(pid, 0));
        }
        if (!symbols.isEmpty()) {
            write(symbols.build(pid, 0));
        }
        if (!runs.isEmpty()) {
            write(runs.build(pid, 0));
        }
    }

    /** What the debug information says of the places in the events that are about to be written. */
    private void flushNotes() {
        if (notes != null) {
            notes.write(pid, this::write);
        }
    }

    private void flushEvents() {
        if (!events.isEmpty()) {
            flushDefinitions();
            flushNotes();
            write(events.build(pid, eventsThread));
        }
    }

    private void write(Frame frame) {
        if (failure != null) {
            return;
        }
        try {
            sink.frame(frame);
        } catch (IOException e) {
            failure = e;
        }
    }
}
