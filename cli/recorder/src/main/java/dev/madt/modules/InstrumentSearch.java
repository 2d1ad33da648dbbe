package dev.madt.modules;

import dev.madt.called.CalledFunctions;
import dev.madt.console.Suggestion;
import dev.madt.guard.Guard;
import dev.madt.guard.GuardStep;
import dev.madt.guard.InstrumentSwitches;
import dev.madt.leaves.LeafWords;
import dev.madt.leaves.Room;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.LeafForm;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.instrument.Selection;
import dev.madt.trace.instrument.UnknownLeafException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Finds, module by module, where instruments stand, and what is recorded there. */
final class InstrumentSearch {
    /** Instruments of an instruction on one side of it, at most. */
    static final int MOST_THERE = 120;
    /** The number of places of which a trace does not tell. */
    private static final int UNTOLD = -1;

    /**
     * Orders by address, and puts what is behind instructions behind the rest. Probes are given so,
     * those of one side of an instruction as they were found.
     */
    static final Comparator<Probe> ORDER =
            Comparator.comparing(Probe::after).thenComparingLong(Probe::start);

    /** An instruction with instruments on one side of it. */
    record Side(long address, boolean after) {}

    /** The instruments of a module. */
    static final class InModule {
        final List<Probe> probes = new ArrayList<>();
        final Map<Side, List<Instruments.Found>> found = new HashMap<>();

        /** Adds others, behind those that stand at the same instruction. */
        void add(InModule more) {
            probes.addAll(more.probes);
            probes.sort(ORDER);
            more.found.forEach((side, list) ->
                    found.computeIfAbsent(side, absent -> new ArrayList<>()).addAll(list));
        }

        /** Returns how many stand at most at an instruction where some of the others do. */
        int mostWith(InModule more) {
            return more.found.entrySet().stream()
                    .mapToInt(entry -> entry.getValue().size()
                            + found.getOrDefault(entry.getKey(), List.of()).size())
                    .max()
                    .orElse(0);
        }
    }

    /** Numbers that are given once. */
    static final class Numbers {
        final List<PlacedInstrument> placed = new ArrayList<>();
        /** Counts that are used by now. */
        int counts;
        /** Places that found no room for theirs. */
        int uncounted;

        Numbers(int counts) {
            this.counts = counts;
        }

        /** Returns numbers that go on behind these. */
        Numbers copy() {
            Numbers copy = new Numbers(counts);
            copy.placed.addAll(placed);
            copy.uncounted = uncounted;
            return copy;
        }
    }

    private final List<Instrument> wanted;
    private final InstrumentSwitches switches;
    private final CalledFunctions called;
    private final FunctionNames names;
    private final InstrumentFaults faults;
    private final Numbers numbers;
    private final int room;

    /**
     * @param wanted the instruments that are looked for
     * @param faults takes what is wrong with them
     * @param room for counts of each thread
     */
    InstrumentSearch(
            List<Instrument> wanted,
            InstrumentSwitches switches,
            CalledFunctions called,
            FunctionNames names,
            InstrumentFaults faults,
            Numbers numbers,
            int room) {
        this.wanted = wanted;
        this.switches = switches;
        this.called = called;
        this.names = names;
        this.faults = faults;
        this.numbers = numbers;
        this.room = room;
    }

    /** Returns what is in a module. */
    InModule find(
            String module, ElfModule elf, Supplier<DebugInfo> debug, Instruments.PlaceSource source)
            throws IOException {
        faults.seenModules.put(module, debug);
        InstrumentPlaces places =
                new InstrumentPlaces(module, elf, names, debug, source, faults.seen);
        Map<Side, List<Wanted>> sides =
                new TreeMap<>(Comparator.comparing(Side::after).thenComparingLong(Side::address));
        turners(places, false, sides);
        for (Instrument instrument : wanted) {
            for (InstrumentPlaces.At at : places.of(instrument.place())) {
                faults.matched.add(instrument.number());
                if (at.hindrance() != null) {
                    faults.hindered.putIfAbsent(
                            instrument.number(), at.label() + ": " + at.hindrance());
                    continue;
                }
                LeafWords words = new LeafWords(
                        elf,
                        isTyped(instrument) ? debug.get() : null,
                        at.address(),
                        at.operands(),
                        !at.after() && elf.functionStart(at.address()) == at.address());
                add(at, placed(instrument, at, module, words), sides);
            }
            if (instrument.times()) {
                for (InstrumentPlaces.At at : places.of(instrument.place().returning())) {
                    PlacedInstrument placed = placed(UNTOLD, instrument, at, module, Map.of());
                    List<Word> guard = List.of(GuardStep.SWITCH.of(instrument.number()));
                    add(
                            at,
                            new Wanted(instrument, placed, List.of(Word.TIME), guard, true, true),
                            sides);
                }
            }
        }
        turners(places, true, sides);
        InModule result = new InModule();
        sides.forEach((side, list) -> add(side, list, result));
        return result;
    }

