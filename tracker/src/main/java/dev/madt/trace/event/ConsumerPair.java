package dev.madt.trace.event;

import java.util.List;
import java.util.Map;

/**
 * Hands every call on to two consumers, the first one first: one reading of a trace serves both.
 */
public record ConsumerPair(EventConsumer first, EventConsumer second) implements EventConsumer {
    @Override
    public void meta(Map<String, String> values) {
        first.meta(values);
        second.meta(values);
    }

    @Override
    public void mapsForget(long start, long end) {
        first.mapsForget(start, end);
        second.mapsForget(start, end);
    }

    @Override
    public void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        first.mapsAdd(kind, protection, start, end, origin, label);
        second.mapsAdd(kind, protection, start, end, origin, label);
    }

    @Override
    public void symbolsForget(long start, long end) {
        first.symbolsForget(start, end);
        second.symbolsForget(start, end);
    }

    @Override
    public void symbol(boolean code, long address, long size, String name) {
        first.symbol(code, address, size, name);
        second.symbol(code, address, size, name);
    }

    @Override
    public void source(long code, List<SourceLevel> levels) {
        first.source(code, levels);
        second.source(code, levels);
    }

    @Override
    public void type(TypeRecord type) {
        first.type(type);
        second.type(type);
    }

    @Override
    public void variableType(long address, int type) {
        first.variableType(address, type);
        second.variableType(address, type);
    }

    @Override
    public void blockType(long code, int type) {
        first.blockType(code, type);
        second.blockType(code, type);
    }

    @Override
    public void run(long number, int thread, Run run, long[] addresses, int from) {
        first.run(number, thread, run, addresses, from);
        second.run(number, thread, run, addresses, from);
    }

    @Override
    public void again(long number, int thread, Run run, long[] addresses, int from) {
        first.again(number, thread, run, addresses, from);
        second.again(number, thread, run, addresses, from);
    }

    @Override
    public void access(long number, int thread, Site site, boolean store, long address) {
        first.access(number, thread, site, store, address);
        second.access(number, thread, site, store, address);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        first.block(number, thread, kind, to, from, length, code);
        second.block(number, thread, kind, to, from, length, code);
    }

    @Override
    public void ring(RingEvent event) {
        first.ring(event);
        second.ring(event);
    }

    @Override
    public void process(ProcessImage entry) {
        first.process(entry);
        second.process(entry);
    }

    @Override
    public void end(boolean complete) {
        first.end(complete);
        second.end(complete);
    }
}
