package dev.madt.resolver.line;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.TraceClock;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Writes the lines of the MadT paper (section on the trace format; docs/FORMAT.md has the letters):
 * one symbolic line, one raw line or both for each access, bulk transfer, allocation event and
 * other event that has a line, in their order. Every method may throw
 * {@link java.io.UncheckedIOException} when the stream fails.
 */
public final class LineWriter implements EventConsumer {
    private static final byte[] NOTHING = "(nil)".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TIME = ",t=".getBytes(StandardCharsets.UTF_8);

    private final LineBuffer line;
    private boolean ended;
    private final LineOptions options;
    private final AddressSpace space;
    private final DataIndex index;
    private final FieldNames fields;
    private final SourcePlaces places;
    private final DataNames names;
    private final SiteLines sites;
    private final OpenFrames frames;
    private final StackPlaces stacks;
    private final AccessLines accesses;
    private final CallLines calls;
    private final EventLines events;
    private final RecordingWindows windows;
    private TraceClock clock;
    private boolean silent;

    public LineWriter(OutputStream out, LineOptions options) {
        this(out, options, LineDetail.PLAIN);
    }

    /** Writes lines that say more. */
    public LineWriter(OutputStream out, LineOptions options, LineDetail detail) {
        this.line = new LineBuffer(out);
        this.options = options;
        this.space = new AddressSpace(detail.names());
        this.fields = detail.fields() ? new FieldNames() : null;
        this.places = new SourcePlaces(detail);
        this.index = new DataIndex(space);
        this.names = new DataNames(space, index, fields);
        this.windows = new RecordingWindows(space);
        this.frames = new OpenFrames(space);
        MemberTypes types = fields == null ? null : fields.types();
        this.stacks = new StackPlaces(frames, types);
        this.sites = new SiteLines(space, places, frames, types);
        this.accesses = new AccessLines(line, options, index, names, sites, stacks);
        this.events = new EventLines(line, options, space, names, places);
        this.calls = new CallLines(line, options, space, index, names, places, detail.tree());
    }

    /** Returns the letters of lines that are the words of events alone. */
    public static String lettersOfEvents() {
        return EventLines.letters();
    }

    /** While silent, allocation events and calls are followed but have no lines. */
    public void silent(boolean on) {
        silent = on;
    }

    /** Passes on every line so far. */
    public void flush() {
        line.flush();
    }

    /** Returns whether the trace is at its end: nothing more will be written. */
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public void meta(Map<String, String> values) {
        windows.meta(values);
        events.meta(values);
        TraceClock told = TraceClock.of(values);
        clock = told == null ? clock : told;
        calls.clock(told);
    }

    @Override
    public void define(Definition definition) {
        space.define(definition);
        frames.define(definition);
        calls.spaceChanged();
        if (definition instanceof Definition.Arguments arguments) {
            calls.define(arguments);
        }
        if (fields != null) {
            fields.types().define(definition);
        }
        boolean renamed = definition instanceof Definition.Source it
                ? places.put(it)
                : definition instanceof Definition.RegionsForgotten
                        || definition instanceof Definition.SymbolsForgotten;
        if (renamed) {
            sites.clear();
            calls.clear();
        }
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        accesses.record(number, thread, template, addresses, from);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        accesses.access(number, thread, site, store, address);
    }

    /** Takes an access that has no line: it may say which frames are open on its stack. */
    public void follow(int thread, AccessSite site, long address) {
        stacks.access(thread, site, address);
    }

    /** Takes a bulk transfer that has no line. */
    public void follow(int thread) {
        stacks.transfer(thread);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        if (options.symbolic()) {
            stacks.transfer(thread);
            head(kind.letter(), '$', number);
            side(thread, code, to, length);
            if (kind == BlockKind.COPY) {
                line.character(',');
                side(thread, code, from, length);
            }
            blockEnd(kind, to, from, length);
            space.appendCode(line, code);
            endLine(code);
        }
        if (options.raw()) {
            head(kind.letter(), '#', number);
            line.hexadecimal(to);
            if (kind == BlockKind.COPY) {
                line.character(',');
                line.hexadecimal(from);
            }
            blockEnd(kind, to, from, length);
            line.hexadecimal(CodeWord.address(code));
            endLine(code);
        }
    }

