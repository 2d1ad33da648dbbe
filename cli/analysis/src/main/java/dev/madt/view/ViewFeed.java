package dev.madt.view;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Feeds a view with the events of a trace: names places and data, and gathers accesses into
 * batches.
 */
public final class ViewFeed implements EventConsumer {
    private static final String GO_ALLOCATOR = "runtime.mallocgc";
    private static final long BELIEVED = 1 << 16;
    private static final int MOST_REGIONS = 100;

    private final Analysis view;
    private final AddressSpace space;
    private final Places places;
    private final DataObjectIndex data;
    private final MemberTypes types;
    /** Null if nobody asks for chains. */
    private final AllocationChains chains;

    private final NamedEvents events;
    private final AccessCounter counter;
    private final boolean transfers;
    private final RecordCounts counts;
    private final Accesses batch = new Accesses();
    /** Null if all code matters. */
    private final Predicate<Place> code;
    /** Null if all memory matters. */
    private final Needs.Memory memory;

    private long next;
    private boolean calls;
    private boolean accesses;
    private boolean heap;
    private boolean ofGo;
    private boolean goBlocks;

    /** Functions and variables have the names that the linker knows. */
    public ViewFeed(Analysis view) {
        this(view, Demangler.NONE);
    }

    /** Functions and variables have the names that the demangler makes of the linker's. */
    public ViewFeed(Analysis view, Demangler demangler) {
        this(view, demangler, null);
    }

    /**
     * @param types learns what the trace knows of types, unless it is null; the data know theirs
     *     anyway
     */
    public ViewFeed(Analysis view, Demangler demangler, MemberTypes types) {
        this(view, demangler, types, OwnSource.USUAL);
    }

    /**
     * As above.
     *
     * @param own which lines accesses are charged to
     */
    public ViewFeed(Analysis view, Demangler demangler, MemberTypes types, OwnSource own) {
        this(view, demangler, types, own, CallChain.SiteRule.INNER);
    }

    /**
     * As above.
     *
     * @param sites says by which frame of its chain tables name a block
     */
    public ViewFeed(
            Analysis view,
            Demangler demangler,
            MemberTypes types,
            OwnSource own,
            CallChain.SiteRule sites) {
        Needs needs = view.needs();
        needs.begin();
        this.view = view;
        this.counter = needs.counter();
        this.types = types == null ? new MemberTypes() : types;
        this.space = new AddressSpace(demangler);
        this.places = new Places(space, own);
        this.chains = needs.chains() || sites != CallChain.SiteRule.INNER
                ? new AllocationChains(places, this.types, sites, needs.chains())
                : null;
        this.data = needs.blocksBySite()
                ? new SiteIndex(space, places, this.types, chains, view, needs)
                : new DataObjectIndex(space, places, this.types, chains);
        if (chains != null) {
            chains.neighbours(data);
        }
        this.transfers = counter == null || counter.takesTransfers();
        this.code = needs.touches() == null ? needs.code() : null;
        this.memory = needs.touches() == null ? needs.memory() : null;
        this.counts = counter == null
                ? null
                : new RecordCounts(counter, places, data, needs.touches() != null, this);
        this.events = new NamedEvents(places, needs.listsEvents() ? data : null);
        view.neighbours(data);
        view.stacks(chains == null ? CallChain.Source.NONE : chains::chainOf);
    }

    @Override
    public void meta(Map<String, String> values) {
        flush();
        calls |= values.containsKey("calls");
        if (chains != null) {
            chains.meta(values);
        }
        events.meta(values);
        view.meta(values);
    }

    @Override
    public void define(Definition definition) {
        if (DataObjectIndex.isChangedBy(definition)) {
            flush();
        }
        places.define(definition);
        types.define(definition);
        data.define(definition);
        if (definition instanceof Definition.Region region) {
            view.mapped(region.kind(), region.start(), region.end(), region.label());
        }
        ofGo |= definition instanceof Definition.Symbol symbol
                && symbol.name().equals(GO_ALLOCATOR);
    }

    /** Returns the number behind the last access or bulk transfer so far. */
    long next() {
        return next;
    }

    /** Returns whether the trace has had source lines so far. */
    public boolean hasSources() {
        return places.hasSources();
    }

    /** Returns whether the trace has had calls so far, and nothing of accesses. */
    public boolean hasOnlyCalls() {
        return calls && !accesses;
    }

    /** Returns whether the trace has had a block of a heap so far, or its end. */
    public boolean hasHeap() {
        return heap;
    }

    /** Returns whether there have been blocks of Go's so far. */
    public boolean hasGoBlocks() {
        return goBlocks;
    }

    /** Returns whether Go's allocator has been at work so far, followed or not. */
    public boolean isOfGo() {
        return ofGo;
    }

