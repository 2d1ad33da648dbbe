package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.InstrumentSyntaxException;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.LeafForm;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The instruments of a recording, {@code --at} and {@code --probes}: in each module their places,
 * what is recorded there, and which counts they have. The methods may be called by any thread.
 */
public final class Instruments {
    /** The name of the option for one. */
    public static final String OPTION = "at";
    /** The name of the option for the condition of the one in front of it. */
    public static final String CONDITION = "if";
    /** The name of the option for a file of some. */
    public static final String FILE = "probes";
    /** None. */
    public static final Instruments NONE = new Instruments(List.of());

    /** Words of a record behind the stack pointer, at most ({@code MADT_PROBE_WORDS}). */
    private static final int MOST_WORDS = 31;
    /** Registers of a payload, at most. */
    private static final int MOST_REGISTERS = 10;
    /** A page of counts. */
    private static final int FEW = 512;

    /**
     * Says what is recorded at an instruction, for an instrument.
     *
     * @param words where its values stand in the record
     * @param count number of its count; -1: it has none
     * @param leaves whether a function is left there whose time is taken
     */
    public record Found(PlacedInstrument placed, int[] words, int count, boolean leaves) {}

    /** An instruction with instruments on one side of it. */
    private record Side(long address, boolean after) {}

    /** The instruments of a module. */
    private static final class InModule {
        final List<Probe> probes = new ArrayList<>();
        final Map<Side, List<Found>> found = new HashMap<>();
    }

    private final List<Instrument> asked;
    private final boolean records;
    private final int room;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, InModule> known = new HashMap<>();
    private final List<PlacedInstrument> placed = new ArrayList<>();
    private final Set<Integer> matched = new TreeSet<>();
    private final Set<String> seen = new TreeSet<>();
    private final Set<String> seenModules = new TreeSet<>();
    private final Map<Integer, String> hindered = new TreeMap<>();
    /** Leaves of instruments that are known at some place, and those that are not at some. */
    private final Set<String> understood = new TreeSet<>();

    private final Set<Integer> available = new TreeSet<>();
    private final Map<String, InstrumentSyntaxException> misunderstood = new TreeMap<>();
    private final Set<String> crowded = new TreeSet<>();
    private int counts;
    private int uncounted;
    private long unread;
    private long beyond;
    private long withoutRoom;

    private Instruments(List<Instrument> asked) {
        this.asked = asked;
        records = asked.stream().anyMatch(Instrument::records);
        room = roomFor(asked);
    }

    /**
     * Reads what the options say.
     *
     * @param options place, actions and condition of each, or null; and null instead of a place for
     *     a file
     * @param status of a failure
     */
    public static Instruments of(List<String[]> options, int status) throws Failure {
        List<Instrument> asked = InstrumentOptions.read(options, status);
        return asked.isEmpty() ? NONE : new Instruments(asked);
    }

    /** Returns whether there are none. */
    public boolean areNone() {
        return asked.isEmpty();
    }

    /** Returns whether some make records. */
    public boolean record() {
        return records;
    }

    /** Returns the instruments. */
    public List<Instrument> all() {
        return asked;
    }

    /** Takes how many threads of a process found no room for their counts. */
    public synchronized void lackRoom(long threads) {
        withoutRoom += threads;
    }

    /**
     * Takes how many hits are in no table: something of theirs could not be read, or there was no
     * room for their key.
     */
    synchronized void leftOut(long hits, long keys) {
        unread += hits;
        beyond += keys;
    }

    /** Returns how many counts are used by now. */
    public synchronized int used() {
        return counts;
    }

    /** Returns how many counts each thread has room for. */
    public int room() {
        return room;
    }

    private static int roomFor(List<Instrument> asked) {
        if (asked.stream().noneMatch(Instrument::counts)) {
            return 0;
        }
        boolean all = asked.stream().anyMatch(one -> one.place().isMany());
        boolean patterns = asked.stream().anyMatch(one -> one.place().isPattern());
        return all ? SharedLayout.COUNTS_MOST : patterns ? 64 * FEW : 4 * FEW;
    }

