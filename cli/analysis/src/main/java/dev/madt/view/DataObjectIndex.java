package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.DataIndex;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.resolver.line.NamedRange;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.BulkTransfers;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which data object each address belongs to, the names being those of lines. Most look-ups end
 * at what the same instruction accessed last. Memory grows with the address space in use.
 */
class DataObjectIndex implements Neighbours {
    private static final int SWEEP = 1 << 12;

    private final AddressSpace space;
    private final Places places;
    private final MemberTypes types;
    private final AddressStates states = new AddressStates();
    private final DataIndex index;
    private final LongObjectHashMap<DataObject> blocks = new LongObjectHashMap<>();
    private final LongObjectHashMap<DataObject> variables = new LongObjectHashMap<>();
    private final LongObjectHashMap<DataObject> regions = new LongObjectHashMap<>();
    private final StackData stack;
    /** Null if nobody asks for chains. */
    final AllocationChains chains;

    private CallChain birth;
    private long toldType;
    private int sweepAt = SWEEP;
    /** Says whether something may be remembered of symbols and regions. */
    private boolean asked;

    /** @param chains null: nobody asks how blocks came to be */
    DataObjectIndex(AddressSpace space, Places places, MemberTypes types, AllocationChains chains) {
        this.space = space;
        this.places = places;
        this.types = types;
        this.chains = chains;
        this.index = new DataIndex(space, states::changed);
        this.stack = new StackData(space, types, states);
    }

    /** Returns what follows the frames on stacks. */
    final StackData stack() {
        return stack;
    }

    /** Returns what says when what places keep is true no more. */
    final AddressStates states() {
        return states;
    }

    /**
     * The data object at an address that the place accesses; the place {@link Place#holds} it if
     * the next access need not ask again.
     */
    DataObject at(Place place, long address) {
        if (place.holds(address, states)) {
            return place.lastObject;
        }
        DataObject plain = onPlainStack(place, address);
        if (plain != null) {
            return plain;
        }
        ask();
        NamedRange named = index.at(address);
        DataObject object = of(named, address);
        if (object.kind() == DataObject.Kind.REGION && !stack.isEmpty()) {
            DataObject local = onStack(place, address, object);
            if (local != null) {
                return local;
            }
        }
        if (lasting(named) && !object.dead()) {
            AddressRange range = new AddressRange();
            named.cut(range);
            keep(place, object, address, range);
        } else {
            place.forget();
        }
        return object;
    }

    /**
     * Returns what a place accesses at an address where the rest of a region is; the variable there
     * if one is known. Null if it is the rest, for as long as nothing changes there.
     */
    final DataObject onStack(Place place, long address, DataObject rest) {
        DataObject local = stack.at(place, address, rest.region());
        if (local != null) {
            return keep(place, address, local);
        }
        if (stack.varies(place, address)) {
            AddressRange same = new AddressRange();
            same.cut(address, address + Math.max(1, place.size()));
            place.keepInFrames(rest, same, states);
            return rest;
        }
        return null;
    }

    /** Returns the variable that a place accesses where no blocks can be; null if none is known. */
    final DataObject onPlainStack(Place place, long address) {
        String region = stack.plain(address);
        DataObject local = region == null ? null : stack.at(place, address, region);
        return local == null ? null : keep(place, address, local);
    }

    private DataObject keep(Place place, long address, DataObject local) {
        AddressRange same = new AddressRange();
        same.cut(local.start(), local.end());
        if (stack.varies(place, address)) {
            place.keepInFrames(local, same, states);
        } else {
            place.keep(local, local.start(), address, same, states);
        }
        return local;
    }

    /** Returns what a call transfers at an address. */
    final DataObject transferred(Place call, long address, long length) {
        DataObject object = at(address, length);
        DataObject local = object.kind() == DataObject.Kind.REGION && !stack.isEmpty()
                ? stack.at(call, address, object.region())
                : null;
        return local == null ? object : local;
    }

    /** Has a place keep what lies in a range around an address. */
    void keep(Place place, DataObject object, long address, AddressRange range) {
        place.keep(object, object.start(), address, range, states);
    }

    /** Returns whether nobody need be told that a place accesses what it holds at an address. */
    boolean touched(Place place, long address) {
        return true;
    }

    /** The data object at an address. */
    DataObject at(long address) {
        ask();
        return of(index.at(address), address);
    }

    final DataObject of(NamedRange named, long address) {
        if (!lasting(named)) {
            return lookUp(named, address);
        }
        DataObject object = (DataObject) named.note();
        if (object == null) {
            object = lookUp(named, address);
            named.note(object);
        }
        return object;
    }

    /**
     * Not so a variable without a size, which grows with each access, nor unmapped memory, where
     * each page is a data object.
     */
    private static boolean lasting(NamedRange named) {
        AddressSpace.Symbol symbol = named.symbol();
        return symbol != null ? symbol.size() > 0 : named.block() != null || named.region() != null;
    }

    /** The data object at an address; cuts the range to where it is the same. */
    final DataObject at(long address, AddressRange same) {
        ask();
        NamedRange named = index.at(address);
        if (lasting(named)) {
            named.cut(same);
        } else {
            same.cut(address, address);
        }
        return of(named, address);
    }

    /** The data object at an address of which so many bytes are accessed. */
    DataObject at(long address, long length) {
        return at(address);
    }

    @Override
    public DataObject around(long address) {
        return at(address);
    }

    @Override
    public DataObject given(int thread, long word, long address) {
        DataObject object = at(address);
        DataObject local = object.kind() == DataObject.Kind.REGION && !stack.isEmpty()
                ? stack.given(thread, places.ofCall(word), address, object.region())
                : null;
        return local == null ? object : local;
    }

