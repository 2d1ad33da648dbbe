package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.Run;
import dev.madt.trace.event.Site;
import dev.madt.trace.layout.SharedLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Feeds a view with the events of a trace: names places and data, and gathers accesses into
 * batches.
 */
public final class ViewFeed implements EventConsumer {
    private static final long BELIEVED = 1 << 16;
    private static final int MOST_REGIONS = 100;

    private final TraceView view;
    private final AddressSpace space;
    private final Places places;
    private final DatumIndex data;
    private final MemberTypes types;
    private final AccessCounter counter;
    private final AddressStates states;
    private final boolean touching;
    private final Accesses batch = new Accesses();
    /** Runs that the counter has not been told all of. */
    private final List<RunPlaces> untold = new ArrayList<>();

    private long until = Long.MAX_VALUE;
    private int lastThread;
    private long lastAgain;
    private long next;

    /** Functions and variables have the names that the linker knows. */
    public ViewFeed(TraceView view) {
        this(view, Demangler.NONE);
    }

    /** Functions and variables have the names that the demangler makes of the linker's. */
    public ViewFeed(TraceView view, Demangler demangler) {
        this(view, demangler, null);
    }

    /**
     * @param types learns what the trace knows of types, unless it is null; the data know theirs
     *     anyway
     */
    public ViewFeed(TraceView view, Demangler demangler, MemberTypes types) {
        this.view = view;
        this.counter = view.counter();
        this.types = types == null ? new MemberTypes() : types;
        this.space = new AddressSpace(demangler);
        this.places = new Places(space);
        this.data = view.blocksBySite()
                ? new SiteIndex(space, places, this.types, view)
                : new DatumIndex(space, places, this.types);
        this.states = data.states();
        this.touching = view.touches() != null;
        view.neighbours(data);
    }

    @Override
    public void meta(Map<String, String> values) {
        flush();
        view.meta(values);
    }

    @Override
    public void define(Definition definition) {
        if (DatumIndex.isChangedBy(definition)) {
            flush();
        }
        places.define(definition);
        types.define(definition);
        data.define(definition);
        if (definition instanceof Definition.Region region) {
            view.mapped(region.kind(), region.start(), region.end(), region.label());
        }
    }

    /** Whether the trace has had source lines so far. */
    public boolean hasSources() {
        return places.hasSources();
    }

    @Override
    public void run(long number, int thread, Run run, long[] addresses, int from) {
        if (counter != null) {
            flush();
            turnTo(thread, number + run.loads() + run.stores());
            count(number, thread, places.of(run), addresses, from);
            return;
        }
        if (run.loads() + run.stores() > Accesses.CAPACITY) {
            EventConsumer.super.run(number, thread, run, addresses, from);
            return;
        }
        begin(run.loads() + run.stores(), number, thread);
        batch.add(places.of(run).places, addresses, from, data);
        next = batch.first() + batch.count();
    }

    @Override
    public void again(long number, int thread, Run run, long[] addresses, int from) {
        long behind = number + run.loads() + run.stores();
        if (counter == null || behind > until || thread != lastThread) {
            run(number, thread, run, addresses, from);
            return;
        }
        RunPlaces known = places.of(run);
        if (!known.hold(states)) {
            run(number, thread, run, addresses, from);
            return;
        }
        if (known.again()) {
            untold.add(known);
        }
        lastAgain = number;
        next = behind;
    }

    /**
     * What comes is by a thread, up to an access: the counter is told in front of it what it has to
     * know by then.
     */
    private void turnTo(int byThread, long behind) {
        if (behind > until || byThread != lastThread && counter.byThread()) {
            tell();
        }
        lastThread = byThread;
    }

    /** Tells the counter what was done again. */
    private void tell() {
        for (RunPlaces run : untold) {
            run.tell(counter, lastThread, lastAgain);
        }
        untold.clear();
    }

    private void count(long number, int byThread, RunPlaces run, long[] addresses, int from) {
        run.tell(counter, byThread, lastAgain);
        Place[] sites = run.places;
        boolean whole = true;
        long at = number;
        for (int i = 0; i < sites.length; i++) {
            long address = addresses[from + i];
            if (address == SharedLayout.WORD_NONE) {
                whole = false;
                continue;
            }
            Place place = sites[i];
            if (place.holds(address, states) && (!touching || data.touched(place, address))) {
                counter.access(at, byThread, place, place.lastDatum, address);
            } else {
                whole &= countElsewhere(at, byThread, place, address);
            }
            at += place.kind() == AccessKind.MODIFY ? 2 : 1;
        }
        run.counted(whole, states);
        until = counter.until();
        next = at;
    }

    /** Whether the place holds from here on what it accesses. */
    private boolean countElsewhere(long number, int thread, Place place, long address) {
        Datum datum = data.at(place, address);
        if (!datum.dead()) {
            counter.access(number, thread, place, datum, address);
            return place.holds(address, states);
        }
        batch.begin(number, thread);
        if (place.kind() != AccessKind.STORE) {
            batch.add(place, address, false, data);
        }
        if (place.kind() != AccessKind.LOAD) {
            batch.add(place, address, true, data);
        }
        flush();
        return false;
    }

    @Override
    public void access(long number, int thread, Site site, boolean store, long address) {
        begin(1, number, thread);
        batch.add(places.of(site), address, store, data);
        next = number + 1;
    }

    private void begin(int rows, long number, int thread) {
        if (batch.count() == 0) {
            batch.begin(number, thread);
        } else if (!batch.takes(rows, thread)) {
            flush();
            batch.begin(number, thread);
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        flush();
        next = number + 1;
        boolean copy = kind == BlockKind.COPY;
        long reach = Math.min(reach(to, length), copy ? reach(from, length) : Long.MAX_VALUE);
        Datum source = copy ? data.at(from, reach) : null;
        long sourceStart = source == null ? 0 : source.isSite() ? data.start() : source.start();
        Datum target = data.at(to, reach);
        long targetStart = target.isSite() ? data.start() : target.start();
        view.block(new BlockAccess(
                number,
                thread,
                kind,
                to,
                from,
                length,
                reach,
                places.ofCall(code),
                target,
                source,
                targetStart,
                sourceStart));
    }

    @Override
    public void call(long number, int thread, Site site, long stack, long time) {
        flush();
        next = number + 1;
    }

    /**
     * Bytes from an address on, up to the end of what is mapped there without a gap; short lengths
     * are believed.
     */
    private long reach(long address, long length) {
        long reach = BELIEVED;
        for (int i = 0; i < MOST_REGIONS && reach < length; i++) {
            AddressSpace.Region region = space.region(address + reach);
            if (region == null) {
                return Math.max(0, reach);
            }
            reach = region.end() - address;
        }
        return Math.max(0, Math.min(reach, length));
    }

    @Override
    public void ring(RingEvent event) {
        flush();
        if (event.type() == RingEventType.INHERIT) {
            inherit(event);
            return;
        }
        Allocation allocation = data.apply(event, next);
        if (allocation != null) {
            view.allocation(allocation);
        } else {
            view.ring(event);
        }
    }

    private void inherit(RingEvent event) {
        Datum block = data.inherit(event);
        if (block != null) {
            view.inherited(block, event.size());
        }
    }

    @Override
    public void end(boolean complete) {
        flush();
        tell();
        if (counter != null) {
            counter.behind(next);
        }
        data.end();
        view.end(complete);
    }

    private void flush() {
        if (batch.count() > 0) {
            view.accesses(batch);
            batch.clear();
        }
    }
}
