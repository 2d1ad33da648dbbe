package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.DataIndex;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.Stretch;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.BlockEvents;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Which datum each address belongs to, the names being those of lines. Most look-ups end at what
 * the same instruction accessed last. Memory grows with the address space in use.
 */
class DatumIndex implements Neighbours {
    private static final int SWEEP = 1 << 12;

    private final AddressSpace space;
    private final Places places;
    private final MemberTypes types;
    private final AddressStates states = new AddressStates();
    private final DataIndex index;
    private final LongObjectHashMap<Datum> blocks = new LongObjectHashMap<>();
    private final LongObjectHashMap<Datum> variables = new LongObjectHashMap<>();
    private final LongObjectHashMap<Datum> regions = new LongObjectHashMap<>();
    private int sweepAt = SWEEP;
    /** Whether something may be remembered of symbols and regions. */
    private boolean asked;

    DatumIndex(AddressSpace space, Places places, MemberTypes types) {
        this.space = space;
        this.places = places;
        this.types = types;
        this.index = new DataIndex(space, states::changed);
    }

    /** When what places keep is true no more. */
    final AddressStates states() {
        return states;
    }

    /**
     * The datum at an address that the place accesses; the place {@link Place#holds} it if the next
     * access need not ask again.
     */
    Datum at(Place place, long address) {
        if (place.holds(address, states)) {
            return place.lastDatum;
        }
        ask();
        Stretch stretch = index.at(address);
        Datum datum = of(stretch, address);
        if (lasting(stretch) && !datum.dead()) {
            AddressRange range = new AddressRange();
            stretch.cut(range);
            keep(place, datum, address, range);
        } else {
            place.forget();
        }
        return datum;
    }

    /** Has a place keep what lies in a range around an address. */
    void keep(Place place, Datum datum, long address, AddressRange range) {
        place.keep(datum, datum.start(), address, range, states);
    }

    /** Whether nobody need be told that a place accesses what it holds at an address. */
    boolean touched(Place place, long address) {
        return true;
    }

    /** The datum at an address. */
    Datum at(long address) {
        ask();
        return of(index.at(address), address);
    }

    final Datum of(Stretch stretch, long address) {
        if (!lasting(stretch)) {
            return lookUp(stretch, address);
        }
        Datum datum = (Datum) stretch.note();
        if (datum == null) {
            datum = lookUp(stretch, address);
            stretch.note(datum);
        }
        return datum;
    }

    /**
     * Not so a variable without a size, which grows with each access, nor unmapped memory, where
     * each page is a datum.
     */
    private static boolean lasting(Stretch stretch) {
        AddressSpace.Symbol symbol = stretch.symbol();
        return symbol != null
                ? symbol.size() > 0
                : stretch.block() != null || stretch.region() != null;
    }

    /** The datum at an address; cuts the range to where it is the same. */
    final Datum at(long address, AddressRange same) {
        ask();
        Stretch stretch = index.at(address);
        if (lasting(stretch)) {
            stretch.cut(same);
        } else {
            same.cut(address, address);
        }
        return of(stretch, address);
    }

    /** The datum at an address of which so many bytes are accessed. */
    Datum at(long address, long length) {
        return at(address);
    }

    @Override
    public Datum around(long address) {
        return at(address);
    }

    @Override
    public Datum below(long address) {
        AddressRange same = new AddressRange();
        at(address, same);
        return same.start() == 0 || same.start() == same.end() ? null : ofHeap(same.start() - 1);
    }

    @Override
    public Datum above(long address) {
        AddressRange same = new AddressRange();
        at(address, same);
        return same.start() == same.end() ? null : ofHeap(same.end());
    }

    @Override
    public Place call(long word) {
        return places.ofCall(word);
    }

    private Datum ofHeap(long address) {
        Datum datum = at(address);
        return datum.block() == null || datum.block().kind().mapping() ? null : datum;
    }

    private Datum lookUp(Stretch stretch, long address) {
        if (stretch.block() != null) {
            return of(stretch.block(), null);
        }
        AddressSpace.Symbol symbol = stretch.symbol();
        return symbol != null ? variable(symbol, address) : rest(stretch.region(), address);
    }

    private Datum variable(AddressSpace.Symbol symbol, long address) {
        Datum datum = variables.get(symbol.address());
        if (datum == null) {
            long end = symbol.address() + symbol.size();
            datum = Datum.variable(
                    symbol.address(),
                    end,
                    symbol.text(),
                    space.label(address),
                    types.nameOfVariable(symbol.address()));
            variables.put(symbol.address(), datum);
        }
        datum.reach(address);
        return datum;
    }

