package dev.madt.modules;

import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.instrument.RecordedInstruments;
import dev.madt.trace.instrument.Value;
import dev.madt.tracker.Durations;
import dev.madt.tracker.ThreadPauses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * Makes of the records of a process's instruments what they come to: events of hits whose values
 * are to be told, and tables, which become events at the end of its trace.
 */
public final class InstrumentHits {
    /** Keys of a table, at most; further ones are counted in no row. */
    static final int MOST_KEYS = 1 << 16;

    private static final int VALUES = RecordedInstruments.VALUES;
    /** No thread has this number. */
    private static final int ALL_THREADS = -1;

    private final Instruments instruments;
    private final ModuleTable modules;
    /** By the numbers of templates; empty: not those of instruments. */
    private final Map<Integer, Optional<Instruments.Found>> templates = new HashMap<>();

    private final Map<Integer, Long> codes = new HashMap<>();
    /** By instrument and action, hits and values by their keys. */
    private final Map<Integer, Map<Long, long[]>> tables = new TreeMap<>();

    /** Likewise, how long the calls of a function took; of an action without keys, by key 0. */
    private final Map<Integer, Map<Long, Durations>> times = new TreeMap<>();

    /** Texts by which tables go, in the order of their numbers. */
    private final Map<String, Long> texts = new LinkedHashMap<>();

    /** By threads, the calls whose times are taken. */
    private final Map<Integer, Deque<Entered>> open = new HashMap<>();

    /** By instruments, when they were hit last. */
    private final Map<Integer, Long> lastHits = new HashMap<>();

    private final ThreadPauses pauses = new ThreadPauses();

    /** Hits of an instrument that the target does not count, of each thread. */
    private final Map<Integer, Map<Integer, Long>> hits = new HashMap<>();

    private final Set<Action.Kind> asked = EnumSet.noneOf(Action.Kind.class);
    private final LongUnaryOperator nanos;
    private final LongUnaryOperator since;
    private int told;
    private long unread;
    private long beyond;

    /** A call of a function that has not returned; the time is without what was waited for MadT. */
    private record Entered(int instrument, long stack, long time, Function<Leaf, Value> leaves) {}

    /**
     * @param nanos makes nanoseconds of ticks
     * @param since makes nanoseconds since the recording began of a time
     */
    public InstrumentHits(
            Instruments instruments,
            ModuleTable modules,
            LongUnaryOperator nanos,
            LongUnaryOperator since) {
        this.instruments = instruments;
        this.modules = modules;
        this.nanos = nanos;
        this.since = since;
    }

    /** Returns whether records have to be looked at. */
    public boolean areRecorded() {
        return instruments.record();
    }

    /** Returns whether a template is that of instruments. */
    public boolean are(int template) {
        return found(template).isPresent();
    }

    private Optional<Instruments.Found> found(int template) {
        Optional<Instruments.Found> known = templates.get(template);
        if (known == null) {
            known = Optional.ofNullable(find(template));
            templates.put(template, known);
        }
        return known;
    }

    private Instruments.Found find(int template) {
        AccessSite first = modules.sites(template)[0];
        LoadedModule module =
                first.kind() == AccessKind.INSTRUMENT ? modules.at(first.address()) : null;
        if (module == null || module.elf() == null) {
            return null;
        }
        codes.put(template, first.address());
        return instruments.at(module.elf(), first.address() - module.bias(), first.operand());
    }

    /** Returns what places and instruments came since the last call, as META has it; or null. */
    public MetaFrame news() {
        int known = instruments.places();
        if (told == known) {
            return null;
        }
        told = known;
        MetaFrame news = new MetaFrame();
        if (instruments.areAdded()) {
            news.add(Instrument.KEY, instruments.rows());
        }
        return news.add(PlacedInstrument.KEY, instruments.placeRows());
    }

    /** Takes a record of such a template. */
    public void take(int thread, int template, long epoch, long[] words, Consumer<TraceEvent> out) {
        Instruments.Found found = found(template).orElseThrow();
        Instrument instrument = instruments.all().get(found.placed().instrument());
        if (found.leaves()) {
            leave(thread, instrument, words[0], pauses.without(thread, words[1]));
            return;
        }
        long[] values = Arrays.stream(found.words()).mapToLong(at -> words[at]).toArray();
        int elapsed = found.placed().position("elapsed");
        if (elapsed >= 0) {
            values[elapsed] = since.applyAsLong(values[elapsed]);
        }
        int apart = found.placed().position(Leaf.APART);
        if (apart >= 0) {
            values[apart] = sinceTheLast(instrument.number(), values[apart]);
        }
        Consumer<TraceEvent> lines = line -> out.accept(line.at(epoch).by(codes.get(template)));
        Function<Leaf, Value> leaves = found.placed().values(values, thread);
        if (take(instrument, found, thread, values, leaves, lines) && instrument.times()) {
            long time = pauses.without(thread, words[1]);
            enter(thread, new Entered(instrument.number(), words[0], time, leaves));
        }
    }

