package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.Site;
import dev.madt.tracker.CallStacks;

/**
 * Finds out which enters and leaves of a trace belong together, and how many have no counterpart.
 */
public final class CallPairs implements EventConsumer {
    private final AddressSpace space = new AddressSpace();
    private final DataIndex index = new DataIndex(space);
    private final StackMemory memory = new StackMemory(space, index);
    private final CallStacks stacks = new CallStacks(memory);
    private long enters;
    private long leaves;
    private long never;

    /** Functions entered. */
    public long enters() {
        return enters;
    }

    /** Functions left, as far as that was seen. */
    public long leaves() {
        return leaves;
    }

    /** Functions that were left unseen. */
    public long unseen() {
        return stacks.unseen();
    }

    /** Functions that were open when their thread or the trace ended. */
    public long open() {
        return never + stacks.open();
    }

    /** Leaves of functions that were entered unseen. */
    public long before() {
        return stacks.before();
    }

    @Override
    public void define(Definition definition) {
        space.define(definition);
        memory.changed();
    }

    @Override
    public void access(long number, int thread, Site site, boolean store, long address) {}

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void call(long number, int thread, Site site, long stack, long time) {
        if (site.kind() == AccessKind.ENTER) {
            enters++;
            stacks.enter(thread, site.address(), stack, time);
        } else {
            leaves++;
            stacks.leave(thread, stack, time);
        }
    }

    @Override
    public void ring(RingEvent event) {
        index.apply(event);
        memory.changed();
        if (event.type() == RingEventType.THREAD_START
                || event.type() == RingEventType.THREAD_END) {
            never += stacks.forget(event.thread());
        }
    }
}
