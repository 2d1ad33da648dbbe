package dev.madt.tracker;

import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.LongLongHashMap;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * Says which blocks end with a pool: those that were allocated in it, and, since a block may be a
 * pool itself, those that were allocated in these. Blocks and pools are known by their addresses.
 * Not for use by several threads.
 */
final class BlockPools {
    private final LongLongHashMap poolOf = new LongLongHashMap();
    private final LongObjectHashMap<LongHashSet> members = new LongObjectHashMap<>();

    BlockPools() {}

    /** A copy, for the child of a fork. */
    BlockPools(BlockPools other) {
        other.poolOf.forEachKeyValue(this::begin);
    }

    /** A block comes, in a pool; 0: in none. */
    void begin(long address, long pool) {
        end(address);
        if (pool != 0) {
            poolOf.put(address, pool);
            members.getIfAbsentPut(pool, LongHashSet::new).add(address);
        }
    }

    /** A block ends. */
    void end(long address) {
        if (poolOf.isEmpty() || !poolOf.containsKey(address)) {
            return;
        }
        long pool = poolOf.get(address);
        poolOf.remove(address);
        LongHashSet all = members.get(pool);
        all.remove(address);
        if (all.isEmpty()) {
            members.remove(pool);
        }
    }

    /** A block has another place, or has ended at 0; what it is a pool of stays in it. */
    void move(long from, long to) {
        if (from == to || poolOf.isEmpty()) {
            return;
        }
        long pool = poolOf.getIfAbsent(from, 0);
        end(from);
        if (to == 0) {
            return;
        }
        begin(to, pool);
        LongHashSet all = members.get(from);
        if (all != null) {
            for (long block : all.toSortedArray()) {
                begin(block, to);
            }
        }
    }

    /** The blocks that end with a pool, in no order; they are in no pool any more. */
    long[] take(long pool) {
        LongArrayList taken = new LongArrayList();
        take(pool, taken);
        return taken.toArray();
    }

    private void take(long pool, LongArrayList taken) {
        LongHashSet all = members.remove(pool);
        if (all == null) {
            return;
        }
        for (long block : all.toSortedArray()) {
            poolOf.remove(block);
            taken.add(block);
            take(block, taken);
        }
    }
}
