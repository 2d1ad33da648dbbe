package dev.madt.view;

import dev.madt.resolver.line.AddressSpace;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.AddressRange;
import dev.madt.tracker.BlockKeeper;
import dev.madt.tracker.BlockSites;
import dev.madt.tracker.BlockTable;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.BulkTransfers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.collections.impl.map.mutable.primitive.IntLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongIntHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Says which data object each address belongs to, where the live blocks of one call are one: what a
 * block is beyond that is in its row of the tracker's table, 24 bytes, or 32 where somebody is told
 * which bytes are accessed. Mappings and blocks that have ended are data of their own, as in {@link
 * DataObjectIndex}; of the latter only those that were accessed.
 */
final class SiteIndex extends DataObjectIndex {
    private static final int MOST_DEAD = 1 << 12;
    private static final int OUTSIDE = 1 << 6;
    private static final int OUTSIDE_BITS = 16;
    /** Of labels, names of regions, there are fewer than 1 << 16. */
    private static final int TYPE_SHIFT = 16;

    private final AddressSpace space;
    private final Places places;
    private final Analysis view;
    private final MemberTypes types;
    private final BlockTouch touches;
    private final BlockLives lives;
    private final BlockTracker tracker;
    /** The table of the block that was found last. */
    private BlockTable heap;

    private final BlockSites siteNumbers;
    private final List<DataObject> sites = new ArrayList<>();
    private final LongObjectHashMap<DataObject> mappings = new LongObjectHashMap<>();
    private final LongObjectHashMap<DataObject> dead = new LongObjectHashMap<>();
    /**
     * Regions' labels, each as long as the names of calls hold: a site keeps the name that its call
     * had.
     */
    private final Map<String, Integer> tags = new HashMap<>();

    private final List<String> labels = new ArrayList<>();
    private AddressSpace.Region tagged;
    private int tag = -1;
    /**
     * Says what a tag stands for.
     *
     * @param type the address of the type that the allocator told, or 0
     * @param several whether such a block holds several values
     */
    private record Origin(int label, CallChain chain, long type, boolean several) {}

    private final List<Origin> origins = new ArrayList<>();
    private final LongIntHashMap originNumbers = new LongIntHashMap();
    private CallChain chain;
    /** Of the block that the event at hand makes: what {@link Origin} has. */
    private long toldType;

    private boolean several;
    /** Numbers of such types, from 1 on. */
    private final LongIntHashMap toldTypes = new LongIntHashMap();
    /** The calls that have ended blocks, by their code words as long as their names hold. */
    private final LongIntHashMap endCallNumbers = new LongIntHashMap();

    private final List<Place> endCalls = new ArrayList<>();
    private int generation;
    /** Says whether an allocator by another name has given a block, which may lie in a module. */
    private boolean pools;
    /** Ranges that are in no module's data, by addresses that have been asked for. */
    private final AddressRange[] outside = new AddressRange[OUTSIDE];

    /** The block that each thread has allocated last. */
    private final IntLongHashMap newest = new IntLongHashMap();

    private long start;
    private long next;
    /** The block that the event at hand has ended: its site, -1 if there is none, and its life. */
    private int endedSite = -1;

    private long endedSize;
    private long endedBirth;
    private long endedNote;

    /** Holds what the table remembers of blocks. */
    private final class Keeper implements BlockKeeper {
        @Override
        public boolean notes() {
            return touches != null;
        }

        @Override
        public long birth(TraceEvent event) {
            return event.type() == RingEventType.INHERIT ? 0 : next;
        }

        @Override
        public long end(TraceEvent.Allocation event) {
            return endCall(event.code());
        }

        @Override
        public int tag(long address) {
            return originOf(tagOf(address));
        }

        @Override
        public void ended(int site, long size, long birth, long note) {
            endedSite = site;
            endedSize = size;
            endedBirth = birth;
            endedNote = note;
        }