    private static void add(InstrumentPlaces.At at, Wanted wanted, Map<Side, List<Wanted>> sides) {
        if (at.hindrance() == null) {
            sides.computeIfAbsent(new Side(at.address(), at.after()), side -> new ArrayList<>())
                    .add(wanted);
        }
    }

    /** Adds what switches instruments on and off: where functions are entered, or return. */
    private void turners(InstrumentPlaces places, boolean returns, Map<Side, List<Wanted>> sides)
            throws IOException {
        for (InstrumentSwitches.Turn turn : switches.turns()) {
            if (wanted.stream().noneMatch(one -> one.number() == turn.instrument())
                    || (turn.place().kind() == Place.Kind.RETURN) != returns) {
                continue;
            }
            for (InstrumentPlaces.At at : places.of(turn.place())) {
                faults.turned.add(turn.place());
                List<Word> guard =
                        List.of(GuardStep.TURN.of(turn.instrument(), turn.off() ? 1 : 0));
                add(at, new Wanted(null, null, List.of(), guard, false, true), sides);
            }
        }
    }

    private static PlacedInstrument placed(
            int number,
            Instrument instrument,
            InstrumentPlaces.At at,
            String module,
            Map<String, LeafForm> leaves) {
        return new PlacedInstrument(
                number, instrument.number(), at.label(), module, at.address(), at.after(), leaves);
    }

    private PlacedInstrument place(
            Instrument instrument,
            InstrumentPlaces.At at,
            String module,
            Map<String, LeafForm> leaves) {
        PlacedInstrument one = placed(numbers.placed.size(), instrument, at, module, leaves);
        numbers.placed.add(one);
        return one;
    }

    /** Returns whether it takes something whose type debug information tells. */
    private static boolean isTyped(Instrument instrument) {
        return instrument.leaves().stream().anyMatch(leaf -> switch (leaf.kind()) {
            case NAME, ARGUMENT, RESULT -> true;
            default -> false;
        });
    }

    /**
     * An instrument at a place, and the words that it wants there.
     *
     * @param instrument null: it switches another one
     * @param placed null likewise
     * @param guard says whether a hit is taken
     * @param whole whether that is all that says so
     */
    private record Wanted(
            Instrument instrument,
            PlacedInstrument placed,
            List<Word> words,
            List<Word> guard,
            boolean leaves,
            boolean whole) {}