    /**
     * Returns nanoseconds since the hit before. Hits of several threads come thread by thread: one
     * that was before another that has come has none that is known, -1.
     */
    private long sinceTheLast(int instrument, long time) {
        Long last = lastHits.get(instrument);
        if (last != null && time < last) {
            return -1;
        }
        lastHits.put(instrument, time);
        return last == null ? -1 : nanos.applyAsLong(time - last);
    }

    private void enter(int thread, Entered call) {
        Deque<Entered> calls = open.computeIfAbsent(thread, absent -> new ArrayDeque<>());
        while (!calls.isEmpty() && Long.compareUnsigned(calls.peek().stack(), call.stack()) < 0) {
            calls.pop(); // it was left in another way
        }
        if (calls.size() < MOST_KEYS) {
            calls.push(call);
        }
    }

    /** A thread has waited for MadT: that is none of its functions' time. */
    public void pause(TraceEvent.Pause pause) {
        pauses.add(pause.thread(), pause.begin(), pause.length());
    }

    /**
     * A window of the recording closes: nobody sees which calls return from there on, and which
     * hits there are.
     */
    public void closes() {
        open.clear();
        lastHits.clear();
    }

    /** A function returns at the stack pointer that it was entered with. */
    private void leave(int thread, Instrument instrument, long stack, long time) {
        Deque<Entered> calls = open.getOrDefault(thread, new ArrayDeque<>());
        while (!calls.isEmpty() && Long.compareUnsigned(calls.peek().stack(), stack) < 0) {
            calls.pop();
        }
        for (Iterator<Entered> at = calls.iterator(); at.hasNext(); ) {
            Entered call = at.next();
            if (call.stack() != stack) {
                return;
            }
            if (call.instrument() == instrument.number()) {
                at.remove();
                count(instrument, nanos.applyAsLong(time - call.time()), call.leaves());
                return;
            }
        }
    }

    private void count(Instrument instrument, long time, Function<Leaf, Value> leaves) {
        for (int i = 0; i < instrument.actions().size(); i++) {
            Action action = instrument.actions().get(i);
            if (action.kind() == Action.Kind.TIME) {
                int number = Action.MOST * instrument.number() + i;
                Value key =
                        action.key() == null ? Value.of(Action.slot(time)) : key(action, leaves);
                count(number, action, Value.of(time), key);
            }
        }
    }

    /** Returns what a table goes by: a text by its number. */
    private Value key(Action action, Function<Leaf, Value> leaves) {
        Value key = action.key().evaluate(leaves);
        if (!action.goesByTexts() || !key.known()) {
            return key;
        }
        Long known = texts.get(key.text());
        if (known == null && texts.size() == MOST_KEYS) {
            return Value.of(MOST_KEYS); // the table has no room for it either
        }
        return Value.of(texts.computeIfAbsent(key.text(), absent -> (long) texts.size()));
    }

    /** Returns the lines of META frames for the texts by which tables go; null: there are none. */
    public String texts() {
        return texts.isEmpty()
                ? null
                : texts.keySet().stream().map(PrintableText::of).collect(Collectors.joining("\n"));
    }

    /** Returns whether it is no hit that is left out. */
    private boolean take(
            Instrument instrument,
            Instruments.Found found,
            int thread,
            long[] values,
            Function<Leaf, Value> leaves,
            Consumer<TraceEvent> out) {
        if (!found.whole() && !isTaken(instrument, thread, leaves)) {
            return false;
        }
        boolean logged = false;
        for (int i = 0; i < instrument.actions().size(); i++) {
            Action action = instrument.actions().get(i);
            if (action.kind() == Action.Kind.LOG) {
                logged = true;
            } else if (action.kind().acts()) {
                asked.add(action.kind());
                count(Action.MOST * instrument.number() + i, action, leaves);
            } else if (action.kind() != Action.Kind.TIME
                    && action.kind() != Action.Kind.CALL
                    && (action.kind().tabulates() || !found.whole())) {
                count(Action.MOST * instrument.number() + i, action, leaves);
            }
        }
        if (logged) {
            log(found.placed().number(), thread, values, out);
        }
        return true;
    }

    /** Returns what is to be done with the recording since the last call. */
    public Set<Action.Kind> takeAsked() {
        Set<Action.Kind> taken = asked.isEmpty() ? Set.of() : EnumSet.copyOf(asked);
        asked.clear();
        return taken;
    }

