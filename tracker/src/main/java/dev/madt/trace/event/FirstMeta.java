package dev.madt.trace.event;

import java.util.HashMap;
import java.util.Map;

/**
 * Stands in front of a consumer until a trace has said for the first time what it is of: then it
 * tells the consumer what is known besides.
 */
public final class FirstMeta implements EventConsumer {
    private final EventConsumer consumer;
    private final Map<String, String> besides;
    private boolean told;

    /** @param besides what the consumer is told together with the first of what the trace says */
    public FirstMeta(EventConsumer consumer, Map<String, String> besides) {
        this.consumer = consumer;
        this.besides = besides;
        this.told = besides.isEmpty();
    }

    /** Returns whether the consumer needs this no more. */
    public boolean isTold() {
        return told;
    }

    @Override
    public void meta(Map<String, String> values) {
        Map<String, String> all = new HashMap<>(told ? Map.of() : besides);
        all.putAll(values);
        told = true;
        consumer.meta(all);
    }

    @Override
    public void define(Definition definition) {
        consumer.define(definition);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        consumer.access(number, thread, site, store, address);
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        consumer.record(number, thread, template, addresses, from);
    }

    @Override
    public void again(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        consumer.again(number, thread, template, addresses, from);
    }

    @Override
    public void rows(RecordRows rows) {
        consumer.rows(rows);
    }

    @Override
    public void passed(long number, int thread, long accesses) {
        consumer.passed(number, thread, accesses);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        consumer.block(number, thread, kind, to, from, length, code);
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        consumer.call(number, thread, site, stack, time);
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        consumer.call(number, thread, template, words, at);
    }

    @Override
    public void ring(TraceEvent event) {
        consumer.ring(event);
    }

    @Override
    public void process(ProcessImage entry) {
        consumer.process(entry);
    }

    @Override
    public void end(boolean complete) {
        consumer.end(complete);
    }
}
