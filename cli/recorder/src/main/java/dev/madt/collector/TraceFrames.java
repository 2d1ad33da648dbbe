package dev.madt.collector;

import dev.madt.locks.AtomicInstructions;
import dev.madt.modules.ChosenFunctions;
import dev.madt.modules.FunctionValues;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.natives.NativeRecordEncoder;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.line.CodeWord;
import dev.madt.trace.codec.ArgumentsFrame;
import dev.madt.trace.codec.EventCounts;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The frames of one trace as they grow, and their way to the sink: definitions in front of the
 * events that need them. When the sink fails, everything behind is dropped and {@link #failure}
 * says why.
 *
 * <p>A lossy one drops frames of events, and counts what was in them, while the disk is behind;
 * ring events go into the next frame.
 */
public final class TraceFrames {
    /** By the number of their template. */
    private static final int LONG_DEFINITIONS = 1 << 16;

    private final int pid;
    private final TraceSink sink;
    private final boolean lossy;
    private final boolean calls;
    /** Says whether samples of records do: nobody tells by them all which functions are open. */
    private final boolean mayMiss;

    private final ModuleTable modules;
    private final SourceNotes notes;
    private final MapsFrame maps = new MapsFrame();
    private final SymbolsFrame symbols = new SymbolsFrame();
    private final TemplatesFrame templates = new TemplatesFrame();
    private final ChosenFunctions functions;
    /** Null where nobody asks for atomic instructions. */
    private final AtomicInstructions atomics;

    private final ArgumentsFrame arguments = new ArgumentsFrame();
    private final NativeRecordEncoder encoder;
    private final EventsFrame events;
    /** Null if everything is written. */
    private final LastFrames last;
    /** Holds what is in the frames that have been handed over. */
    private final EventTally told = new EventTally();

    /** Says which builds the modules are that records are of. */
    private final Map<LoadedModule, String> builds = new LinkedHashMap<>();

    private long lostAccesses;
    private long lostBlocks;
    private IOException failure;

    /** @param scope gets its definer here: {@link #define(RecordTemplate)} */
    TraceFrames(
            int pid, Recording recording, TraceSink sink, ModuleTable modules, TraceScope scope) {
        this.pid = pid;
        this.sink = sink;
        this.lossy = recording.lossy();
        this.calls = recording.kinds().calls();
        this.mayMiss = !recording.stack();
        this.modules = modules;
        this.functions = recording.functions();
        this.atomics = recording.kinds().locks() ? new AtomicInstructions() : null;
        this.notes = sink.saves() ? new SourceNotes(modules) : null;
        this.last = recording.last() == null ? null : new LastFrames(recording.last(), sink);
        this.encoder = new NativeRecordEncoder(scope);
        this.events = new EventsFrame(encoder);
        scope.defineBy(this::define);
    }

    /** The process that they are of. */
    int pid() {
        return pid;
    }

    /** Takes changes of the address space. */
    MapsFrame maps() {
        return maps;
    }

    SymbolsFrame symbols() {
        return symbols;
    }

    /** Takes records and ring events; {@link #flushWhenLong} is due after some. */
    EventsFrame events() {
        return events;
    }

    /** Returns what {@link #events} puts together. */
    NativeRecordEncoder encoder() {
        return encoder;
    }

    /** Null without a trace file. */
    SourceNotes notes() {
        return notes;
    }

    long loads() {
        return kept().loads() + events.loads();
    }

    long stores() {
        return kept().stores() + events.stores();
    }

    long blocks() {
        return kept().blocks() + events.blocks();
    }

    /** Functions entered. */
    long enters() {
        return kept().enters() + events.enters();
    }

    /** Functions left. */
    long leaves() {
        return kept().leaves() + events.leaves();
    }

    /** Locks that threads got, and units of semaphores. */
    long acquisitions() {
        return kept().acquisitions() + events.events(RingEventType.LOCK_GOT);
    }

    /** Returns what is in the frames that have been handed over and not been forgotten. */
    private EventTally kept() {
        return last == null ? told : told.without(last.forgotten());
    }

    /** Accesses, bulk transfers and calls, but for those that were forgotten. */
    long numbered() {
        return loads() + stores() + blocks() + enters() + leaves();
    }

    /** Returns how many hits of instruments are told of, with their values. */
    long hits() {
        return kept().hits() + events.events(RingEventType.INSTRUMENT_HIT);
    }

    /** Returns what was forgotten, by {@code --last}; null if nothing is. */
    EventTally forgotten() {
        return last == null ? null : last.forgotten();
    }

    /** Loads and stores that were dropped. */
    long lostAccesses() {
        return lostAccesses;
    }

    /** Bulk transfers and calls that were dropped. */
    long lostBlocks() {
        return lostBlocks;
    }

    /** Why nothing more is written, or null. */
    IOException failure() {
        return failure;
    }

    /**
     * Returns whether events should wait until the disk has caught up; those of a lossy trace never
     * do.
     */
    boolean isBehind() {
        return !lossy && failure == null && sink.isBehind();
    }

    /** Nothing more is written, for this reason unless there is one. */
    void fail(IOException reason) {
        failure = failure == null ? reason : failure;
    }

    /** The definition of a template, with the symbols and the source lines of its sites. */
    private void define(RecordTemplate template) {
        AccessSite[] sites = template.sites();
        LoadedModule used = sites.length == 0 ? null : modules.at(sites[0].address());
        if (used != null) {
            modules.unrecorded().use(used, sites.length);
            builds.computeIfAbsent(used, LoadedModule::build);
        }
        templates.add(
                template.number(),
                atomics == null || template.isProbe() || sites.length == 0
                        ? sites
                        : atomics.marked(sites, used));
        for (AccessSite site : template.sites()) {
            define(site);
        }
        if (template.isProbe() && functions.haveValues()) {
            defineValues(template);
        }
    }

    private void defineValues(RecordTemplate template) {
        AccessSite site = template.site(0);
        LoadedModule module = modules.at(site.address());
        ElfSymbol function = module == null ? null : module.function(site.address());
        if (function == null || !functions.hasValues(module.elf(), function)) {
            return;
        }
        boolean enters = site.kind() == AccessKind.ENTER;
        Definition.Arguments told = FunctionValues.words(
                module, modules.debug(module), function, template.number(), enters);
        if (told != null) {
            arguments.add(told);
        }
    }

    /**
     * Defines anew what the templates of a module need that was unloaded and has come to the same
     * place: its templates are known, but the names at their sites were forgotten.
     */
    void defineAgain(LoadedModule module) {
        module.knownSites().forEach(this::define);
    }

    /** The symbol and the source line of a code word, once. */
    void define(long code) {
        modules.defineCode(CodeWord.inside(code), symbols);
        if (notes != null) {
            notes.place(CodeWord.inside(code));
        }
    }

    /** The symbol and the source line of a site; of a call also the symbol of what it calls. */
    private void define(AccessSite site) {
        define(site.address());
        LoadedModule module = site.kind() == AccessKind.STORE && notes != null
                ? modules.at(site.address())
                : null;
        long target = module == null ? 0 : module.callTarget(site.address());
        if (target != 0) {
            modules.defineCode(target, symbols);
        }
    }

    /** Hands everything over if there is much; whether that was so. */
    boolean flushWhenLong() {
        boolean full = events.isFull();
        if (full) {
            flush();
        }
        return full;
    }

    /** Hands everything over to the sink. */
    void flush() {
        flushDefinitions();
        flushEvents();
    }

    /** Hands definitions over if there are many; few wait for the events behind them. */
    void flushLongDefinitions() {
        if (maps.size() + symbols.size() >= LONG_DEFINITIONS) {
            flushDefinitions();
        }
    }

    void flushDefinitions() {
        if (!maps.isEmpty()) {
            write(maps.build(pid, 0));
        }
        if (!symbols.isEmpty()) {
            write(symbols.build(pid, 0));
        }
        if (!templates.isEmpty()) {
            write(templates.build(pid, 0));
        }
        if (!arguments.isEmpty()) {
            write(arguments.build(pid, 0));
        }
    }

    void flushEvents() {
        if (events.isEmpty()) {
            return;
        }
        flushDefinitions();
        if (notes != null) {
            notes.write(
                    pid,
                    this::write); // what the debug information says of the places in the events
        }
        long entered = events.enters();
        long left = events.leaves();
        EventCounts counts = new EventCounts(
                (int) events.loads(),
                (int) events.stores(),
                (int) (events.blocks() + entered + left),
                0);
        EventTally tally = new EventTally(events);
        Frame frame = events.build(pid);
        encoder.sample(mayMiss && sink.samples());
        if (lossy && counts.numbered() > 0 && sink.isBehind()) {
            lose(frame, counts);
            return;
        }
        told.add(tally);
        if (last == null) {
            write(frame);
        } else {
            attempt(() -> last.events(frame, tally, System.nanoTime()));
        }
    }

    /** Everything has come: what was kept of it is written. */
    void release() {
        flush();
        if (last != null) {
            attempt(last::release);
            attempt(sink::handOver);
        }
    }

    /** Gives a dump what was kept in memory. */
    void copyKept(FrameSink dump) throws IOException {
        if (last != null) {
            last.copy(dump);
        }
    }

    /** Gives a dump what only holds when it is written, such as the system calls being made. */
    static void writeRest(List<TraceEvent> rest, int pid, FrameSink dump) throws IOException {
        EventsFrame frame = new EventsFrame();
        rest.forEach(frame::event);
        if (!frame.isEmpty()) {
            dump.frame(frame.build(pid));
        }
    }

    /** Says what the frames hold that have been handed over, as META has it. */
    void tell(MetaFrame meta) {
        EventTally kept = kept();
        meta.add("loads", Long.toString(kept.loads())).add("stores", Long.toString(kept.stores()));
        for (BlockKind kind : BlockKind.values()) {
            meta.add(metaKey(kind), Long.toString(kept.blocks(kind)));
        }
        meta.add("allocations", kept.allocations());
        if (!kept.events().isEmpty()) {
            meta.add("events", kept.events());
        }
        if (calls) {
            meta.add("enters", Long.toString(kept.enters()))
                    .add("leaves", Long.toString(kept.leaves()));
        }
        if (last != null) {
            meta.add("last", last.extent().text())
                    .add("forgotten", Long.toString(last.forgotten().all()));
        }
        meta.add("modules", String.join(",", maps.modules()));
        meta.add(
                "builds",
                builds.values().stream()
                        .filter(build -> !build.isEmpty())
                        .distinct()
                        .collect(Collectors.joining("\n")));
    }

    /** The key of META for the number of such events. */
    public static String metaKey(BlockKind kind) {
        return switch (kind) {
            case COPY -> "copies";
            case STORE -> "block_stores";
            case FETCH -> "block_fetches";
        };
    }

    private void lose(Frame frame, EventCounts counts) {
        lostAccesses += (long) counts.loads() + counts.stores();
        lostBlocks += counts.blocks();
        events.ringEventsOf(frame);
    }

    /** Writes a frame behind everything handed over so far. */
    void write(Frame frame) {
        if (last == null) {
            attempt(() -> sink.frame(frame));
        } else {
            attempt(() -> last.frame(frame));
        }
    }

    /** Something that may fail to be written. */
    private interface Writing {
        void write() throws IOException;
    }

    private void attempt(Writing writing) {
        if (failure != null) {
            return;
        }
        try {
            writing.write();
        } catch (IOException e) {
            failure = e;
        }
    }
}