    private Datum rest(AddressSpace.Region region, long address) {
        long start = region == null ? address & -4096 : region.start();
        Datum datum = regions.get(start);
        if (datum == null) {
            datum = region == null
                    ? Datum.rest(start, start + 4096, "[?]")
                    : Datum.rest(start, region.end(), region.label());
            regions.put(start, datum);
        }
        return datum;
    }

    /**
     * The datum of a block in its present state; {@code endCall}: the call that has just ended it.
     */
    private Datum of(Block block, Place endCall) {
        Datum known = blocks.get(block.number());
        if (known != null && known.block().life() == block.life()) {
            return known;
        }
        if (known != null && block.live() && known.former() != null) {
            known = known.former();
        } else if (block.live()) {
            known = live(block);
        } else {
            known = Datum.dead(block, known == null ? live(block) : known, endCall);
        }
        blocks.put(block.number(), known);
        return known;
    }

    /** What blocks hold that a call's code word allocated; null if that is not known. */
    final String typeOf(long code) {
        return types.nameOfBlocks(code);
    }

    private Datum live(Block block) {
        return Datum.live(
                block,
                places.ofCall(block.code()),
                space.label(block.address()),
                typeOf(block.code()));
    }

    /** Whether an address may be other data behind a definition. */
    static boolean isChangedBy(Definition definition) {
        return !(definition instanceof Definition.Source
                || definition instanceof Definition.Type
                || definition instanceof Definition.BlockType
                || definition instanceof Definition.Symbol symbol && symbol.code());
    }

    /** Takes a definition that the address space and the types have taken. */
    void define(Definition definition) {
        if (isChangedBy(definition)) {
            spaceChanged();
        }
    }

    /** Something is about to be remembered of symbols and regions. */
    final void ask() {
        asked = true;
    }

    /**
     * What is remembered of symbols and regions holds no more. Of a module with many symbols, which
     * come one by one, only the first one is work.
     */
    void spaceChanged() {
        if (asked) {
            asked = false;
            variables.clear();
            regions.clear();
            index.forget();
            states.allChanged();
        }
    }

    /** Where the block begins that was found last, of blocks that go by site. */
    long start() {
        return 0;
    }

    /** What is left of blocks at the end of the trace. */
    void end() {}

    /**
     * Follows an event without telling the view of an {@link Allocation}; false if that must be
     * done, and nothing has happened.
     */
    boolean follow(TraceEvent event, long number) {
        return false;
    }

    /** Follows an event. Null if it is none that allocates or frees. */
    Allocation apply(TraceEvent event, long next) {
        AllocationEvent line = index.apply(event);
        if (line == null) {
            if (event.type() == RingEventType.REALLOC_BEGIN) {
                bury((TraceEvent.Allocation) event);
            }
            return null;
        }
        Place call = places.ofCall(line.code());
        boolean ended = line.old() != null && !line.old().live();
        Datum dead = ended ? of(line.old(), call) : null;
        Datum born = line.block() == null ? null : of(line.block(), null);
        sweepWhenLarge();
        return new Allocation(line, event.thread(), next, call, born, dead, null);
    }

    /** Who accesses a block while realloc has it finds that it has ended there. */
    private void bury(TraceEvent.Allocation event) {
        Block block = index.blocks().find(event.old());
        if (block != null && !block.live() && block.address() == event.old()) {
            of(block, places.ofCall(event.code()));
        }
    }

    /**
     * Follows an INHERIT event. The block's datum if it is alive and new: a block in pieces has an
     * event for each.
     */
    Datum inherit(TraceEvent.Inherit event) {
        index.apply(event);
        Block block = BlockEvents.inherited(event);
        boolean known = block == null || !block.live() || blocks.containsKey(block.number());
        return known ? null : of(block, null);
    }

    /** Forgets blocks whose addresses have gone to others. */
    private void sweepWhenLarge() {
        if (blocks.size() < sweepAt) {
            return;
        }
        for (long number : blocks.keySet().toArray()) {
            Block block = index.blocks().find(blocks.get(number).start());
            if (block == null || block.number() != number) {
                blocks.remove(number);
            }
        }
        sweepAt = Math.max(SWEEP, 2 * blocks.size());
    }
}