    /** Returns what is recorded at an instruction of a module, in the order of its words. */
    public synchronized List<Found> at(ElfModule elf, long address, boolean after) {
        InModule module = known.get(elf);
        return module == null
                ? List.of()
                : module.found.getOrDefault(new Side(address, after), List.of());
    }

    /** Returns the counts of a module that was looked at: their numbers, by the places. */
    public synchronized Map<PlacedInstrument, Integer> counts(ElfModule elf) {
        Map<PlacedInstrument, Integer> numbers = new HashMap<>();
        InModule module = known.get(elf);
        if (module != null) {
            module.found.values().forEach(list -> list.stream()
                    .filter(found -> found.count() >= 0)
                    .forEach(found -> numbers.put(found.placed(), found.count())));
        }
        return numbers;
    }

    /** Returns the addresses of a module's places. */
    public synchronized Map<PlacedInstrument, Long> addresses(ElfModule elf) {
        Map<PlacedInstrument, Long> addresses = new HashMap<>();
        InModule module = known.get(elf);
        if (module != null) {
            module.found.forEach((side, list) ->
                    list.forEach(found -> addresses.put(found.placed(), side.address())));
        }
        return addresses;
    }

    /** Returns the semaphores of a module's places, which must be above zero for them to be hit. */
    synchronized Set<Long> semaphores(ElfModule elf) {
        Set<Long> semaphores = new TreeSet<>();
        InModule module = known.get(elf);
        if (module != null) {
            for (StaticProbe probe : elf.staticProbes()) {
                if (probe.semaphore() != 0
                        && module.found.containsKey(new Side(probe.address(), false))) {
                    semaphores.add(probe.semaphore());
                }
            }
        }
        return semaphores;
    }

    /** Reads the places of a module's instructions. */
    interface PlaceSource {
        CodePlaces read() throws IOException;
    }

    /** The probes of a module, those in front of instructions before those behind, by address. */
    synchronized List<Probe> probes(
            String module, ElfModule elf, Supplier<DebugInfo> debug, PlaceSource source)
            throws IOException {
        if (asked.isEmpty()) {
            return List.of();
        }
        InModule found = known.get(elf);
        if (found == null) {
            found = find(module, elf, debug, source);
            known.put(elf, found);
        }
        return found.probes;
    }

    private InModule find(
            String module, ElfModule elf, Supplier<DebugInfo> debug, PlaceSource source)
            throws IOException {
        seenModules.add(module);
        InstrumentPlaces places = new InstrumentPlaces(module, elf, names, debug, source, seen);
        Map<Side, List<Wanted>> sides =
                new TreeMap<>(Comparator.comparing(Side::after).thenComparingLong(Side::address));
        for (Instrument instrument : asked) {
            for (InstrumentPlaces.At at : places.of(instrument.place())) {
                matched.add(instrument.number());
                if (at.hindrance() != null) {
                    hindered.putIfAbsent(instrument.number(), at.label() + ": " + at.hindrance());
                    continue;
                }
                LeafWords words = new LeafWords(
                        elf,
                        named(instrument) ? debug.get() : null,
                        at,
                        instrument.place().kind() == Place.Kind.ENTRY);
                sides.computeIfAbsent(new Side(at.address(), at.after()), side -> new ArrayList<>())
                        .add(placed(instrument, at, module, words));
            }
            if (instrument.times()) {
                addReturns(instrument, places.of(instrument.place().returning()), module, sides);
            }
        }
        InModule result = new InModule();
        sides.forEach((side, list) -> add(side, list, result));
        return result;
    }

    private void addReturns(
            Instrument instrument,
            List<InstrumentPlaces.At> returns,
            String module,
            Map<Side, List<Wanted>> sides) {
        for (InstrumentPlaces.At at : returns) {
            if (at.hindrance() == null) {
                sides.computeIfAbsent(new Side(at.address(), at.after()), side -> new ArrayList<>())
                        .add(new Wanted(place(instrument, at, module, Map.of()), List.of(), true));
            }
        }
    }

    private PlacedInstrument place(
            Instrument instrument,
            InstrumentPlaces.At at,
            String module,
            Map<String, LeafForm> leaves) {
        PlacedInstrument one = new PlacedInstrument(
                placed.size(),
                instrument.number(),
                at.label(),
                module,
                at.address(),
                at.after(),
                leaves);
        placed.add(one);
        return one;
    }