        @Override
        public void replaced(int site, long size, long birth, long note) {
            view.replaced(site(site), new Allocation.Life(size, birth, note, false), next);
        }

        @Override
        public void lost(int site, long size, long note) {
            if (touches != null) {
                view.lost(site(site), size, note);
            }
        }
    }

    SiteIndex(
            AddressSpace space,
            Places places,
            MemberTypes types,
            AllocationChains chains,
            Analysis view,
            Needs needs) {
        super(space, places, types, chains);
        this.space = space;
        this.places = places;
        this.types = types;
        this.view = view;
        this.touches = needs.touches();
        this.lives = needs.lives();
        this.tracker = new BlockTracker(states()::changed, new Keeper());
        this.heap = tracker.heap();
        this.siteNumbers = tracker.sites();
        endCalls.add(null); // of blocks that had ended in front of all events
    }

    @Override
    DataObject at(Place place, long address) {
        if (place.holds(address, states()) && touched(place, address)) {
            start = place.lastStart;
            return place.lastObject;
        }
        DataObject plain = onPlainStack(place, address);
        if (plain != null) {
            return plain;
        }
        if (!mayBeBlock(address)) {
            return super.at(place, address);
        }
        AddressRange same = new AddressRange();
        DataObject object = find(address, place.size(), same);
        if (object.dead()) {
            place.forget();
            return object;
        }
        if (object.kind() == DataObject.Kind.REGION && !stack().isEmpty()) {
            DataObject local = onStack(place, address, object);
            if (local != null) {
                return local;
            }
        }
        place.keep(object, object.isSite() ? start : object.start(), address, same, states());
        if (touches != null && object.isSite()) {
            place.touchNote = heap.note();
            place.touchSize = heap.blockSize();
        }
        return object;
    }

    /** Of a module's data: what is elsewhere is kept where it is found. */
    @Override
    void keep(Place place, DataObject object, long address, AddressRange range) {
        AddressSpace.Region region = space.region(address);
        range.cut(region.start(), region.end());
        if (pools) {
            tracker.nested().find(address, range);
            super.keep(place, object, address, range);
        } else {
            place.keepOfModule(object, range, states());
        }
    }

    @Override
    boolean touched(Place place, long address) {
        if (touches == null || !place.lastObject.isSite()) {
            return true;
        }
        return place.size() == 0
                || touches.touch(
                                place.touchNote,
                                place.touchSize,
                                address - place.lastStart,
                                place.size())
                        == place.touchNote;
    }

    @Override
    DataObject at(long address) {
        return at(address, 0);
    }

    @Override
    DataObject at(long address, long length) {
        return mayBeBlock(address) ? find(address, length, new AddressRange()) : super.at(address);
    }

    @Override
    long start() {
        return start;
    }

    /**
     * Returns whether a block may have an address: it is in no module's data, or in what an
     * allocator by another name has given of that.
     */
    private boolean mayBeBlock(long address) {
        int slot = (int) (address >>> OUTSIDE_BITS) & OUTSIDE - 1;
        AddressRange known = outside[slot];
        if (known != null
                && Long.compareUnsigned(address - known.start(), known.end() - known.start()) < 0) {
            return true;
        }
        AddressSpace.Region region = space.region(address);
        if (region == null) {
            return true;
        }
        if (region.kind() == RegionKind.DATA) {
            return pools && tracker.nested().find(address) != null;
        }
        outside[slot] = new AddressRange();
        outside[slot].cut(region.start(), region.end());
        return true;
    }

    /**
     * Returns what lies at an address that may be a block's, of which so many bytes are accessed;
     * cuts the range to where nothing else does.
     */
    private DataObject find(long address, long length, AddressRange same) {
        ask();
        heap = tracker.heapAt(address, same);
        if (heap.find(address) && heap.live()) {
            same.cut(heap.start(), heap.end());
            start = heap.address();
            if (touches != null && length > 0) {
                touch(address, length);
            }
            return site(heap.site());
        }
        Block block = tracker.find(address, same);
        if (block == null) {
            return super.at(address, same);
        }
        return block.kind().mapping()
                ? mapping(block)
                : heap.find(address) ? dead(block) : dead(block, null, null);
    }