    /** Decides what the target cannot: as it would. */
    private boolean isTaken(Instrument instrument, int thread, Function<Leaf, Value> leaves) {
        if (instrument.filter() != null && !instrument.filter().evaluate(leaves).isTrue()) {
            return false;
        }
        Map<Integer, Long> counts =
                hits.computeIfAbsent(instrument.number(), absent -> new HashMap<>());
        long hit = counts.merge(ALL_THREADS, 1L, Long::sum);
        int last = instruments.switches().lastHit(instrument.number());
        if (hit < instruments.switches().firstHit(instrument.number()) || last > 0 && hit > last) {
            return false;
        }
        return counts.merge(thread, 1L, Long::sum) % instrument.selection().every() == 0;
    }

    private static void log(int place, int thread, long[] values, Consumer<TraceEvent> out) {
        int groups = Math.max(1, (values.length + VALUES - 1) / VALUES);
        long[] all = Arrays.copyOf(values, groups * VALUES);
        for (int i = 0; i < groups; i++) {
            out.accept(TraceEvent.of(
                    i + 1 < groups ? RingEventType.INSTRUMENT_VALUES : RingEventType.INSTRUMENT_HIT,
                    thread,
                    0,
                    place,
                    all[VALUES * i],
                    all[VALUES * i + 1],
                    all[VALUES * i + 2],
                    "",
                    0));
        }
    }

    private void count(int number, Action action, Function<Leaf, Value> leaves) {
        Value value =
                action.values().isEmpty() ? Value.of(1) : action.values().get(0).evaluate(leaves);
        if (!value.known() && isFirst(action, leaves)) {
            return;
        }
        Value key = action.kind() == Action.Kind.HIST
                ? new Value(Action.slot(value), value.known(), null, value.real(), false)
                : action.key() == null ? Value.of(0) : key(action, leaves);
        count(number, action, value, key);
    }

    /** Returns whether there was no hit before from which the time would count. */
    private static boolean isFirst(Action action, Function<Leaf, Value> leaves) {
        return action.values().stream()
                .flatMap(value -> value.leaves().stream())
                .anyMatch(leaf ->
                        leaf.kind() == Leaf.Kind.APART && !leaves.apply(leaf).known());
    }

    private void count(int number, Action action, Value value, Value key) {
        if (!value.known() || !key.known() || value.real() + key.real() > 0) {
            unread++;
            return;
        }
        Map<Long, long[]> table = tables.computeIfAbsent(number, absent -> new TreeMap<>());
        long[] row = table.get(key.bits());
        if (row == null && table.size() < MOST_KEYS) {
            table.put(key.bits(), new long[] {1, value.bits()});
        } else if (row != null) {
            row[0]++;
            row[1] = action.join(row[1], value);
        } else {
            beyond++;
            return;
        }
        if (action.takesTimes()) {
            times.computeIfAbsent(number, absent -> new HashMap<>())
                    .computeIfAbsent(action.hasSlots() ? 0 : key.bits(), absent -> new Durations())
                    .add(value.bits());
        }
    }

    /** Nothing more will come. */
    public void end() {
        instruments.leftOut(unread, beyond);
    }

    /**
     * Returns counts and tables as they are now, as the end of a trace says them.
     *
     * @param counts of the process, by their numbers
     */
    public List<TraceEvent> tables(int thread, long epoch, long[] counts) {
        List<TraceEvent> events = new ArrayList<>();
        for (LoadedModule module : modules.withInstruments(instruments)) {
            Map<PlacedInstrument, Long> addresses = instruments.addresses(module.elf());
            Map<PlacedInstrument, Integer> numbers =
                    new TreeMap<>(Comparator.comparingInt(PlacedInstrument::number));
            numbers.putAll(instruments.counts(module.elf()));
            numbers.forEach((placed, number) -> events.add(TraceEvent.of(
                    RingEventType.INSTRUMENT_COUNT,
                    thread,
                    epoch,
                    placed.number(),
                    number < counts.length ? counts[number] : 0,
                    0,
                    0,
                    "",
                    addresses.get(placed) + module.bias())));
        }
        instruments
                .called()
                .numbers(counts)
                .forEach((action, numbers) ->
                        numbers.forEach((key, value) -> events.add(TraceEvent.of(
                                RingEventType.INSTRUMENT_ROW,
                                thread,
                                epoch,
                                action,
                                key,
                                0,
                                value,
                                "",
                                0))));
        tables.forEach((action, rows) -> {
            Map<Long, Durations> taken = times.getOrDefault(action, Map.of());
            rows.forEach((key, row) -> {
                events.add(
                        new TraceEvent.InstrumentRow(thread, epoch, action, key, row[0], row[1]));
                if (!instruments.action(action).hasSlots() && taken.containsKey(key)) {
                    events.add(times(thread, epoch, action, taken.get(key)));
                }
            });
            if (instruments.action(action).hasSlots() && !taken.isEmpty()) {
                events.add(times(thread, epoch, action, taken.get(0L)));
            }
        });
        return events;
    }

    private static TraceEvent times(int thread, long epoch, int action, Durations times) {
        return new TraceEvent.InstrumentTimes(
                thread, epoch, action, times.least(), times.percentile(50), times.most());
    }
}