    private static String key(Instrument instrument, Leaf leaf) {
        return instrument.number() + " " + leaf.text();
    }

    private static boolean named(Instrument instrument) {
        return instrument.leaves().stream().anyMatch(leaf -> leaf.kind() == Leaf.Kind.NAME);
    }

    /** An instrument at a place, and the words that it wants there. */
    private record Wanted(PlacedInstrument placed, List<Word> words, boolean leaves) {}

    private Wanted placed(
            Instrument instrument, InstrumentPlaces.At at, String module, LeafWords source) {
        Map<String, LeafForm> leaves = new LinkedHashMap<>();
        List<Word> words = new ArrayList<>();
        for (Leaf leaf : instrument.leaves()) {
            if (leaf.kind() == Leaf.Kind.THREAD || leaves.containsKey(leaf.text())) {
                continue;
            }
            LeafWords.Taken taken = LeafWords.Taken.NOTHING;
            try {
                taken = source.of(leaf);
                if (taken.form() != LeafForm.NOWHERE) {
                    available.add(instrument.number());
                }
                understood.add(key(instrument, leaf));
            } catch (LeafWords.UnknownLeafException e) {
                misunderstood.putIfAbsent(
                        key(instrument, leaf),
                        InstrumentOptions.at(
                                instrument,
                                leaf,
                                e.column(),
                                e.getMessage() + "." + Suggestion.sentence(e.typed(), e.known())));
            }
            leaves.put(leaf.text(), taken.form());
            words.addAll(taken.words());
        }
        if (instrument.tellsAll()) {
            source.addOperands(leaves, words);
            available.add(instrument.number());
        }
        return new Wanted(place(instrument, at, module, leaves), words, false);
    }

    private void add(Side side, List<Wanted> list, InModule result) {
        List<Word> words = new ArrayList<>();
        List<Word> counted = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        if (list.stream().anyMatch(one -> asked.get(one.placed().instrument()).times())) {
            words.add(Word.TIME);
        }
        for (Wanted wanted : list) {
            Instrument instrument = asked.get(wanted.placed().instrument());
            int[] at = instrument.records() ? places(wanted.words(), words) : new int[0];
            int count = -1;
            if (!wanted.leaves() && instrument.counts() && counts < room) {
                count = counts++;
                counted.add(new Word(AccessKind.COUNT, 0, 0, 0, List.of(count)));
            } else if (!wanted.leaves() && instrument.counts()) {
                uncounted++;
            }
            found.add(new Found(wanted.placed(), at, count, wanted.leaves()));
        }
        if (words.size() + counted.size() > MOST_WORDS || registers(words) > MOST_REGISTERS) {
            crowded.add(list.get(0).placed().label());
            return;
        }
        words.addAll(counted);
        if (!words.isEmpty()) {
            result.probes.add(new Probe(
                    AccessKind.INSTRUMENT,
                    side.after(),
                    side.address(),
                    side.address() + 1,
                    words));
            result.found.put(side, found);
        }
    }

