package dev.madt.view.dump;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.AllocationEvent;
import dev.madt.trace.event.Block;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.BlockTracker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks what must hold for every trace, whatever the program did: numbers follow each other,
 * tickets of ring events ascend, events that are made of records stand between them, an access fits
 * its instruction, is not to what is never traced, unless it is atomic, and to a block only after
 * its birth and inside it; bulk transfers have a place and no negative length; ranges of the
 * address space are not empty.
 */
public final class TraceCheck implements EventConsumer {
    private static final int MOST_TOLD = 20;

    private final BlockTracker tracker = new BlockTracker();
    private final TreeMap<Long, Long> untraced = new TreeMap<>(Long::compareUnsigned);
    private final List<String> violations = new ArrayList<>();
    private long violated;
    private boolean stack;
    private boolean whole;
    private long next;
    /** Since the last number; each may have one. */
    private long unknown;

    private long allocations;
    /** The ticket of the last event that has one of its own. */
    private long epoch = -1;

    private RingEventType last = RingEventType.UNKNOWN;
    /** No later ticket is below: the greatest epoch of a record that events are made of. */
    private long passed = -1;

    private long deadAccesses;
    private long doubleFrees;

    /** The first violations, in words. */
    public List<String> violations() {
        return violations;
    }

    /** Returns how many there are in all. */
    public long violated() {
        return violated;
    }

    /** Returns whether the trace was read up to an end that fits. */
    public boolean isWhole() {
        return whole;
    }

    /** Accesses, bulk transfers and calls. */
    public long events() {
        return next;
    }

    public long allocations() {
        return allocations;
    }

    /** Accesses to blocks after their end: no fault of the trace. */
    public long deadAccesses() {
        return deadAccesses;
    }

    /** Blocks that were freed twice: no fault of the trace. */
    public long doubleFrees() {
        return doubleFrees;
    }

    private void check(boolean holds, String what, long... numbers) {
        if (holds) {
            return;
        }
        violated++;
        if (violations.size() < MOST_TOLD) {
            StringBuilder sentence = new StringBuilder(what);
            for (long number : numbers) {
                int at = sentence.indexOf("#");
                int hex = sentence.indexOf("@");
                boolean address = at < 0 || hex >= 0 && hex < at;
                int place = address ? hex : at;
                sentence.replace(
                        place,
                        place + 1,
                        address ? "0x" + Long.toHexString(number) : Long.toString(number));
            }
            violations.add(sentence.toString());
        }
    }

    @Override
    public void end(boolean complete) {
        whole = complete;
    }

