package dev.madt.testprogs;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.SystemCallEvent;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Checks what must hold for every trace: numbers are consecutive; epochs ascend; a load's site
 * loads and a store's stores; an access by its operand's form or address is never to the stack or
 * to what is not traced; live blocks do not overlap; what is freed was alive; every use of a forged
 * name comes after the block's birth and, unless the program is known to do it, before its death. A
 * thread that was in a system call when its process ended does nothing more.
 */
public final class TraceInvariants implements EventConsumer {
    private static final int SHOWN = 20;

    private final BlockTracker tracker = new BlockTracker();
    private final AddressRanges untraced = new AddressRanges();
    private final AddressRanges libc = new AddressRanges();
    private final List<String> violations = new ArrayList<>();
    private Map<String, String> meta = Map.of();
    private long next;
    private long epoch = -1;
    private long allocations;
    private long accesses;
    private long blocks;
    private long deadAccesses;
    private long namedAccesses;
    /** Threads that were in a system call when the process ended. */
    private final Set<Integer> inCalls = new HashSet<>();

    private final List<String> endedIn = new ArrayList<>();

    private long ended;
    private boolean complete;

    /** Returns what is wrong with the trace; empty if nothing is. */
    public List<String> violations() {
        return violations;
    }

    public long accesses() {
        return accesses;
    }

    long blocks() {
        return blocks;
    }

    long allocations() {
        return allocations;
    }

    /**
     * Accesses to blocks that were freed or unmapped: bugs of the target. Those by libc do not
     * count: its string functions read whole vectors, from before a string's start to behind its
     * end.
     */
    public long deadAccesses() {
        return deadAccesses;
    }

    /** Accesses to live blocks. */
    public long namedAccesses() {
        return namedAccesses;
    }

    /** The system calls in which threads were when the process ended. */
    public List<String> endedIn() {
        return endedIn;
    }

    boolean complete() {
        return complete;
    }

    public String meta(String key) {
        return meta.getOrDefault(key, "");
    }

    /** Such events have the tickets of the records that they are made of. */
    private static boolean isMadeOfCall(TraceEvent event) {
        return switch (event.type()) {
            case LOCK_GOT, LOCK_RELEASED, LOCK_UNDONE, THREAD_SYNC -> true;
            default -> false;
        };
    }

    private void check(boolean holds, Supplier<String> what) {
        if (!holds && violations.size() < SHOWN) {
            violations.add(what.get());
        }
    }

    @Override
    public void meta(Map<String, String> values) {
        Map<String, String> merged = new HashMap<>(meta);
        merged.putAll(values);
        meta = merged;
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            mapsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Region it) {
            mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
        }
    }

    private void mapsForget(long start, long end) {
        untraced.remove(start, end);
        libc.remove(start, end);
    }

    private void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        check(
                Long.compareUnsigned(start, end) < 0,
                () -> "empty range " + label + " at " + hex(start));
        if (kind == RegionKind.STACK && !meta.containsKey("stack") || kind == RegionKind.UNTRACED) {
            untraced.add(start, end);
        } else if (kind == RegionKind.CODE && label.startsWith("[libc.so")) {
            libc.add(start, end);
        }
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        check(number == next, () -> "access " + number + " follows " + (next - 1));
        next = number + 1;
        accesses++;
        AccessKind wanted = store ? AccessKind.STORE : AccessKind.LOAD;
        check(
                site.kind() == wanted || site.kind() == AccessKind.MODIFY,
                () -> "access " + number + " at a site that " + site.kind());
        check(
                !site.stack() || meta.containsKey("stack"),
                () -> "access " + number + " by a stack operand at " + hex(site.address()));
        check(
                !untraced.contains(address) || site.atomic(),
                () -> "access " + number + " to " + hex(address) + ", which is not traced");
        use(number, address, site.address());
    }

    private void use(long number, long address, long code) {
        Block block = tracker.find(address);
        if (block == null) {
            return;
        }
        check(
                block.birth() <= Math.max(0, epoch),
                () -> "access " + number + " to block " + block.number() + " before its birth");
        if (block.live()) {
            namedAccesses++;
            check(
                    Long.compareUnsigned(address - block.address(), block.size()) < 0,
                    () -> "access " + number + " to " + hex(address) + " lies outside its block "
                            + block.number());
        } else if (!libc.contains(code)) {
            deadAccesses++;
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        check(number == next, () -> "bulk transfer " + number + " follows " + (next - 1));
        next = number + 1;
        blocks++;
        check(length >= 0, () -> "bulk transfer " + number + " of length " + length);
        check(code != 0, () -> "bulk transfer " + number + " without code");
        use(number, to, code);
        if (kind == BlockKind.COPY) {
            use(number, from, code);
        }
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        check(number == next, () -> "call " + number + " follows " + (next - 1));
        next = number + 1;
        check(!inCalls.contains(thread), () -> "call " + number + " while in a system call");
        check(site.kind().probes(), () -> "call " + number + " at a site that " + site.kind());
    }

    @Override
    public void ring(TraceEvent event) {
        if (event.type() == RingEventType.INHERIT) {
            check(epoch < 0 && next == 0, () -> "a block is inherited behind the first event");
            tracker.apply(event);
            return;
        }
        if (event.type() == RingEventType.OFF_CPU) {
            check(
                    event.epoch() >= epoch,
                    () -> "an absence has epoch " + event.epoch() + " behind " + epoch);
            return;
        }
        if (isMadeOfCall(event)) {
            check(
                    event.epoch() >= epoch,
                    () -> event.type() + " has epoch " + event.epoch() + " behind " + epoch);
            return;
        }
        if (event instanceof TraceEvent.SystemCall call) {
            check(
                    call.length() >= 0,
                    () -> "system call " + call.number() + " took less than no time");
            check(
                    !inCalls.contains(call.thread()),
                    () -> "a system call behind one that does not end");
            if (SystemCallEvent.isOpen(call)) {
                inCalls.add(call.thread());
                endedIn.add(SystemCallEvent.name(call));
            }
            return;
        }
        boolean endsWithPool = event.type() == RingEventType.NAMED_FREE && event.epoch() == epoch;
        check(
                event.epoch() > epoch || endsWithPool,
                () -> event.type() + " has epoch " + event.epoch() + " behind " + epoch);
        epoch = event.epoch();
        boolean birth = event.word(0) != 0 && isAllocation(event.type());
        Block before = birth ? tracker.find(event.word(0)) : null;
        AllocationEvent line = tracker.apply(event);
        if (line == null) {
            return;
        }
        allocations++;
        check(
                line.number() == allocations,
                () -> "allocation event " + line.number() + " follows " + (allocations - 1));
        if (birth && line.letter() != 'R' && line.letter() != 'E' && line.letter() != 'P') {
            // what was there before the recording may have been freed, and kept by the allocator
            check(
                    before == null || !before.live() || before.code() == 0,
                    () -> "block " + line.block() + " overlaps the live " + before);
        }
        if (line.letter() == 'F') {
            check(
                    line.old() != null,
                    () -> "free of " + hex(line.oldAddress()) + ", where no block was alive");
        }
    }

    private static boolean isAllocation(RingEventType type) {
        return switch (type) {
            case MALLOC, CALLOC, MMAP, REALLOC_END, MREMAP_END, BREAK -> true;
            default -> false;
        };
    }

    @Override
    public void end(boolean whole) {
        complete = whole;
        ended++;
        check(ended == 1, () -> "the trace ended " + ended + " times");
    }

    private static String hex(long value) {
        return "0x" + Long.toHexString(value);
    }
}