    private Wanted placed(
            Instrument instrument, InstrumentPlaces.At at, String module, LeafWords source)
            throws IOException {
        Map<String, Guard.Taken> taken = new LinkedHashMap<>();
        for (Leaf leaf : instrument.leaves()) {
            if (leaf.kind() != Leaf.Kind.THREAD && !taken.containsKey(leaf.text())) {
                taken.put(leaf.text(), taken(instrument, leaf, source));
            }
        }
        faults.demandIntegers(instrument, taken);
        Room.fit(taken, Instruments.MOST_WORDS - 2, Instruments.MOST_REGISTERS);
        Selection selection = instrument.selection();
        List<Word> guard = new ArrayList<>(List.of(GuardStep.SWITCH.of(instrument.number())));
        List<Word> condition =
                selection.filter() == null ? List.of() : Guard.whole(selection.filter(), taken);
        boolean whole = condition != null && (selection.every() == 1 || numbers.counts < room);
        guard.addAll(condition != null ? condition : Guard.necessary(selection.filter(), taken));
        if (whole) {
            guard.addAll(switches.guards(instrument));
        }
        if (whole && selection.every() > 1) {
            guard.add(GuardStep.EVERY.of(numbers.counts++, (int) selection.every()));
        }
        Map<String, LeafForm> leaves = new LinkedHashMap<>();
        List<Word> words = new ArrayList<>();
        for (Leaf leaf : whole ? instrument.valueLeaves() : instrument.leaves()) {
            if (taken.containsKey(leaf.text())
                    && leaves.putIfAbsent(leaf.text(), taken.get(leaf.text()).form()) == null) {
                words.addAll(taken.get(leaf.text()).words());
            }
        }
        if (instrument.tellsAll()) {
            source.addOperands(leaves, words);
            faults.available.add(instrument.number());
        }
        guard.addAll(called.words(instrument, at.label(), whole));
        return new Wanted(
                instrument, place(instrument, at, module, leaves), words, guard, false, whole);
    }

    private Guard.Taken taken(Instrument instrument, Leaf leaf, LeafWords source) {
        Guard.Taken taken = Guard.Taken.NOTHING;
        try {
            taken = source.of(leaf);
            if (taken.form() != LeafForm.NOWHERE && leaf.kind() != Leaf.Kind.STACK) {
                faults.available.add(instrument.number());
            }
            faults.understood.add(Instruments.key(instrument, leaf));
        } catch (UnknownLeafException e) {
            faults.misunderstood.putIfAbsent(
                    Instruments.key(instrument, leaf),
                    InstrumentOptions.at(
                            instrument,
                            leaf,
                            e.column(),
                            e.getMessage() + "." + Suggestion.sentence(e.typed(), e.known())));
        }
        return taken;
    }

    /** Each has a probe of its own, with a guard of its own. */
    private void add(Side side, List<Wanted> list, InModule result) {
        List<Instruments.Found> found = new ArrayList<>();
        for (Wanted one : list) {
            List<Word> words = new ArrayList<>();
            Instrument instrument = one.instrument();
            if (one.words().contains(Word.TIME) || instrument != null && instrument.times()) {
                words.add(Word.TIME);
            }
            boolean records = instrument != null && (instrument.tellsMore() || !one.whole());
            int[] at = records ? places(one.words(), words) : new int[0];
            int count = -1;
            if (instrument != null && !one.leaves() && instrument.counts() && one.whole()) {
                count = numbers.counts < room ? numbers.counts++ : -1;
                numbers.uncounted += count < 0 ? 1 : 0;
            }
            long more = one.guard().stream()
                    .filter(word -> word.kind() != AccessKind.GUARD)
                    .count();
            if (words.size() + more + (count < 0 ? 0 : 1) > Instruments.MOST_WORDS
                    || Room.registers(words) > Instruments.MOST_REGISTERS
                    || found.size() > MOST_THERE) {
                faults.crowded.add(one.placed().label());
                continue;
            }
            if (count >= 0) {
                words.add(new Word(AccessKind.COUNT, 0, 0, 0, List.of(count)));
            }
            words.addAll(0, one.guard());
            result.probes.add(new Probe(
                    AccessKind.INSTRUMENT,
                    side.after(),
                    side.address(),
                    side.address() + 1,
                    words));
            found.add(new Instruments.Found(one.placed(), at, count, one.leaves(), one.whole()));
        }
        result.found.put(side, found);
    }

    /**
     * Adds words to those of a record, unless they are among them; where they stand, behind the
     * stack pointer.
     */
    private static int[] places(List<Word> wanted, List<Word> words) {
        int[] at = new int[wanted.size()];
        for (int i = 0; i < at.length; i++) {
            int known = words.indexOf(wanted.get(i));
            at[i] = 1 + (known < 0 ? words.size() : known);
            if (known < 0) {
                words.add(wanted.get(i));
            }
        }
        if (words.isEmpty()) {
            // a record needs a word
            words.add(new Word(AccessKind.VALUE, 0, 0, 0, List.of()));
        }
        return at;
    }
}
