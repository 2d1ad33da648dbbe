package dev.madt.testprogs;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.TraceEvent;
import java.util.Map;

/** Passes on what a trace would have whose stacks were not unwound; no accesses. */
public final class WithoutStacks extends QuietConsumer {
    private final EventConsumer consumer;

    public WithoutStacks(EventConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public void meta(Map<String, String> values) {
        consumer.meta(values);
    }

    @Override
    public void define(Definition definition) {
        consumer.define(definition);
    }

    @Override
    public void call(long number, int thread, AccessSite site, long stack, long time) {
        consumer.call(number, thread, site, stack, time);
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.Allocation made && made.chain() != 0) {
            consumer.ring(TraceEvent.of(
                    made.type(),
                    made.thread(),
                    made.epoch(),
                    made.word(0),
                    made.word(1),
                    made.word(2),
                    0,
                    "",
                    made.code()));
        } else if (!(event instanceof TraceEvent.ChainNode)) {
            consumer.ring(event);
        }
    }
}