    private void touch(long address, long length) {
        long before = heap.note();
        long after = touches.touch(before, heap.blockSize(), address - start, length);
        if (after != before) {
            heap.note(after);
        }
    }

    private DataObject site(int number) {
        while (sites.size() <= number) {
            int site = sites.size();
            Origin origin = origins.get(siteNumbers.tag(site));
            DataObject made = DataObject.site(
                    siteNumbers.kind(site),
                    siteNumbers.code(site),
                    places.ofCall(siteNumbers.code(site)),
                    labels.get(origin.label()),
                    typeOf(siteNumbers.code(site)));
            DataObject described = chains == null ? made : chains.describe(made, origin.chain());
            sites.add(
                    origin.type() == 0
                            ? described
                            : described.typed(
                                    origin.type(),
                                    types.nameOfTold(origin.type(), origin.several())));
        }
        return sites.get(number);
    }

    private DataObject mapping(Block block) {
        DataObject known = block.live() ? mappings.get(block.number()) : dead.get(block.number());
        if (known == null && block.live()) {
            known = dead(block, null, null);
            if (chain != null) {
                chains.describe(known, chain);
            }
            mappings.put(block.number(), known);
        } else if (known == null) {
            known = keepDead(dead(block, null, null));
        }
        return known;
    }

    private DataObject keepDead(DataObject object) {
        if (dead.size() == MOST_DEAD) {
            dead.clear();
        }
        dead.put(object.block().number(), object);
        return object;
    }

    private DataObject dead(Block block, DataObject known, Place endCall) {
        DataObject alive = known == null
                ? DataObject.live(
                        block,
                        places.ofCall(block.code()),
                        space.label(block.address()),
                        typeOf(block.code()))
                : known;
        return block.live() ? alive : DataObject.dead(block, alive, endCall);
    }

    /** A block of a heap after its end, at the cursor of the table. */
    private DataObject dead(Block block) {
        DataObject known = dead.get(block.number());
        if (known == null) {
            DataObject site = site(heap.site());
            known = keepDead(DataObject.dead(
                    block,
                    DataObject.live(block, site.call(), site.region(), site.type())
                            .by(site.chain(), site.shownCall()),
                    heap.hasEndStamp() ? endCalls.get((int) heap.stamp()) : null));
        }
        return known;
    }

    private int tagOf(long address) {
        AddressSpace.Region region = space.region(address);
        if (tag < 0 || region != tagged) {
            String label = region == null ? "[?]" : region.label();
            tag = tags.computeIfAbsent(label, absent -> {
                labels.add(label);
                return labels.size() - 1;
            });
            tagged = region;
        }
        return tag;
    }

    /** The tag of blocks in a place that the event at hand makes. */
    private int originOf(int label) {
        long type = toldType == 0 ? 0 : 2 * typeNumber() + (several ? 1 : 0);
        long key = (type << TYPE_SHIFT | label) << Integer.SIZE
                | (chains == null ? 0 : chains.tag(chain));
        int number = originNumbers.getIfAbsent(key, -1);
        if (number < 0) {
            number = origins.size();
            origins.add(new Origin(label, chain, toldType, several));
            originNumbers.put(key, number);
        }
        return number;
    }

    private long typeNumber() {
        return toldTypes.getIfAbsentPut(toldType, toldTypes.size() + 1);
    }

    /** Takes what the event at hand tells of the type of a new block. */
    private void takeType(TraceEvent event) {
        toldType = toldType(event);
        several = toldType != 0
                && types.holdsSeveral(toldType, ((TraceEvent.Allocation) event).size());
    }

