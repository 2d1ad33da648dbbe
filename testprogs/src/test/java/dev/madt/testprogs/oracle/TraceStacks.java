package dev.madt.testprogs.oracle;

import dev.madt.testprogs.QuietConsumer;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.instrument.RecordedInstruments;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The hits of instruments that log stacks, in a trace of one process. */
final class TraceStacks extends QuietConsumer {
    /** @param frames that of the place first; empty: no stack is known */
    record Hit(int thread, List<TraceChains.Frame> frames) {}

    /** Why stacks end, by {@code enum madt_cut}: how many of them. */
    final Map<Long, Integer> cuts = new TreeMap<>();

    private final TraceChains chains;
    private final RecordedInstruments instruments = new RecordedInstruments();
    private final Map<Integer, List<Hit>> hits = new TreeMap<>();

    TraceStacks(String program, int calls) {
        chains = new TraceChains(program, calls);
    }

    /** Returns the hits of each place, by its number, in their order. */
    Map<Integer, List<Hit>> hits() {
        return hits;
    }

    /** Returns the places. */
    List<PlacedInstrument> places() {
        List<PlacedInstrument> places = new ArrayList<>();
        instruments.places().forEach(places::add);
        return places;
    }

    @Override
    public void meta(Map<String, String> values) {
        instruments.meta(values);
    }

    @Override
    public void define(Definition definition) {
        chains.define(definition);
    }

    @Override
    public void ring(TraceEvent event) {
        chains.ring(event);
        if (event.type() == RingEventType.INSTRUMENT_HIT) {
            RecordedInstruments.Said said = instruments.said(event);
            cuts.merge(chains.cut(said.stack()), 1, Integer::sum);
            hits.computeIfAbsent((int) event.word(0), absent -> new ArrayList<>())
                    .add(new Hit(event.thread(), chains.frames(said.stack())));
        }
    }
}
