package dev.madt.view.chains;

import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.RecordedInstruments;
import dev.madt.trace.instrument.Value;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.CallChain;
import dev.madt.view.Needs;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts hits of instruments by the calls that led to them: {@code stack} and {@code by stack}. */
public final class InstrumentStacks implements Analysis {
    private static final String UNKNOWN = "?";

    private final RecordedInstruments instruments = new RecordedInstruments();
    /** Stands for chains that are not known. */
    private final CallChain nowhere = CallChain.start();

    private CallChain.Source source = CallChain.Source.NONE;
    /** By the numbers of actions and by chains, in the order in which they came. */
    private final Map<Long, Map<CallChain, StackCount>> counts = new LinkedHashMap<>();

    @Override
    public Needs needs() {
        return Needs.BATCHES.withChains();
    }

    @Override
    public void stacks(CallChain.Source of) {
        source = of;
    }

    @Override
    public void meta(Map<String, String> values) {
        instruments.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {}

    @Override
    public void ring(TraceEvent event) {
        if (event.type() != RingEventType.INSTRUMENT_ROW) {
            return;
        }
        Action action = instruments.action(event.word(0));
        if (action == null || action.stack() == null) {
            return;
        }
        StackCount row = new StackCount(
                instruments.all().get((int) (event.word(0) / Action.MOST)),
                action,
                source.of(event.word(1), action.stack().calls()),
                event.word(2),
                event.word(3),
                action.values().stream()
                        .anyMatch(one -> instruments.isUnsigned(event.word(0), one)));
        counts.computeIfAbsent(event.word(0), absent -> new LinkedHashMap<>())
                .merge(row.chain() == null ? nowhere : row.chain(), row, InstrumentStacks::joined);
    }

    private static StackCount joined(StackCount one, StackCount other) {
        return new StackCount(
                one.instrument(),
                one.action(),
                one.chain(),
                one.hits() + other.hits(),
                one.action().join(one.value(), Value.of(other.value(), one.unsigned())),
                one.unsigned());
    }

    /** Returns all of them: by instruments and actions, those with the largest values first. */
    public List<StackCount> all() {
        List<StackCount> all = new ArrayList<>();
        counts.values().forEach(chains -> chains.values().stream()
                .sorted((one, other) -> other.compareValue(one))
                .forEach(all::add));
        return all;
    }

    /** Returns those of the first action, of an instrument with this place, that goes by stacks. */
    public List<StackCount> of(String place) {
        List<StackCount> all = new ArrayList<>();
        for (Map<CallChain, StackCount> chains : counts.values()) {
            StackCount first = chains.values().iterator().next();
            if (all.isEmpty() && first.instrument().typed().equals(place)) {
                all.addAll(chains.values());
            }
        }
        return all;
    }

    /** Returns the places of which there are some, as they were typed. */
    public List<String> places() {
        return all().stream().map(row -> row.instrument().typed()).distinct().toList();
    }

    /**
     * Returns a table of them.
     *
     * @param top rows of each action at most; 0: all
     */
    public Table table(int top) {
        Table table = new Table("stacks", List.of("hits", "place", "action", "value", "calls"));
        int hidden = 0;
        Map<Action, Integer> shown = new LinkedHashMap<>();
        for (StackCount row : all()) {
            if (top > 0 && shown.merge(row.action(), 1, Integer::sum) > top) {
                hidden++;
                continue;
            }
            table.row(
                    row.hits(),
                    row.instrument().typed(),
                    row.action().text(),
                    row.hasValue() ? Table.number(row.value(), row.unsigned()) : null,
                    new Table.Chain(
                            row.chain() == null
                                    ? List.of(UNKNOWN)
                                    : row.chain().calls(Integer.MAX_VALUE),
                            true));
        }
        return table.hidden(hidden);
    }
}