    private void side(int thread, long code, long address, long length) {
        if (!stacks.append(line, index.at(address), thread, code, address, length)) {
            names.append(line, address, length);
        }
    }

    private void blockEnd(BlockKind kind, long to, long from, long length) {
        line.character(',');
        line.decimal(length);
        line.character(',');
        region(to);
        if (kind == BlockKind.COPY) {
            line.character(',');
            region(from);
        }
        line.character(',');
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        calls.call(number, thread, template, words, at, !silent);
    }

    @Override
    public void ring(TraceEvent event) {
        if (event.type().isPrintedByWords()) {
            events.event(event, clock, !silent);
            return;
        }
        events.follow(event);
        if (event instanceof TraceEvent.Pause pause) {
            calls.pause(pause);
        }
        if (event instanceof TraceEvent.OpenFunction open) {
            calls.open(open);
            return;
        }
        if (event instanceof TraceEvent.Span) {
            return;
        }
        if (event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END) {
            calls.thread(event.thread());
        }
        if (event instanceof TraceEvent.Recording turned) {
            calls.window(turned);
        }
        window(windows.turn(event));
        AllocationEvent allocation = index.apply(event);
        calls.spaceChanged();
        if (allocation == null || silent) {
            return;
        }
        if (options.symbolic()) {
            head(allocation.letter(), '$', allocation.number());
            symbolic(allocation);
            endAllocation(allocation.code());
        }
        if (options.raw()) {
            head(allocation.letter(), '#', allocation.number());
            raw(allocation);
            endAllocation(allocation.code());
        }
    }

    /**
     * Returns whether windows have lines; those that the program's own markers open, or that are
     * the whole run, have none.
     */
    public boolean hasWindows() {
        return !windows.isWhole() && !windows.isMarked();
    }

    private void window(RecordingWindows.Turn turn) {
        if (turn == null || silent || !hasWindows()) {
            return;
        }
        if (options.symbolic()) {
            head(turn.letter(), '$', turn.number());
            line.text(turn.cause().getBytes(StandardCharsets.UTF_8));
            if (clock != null) {
                line.text(TIME);
                line.decimal(clock.time(turn.time()));
            }
            line.endLine();
        }
        if (options.raw()) {
            head(turn.letter(), '#', turn.number());
            line.text(turn.cause().getBytes(StandardCharsets.UTF_8));
            line.character(',');
            line.decimal(turn.time());
            line.endLine();
        }
    }

    private void symbolic(AllocationEvent event) {
        switch (event.letter()) {
            case 'F', 'U' -> {
                old(event);
                if (event.letter() == 'U') {
                    line.character(',');
                    line.decimal(event.oldSize());
                }
                line.character(',');
                space.appendCode(line, event.code());
            }
            default -> {
                line.text(event.block() == null ? NOTHING : names.name(event.block()));
                line.character(',');
                line.decimal(event.size());
                if (event.letter() == 'R' || event.letter() == 'E') {
                    line.character(',');
                    old(event);
                }
            }
        }
    }

    private void old(AllocationEvent event) {
        Block block = event.old();
        if (block != null) {
            line.text(names.name(block));
        } else if (event.oldAddress() == 0) {
            line.text(NOTHING);
        } else {
            space.appendInRegion(line, event.oldAddress());
        }
    }

    private void raw(AllocationEvent event) {
        boolean ends = event.letter() == 'F' || event.letter() == 'U';
        line.hexadecimal(ends ? event.oldAddress() : event.address());
        if (event.letter() != 'F') {
            line.character(',');
            line.decimal(ends ? event.oldSize() : event.size());
        }
        if (event.letter() == 'R' || event.letter() == 'E') {
            line.character(',');
            line.hexadecimal(event.oldAddress());
        }
        line.character(',');
        line.hexadecimal(CodeWord.address(event.code()));
    }

    private void head(char letter, char form, long number) {
        line.character(letter);
        line.character(form);
        line.decimal(number);
        line.character(':');
    }

    private void endAllocation(long code) {
        places.appendOwn(line, code);
        line.endLine();
    }

    private void endLine(long code) {
        places.append(line, code);
        line.endLine();
    }

    private void region(long address) {
        space.appendLabel(line, address);
    }

    @Override
    public void end(boolean complete) {
        flush();
        ended = true;
    }
}
