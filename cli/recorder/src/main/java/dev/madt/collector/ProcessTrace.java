package dev.madt.collector;

import dev.madt.limit.RateLimit;
import dev.madt.locks.AtomicInstructions;
import dev.madt.locks.LockCalls;
import dev.madt.locks.UnseenLocks;
import dev.madt.modules.InstrumentHits;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.OpenFunctions;
import dev.madt.modules.RegionMap;
import dev.madt.modules.UnrecordedCode;
import dev.madt.pipeline.Stage;
import dev.madt.resolver.line.StartFunctions;
import dev.madt.session.Engine;
import dev.madt.session.RecordingClock;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.RecordedInstruments;
import dev.madt.tracker.ThreadNames;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The trace of one process as it grows: takes events in their final order, drops what is not
 * traced, translates code words, and writes definitions in front of their first use. When the sink
 * fails, everything behind is passed over and {@link #failure} says why; the counts are those of
 * what was taken until then.
 */
final class ProcessTrace {
    private final String program;
    private final Engine engine;
    private final boolean locks;
    private final TraceSink sink;
    private final ModuleTable modules;
    private final TraceFrames frames;
    /** Null where all functions are recorded, however often they are called. */
    private final RateLimit rateLimit;

    private final ForkState forkState;
    private final LiveBlocks live;
    private final InstrumentHits instruments;
    private final TraceLimit limit;
    private final TraceEvents events;
    private final TraceIntake intake;
    /** Null where none ends a window. */
    private final SlowCall slow;
    /** Null where calls have no times. */
    private final OffCpuTimes absences;
    /** Null where it would not tell of the whole process. */
    private final Stage stage;

    /** @param program the file that the process executes */
    ProcessTrace(
            int pid,
            String program,
            Recording recording,
            TraceSink sink,
            RegionMap space,
            ModuleTable modules,
            ProcessList processes,
            RecordingClock clock,
            OffCpuTimes absences) {
        ThreadMemory threadMemory = new ThreadMemory();
        TraceScope scope = new TraceScope(
                recording.engine(),
                recording.stack(),
                modules,
                space,
                threadMemory,
                recording.kinds().locks() ? new AtomicInstructions() : null);
        this.program = program;
        this.absences = absences;
        this.engine = recording.engine();
        this.locks = recording.kinds().locks();
        this.sink = sink;
        this.modules = modules;
        this.frames = new TraceFrames(pid, recording, sink, modules, scope);
        this.rateLimit =
                recording.callRate() == 0 ? null : new RateLimit(recording.callRate(), modules);
        this.forkState = new ForkState(threadMemory, modules, rateLimit);
        this.live = new LiveBlocks(
                frames.encoder(),
                forkState,
                recording.follow() || !recording.allocators().areNone());
        this.limit = new TraceLimit(recording, sink, frames);
        TraceCode code = new TraceCode(modules, frames);
        this.events = new TraceEvents(
                pid,
                program,
                processes,
                space,
                modules,
                threadMemory,
                forkState,
                live,
                frames,
                code,
                new WindowLog(modules, recording.windows()),
                recording.allocators());
        this.slow = SlowCall.of(recording.windows(), modules, clock, events.windows());
        this.instruments =
                new InstrumentHits(recording.instruments(), modules, clock::nanos, clock::since);
        this.stage = recording.kinds().times() && recording.windows().isWhole()
                ? new Stage(pid, program)
                : null;
        CallScope calls = new CallScope(recording.bounds(), modules, space, slow);
        this.intake = new TraceIntake(
                frames,
                limit,
                events,
                new TraceRecords(
                        modules,
                        scope,
                        frames,
                        code,
                        limit,
                        recording.kinds().accesses(),
                        calls,
                        instruments,
                        lockCalls(recording, modules, code, frames.events())),
                live,
                code,
                openFunctions(recording, modules, calls, code),
                stage);
    }

    private static OpenFunctions openFunctions(
            Recording recording, ModuleTable modules, CallScope calls, TraceCode code) {
        return new OpenFunctions(modules, new OpenFunctions.Trace() {
            @Override
            public boolean records(LoadedModule module, long address) {
                return recording.functions().include(module.elf(), address);
            }

            @Override
            public boolean starts(String function) {
                return StartFunctions.contains(function);
            }

            @Override
            public boolean takes(TraceEvent.OpenFunction event) {
                return calls.open(event);
            }

            @Override
            public void define(long function) {
                code.function(function);
            }

            @Override
            public long call(long word) {
                return code.callBefore(word);
            }
        });
    }

    /** Returns what the process did as a stage of a pipeline; null: it is not known. */
    Stage stage() {
        return stage;
    }

    private static LockCalls lockCalls(
            Recording recording, ModuleTable modules, TraceCode code, EventsFrame events) {
        return new LockCalls(
                recording.kinds().locks() ? recording.locks() : null,
                modules,
                (module, address) -> recording.kinds().calls()
                        && recording.functions().include(module.elf(), address),
                code::namedCall,
                events::event);
    }

    /** Returns how often an allocator ended what it is not known to have allocated. */
    long unknownEnds() {
        return live.unknownEnds();
    }

    /** Returns how many blocks of such allocators had sizes that cannot be. */
    long oddSizes() {
        return events.oddSizes();
    }

    /** The file that the process executes. */
    String program() {
        return program;
    }

    Engine engine() {
        return engine;
    }

    /** Takes what the process did. */
    EventMerge.Output intake() {
        return intake;
    }

    /**
     * Takes the absences of its threads that have ended by now; whatever calls have come in before
     * may be taken behind them.
     *
     * @param ticket not above that of the next ring event
     */
    void takeAbsences(int pid, long ticket) {
        if (absences != null) {
            for (TraceEvent event : absences.take(pid)) {
                intake.offCpu(event.at(ticket));
            }
        }
    }

    /** Takes a system call in which the process ended, behind all else. */
    void takeOpenCall(TraceEvent call) {
        intake.offCpu(call);
    }

    /** Returns how much is recorded at most. */
    TraceLimit limit() {
        return limit;
    }

    /** Returns what engine splice records nothing of. */
    UnrecordedCode unrecorded() {
        return modules.unrecorded();
    }

    /** Returns what has become frames, and grows into them. */
    TraceFrames frames() {
        return frames;
    }

    TraceSink sink() {
        return sink;
    }

    /** Returns what the threads are called. */
    ThreadNames threadNames() {
        return events.threadNames();
    }

    /** Returns whose locks of the process no recording sees; empty: none are known. */
    String unseenLocks() {
        return locks ? UnseenLocks.text(modules.files()) : "";
    }

    /** Windows of recording so far. */
    WindowLog windows() {
        return events.windows();
    }

    /**
     * A call that took so long that it has ended the window, for people: said once, and the target
     * is to be asked to close the window; null if there was none.
     */
    String slowCall() {
        return slow == null ? null : slow.news();
    }

    /** Returns how often a thread waited for MadT. */
    long pauses() {
        return events.pauses();
    }

    /** Returns how long that was in all, in the units of the recording. */
    long pausedTicks() {
        return events.pausedTicks();
    }

    /** Returns whether nothing came behind an exec. */
    boolean endedByExec() {
        return events.endedByExec();
    }

    /**
     * Returns which functions are recorded no more since they are called too often; null: none
     * ever.
     */
    RateLimit rateLimit() {
        return rateLimit;
    }

    /** Returns what children of fork take over. */
    ForkState forkState() {
        return forkState;
    }

    /**
     * Puts the blocks that the process has from its parent in front of the first event that may
     * need them, and names the stacks.
     */
    void inherit(ForkState.Left left) {
        events.inherit(left);
    }

    /** The address space at the start: see {@link TraceEvents#snapshot}. */
    void snapshot(Iterable<RegionMap.Region> regions, ForkState forker) {
        if (forker != null && rateLimit != null) {
            rateLimit.inherit(forker.rateLimit());
        }
        events.snapshot(regions, forker);
    }

    /** Nothing more will come; the {@link #forkState} stays. */
    void forgetBlocks() {
        live.forget();
        frames.flush();
        frames.flush(); // again: what was not lost of a frame that was
        frames.events().forget();
    }

    /** Returns whether source lines and types are incomplete for want of memory. */
    boolean lacksSources() {
        return frames.notes() != null && frames.notes().givenUp();
    }

    /**
     * Returns whether children of fork do not know the blocks that they have from this process, for
     * want of memory.
     */
    boolean lacksBlocks() {
        return live.givenUp();
    }

    /** Why nothing more is written, or null. */
    IOException failure() {
        return frames.failure();
    }

    /** Gives the memory back; nothing more is written. */
    void fail(IOException reason) {
        live.forget();
        forkState.giveUp();
        frames.fail(reason);
    }

    /** Has everything written that has come so far. */
    void handOver() throws IOException {
        frames.flush();
        sink.handOver();
    }

    /** Returns what instruments want to be done with the recording, since the last call. */
    Set<Action.Kind> askedByInstruments() {
        return instruments.takeAsked();
    }

    /** Writes what the instruments of the process have counted, at its end. */
    void tellInstruments(int pid, long ticket, long[] counts) {
        instruments.end();
        countedSoFar(pid, ticket, counts).forEach(events::offCpu);
    }

    /**
     * Returns what the instruments of the process have counted so far; what is to be known of that
     * is written.
     */
    List<TraceEvent> countedSoFar(int pid, long ticket, long[] counts) {
        MetaFrame news = instruments.news();
        if (news != null) {
            meta(news.build(pid, 0));
        }
        if (instruments.texts() != null) {
            String texts = instruments.texts();
            meta(new MetaFrame().add(RecordedInstruments.TEXTS, texts).build(pid, 0));
        }
        List<TraceEvent> counted = instruments.tables(pid, ticket, counts);
        counted.stream()
                .filter(event -> event.code() != 0)
                .forEach(event -> frames.define(event.code()));
        return counted;
    }

    /** Writes key-value pairs behind everything so far. */
    void meta(Frame meta) {
        frames.flush();
        frames.write(meta);
    }
}
