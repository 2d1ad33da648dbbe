package dev.madt.collector;

import dev.madt.modules.ModuleTable;
import dev.madt.modules.NamedAllocators;
import dev.madt.modules.RegionMap;
import dev.madt.session.StartPoint;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.ThreadNames;
import java.util.List;

/**
 * The ring events of a process on their way into its frames, and what they change of what is known
 * of the process: its address space, its blocks, its children.
 */
final class TraceEvents {
    private final int pid;
    private final String program;
    private final ProcessList processes;
    private final RegionMap space;
    private final ModuleTable modules;
    private final ThreadMemory threadMemory;
    private final ForkState forkState;
    private final LiveBlocks live;
    private final TraceFrames frames;
    private final EventsFrame events;
    private final TraceCode code;
    /** The blocks that the trace begins with, until they stand in it. */
    private BlockTracker inherited;

    private List<RegionMap.Region> stacks = List.of();

    private final ThreadNames threadNames = new ThreadNames();
    private boolean recording = true;
    private final WindowLog windows;
    private final NamedAllocators allocators;
    private long oddSizes;
    private RingEventType last;
    private long pauses;
    private long pausedTicks;

    /** @param program the file that the process executes */
    TraceEvents(
            int pid,
            String program,
            ProcessList processes,
            RegionMap space,
            ModuleTable modules,
            ThreadMemory threadMemory,
            ForkState forkState,
            LiveBlocks live,
            TraceFrames frames,
            TraceCode code,
            WindowLog windows,
            NamedAllocators allocators) {
        this.pid = pid;
        this.program = program;
        this.processes = processes;
        this.space = space;
        this.modules = modules;
        this.threadMemory = threadMemory;
        this.forkState = forkState;
        this.live = live;
        this.frames = frames;
        this.events = frames.events();
        this.code = code;
        this.windows = windows;
        this.allocators = allocators;
    }

    /**
     * Puts the blocks that the process has from its parent in front of the first event that may
     * need them, and names the stacks.
     */
    void inherit(ForkState.Left left) {
        inherited = left.blocks();
        live.inherit(left.blocks());
        stacks = left.stacks();
        nameStacks();
    }

    /** Does nothing where the address space is not known yet. */
    private void nameStacks() {
        frames.flushEvents();
        space.inherit(stacks, frames.maps());
        events.spaceChanged();
        frames.flushDefinitions();
    }

    /** Returns whether there are such blocks that do not stand in the trace yet. */
    boolean inherits() {
        return inherited != null;
    }

    /** Returns whether accesses are recorded now. */
    boolean isRecording() {
        return recording;
    }

    /** Returns what the threads are called. */
    ThreadNames threadNames() {
        return threadNames;
    }

    /** Windows of recording so far. */
    WindowLog windows() {
        return windows;
    }

    /** Returns whether nothing came behind an exec. */
    boolean endedByExec() {
        return last == RingEventType.EXEC;
    }

    /** Returns how many blocks of allocators by other names had sizes that cannot be. */
    long oddSizes() {
        return oddSizes;
    }

    /** Returns how often a thread waited for MadT. */
    long pauses() {
        return pauses;
    }

    /** Returns how long that was in all, in the units of the recording. */
    long pausedTicks() {
        return pausedTicks;
    }

    /**
     * A thread had no processor, or was in a system call for long; or instruments have counted
     * something.
     */
    void offCpu(TraceEvent event) {
        putInherited();
        write(event);
    }

    /** Something came that somebody else has taken. */
    void passedBy() {
        last = RingEventType.MALLOC;
    }

    void take(TraceEvent told) {
        TraceEvent event = told.type() == RingEventType.RECORD_STOP
                ? windows.close((TraceEvent.Recording) told)
                : told;
        if (!(event instanceof TraceEvent.Exec exec)
                || processes.namespaces().seenHere(pid, (int) exec.process()) == pid) {
            last = event.type();
        }
        processes.note(pid, program, event);
        switch (event.type()) {
            case RECORD_START -> {
                recording = true;
                windows.open((TraceEvent.Recording) event);
                define((TraceEvent.Recording) event);
            }
            case RECORD_STOP -> {
                recording = false;
                define((TraceEvent.Recording) event);
            }
            case THREAD_NAME -> threadNames.take(event);
            case FORK_BEGIN -> live.fork(event, space.stacks());
            case FORK -> forkState.end(event.thread(), ((TraceEvent.Fork) event).child() == 0);
            case PAUSE -> {
                pauses++;
                pausedTicks += ((TraceEvent.Pause) event).length();
            }
            case POOL_END -> {
                endPool(event, ((TraceEvent.PoolEnd) event).pool());
                return;
            }
            case FREE_AMONG -> {
                freeAmong((TraceEvent.FreeAmong) event);
                return;
            }
            case SYSTEM_CALL -> {
                offCpu(event);
                return;
            }
            default -> {}
        }
        if (changesSpace(event.type())) {
            change(event);
        } else if (space.isBehind() && mayTouch(event)) {
            frames.flushEvents();
            space.catchUp(frames.maps());
        }
        if (event.type().inTraces()) {
            if (event.type() != RingEventType.EXEC) {
                putInherited(); // a child that does nothing but exec needs no blocks
            }
            long[] within = live.takeCutFrom(event);
            put(ofTrace(sized(event)));
            end(event, within);
        }
        if (event.type() == RingEventType.NAMED_FREE) {
            endPool(event, ((TraceEvent.Allocation) event).old());
        }
        if (event.type() == RingEventType.RECORD_STOP && windows.areOver()) {
            frames.release();
        }
    }

