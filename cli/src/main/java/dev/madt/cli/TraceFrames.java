package dev.madt.cli;

import dev.madt.resolver.CodeWord;
import dev.madt.tracker.EventCounts;
import dev.madt.tracker.EventsFrame;
import dev.madt.tracker.Frame;
import dev.madt.tracker.FrameType;
import dev.madt.tracker.MapsFrame;
import dev.madt.tracker.Run;
import dev.madt.tracker.RunsFrame;
import dev.madt.tracker.Site;
import dev.madt.tracker.SymbolsFrame;
import java.io.IOException;

/**
 * The frames of one trace as they grow, and their way to the sink: definitions in front of the events that need them. When the sink fails,
 * everything behind is dropped and {@link #failure} says why.
 *
 * <p>A lossy one drops frames of events, and counts what was in them, while the disk is behind; ring events go into the next frame.
 */
final class TraceFrames {
    private final int pid;
    private final TraceFile sink;
    private final boolean lossy;
    private final boolean exactSize;
    private final ModuleTable modules;
    private final SourceNotes notes;
    private final MapsFrame maps = new MapsFrame();
    private final SymbolsFrame symbols = new SymbolsFrame();
    private final RunsFrame runs = new RunsFrame();
    private final EventsFrame events;
    private long loads;
    private long stores;
    private long blocks;
    private long lostAccesses;
    private long lostBlocks;
    private IOException failure;

    /** @param scope gets its definer here: {@link #define(Run)} */
    TraceFrames(int pid, RunOptions options, TraceFile sink, ModuleTable modules, TraceScope scope) {
        this.pid = pid;
        this.sink = sink;
        this.lossy = options.lossy();
        this.exactSize = options.maxSize() > 0;
        this.modules = modules;
        this.notes = sink.saves() ? new SourceNotes(modules) : null;
        this.events = new EventsFrame(new NativeRunEncoder(scope));
        scope.defineBy(this::define);
    }

    /** Takes changes of the address space. */
    MapsFrame maps() {
        return maps;
    }

    SymbolsFrame symbols() {
        return symbols;
    }

    /** Takes runs and ring events; {@link #flushWhenLong} is due after some. */
    EventsFrame events() {
        return events;
    }

    /** Null without a trace file. */
    SourceNotes notes() {
        return notes;
    }

    long loads() {
        return loads + events.loads();
    }

    long stores() {
        return stores + events.stores();
    }

    long blocks() {
        return blocks + events.blocks();
    }

    /** Loads and stores that were dropped. */
    long lostAccesses() {
        return lostAccesses;
    }

    long lostBlocks() {
        return lostBlocks;
    }

    /** Why nothing more is written, or null. */
    IOException failure() {
        return failure;
    }

    /** Nothing more is written, for this reason unless there is one. */
    void fail(IOException reason) {
        failure = failure == null ? reason : failure;
    }

    /** The definition of a run, with the symbols and the source lines of its sites. */
    private void define(Run run) {
        Site[] sites = modules.sites(run.number());
        runs.add(run.number(), sites);
        for (Site site : sites) {
            define(site.address());
        }
    }

    /** The symbol and the source line of a code word, once. */
    void define(long code) {
        modules.defineCode(CodeWord.inside(code), symbols);
        if (notes != null) {
            notes.place(CodeWord.inside(code));
        }
    }

    void flushWhenLong() {
        if (events.isFull()) {
            flush();
        }
    }

    /** Hands everything over to the sink. */
    void flush() {
        flushDefinitions();
        flushEvents();
    }

    void flushDefinitions() {
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

    void flushEvents() {
        if (events.isEmpty()) {
            return;
        }
        flushDefinitions();
        if (notes != null) {
            notes.write(pid, this::write); // what the debug information says of the places in the events
        }
        EventCounts counts = new EventCounts((int) events.loads(), (int) events.stores(), (int) events.blocks(), 0);
        Frame frame = events.build(pid);
        if (lossy && counts.numbered() > 0 && sink.isBehind()) {
            lose(frame, counts);
            return;
        }
        loads += counts.loads();
        stores += counts.stores();
        blocks += counts.blocks();
        write(frame);
    }

    private void lose(Frame frame, EventCounts counts) {
        lostAccesses += (long) counts.loads() + counts.stores();
        lostBlocks += counts.blocks();
        events.ringEventsOf(frame);
    }

    /** Writes a frame behind everything handed over so far. */
    void write(Frame frame) {
        if (failure != null) {
            return;
        }
        try {
            sink.frame(frame);
            if (exactSize && frame.type() == FrameType.EVENTS) {
                sink.await();
            }
        } catch (IOException e) {
            failure = e;
        }
    }
}
