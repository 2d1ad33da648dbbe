package dev.madt.view.chains;

import dev.madt.view.AccessCounter;
import dev.madt.view.Accesses;
import dev.madt.view.Allocation;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.CallChain;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Notes;
import dev.madt.view.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds the functions that only pass on what they allocate, in the first part of a trace: nearly
 * all of their blocks come from one call in them, several callers ask for several sizes, and they
 * leave the blocks alone, but for a header that hardly anybody else accesses.
 */
public final class WrapperJudge implements Analysis, AccessCounter {
    private static final int FRAMES = 8;
    private static final long MOST_ACCESSES = 1_000_000;
    private static final long MOST_ALLOCATIONS = 200_000;
    /** Allocations without a chain after which none is expected any more. */
    private static final int PATIENCE = 64;

    private final AllocatorNames names = new AllocatorNames();
    private final Map<String, FunctionUse> functions = new HashMap<>();
    private final Map<CallChain, FunctionUse[]> makers = new HashMap<>();
    private final Notes<FunctionUse[]> notes = new Notes<>();
    private final Notes<FunctionUse> code = new Notes<>();
    /** Accesses so far, as the number of one tells. */
    private long accesses;

    private long allocations;
    private long unknown;

    @Override
    public Needs needs() {
        return Needs.BATCHES.counting(this).bySite().withChains().keeping(notes, code);
    }

    /** Returns whether more events would not change what is known, or take too long. */
    public boolean enough() {
        return accesses > MOST_ACCESSES
                || allocations > MOST_ALLOCATIONS
                || unknown > PATIENCE && allocations == 0;
    }

    /** The functions, by {@link UserSites#key}. */
    public Set<String> wrappers() {
        return functions.entrySet().stream()
                .filter(entry -> entry.getValue().isWrapper())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Override
    public void allocation(Allocation event) {
        if (event.born() == null) {
            return;
        }
        if (event.chain() == null) {
            unknown++;
            return;
        }
        allocations++;
        long size = event.event().size();
        int told = 0;
        CallChain each = event.chain();
        FunctionUse last = null;
        for (; each.outer() != null && told < FRAMES; each = each.outer()) {
            if (!names.holds(each.call())) {
                FunctionUse use = useOf(each.call());
                CallChain outer = each.outer();
                if (use != last) {
                    use.allocate(each.call(), outer.call(), size);
                }
                last = use;
                told++;
            }
        }
    }

    private FunctionUse useOf(Place frame) {
        return functions.computeIfAbsent(UserSites.key(frame), absent -> new FunctionUse());
    }

    /** The functions of the innermost frames of a chain outside of known allocators. */
    private FunctionUse[] makersOf(CallChain chain) {
        FunctionUse[] known = makers.get(chain);
        if (known == null) {
            List<FunctionUse> all = new ArrayList<>();
            CallChain each = chain;
            for (; each.outer() != null && all.size() < FRAMES; each = each.outer()) {
                if (!names.holds(each.call())) {
                    all.add(useOf(each.call()));
                }
            }
            known = all.toArray(new FunctionUse[0]);
            makers.put(chain, known);
        }
        return known;
    }

    @Override
    public void accesses(Accesses batch) {
        accesses = batch.first();
        for (int row = 0; row < batch.count(); row++) {
            DataObject object = batch.object(row);
            touch(object, batch.place(row), batch.address(row) - batch.start(row));
        }
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        accesses = number;
        touch(object, place, address - place.start());
    }

    /** Times do not matter, but who accesses which part of a block. */
    @Override
    public void again(long number, int thread, Place place, long times) {
        accesses = number;
    }

    /** Units do not lie across the end of a header, wherever a block begins. */
    @Override
    public int unitBits(Place place, DataObject object) {
        return isLiveBlock(object)
                ? Long.numberOfTrailingZeros(place.start() | FunctionUse.HEADER)
                : ONE_UNIT;
    }

    @Override
    public void touch(Place place, long address) {
        touch(place.object(), place, address - place.start());
    }

    @Override
    public void block(BlockAccess event) {
        accesses = event.number();
        touch(event.target(), event.place(), FunctionUse.HEADER);
        if (event.source() != null) {
            touch(event.source(), event.place(), FunctionUse.HEADER);
        }
    }

    private static boolean isLiveBlock(DataObject object) {
        return object.kind() == DataObject.Kind.BLOCK && !object.dead() && object.chain() != null;
    }

    /** Blocks of one chain are one object. */
    private void touch(DataObject object, Place place, long offset) {
        if (!isLiveBlock(object)) {
            return;
        }
        FunctionUse[] made = notes.of(object);
        if (made == null) {
            made = makersOf(object.chain());
            notes.keep(object, made);
        }
        FunctionUse by = code.of(place);
        if (by == null) {
            by = useOf(place);
            code.keep(place, by);
        }
        for (FunctionUse use : made) {
            if (use == by) {
                use.touch(offset);
            } else if (offset < FunctionUse.HEADER) {
                use.touchedBy(by);
            }
        }
    }
}
