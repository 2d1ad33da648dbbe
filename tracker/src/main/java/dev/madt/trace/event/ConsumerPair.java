package dev.madt.trace.event;

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
    public void define(Definition definition) {
        first.define(definition);
        second.define(definition);
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        first.record(number, thread, template, addresses, from);
        second.record(number, thread, template, addresses, from);
    }

    @Override
    public void again(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        first.again(number, thread, template, addresses, from);
        second.again(number, thread, template, addresses, from);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        first.access(number, thread, site, store, address);
        second.access(number, thread, site, store, address);
    }

    @Override
    public void passed(long number, int thread, long accesses) {
        first.passed(number, thread, accesses);
        second.passed(number, thread, accesses);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        first.block(number, thread, kind, to, from, length, code);
        second.block(number, thread, kind, to, from, length, code);
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        first.call(number, thread, template, words, at);
        second.call(number, thread, template, words, at);
    }

    @Override
    public void ring(TraceEvent event) {
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
