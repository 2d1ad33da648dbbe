package dev.madt.testprogs;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.TraceEvent;

/** Takes a trace and has no use for any of it, but for what somebody says. */
public abstract class QuietConsumer implements EventConsumer {
    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {}

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void ring(TraceEvent event) {}
}
