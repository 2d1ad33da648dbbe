package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.LineWriter;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.OwnSource;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.Map;

/**
 * Gives a line writer the events of a selection, with everything that it needs to name them. When
 * it has given as many as were wanted, {@link #enough} is true and nothing more comes.
 */
public final class EventFilter implements EventConsumer {
    private final Selection selection;
    private final LineWriter lines;
    private final AddressSpace space = new AddressSpace();
    private final Places places;
    private final MemberTypes types = new MemberTypes();
    /** Null if nobody asks for chains. */
    private final AllocationChains chains;

    private final DataObjectIndex data;
    private final NamedEvents events;
    private long next;
    private long window;
    private long given;

    /** @param own which lines events are charged to, where the selection is by line or file */
    public EventFilter(Selection selection, LineWriter lines, OwnSource own) {
        this(selection, lines, own, CallChain.SiteRule.INNER);
    }

    /**
     * As above.
     *
     * @param sites says by which frame of its chain tables name a block, which may be selected so
     */
    public EventFilter(
            Selection selection, LineWriter lines, OwnSource own, CallChain.SiteRule sites) {
        this.selection = selection;
        this.lines = lines;
        this.places = new Places(space, own);
        this.chains = sites == CallChain.SiteRule.INNER
                ? null
                : new AllocationChains(places, types, sites, false);
        this.data = new DataObjectIndex(space, places, types, chains);
        if (chains != null) {
            chains.neighbours(data);
        }
        this.events = new NamedEvents(places, data);
    }

    /** Returns whether all lines that were wanted are there. */
    public boolean enough() {
        return selection.count() >= 0 && given >= selection.count()
                || selection.to() >= 0 && next > selection.to() + 1;
    }

    /** Lines given. */
    public long given() {
        return given;
    }

    @Override
    public void meta(Map<String, String> values) {
        selection.thread().meta(values);
        lines.meta(values);
    }

    @Override
    public void define(Definition definition) {
        places.define(definition);
        types.define(definition);
        data.define(definition);
        lines.define(definition);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        next = number + 1;
        data.stack().access(thread, site, address);
        if (wanted(store ? 'S' : 'L', thread) && wanted(site, address)) {
            given++;
            lines.access(number, thread, site, store, address);
        } else {
            lines.follow(thread, site, address);
        }
    }

    private boolean wanted(char letter, int thread) {
        return selection.number(next - 1)
                && selection.window(window)
                && !enough()
                && selection.letter(letter)
                && selection.thread(thread);
    }

    private boolean wanted(AccessSite site, long address) {
        return (!selection.selectsCode() || selection.code(places.of(site)))
                && (!selection.selectsData()
                        || selection.data(data.at(places.of(site), address), address, site.size()));
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        next = number + 1;
        data.stack().transfer(thread);
        Place call = places.ofCall(code);
        if (wanted(kind.letter(), thread)
                && selection.code(call)
                && (side(call, to, length) || kind == BlockKind.COPY && side(call, from, length))) {
            given++;
            lines.block(number, thread, kind, to, from, length, code);
        } else {
            lines.follow(thread);
        }
    }

    private boolean side(Place call, long address, long length) {
        return !selection.selectsData()
                || selection.data(data.transferred(call, address, length), address, length);
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        AccessSite site = template.site(0);
        next = number + 1;
        if (chains != null) {
            chains.call(thread, places.of(site), words[at]);
        }
        boolean shown = wanted(site.kind() == AccessKind.ENTER ? 'B' : 'X', thread)
                && !selection.selectsData()
                && (!selection.selectsCode() || selection.code(places.of(site)));
        given += shown ? 1 : 0;
        lines.silent(!shown);
        lines.call(number, thread, template, words, at);
    }

    @Override
    public void ring(TraceEvent event) {
        Allocation allocation = data.apply(event, next);
        if (allocation == null && chains != null) {
            chains.ring(event);
            if (event instanceof TraceEvent.OpenFunction open) {
                Place entry = places.ofEntry(open.function());
                chains.call(open.thread(), entry, open.stack());
            }
        }
        selection.thread().ring(event);
        window += event.type() == RingEventType.RECORD_START ? 1 : 0;
        boolean shown = selection.number(next)
                && selection.window(window)
                && !enough()
                && (allocation == null ? isTurn(event) || isEvent(event) : wanted(allocation));
        given += shown ? 1 : 0;
        lines.silent(!shown);
        lines.ring(event);
    }

    /** Returns whether a window opens or closes, and this is wanted. */
    private boolean isTurn(TraceEvent event) {
        boolean opens = event.type() == RingEventType.RECORD_START;
        return (opens || event.type() == RingEventType.RECORD_STOP)
                && selection.letter(opens ? 'O' : 'Q')
                && selection.thread(event.thread())
                && !selection.selectsData()
                && !selection.selectsCode()
                && lines.hasWindows();
    }

    /** Returns whether an event is printed by its words alone, and wanted. */
    private boolean isEvent(TraceEvent event) {
        NamedEvent named = events.of(event, next);
        return named != null && named.isIn(selection, window);
    }

    private boolean wanted(Allocation allocation) {
        return selection.letter(allocation.event().letter())
                && selection.thread(allocation.thread())
                && selection.code(allocation.call())
                && (!selection.selectsData()
                        || wanted(allocation.born())
                        || wanted(allocation.ended()));
    }

    private boolean wanted(DataObject block) {
        return block != null && selection.data(block, block.start(), block.end() - block.start());
    }

    @Override
    public void end(boolean complete) {
        lines.end(complete);
    }
}
