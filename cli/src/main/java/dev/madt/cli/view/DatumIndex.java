package dev.madt.cli.view;

import dev.madt.resolver.AddressSpace;
import dev.madt.tracker.AllocationEvent;
import dev.madt.tracker.Block;
import dev.madt.tracker.BlockTracker;
import dev.madt.tracker.RingEvent;
import dev.madt.tracker.RingEventType;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Which datum each address belongs to, the names being those of lines. Most look-ups end at what the same instruction accessed
 * last, or at a table of recent data; the trees are asked for the rest. Only a datum that owns its whole range is remembered
 * (variables and blocks without others in them), until it ends or the address space changes. Memory grows with the address
 * space in use.
 */
final class DatumIndex {
    private static final int RECENT = 1 << 12;
    private static final int GRAIN = 4;
    private static final int SWEEP = 1 << 12;

    private final AddressSpace space;
    private final Places places;
    private final BlockTracker tracker = new BlockTracker();
    private final LongObjectHashMap<Datum> blocks = new LongObjectHashMap<>();
    private final LongObjectHashMap<Datum> variables = new LongObjectHashMap<>();
    private final LongObjectHashMap<Datum> regions = new LongObjectHashMap<>();
    private final Datum[] recent = new Datum[RECENT];
    private long changes = 1;
    private int sweepAt = SWEEP;

    DatumIndex(AddressSpace space, Places places) {
        this.space = space;
        this.places = places;
    }

    /** The datum at an address that the place accesses. */
    Datum at(Place place, long address) {
        Datum last = place.last;
        if (last != null && last.stamp == changes && last.contains(address)) {
            return last;
        }
        Datum datum = at(address);
        place.last = datum;
        return datum;
    }

    /** The datum at an address. */
    Datum at(long address) {
        int slot = (int) (address >>> GRAIN ^ address >>> GRAIN + 12) & RECENT - 1;
        Datum datum = recent[slot];
        if (datum == null || datum.stamp != changes || !datum.contains(address)) {
            datum = lookUp(address);
            recent[slot] = datum;
        }
        return datum;
    }

    private Datum lookUp(long address) {
        AddressSpace.Region region = space.region(address);
        boolean module = region != null && region.kind() == AddressSpace.MODULE_DATA;
        Block block = module ? null : tracker.find(address);
        if (block != null) {
            Datum datum = of(block, null);
            datum.stamp = block.live() && tracker.undivided(block) ? changes : 0;
            return datum;
        }
        AddressSpace.Symbol symbol = space.dataSymbol(address);
        return symbol != null ? variable(symbol, address) : rest(region, address);
    }

    private Datum variable(AddressSpace.Symbol symbol, long address) {
        Datum datum = variables.get(symbol.address());
        if (datum == null) {
            long end = symbol.address() + symbol.size();
            datum = Datum.variable(symbol.address(), end, symbol.text(), space.label(address));
            variables.put(symbol.address(), datum);
        }
        datum.reach(address);
        datum.stamp = symbol.size() > 0 && space.undivided(symbol) ? changes : 0;
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

    /** The datum of a block in its present state; {@code endCall}: the call that has just ended it. */
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

    private Datum live(Block block) {
        return Datum.live(block, places.ofCall(block.code()), space.label(block.address()));
    }

    /** What is remembered of symbols and regions holds no more. */
    void spaceChanged() {
        variables.clear();
        regions.clear();
        changes++;
    }

    /** Follows an event. Null if it is none that allocates or frees. */
    Allocation apply(RingEvent event, long next) {
        int pieces = tracker.heapPieces();
        divide(event.address());
        divide(event.address() + Math.max(0, event.size() - 1));
        AllocationEvent line = tracker.apply(event);
        if (!small(event.type(), tracker.heapPieces() - pieces)) {
            changes++;
        }
        if (line == null) {
            return null;
        }
        Place call = places.ofCall(line.code());
        boolean ended = line.old() != null && !line.old().live();
        Datum dead = ended ? of(line.old(), call) : null;
        if (dead != null) {
            dead.former().stamp = 0;
        }
        Datum born = line.block() == null ? null : of(line.block(), null);
        sweepWhenLarge();
        return new Allocation(line, event.thread(), next, call, born, dead);
    }

    /** Follows an INHERIT event. The block's datum if it is alive and new: a block in pieces has an event for each. */
    Datum inherit(RingEvent event) {
        tracker.apply(event);
        changes++;
        Block block = BlockTracker.inherited(event);
        boolean known = block == null || !block.live() || blocks.containsKey(block.number());
        return known ? null : of(block, null);
    }

    /** A mapping in which a block may begin now no longer owns its whole range. */
    private void divide(long address) {
        Block block = address == 0 ? null : tracker.find(address);
        Datum datum = block == null || !block.live() ? null : blocks.get(block.number());
        if (datum != null) {
            datum.stamp = 0;
        }
    }

    /** Whether an event leaves every other block but the mapping around it where it was. */
    private static boolean small(RingEventType type, int morePieces) {
        return switch (type) {
            case MALLOC, CALLOC -> morePieces == 1;
            case FREE, THREAD_START, THREAD_END, RECORD_START, RECORD_STOP -> true;
            default -> false;
        };
    }

    /** Forgets blocks whose addresses have gone to others. */
    private void sweepWhenLarge() {
        if (blocks.size() < sweepAt) {
            return;
        }
        for (long number : blocks.keySet().toArray()) {
            Block block = tracker.find(blocks.get(number).start());
            if (block == null || block.number() != number) {
                blocks.remove(number);
            }
        }
        sweepAt = Math.max(SWEEP, 2 * blocks.size());
    }
}
