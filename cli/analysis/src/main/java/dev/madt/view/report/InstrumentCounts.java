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
import java.util.Collection;
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

    /** By action and key, what times came to; of an action without keys, by key 0. */
    private final Map<Long, Map<Long, TraceEvent.InstrumentTimes>> times = new TreeMap<>();

    private long lastKey;

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
            case INSTRUMENT_ROW -> {
                lastKey = event.word(1);
                rows.computeIfAbsent(event.word(0), absent -> new TreeMap<>())
                        .put(lastKey, new long[] {event.word(2), event.word(3)});
            }
            case INSTRUMENT_TIMES -> {
                Action action = instruments.action(event.word(0));
                times.computeIfAbsent(event.word(0), absent -> new TreeMap<>())
                        .put(
                                action == null || action.hasSlots() ? 0 : lastKey,
                                (TraceEvent.InstrumentTimes) event);
            }
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

    /** Returns whether places or tables tell of hits of an instrument. */
    public boolean isHit(Instrument instrument) {
        boolean hit = rows.keySet().stream()
                .anyMatch(action -> action / Action.MOST == instrument.number());
        for (PlacedInstrument place : instruments.places()) {
            hit |= place.instrument() == instrument.number() && order(place) > 0;
        }
        return hit;
    }

    /** Returns what times came to, the longest sums first. */
    public Table times(int top) {
        Table table = new Table(
                "times",
                List.of("hits", "place", "action", "key", "total", "min", "median", "max"));
        List<Object[]> all = new ArrayList<>();
        times.forEach((number, keys) -> {
            Action action = instruments.action(number);
            if (action != null && action.stack() == null) {
                keys.forEach((key, took) -> all.add(times(number, action, key, took)));
            }
        });
        all.sort(Comparator.comparingLong(row -> -((Table.Time) row[4]).nanos()));
        return table.first(all, top, row -> row);
    }

    private Object[] times(long number, Action action, long key, TraceEvent.InstrumentTimes took) {
        Collection<long[]> told = action.hasSlots()
                ? rows.get(number).values()
                : List.of(rows.get(number).get(key));
        return new Object[] {
            told.stream().mapToLong(row -> row[HITS]).sum(),
            typed(number),
            action.text(),
            action.hasSlots() ? null : key(number, action, key),
            new Table.Time(told.stream().mapToLong(row -> row[VALUE]).sum()),
            new Table.Time(took.least()),
            new Table.Time(took.median()),
            new Table.Time(took.most())
        };
    }

    private String typed(long number) {
        return instruments.all().get((int) (number / Action.MOST)).typed();
    }

    /** Returns how many times were how long. */
    public Table spread() {
        Table table =
                new Table("spread", List.of("place", "action", "time", "hits", "total", "share"));
        rows.forEach((number, keys) -> {
            Action action = instruments.action(number);
            if (action != null && action.takesTimes() && action.hasSlots()) {
                double all = keys.values().stream().mapToLong(row -> row[HITS]).sum();
                keys.forEach((slot, row) -> table.row(
                        typed(number),
                        action.text(),
                        new Table.Times(least(slot), most(slot)),
                        row[HITS],
                        new Table.Time(row[VALUE]),
                        new Table.Share(row[HITS] / all)));
            }
        });
        return table;
    }

    /** Returns the tables of other actions that do not go by calls: a row for each key. */
    public Table values() {
        Table table = new Table("values", List.of("place", "action", "key", "hits", "value"));
        rows.forEach((number, keys) -> {
            Action action = instruments.action(number);
            if (action == null || action.stack() != null || action.takesTimes()) {
                return;
            }
            boolean called = action.kind() == Action.Kind.CALL;
            boolean sorted = action.hasSlots() || called;
            List<Map.Entry<Long, long[]>> all = new ArrayList<>(keys.entrySet());
            boolean unsigned =
                    action.values().stream().anyMatch(one -> instruments.isUnsigned(number, one));
            if (!sorted) {
                Comparator<Long> order = unsigned ? Long::compareUnsigned : Long::compare;
                all.sort(Comparator.comparing(entry -> entry.getValue()[VALUE], order.reversed()));
            }
            for (Map.Entry<Long, long[]> row : all) {
                table.row(
                        typed(number),
                        action.text(),
                        key(number, action, row.getKey()),
                        called ? null : (Long) row.getValue()[HITS],
                        action.kind() == Action.Kind.COUNT || action.kind().acts()
                                ? null
                                : Table.number(row.getValue()[VALUE], unsigned));
            }
        });
        return table;
    }

    private String key(long number, Action action, long key) {
        if (action.goesByTexts()) {
            return instruments.text(key);
        }
        if (action.hasSlots()) {
            return range(key);
        }
        if (action.kind() == Action.Kind.CALL) {
            return key == Action.NUMBERS ? "faults" : Long.toString(key);
        }
        return action.key() == null
                ? null
                : Table.number(key, instruments.isUnsigned(number, action.key()))
                        .toString();
    }

    /** Returns the values of a slot: {@code 8 to 15}. */
    private static String range(long slot) {
        long size = Math.abs(slot);
        if (size < 2) {
            return Long.toString(slot);
        }
        long least = least(size);
        long most = most(size);
        return slot > 0
                ? Long.toUnsignedString(least) + " to " + Long.toUnsignedString(most)
                : -most + " to " + -least;
    }

    private static long least(long slot) {
        return slot == 0 ? 0 : 1L << slot - 1;
    }

    private static long most(long slot) {
        return slot == 0 ? 0 : 2 * least(slot) - 1;
    }
}