    private int endCall(long code) {
        int number = endCallNumbers.getIfAbsent(code, -1);
        if (number < 0) {
            number = endCalls.size();
            endCalls.add(places.ofCall(code));
            endCallNumbers.put(code, number);
        }
        return number;
    }

    @Override
    void spaceChanged() {
        super.spaceChanged();
        Arrays.fill(outside, null);
        tagged = null;
        tag = -1;
        if (generation != places.generation()) {
            generation = places.generation();
            tags.clear();
            endCallNumbers.clear();
        }
    }

    @Override
    boolean follow(TraceEvent told, long number) {
        next = number;
        endedSite = -1;
        if (lives == null || !(told instanceof TraceEvent.Allocation event) || !followHeap(event)) {
            return false;
        }
        if (event.type() != RingEventType.FREE) {
            lives.born(site(tracker.bornSite()), event.size());
            newest.put(event.thread(), event.address());
        } else if (endedSite >= 0) {
            lives.ended(site(endedSite), endedSize, number - endedBirth, endedNote);
            if (isNewest(event)) {
                lives.temporary(site(endedSite));
            }
        }
        return true;
    }

    /** Returns whether an event frees the block that its thread has allocated last. */
    private boolean isNewest(TraceEvent event) {
        return event instanceof TraceEvent.Allocation freed
                && (freed.type() == RingEventType.FREE || freed.type() == RingEventType.NAMED_FREE)
                && newest.get(freed.thread()) == freed.old();
    }

    private boolean followHeap(TraceEvent.Allocation event) {
        boolean born = event.type() == RingEventType.MALLOC || event.type() == RingEventType.CALLOC;
        chain = born ? chainOf(event) : null;
        boolean followed = tracker.followHeap(event);
        chain = null;
        return followed;
    }

    @Override
    Allocation apply(TraceEvent event, long number) {
        chain = chainOf(event);
        takeType(event);
        Allocation allocation = allocation(event, number);
        toldType = 0;
        several = false;
        chain = null;
        return allocation;
    }

    private Allocation allocation(TraceEvent event, long number) {
        next = number;
        endedSite = -1;
        AllocationEvent line = tracker.apply(event);
        poolsBegin();
        if (line == null) {
            return null;
        }
        Place call = places.ofCall(line.code());
        Block block = line.block();
        if (block != null) {
            newest.put(event.thread(), block.address());
        }
        DataObject born = block == null
                ? null
                : block.kind().mapping() ? mapping(block) : site(tracker.bornSite());
        return new Allocation(
                line,
                event.thread(),
                number,
                call,
                born,
                endedBy(line, call),
                chain,
                endedSite >= 0
                        ? new Allocation.Life(endedSize, endedBirth, endedNote, isNewest(event))
                        : null);
    }

    /** Notes the first such block: what places keep of modules may be a block from now on. */
    private void poolsBegin() {
        if (!pools && !tracker.nested().isEmpty()) {
            pools = true;
            states().allChanged();
        }
    }

    /** The site of a live block of a heap. */
    private int siteOf(Block block) {
        heap = tracker.heapAt(block.address(), new AddressRange());
        return heap.find(block.address()) ? heap.site() : 0;
    }

    private DataObject endedBy(AllocationEvent line, Place call) {
        Block old = line.old();
        if (endedSite >= 0) {
            return site(endedSite);
        } else if (old == null || old.live() || !old.kind().mapping()) {
            return null;
        }
        return keepDead(dead(old, mappings.remove(old.number()), call));
    }

    @Override
    DataObject inherit(TraceEvent.Inherit event) {
        tracker.apply(event);
        poolsBegin();
        Block block = BulkTransfers.inherited(event);
        if (block == null || !block.live()) {
            return null;
        }
        if (block.kind().mapping()) {
            return mappings.containsKey(block.number()) ? null : mapping(block);
        }
        return event.start() == event.block() ? site(siteOf(block)) : null;
    }

    @Override
    void end() {
        if (touches != null) {
            tracker.loseAll();
        }
    }
}
