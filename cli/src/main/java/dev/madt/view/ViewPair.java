package dev.madt.view;

import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEvent;
import java.util.Map;

/**
 * Two views that see one trace in one reading, in batches and with each block by itself. They must
 * not keep things at the same place of data and code.
 */
public record ViewPair(TraceView first, TraceView second) implements TraceView {
    @Override
    public void meta(Map<String, String> values) {
        first.meta(values);
        second.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        first.accesses(batch);
        second.accesses(batch);
    }

    @Override
    public void block(BlockAccess event) {
        first.block(event);
        second.block(event);
    }

    @Override
    public void neighbours(Neighbours space) {
        first.neighbours(space);
        second.neighbours(space);
    }

    @Override
    public void call(int thread, Place place, long stack) {
        first.call(thread, place, stack);
        second.call(thread, place, stack);
    }

    @Override
    public void allocation(Allocation event) {
        first.allocation(event);
        second.allocation(event);
    }

    @Override
    public void inherited(Datum block, long size) {
        first.inherited(block, size);
        second.inherited(block, size);
    }

    @Override
    public void ring(RingEvent event) {
        first.ring(event);
        second.ring(event);
    }

    @Override
    public void mapped(RegionKind kind, long start, long end, String label) {
        first.mapped(kind, start, end, label);
        second.mapped(kind, start, end, label);
    }

    @Override
    public void end(boolean complete) {
        first.end(complete);
        second.end(complete);
    }
}