    @Override
    public DataObject below(long address) {
        AddressRange same = new AddressRange();
        at(address, same);
        return same.start() == 0 || same.start() == same.end() ? null : ofHeap(same.start() - 1);
    }

    @Override
    public DataObject above(long address) {
        AddressRange same = new AddressRange();
        at(address, same);
        return same.start() == same.end() ? null : ofHeap(same.end());
    }

    @Override
    public Place call(long word) {
        return places.ofCall(word);
    }

    private DataObject ofHeap(long address) {
        DataObject object = at(address);
        return object.block() == null || object.block().kind().mapping() ? null : object;
    }

    private DataObject lookUp(NamedRange named, long address) {
        if (named.block() != null) {
            return of(named.block(), null);
        }
        AddressSpace.Symbol symbol = named.symbol();
        return symbol != null ? variable(symbol, address) : rest(named.region(), address);
    }

    private DataObject variable(AddressSpace.Symbol symbol, long address) {
        DataObject object = variables.get(symbol.address());
        if (object == null) {
            long end = symbol.address() + symbol.size();
            object = DataObject.variable(
                    end, symbol, space.label(address), types.nameOfVariable(symbol.address()));
            variables.put(symbol.address(), object);
        }
        object.reach(address);
        return object;
    }

    private DataObject rest(AddressSpace.Region region, long address) {
        long start = region == null ? address & -4096 : region.start();
        DataObject object = regions.get(start);
        if (object == null) {
            object = region == null
                    ? DataObject.rest(start, start + 4096, "[?]")
                    : DataObject.rest(start, region.end(), region.label());
            regions.put(start, object);
        }
        return object;
    }

    /**
     * The data object of a block in its present state; {@code endCall}: the call that has just
     * ended it.
     */
    private DataObject of(Block block, Place endCall) {
        DataObject known = blocks.get(block.number());
        if (known != null && known.block().life() == block.life()) {
            return known;
        }
        if (known != null && block.live() && known.former() != null) {
            known = known.former();
        } else if (block.live()) {
            known = live(block);
        } else {
            known = DataObject.dead(block, known == null ? live(block) : known, endCall);
        }
        blocks.put(block.number(), known);
        return known;
    }

    /** Returns what blocks hold that a call's code word allocated; null if that is not known. */
    final String typeOf(long code) {
        return types.nameOfBlocks(code);
    }

    private DataObject live(Block block) {
        DataObject made = DataObject.live(
                block,
                places.ofCall(block.code()),
                space.label(block.address()),
                typeOf(block.code()));
        DataObject described = birth == null ? made : chains.describe(made, birth);
        return toldType == 0
                ? described
                : described.typed(toldType, types.nameOfTold(toldType, block.size()));
    }

    /**
     * Returns the address of the type that an allocator has told of a new block; 0 if it has told
     * none.
     */
    static long toldType(TraceEvent event) {
        return event instanceof TraceEvent.Allocation allocation ? allocation.goType() : 0;
    }

    /** Returns the calls that led to an event; null: unknown, or nobody asks. */
    final CallChain chainOf(TraceEvent event) {
        return chains != null && event instanceof TraceEvent.Allocation allocation
                ? chains.of(allocation)
                : null;
    }

    /** Returns whether an address may be other data behind a definition. */
    static boolean isChangedBy(Definition definition) {
        return !(definition instanceof Definition.Source
                || definition instanceof Definition.Type
                || definition instanceof Definition.BlockType
                || definition instanceof Definition.InFrame
                || definition instanceof Definition.FrameScope
                || definition instanceof Definition.CodeScope
                || definition instanceof Definition.CallSite
                || definition instanceof Definition.Symbol symbol && symbol.code());
    }

    /** Takes a definition that the address space and the types have taken. */
    void define(Definition definition) {
        stack.define(definition);
        if (isChangedBy(definition)) {
            spaceChanged();
        }
    }

    /** Something is about to be remembered of symbols and regions. */
    final void ask() {
        asked = true;
    }

    /**
     * Forgets what is remembered of symbols and regions. Of a module with many symbols, which come
     * one by one, only the first one is work.
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

    /** Returns where the block begins that was found last, of blocks that go by site. */
    long start() {
        return 0;
    }

    /** Takes what is left of blocks at the end of the trace. */
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
            if (event.type() == RingEventType.REALLOC_BEGIN
                    || event.type() == RingEventType.NAMED_REALLOC_BEGIN) {
                bury((TraceEvent.Allocation) event);
            }
            return null;
        }
        Place call = places.ofCall(line.code());
        // a realloc that fails leaves a block alive that had ended as it began
        DataObject old = line.old() == null ? null : of(line.old(), call);
        DataObject dead = old == null || line.old().live() ? null : old;
        CallChain chain = chainOf(event);
        birth = chain;
        toldType = toldType(event);
        DataObject born = line.block() == null ? null : of(line.block(), null);
        birth = null;
        toldType = 0;
        sweepWhenLarge();
        return new Allocation(line, event.thread(), next, call, born, dead, chain, null);
    }

    /**
     * Ends a block where realloc has it: whoever accesses it meanwhile finds that it has ended
     * there.
     */
    private void bury(TraceEvent.Allocation event) {
        Block block = index.blocks().find(event.old());
        if (block != null && !block.live() && block.address() == event.old()) {
            of(block, places.ofCall(event.code()));
        }
    }

    /**
     * Follows an INHERIT event. The block's data object if it is alive and new: a block in pieces
     * has an event for each.
     */
    DataObject inherit(TraceEvent.Inherit event) {
        index.apply(event);
        Block block = BulkTransfers.inherited(event);
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