    private static long registers(List<Word> words) {
        return words.stream()
                .map(Word::place)
                .filter(place -> place < Leaf.REGISTERS.size())
                .distinct()
                .count();
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

    /** Returns the lines of META frames for the instruments. */
    public String rows() {
        StringBuilder rows = new StringBuilder();
        asked.forEach(one -> rows.append(rows.length() > 0 ? "\n" : "").append(one.row()));
        return rows.toString();
    }

    /** Returns those for the places that are known by now. */
    public synchronized String placeRows() {
        StringBuilder rows = new StringBuilder();
        placed.forEach(one -> rows.append(rows.length() > 0 ? "\n" : "").append(one.row()));
        return rows.toString();
    }

    /** Returns how many places are known by now. */
    public synchronized int places() {
        return placed.size();
    }

    /**
     * Refuses a place that is in none of the modules that were foreseen, unless it names another
     * module.
     */
    public synchronized void demandFound(int status) throws Failure {
        for (Instrument instrument : asked) {
            if (matched.contains(instrument.number())) {
                String hindrance = hindered.get(instrument.number());
                if (hindrance != null && isNowhere(instrument)) {
                    throw refused(
                            instrument, "no instrument can stand there: " + hindrance, status);
                }
                demandUnderstood(instrument, status);
                continue;
            }
            String module = instrument.place().module();
            if (module == null
                    || seenModules.stream()
                            .anyMatch(
                                    name -> Scope.pattern(module).matcher(name).matches())) {
                throw refused(instrument, nothing(instrument), status);
            }
        }
    }

    private void demandUnderstood(Instrument instrument, int status) throws Failure {
        for (Leaf leaf : instrument.leaves()) {
            String key = key(instrument, leaf);
            InstrumentSyntaxException wrong =
                    understood.contains(key) ? null : misunderstood.get(key);
            if (wrong != null) {
                throw new Failure(
                        status, "--" + OPTION + ": " + wrong.getMessage() + "\n" + wrong.picture());
            }
        }
        if (!crowded.isEmpty()) {
            throw new Failure(
                    status,
                    "--" + OPTION + ": too many values at " + crowded.iterator().next()
                            + ": a record has up to " + MOST_WORDS
                            + " words of " + MOST_REGISTERS
                            + " registers, and a text takes one for eight bytes and two more.");
        }
        boolean wants =
                instrument.leaves().stream().anyMatch(leaf -> leaf.kind() != Leaf.Kind.THREAD);
        if (wants && !available.contains(instrument.number())) {
            throw refused(
                    instrument, "the compiler has left no variable of it anywhere there.", status);
        }
    }

    private boolean isNowhere(Instrument instrument) {
        return placed.stream().noneMatch(one -> one.instrument() == instrument.number());
    }

    private static Failure refused(Instrument instrument, String why, int status) {
        InstrumentSyntaxException told = new InstrumentSyntaxException(
                why, instrument.typed(), instrument.place().column());
        return new Failure(
                status, "--" + OPTION + ": " + told.getMessage() + "\n" + told.picture());
    }

    private String nothing(Instrument instrument) {
        Place place = instrument.place();
        String known = place.function();
        return switch (place.kind()) {
            case FILE_LINE ->
                "no code of the program or its libraries comes from this line of " + known
                        + ", as far as their debug information tells.";
            case STATIC ->
                "the source of the program and its libraries names no place '" + known + "'."
                        + Suggestion.sentence(known, seen) + " madt events FILE lists them.";
            default ->
                InstrumentPlaces.isKnown(place, seen)
                        ? InstrumentPlaces.missing(place)
                        : "no function of the program or its libraries is called '" + known + "'."
                                + meant(known)
                                + " Of what the program loads or executes later, name the module:"
                                + " lib.so:" + known + ".";
        };
    }

    /** Names of C++ and Rust are meant whole. */
    private String meant(String typed) {
        return seen.stream()
                .filter(name -> name.replaceFirst(" const$", "").endsWith("::" + typed))
                .findFirst()
                .map(name -> " Did you mean '" + name + "'?")
                .orElseGet(() -> Suggestion.sentence(typed, seen));
    }

    private static String hits(long count) {
        return count == 1 ? "1 hit is" : count + " hits are";
    }

    /** Returns what to say of what was found in no module, or not wholly, a sentence each. */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (Instrument instrument : asked) {
            if (!matched.contains(instrument.number())) {
                sentences.add("--at '" + instrument.typed() + "': " + nothing(instrument));
            }
        }
        if (uncounted > 0) {
            sentences.add("--at: " + uncounted + " places are not counted: a recording has " + room
                    + " counts at most.");
        }
        if (unread > 0) {
            sentences.add("--at: " + hits(unread) + " in no table: what was to be counted could"
                    + " not be read there.");
        }
        if (beyond > 0) {
            sentences.add("--at: " + hits(beyond) + " in no table, which has room for "
                    + InstrumentHits.MOST_KEYS + " keys.");
        }
        if (withoutRoom > 0) {
            sentences.add("--at: hits of " + withoutRoom + " threads are not counted: there was no"
                    + " room for the counts of so many at a time.");
        }
        return sentences;
    }
}
