package dev.madt.view.chains;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** Tells a consumer what a program does whose calls are recorded: one thread, on a heap. */
final class ChainedProgram {
    private static final int THREAD = 7;
    private static final long CODE = 0x40_0000;
    private static final long HEAP = 0x10_0000;
    private static final int FUNCTION_BYTES = 0x100;
    private static final long STACK = 0x7fff_0000L;

    private final EventConsumer consumer;
    private final Map<String, Long> functions = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private long number;
    private long epoch;
    private long heap = HEAP;

    ChainedProgram(EventConsumer consumer) {
        this.consumer = consumer;
        region(RegionKind.HEAP, HEAP, 0x20_0000, "[heap]");
        region(RegionKind.CODE, CODE, CODE + 0x1_0000, "[prog]");
        region(RegionKind.STACK, STACK - 0x1_0000, STACK, "[stack]");
    }

    /** The trace says of itself how many calls of a chain were to be told. */
    void wanted(int calls) {
        consumer.meta(Map.of("chain", Integer.toString(calls)));
    }

    private void region(RegionKind kind, long start, long end, String label) {
        consumer.define(new Definition.Region(kind, 3, start, end, start, label));
    }

    private long function(String name) {
        return functions.computeIfAbsent(name, absent -> {
            long address = CODE + (long) FUNCTION_BYTES * functions.size();
            consumer.define(new Definition.Symbol(true, address, FUNCTION_BYTES, name));
            return address;
        });
    }

    /** A function is called in the one that is open. */
    ChainedProgram enter(String name) {
        open.push(name);
        call(new AccessSite(function(name), 0, AccessKind.ENTER, 0, 0, false));
        return this;
    }

    /** As above, in front of the recording of calls. */
    ChainedProgram enterUnseen(String name) {
        open.push(name);
        function(name);
        return this;
    }

    ChainedProgram leave() {
        call(new AccessSite(function(open.peek()) + 99, 1, AccessKind.LEAVE, 0, 0, false));
        open.pop();
        return this;
    }

    private void call(AccessSite site) {
        consumer.call(number++, THREAD, site, STACK - 64L * open.size(), 0);
    }

    /** The open function allocates a block by the call at an offset of its code. */
    long malloc(long size, int offset) {
        return malloc(size, open.peek(), offset, 0);
    }

    void free(long block) {
        consumer.ring(TraceEvent.of(
                RingEventType.FREE, THREAD, epoch++, 0, 0, block, 0, "", function(open.peek())));
    }

    /** Tells a call that chains have in common, as a recorder does that unwinds stacks. */
    void node(long node, long outer, long cut, String function, int offset) {
        consumer.ring(TraceEvent.of(
                RingEventType.CHAIN_NODE,
                THREAD,
                epoch++,
                node,
                outer,
                cut,
                0,
                "",
                function(function) + offset));
    }

    /** A function allocates a block by the call that a node is of. */
    long malloc(long size, String function, int offset, long node) {
        long block = heap;
        heap += size + 15 & -16;
        consumer.ring(TraceEvent.of(
                RingEventType.MALLOC,
                THREAD,
                epoch++,
                block,
                size,
                0,
                node,
                "",
                function(function) + offset));
        return block;
    }

    /** The open function stores eight bytes. */
    void store(long address) {
        consumer.access(
                number++,
                THREAD,
                new AccessSite(function(open.peek()) + 50, 3, AccessKind.STORE, 8, 0, false),
                true,
                address);
    }

    void end() {
        consumer.end(true);
    }
}