    /** A function that opens or closes a window has a name in the trace, recorded or not. */
    private void define(TraceEvent.Recording event) {
        if (event.cause() == StartPoint.FUNC.code()) {
            code.function(event.caller());
        }
    }

    /** A pool has ended, and each of its blocks with it. */
    private void endPool(TraceEvent event, long pool) {
        end(event, live.takePool(pool));
    }

    /** Blocks end with something else. */
    private void end(TraceEvent event, long[] with) {
        for (long block : with) {
            put(ofTrace(TraceEvent.of(
                    RingEventType.NAMED_FREE,
                    event.thread(),
                    event.epoch(),
                    0,
                    0,
                    block,
                    0,
                    "",
                    event.code())));
        }
    }

    /**
     * The C library ends a block: within a call that has ended one there nothing new, if the
     * allocator had passed it on. What is cut from it ends with it.
     */
    private void freeAmong(TraceEvent.FreeAmong event) {
        if (event.within() == 0 || live.hasInHeap(event.old())) {
            take(TraceEvent.of(
                    RingEventType.FREE,
                    event.thread(),
                    event.epoch(),
                    0,
                    0,
                    event.old(),
                    event.chain(),
                    "",
                    event.code()));
        }
    }

    /**
     * The event; without the size of a block that cannot be so large, since the argument that was
     * taken for it must be another one.
     */
    private TraceEvent sized(TraceEvent event) {
        boolean named = event.type() == RingEventType.NAMED_ALLOC
                || event.type() == RingEventType.NAMED_REALLOC_END;
        if (!named
                || !(event instanceof TraceEvent.Allocation it)
                || space.mayHold(it.address(), it.size())) {
            return event;
        }
        oddSizes++;
        allocators.oddSize();
        return new TraceEvent.Allocation(
                it.type(),
                it.thread(),
                it.epoch(),
                it.address(),
                0,
                it.word2(),
                it.word3(),
                it.code());
    }

    private static boolean changesSpace(RingEventType type) {
        return type == RingEventType.THREAD_START
                || type == RingEventType.REGION_MAP
                || !type.inTraces() && type != RingEventType.FORK_BEGIN;
    }

    /** Returns whether an event may be of memory that has gone. */
    private boolean mayTouch(TraceEvent event) {
        return switch (event.type()) {
            case MALLOC, CALLOC, MMAP, NAMED_ALLOC, GO_ALLOC, CHAIN_NODE -> false;
            case FREE, NAMED_FREE, MUNMAP ->
                space.kindAt(((TraceEvent.Allocation) event).old()) == RegionKind.OTHER;
            default -> true;
        };
    }

    /** The event with the code word of a trace, which knows it. */
    private TraceEvent ofTrace(TraceEvent event) {
        long word = event.code();
        if (word == 0) {
            return event;
        }
        if (event.type() == RingEventType.GO_ALLOC) {
            return code.ofGo((TraceEvent.Allocation) event);
        }
        long call =
                switch (event.type()) {
                    case MALLOC, CALLOC, REALLOC_END -> code.allocation(word);
                    case NAMED_ALLOC, NAMED_REALLOC_END -> code.namedAllocation(word);
                    case NAMED_FREE, NAMED_REALLOC_BEGIN -> code.namedCall(word);
                    case OPEN_FUNCTION -> word; // OpenFunctions
                    case CHAIN_NODE -> code.chainCall((TraceEvent.ChainNode) event);
                    default -> code.call(word);
                };
        return call == word ? event : event.by(call);
    }

    private void put(TraceEvent event) {
        live.follow(event);
        write(event);
    }

    private void write(TraceEvent event) {
        if (events.isEmpty()) {
            events.thread(event.thread());
        }
        events.event(event);
        frames.flushWhenLong();
    }

    /**
     * Writes the blocks that the process has from its parent, if that is not done: what follows may
     * need them.
     */
    void putInherited() {
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
        live.inherited();
    }

    private void change(TraceEvent event) {
        if (!modules.isUntold(event, space)) {
            frames.flushEvents();
            space.catchUp(frames.maps());
        }
        code.change(event);
        modules.apply(event, space, frames.maps(), frames.symbols());
        if (event instanceof TraceEvent.ModuleLoad load) {
            frames.defineAgain(modules.at(load.start()));
        }
        threadMemory.apply(event);
        events.spaceChanged();
        frames.flushLongDefinitions();
    }

    /**
     * The address space as it is at the start.
     *
     * @param forker what the process that forked this one left to it, or null
     */
    void snapshot(Iterable<RegionMap.Region> regions, ForkState forker) {
        frames.flushEvents();
        for (RegionMap.Region region : regions) {
            space.add(region, frames.maps());
            modules.noteAtStart(region);
            long loaders = modules.loadersStart(region);
            if (forker == null && loaders < region.end()) {
                threadMemory.add(loaders, region.end());
            }
        }
        if (forker != null) {
            threadMemory.inherit(forker.threadMemory());
        }
        nameStacks();
    }
}