    @Override
    public void meta(Map<String, String> values) {
        stack |= values.containsKey("stack");
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten range) {
            forget(range.start(), range.end());
        } else if (definition instanceof Definition.Region region) {
            add(region.kind(), region.start(), region.end());
        }
    }

    private void forget(long start, long end) {
        for (Long from = untraced.lowerKey(end);
                from != null && below(start, untraced.get(from));
                from = untraced.lowerKey(end)) {
            long to = untraced.remove(from);
            if (below(from, start)) {
                untraced.put(from, start);
            }
            if (below(end, to)) {
                untraced.put(end, to);
                break;
            }
        }
    }

    private void add(RegionKind kind, long start, long end) {
        check(below(start, end), "the range @ to @ is empty", start, end);
        forget(start, end);
        if (kind == RegionKind.STACK && !stack || kind == RegionKind.UNTRACED) {
            untraced.put(start, end);
        }
    }

    private static boolean below(long a, long b) {
        return Long.compareUnsigned(a, b) < 0;
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        numbered(number);
        AccessKind kind = store ? AccessKind.STORE : AccessKind.LOAD;
        if (site.kind() != kind && site.kind() != AccessKind.MODIFY) {
            check(false, "access # is not what the instruction at @ does", number, site.address());
        }
        if (site.stack() && !stack) {
            check(
                    false,
                    "access # is by a stack operand of the instruction at @",
                    number,
                    site.address());
        }
        Long range = untraced.floorKey(address);
        if (range != null && below(address, untraced.get(range)) && !site.atomic()) {
            check(false, "access # is to @, which is not traced", number, address);
        }
        use(number, address);
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        numbered(number);
        check(
                stack != 0 && stack % Long.BYTES == 0,
                "call # has the stack pointer @",
                number,
                stack);
    }

    private void numbered(long number) {
        if (number < next || number > next + unknown) {
            check(false, "event # follows event #", number, next - 1);
        }
        next = number + 1;
        unknown = 0;
    }

    private void use(long number, long address) {
        Block block = tracker.find(address);
        if (block == null) {
            return;
        }
        if (block.birth() > Math.max(0, epoch)) {
            check(false, "event # is to block # before its birth", number, block.number());
        }
        if (!block.live()) {
            deadAccesses++;
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        numbered(number);
        check(length >= 0, "bulk transfer # has # bytes", number, length);
        check(code != 0, "bulk transfer # has no place in the code", number);
        use(number, to);
        if (kind == BlockKind.COPY) {
            use(number, from);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.Inherit piece) {
            check(epoch < 0, "# is inherited behind event #", piece.block(), epoch);
            tracker.apply(event);
            return;
        }
        if (event.type() == RingEventType.UNKNOWN) {
            unknown++;
            return;
        }
        if (event.type() == RingEventType.OFF_CPU) {
            check(event.epoch() >= epoch, "an absence has epoch # behind #", event.epoch(), epoch);
            return;
        }
        if (event instanceof TraceEvent.SystemCall call) {
            check(call.length() >= 0, "system call # took # ticks", call.number(), call.length());
            return;
        }
        if (isOfRecord(event)) {
            check(
                    event.epoch() >= epoch,
                    event.type() + " is of a record with epoch # behind ticket #",
                    event.epoch(),
                    epoch);
            passed = Math.max(passed, event.epoch());
            return;
        }
        ticket(event);
        if (event.type() == RingEventType.EXEC) {
            return; // nothing that may not come in front of what is inherited
        }
        epoch = event.epoch();
        last = event.type();
        AllocationEvent line = tracker.apply(event);
        if (line == null) {
            return;
        }
        allocations++;
        check(
                line.number() == allocations,
                "allocation event # follows #",
                line.number(),
                allocations - 1);
        doubleFrees += line.doubleFree() ? 1 : 0;
    }

    /**
     * Returns whether an event is made of a record, whose epoch it has: not below the last ticket
     * in front of it, and not above any behind it.
     */
    private static boolean isOfRecord(TraceEvent event) {
        return switch (event.type()) {
            case LOCK_GOT,
                    LOCK_RELEASED,
                    LOCK_UNDONE,
                    INSTRUMENT_HIT,
                    INSTRUMENT_VALUES,
                    INSTRUMENT_COUNT,
                    INSTRUMENT_ROW,
                    INSTRUMENT_TIMES -> true;
            // where it is told of a channel of the kernel, the program's system call made it
            case THREAD_SYNC -> ((TraceEvent.ThreadSync) event).object() >= 0;
            default -> false;
        };
    }

    /**
     * Checks an event with a ticket of its own, which all blocks share that end with a pool or
     * another block.
     */
    private void ticket(TraceEvent event) {
        boolean ofPool = event.type() == RingEventType.NAMED_FREE
                && (last == event.type()
                        || last == RingEventType.FREE
                        || last == RingEventType.MUNMAP);
        check(
                ofPool ? event.epoch() >= epoch : event.epoch() > epoch,
                event.type() + " has epoch # behind #",
                event.epoch(),
                epoch);
        check(
                event.epoch() >= passed,
                event.type() + " has epoch # behind a record with epoch #",
                event.epoch(),
                passed);
    }
}