    @Override
    public void rows(RecordRows rows) {
        if (counts == null) {
            rows.give(this);
            return;
        }
        accesses |= rows.hasRecords();
        flush();
        next = counts.rows(rows);
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        accesses = true;
        if (counts != null) {
            flush();
            next = counts.record(number, thread, places.of(template), addresses, from);
            return;
        }
        if (template.accesses() > Accesses.CAPACITY) {
            EventConsumer.super.record(number, thread, template, addresses, from);
            return;
        }
        TemplatePlaces known = places.of(template);
        if (memory != null) {
            known.look(memory, addresses, from);
        }
        if (known.elsewhere || code != null && known.isIdle(code)) {
            idle(number, thread, template, addresses, from);
            return;
        }
        begin(template.accesses(), number, thread);
        data.stack().record(thread, template, addresses, from);
        batch.add(known.places, addresses, from, data);
        next = batch.first() + batch.count();
    }

    /** Tells the view only how many accesses a record has. */
    private void idle(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        data.stack().record(thread, template, addresses, from);
        int made = template.made(addresses, from);
        view.idle(made);
        next = number + made;
    }

    @Override
    public void again(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        if (counts == null) {
            if (memory != null && places.of(template).elsewhere) {
                idle(number, thread, template, addresses, from);
            } else {
                record(number, thread, template, addresses, from);
            }
            return;
        }
        accesses = true;
        flush();
        next = counts.again(number, thread, places.of(template), addresses, from);
    }

    @Override
    public void passed(long number, int thread, long made) {
        accesses = true;
        view.idle(made);
        next = number + made;
    }

    /** Notes that what comes is behind all accesses and bulk transfers up to a number. */
    void endsAt(long number) {
        next = number;
    }

    /** Gives the view an access to a block after its end, which the counter is not told. */
    void dead(long number, int thread, Place place, long address) {
        batch.begin(number, thread);
        if (place.kind() != AccessKind.STORE) {
            batch.add(place, address, false, data);
        }
        if (place.kind() != AccessKind.LOAD) {
            batch.add(place, address, true, data);
        }
        flush();
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        accesses = true;
        begin(1, number, thread);
        data.stack().access(thread, site, address);
        batch.add(places.of(site), address, store, data);
        next = number + 1;
    }

    private void begin(int rows, long number, int thread) {
        if (batch.count() == 0) {
            batch.begin(number, thread);
        } else if (!batch.takes(rows, thread, number)) {
            flush();
            batch.begin(number, thread);
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        accesses = true;
        flush();
        next = number + 1;
        if (!transfers) {
            data.stack().transfer(thread);
            return;
        }
        boolean copy = kind == BlockKind.COPY;
        long reach = Math.min(reach(to, length), copy ? reach(from, length) : Long.MAX_VALUE);
        Place call = places.ofCall(code);
        data.stack().transfer(thread);
        DataObject source = copy ? data.transferred(call, from, reach) : null;
        long sourceStart = source == null ? 0 : source.isSite() ? data.start() : source.start();
        DataObject target = data.transferred(call, to, reach);
        long targetStart = target.isSite() ? data.start() : target.start();
        view.block(new BlockAccess(
                number,
                thread,
                kind,
                to,
                from,
                length,
                reach,
                call,
                target,
                source,
                targetStart,
                sourceStart));
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        flush();
        next = number + 1;
        call(thread, places.of(site), stack, time);
    }

    private void call(int thread, Place place, long stack, long time) {
        if (chains != null) {
            chains.call(thread, place, stack);
        }
        view.call(thread, place, stack, time);
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
    public void ring(TraceEvent event) {
        flush();
        if (event instanceof TraceEvent.Inherit block) {
            heap = true;
            inherit(block);
            return;
        }
        heap |= event.type().isOfHeap();
        goBlocks |= event.type() == RingEventType.GO_ALLOC;
        if (data.follow(event, next)) {
            return;
        }
        Allocation allocation = data.apply(event, next);
        if (allocation != null) {
            view.allocation(allocation);
        } else {
            NamedEvent named = events.of(event, next);
            if (named != null) {
                view.event(named);
            }
            if (chains != null) {
                chains.ring(event);
            }
            view.ring(event);
            if (event instanceof TraceEvent.OpenFunction open) {
                // as if it was entered: those around it are told first
                call(open.thread(), places.ofEntry(open.function()), open.stack(), 0);
            }
        }
    }

    private void inherit(TraceEvent.Inherit event) {
        DataObject block = data.inherit(event);
        if (block != null) {
            view.inherited(block, event.size());
        }
    }

    /** Tells the view everything that has come so far; more may come. */
    public void tell() {
        flush();
        if (counts != null) {
            counts.tell();
        }
    }

    @Override
    public void end(boolean complete) {
        tell();
        if (counts != null) {
            counter.behind(next);
        }
        data.end();
        view.end(complete);
    }

    void flush() {
        if (batch.count() > 0) {
            view.accesses(batch);
            batch.clear();
        }
    }
}
