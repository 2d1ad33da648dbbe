package dev.madt.view.report;

import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.instrument.RecordedInstruments;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Counts of instruments, and their tables, as {@code madt points} shows them. */
public final class InstrumentCounts implements Analysis {
    private static final int HITS = 0;
    private static final int VALUE = 1;

    private final RecordedInstruments instruments = new RecordedInstruments();
    /** By the numbers of places: counts, or hits that were told. */
    private final Map<Long, Long> counts = new TreeMap<>();

    private final Map<Long, Long> hits = new TreeMap<>();
    /** By action and key, hits and values. */
    private final Map<Long, Map<Long, long[]>> rows = new TreeMap<>();

    @Override
    public void meta(Map<String, String> values) {
        instruments.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {}

    @Override
    public void ring(TraceEvent event) {
        switch (event.type()) {
            case INSTRUMENT_COUNT -> counts.merge(event.word(0), event.word(1), Long::sum);
            case INSTRUMENT_HIT -> hits.merge(event.word(0), 1L, Long::sum);
            case INSTRUMENT_ROW ->
                rows.computeIfAbsent(event.word(0), absent -> new TreeMap<>())
                        .put(event.word(1), new long[] {event.word(2), event.word(3)});
            default -> {}
        }
    }

    /** Returns whether the trace tells of instruments. */
    public boolean areAny() {
        return !instruments.all().isEmpty();
    }

    /** Returns the places, those with most hits first. */
    public Table places(int top) {
        Table table = new Table("places", List.of("hits", "place", "action", "module", "address"));
        List<PlacedInstrument> places = new ArrayList<>();
        instruments.places().forEach(place -> {
            if (instruments.all().get(place.instrument()) != null && hits(place) != null) {
                places.add(place);
            }
        });
        places.sort(Comparator.comparingLong((PlacedInstrument place) -> -order(place))
                .thenComparingInt(PlacedInstrument::number));
        int shown = top == 0 ? places.size() : Math.min(top, places.size());
        for (PlacedInstrument place : places.subList(0, shown)) {
            table.row(
                    hits(place),
                    place.label(),
                    instruments.all().get(place.instrument()).typedActions(),
                    place.module(),
                    "0x" + Long.toHexString(place.address()));
        }
        return table.hidden(places.size() - shown);
    }

    private long order(PlacedInstrument place) {
        Long hits = hits(place);
        return hits == null ? 0 : hits;
    }

    /** Null: only its tables tell. */
    private Long hits(PlacedInstrument place) {
        long number = place.number();
        boolean logs = instruments.all().get(place.instrument()).actions().stream()
                .anyMatch(action -> action.kind() == Action.Kind.LOG);
        return counts.getOrDefault(number, logs ? hits.getOrDefault(number, 0L) : null);
    }

    /** Returns the instruments that are known here. */
    public List<Instrument> all() {
        return instruments.all().stream().filter(Objects::nonNull).toList();
    }

    /** Returns whether places or tables tell of an instrument. */
    public boolean tellsOf(Instrument instrument) {
        boolean told = rows.keySet().stream()
                .anyMatch(action -> action / Action.MOST == instrument.number());
        for (PlacedInstrument place : instruments.places()) {
            told |= place.instrument() == instrument.number() && hits(place) != null;
        }
        return told;
    }

    /** Returns the tables of actions, but of those that go by calls: a row for each key. */
    public Table values() {
        Table table = new Table("values", List.of("place", "action", "key", "hits", "value"));
        rows.forEach((number, keys) -> {
            Action action = instruments.action(number);
            if (action == null || action.stack() != null) {
                return;
            }
            Instrument instrument = instruments.all().get((int) (number / Action.MOST));
            boolean called = action.kind() == Action.Kind.CALL;
            boolean sorted = action.hasSlots() || called;
            List<Map.Entry<Long, long[]>> all = new ArrayList<>(keys.entrySet());
            if (!sorted) {
                all.sort(Comparator.comparingLong(entry -> -entry.getValue()[VALUE]));
            }
            for (Map.Entry<Long, long[]> row : all) {
                table.row(
                        instrument.typed(),
                        action.text(),
                        key(action, row.getKey()),
                        called ? null : (Long) row.getValue()[HITS],
                        action.kind() == Action.Kind.COUNT || action.kind().acts()
                                ? null
                                : (Long) row.getValue()[VALUE]);
            }
        });
        return table;
    }

    private static String key(Action action, long key) {
        if (action.hasSlots()) {
            return range(key) + (action.kind() == Action.Kind.TIME ? " ns" : "");
        }
        if (action.kind() == Action.Kind.CALL) {
            return key == Action.NUMBERS ? "faults" : Long.toString(key);
        }
        return action.key() == null ? null : Long.toString(key);
    }

    /** Returns the values of a slot: {@code 8 to 15}. */
    private static String range(long slot) {
        long size = Math.abs(slot);
        if (size < 2) {
            return Long.toString(slot);
        }
        long least = 1L << size - 1;
        long most = least + (least - 1);
        return slot > 0 ? least + " to " + most : -most + " to " + -least;
    }
}
