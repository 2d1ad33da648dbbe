package dev.madt.view;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.event.RecordRows;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.TraceEvent;
import java.util.List;
import java.util.Map;

/**
 * Consumers of one trace who do not concern each other: each is given many events before the next
 * one is.
 */
final class ConsumerGroup implements EventConsumer {
    private final EventConsumer[] all;

    ConsumerGroup(List<EventConsumer> consumers) {
        all = consumers.toArray(new EventConsumer[0]);
    }

    @Override
    public void meta(Map<String, String> values) {
        for (EventConsumer consumer : all) {
            consumer.meta(values);
        }
    }

    @Override
    public void define(Definition definition) {
        for (EventConsumer consumer : all) {
            consumer.define(definition);
        }
    }

    @Override
    public void rows(RecordRows rows) {
        for (EventConsumer consumer : all) {
            consumer.rows(rows);
        }
    }

    @Override
    public void record(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        for (EventConsumer consumer : all) {
            consumer.record(number, thread, template, addresses, from);
        }
    }

    @Override
    public void again(
            long number, int thread, RecordTemplate template, long[] addresses, int from) {
        for (EventConsumer consumer : all) {
            consumer.again(number, thread, template, addresses, from);
        }
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        for (EventConsumer consumer : all) {
            consumer.access(number, thread, site, store, address);
        }
    }

    @Override
    public void passed(long number, int thread, long accesses) {
        for (EventConsumer consumer : all) {
            consumer.passed(number, thread, accesses);
        }
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {
        for (EventConsumer consumer : all) {
            consumer.block(number, thread, kind, to, from, length, code);
        }
    }

    @Override
    public void call(long number, int thread, RecordTemplate template, long[] words, int at) {
        for (EventConsumer consumer : all) {
            consumer.call(number, thread, template, words, at);
        }
    }

    @Override
    public void ring(TraceEvent event) {
        for (EventConsumer consumer : all) {
            consumer.ring(event);
        }
    }

    @Override
    public void process(ProcessImage entry) {
        for (EventConsumer consumer : all) {
            consumer.process(entry);
        }
    }

    @Override
    public void end(boolean complete) {
        for (EventConsumer consumer : all) {
            consumer.end(complete);
        }
    }
}
