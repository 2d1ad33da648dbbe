package dev.madt.modules;

import dev.madt.called.CalledFunctions;
import dev.madt.console.Failure;
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
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.session.InstrumentMemory;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.LeafForm;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.instrument.Selection;
import dev.madt.trace.instrument.UnknownLeafException;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
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
    /** The name of the option for how many of its hits are taken. */
    public static final String EVERY = "every";
    /** The name of the option for when it begins. */
    public static final String FROM = "from";
    /** The name of the option for when it ends. */
    public static final String UNTIL = "until";
    /** The name of the option for a file of some. */
    public static final String FILE = "probes";
    /** None. */
    public static final Instruments NONE = new Instruments(List.of(), new CalledFunctions());

    /** Words of a record behind the stack pointer, at most ({@code MADT_PROBE_WORDS}). */
    static final int MOST_WORDS = 31;
    /** Registers of a payload, at most. */
    static final int MOST_REGISTERS = 10;
    /** Instruments of an instruction on one side of it, at most. */
    private static final int MOST_THERE = 120;
    /** The number of places of which a trace does not tell. */
    private static final int UNTOLD = -1;
    /** A page of counts. */
    private static final int FEW = 512;

    /**
     * Says what is recorded at an instruction, for an instrument.
     *
     * @param words where its values stand in the record
     * @param count number of its count; -1: it has none
     * @param leaves whether a function is left there whose time is taken
     * @param whole whether the target leaves out all hits that are not to be taken
     */
    public record Found(
            PlacedInstrument placed, int[] words, int count, boolean leaves, boolean whole) {}

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
    private final InstrumentSwitches switches;
    private final CalledFunctions called;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, InModule> known = new HashMap<>();
    private final List<PlacedInstrument> placed = new ArrayList<>();
    private final InstrumentFaults faults;
    private int counts;
    private int uncounted;
    private long unread;
    private long beyond;
    private long withoutRoom;

    private Instruments(List<Instrument> asked, CalledFunctions called) {
        this.asked = asked;
        this.called = called;
        records = asked.stream().anyMatch(Instrument::records);
        counts = called.used();
        room = roomFor(asked, called);
        switches = new InstrumentSwitches(asked);
        faults = new InstrumentFaults(asked);
    }

    /** Returns what is known of when they are on. */
    public InstrumentSwitches switches() {
        return switches;
    }

    /**
     * Reads what the options say.
     *
     * @param options one for each, as {@link #option} makes them
     * @param status of a failure
     */
    public static Instruments of(List<String[]> options, int status) throws Failure {
        List<Instrument> asked = InstrumentOptions.read(options, status);
        return asked.isEmpty()
                ? NONE
                : new Instruments(asked, CalledFunctions.of(asked, "--" + OPTION, status));
    }

    /**
     * Returns what an option says: a place, or null instead of one for a file; and actions, or the
     * file.
     */
    public static String[] option(String place, String actions) {
        return new String[] {place, actions, "", "", "", ""};
    }

    /**
     * Returns whether an option is about the instrument in front of it.
     *
     * @param name its long name, or null
     */
    public static boolean follows(String name) {
        return name != null && InstrumentOptions.FOLLOWING.contains(name);
    }

    /** Adds such an option to what the one of its instrument says. */
    public static void follow(String[] option, String name, String value) {
        option[2 + InstrumentOptions.FOLLOWING.indexOf(name)] = value;
    }

    /** Returns whether there are none. */
    public boolean areNone() {
        return asked.isEmpty();
    }

    /** Returns whether some make records. */
    public boolean record() {
        return records;
    }

    /** Returns whether some take the times of functions. */
    public boolean times() {
        return asked.stream().anyMatch(Instrument::times);
    }

    /** Returns the instruments. */
    public List<Instrument> all() {
        return asked;
    }

    /** Returns the action of a table. */
    Action action(int number) {
        return asked.get(number / Action.MOST).actions().get(number % Action.MOST);
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

    /** Returns the functions that they call. */
    CalledFunctions called() {
        return called;
    }

    /** Returns how many counts are used by now. */
    public synchronized int used() {
        return counts;
    }

    /** Returns how many counts each thread has room for. */
    public int room() {
        return room;
    }

    /** Returns what targets and the launcher share for them. */
    public InstrumentMemory memory() {
        CalledFunctions library = called.areNone() ? null : called;
        return new InstrumentMemory(
                room, switches.count(), switches.off(), switches.turned(), library);
    }

    /** Returns room for twice as many, in whole pages. */
    private static int room(int instruments) {
        return Math.min(SharedLayout.COUNTS_MOST / 2, (2 * instruments + FEW - 1) / FEW * FEW);
    }

    private static int roomFor(List<Instrument> asked, CalledFunctions called) {
        if (called.areNone()
                && asked.stream()
                        .noneMatch(one -> one.counts() || one.selection().every() > 1)) {
            return 0;
        }
        boolean all = asked.stream().anyMatch(one -> one.place().isMany());
        boolean patterns = asked.stream().anyMatch(one -> one.place().isPattern());
        return all
                ? SharedLayout.COUNTS_MOST
                : (patterns ? 64 * FEW : 4 * FEW) + room(asked.size() + called.used());
    }

    /**
     * Returns what is recorded at an instruction of a module, by the first word of the record.
     *
     * @param operand of that word: 1 for behind the instruction, and twice its number there
     */
    public synchronized Found at(ElfModule elf, long address, int operand) {
        InModule module = known.get(elf);
        List<Found> there = module == null
                ? List.of()
                : module.found.getOrDefault(new Side(address, (operand & 1) != 0), List.of());
        return operand >> 1 < there.size() ? there.get(operand >> 1) : null;
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
            module.found.forEach((side, list) -> list.stream()
                    .filter(found -> found.placed() != null)
                    .forEach(found -> addresses.put(found.placed(), side.address())));
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
        faults.seenModules.put(module, debug);
        InstrumentPlaces places =
                new InstrumentPlaces(module, elf, names, debug, source, faults.seen);
        Map<Side, List<Wanted>> sides =
                new TreeMap<>(Comparator.comparing(Side::after).thenComparingLong(Side::address));
        turners(places, false, sides);
        for (Instrument instrument : asked) {
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
                    add(at, new Wanted(placed, List.of(Word.TIME), guard, true, true), sides);
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
            if ((turn.place().kind() == Place.Kind.RETURN) != returns) {
                continue;
            }
            for (InstrumentPlaces.At at : places.of(turn.place())) {
                faults.turned.add(turn.place());
                List<Word> guard =
                        List.of(GuardStep.TURN.of(turn.instrument(), turn.off() ? 1 : 0));
                add(at, new Wanted(null, List.of(), guard, false, true), sides);
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
        PlacedInstrument one = placed(placed.size(), instrument, at, module, leaves);
        placed.add(one);
        return one;
    }

    static String key(Instrument instrument, Leaf leaf) {
        return instrument.number() + " " + leaf.text();
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
     * @param placed null: it switches another one
     * @param guard says whether a hit is taken
     * @param whole whether that is all that says so
     */
    private record Wanted(
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
        Room.fit(taken, MOST_WORDS - 2, MOST_REGISTERS);
        Selection selection = instrument.selection();
        List<Word> guard = new ArrayList<>(List.of(GuardStep.SWITCH.of(instrument.number())));
        List<Word> condition =
                selection.filter() == null ? List.of() : Guard.whole(selection.filter(), taken);
        boolean whole = condition != null && (selection.every() == 1 || counts < room);
        guard.addAll(condition != null ? condition : Guard.necessary(selection.filter(), taken));
        if (whole) {
            guard.addAll(switches.guards(instrument));
        }
        if (whole && selection.every() > 1) {
            guard.add(GuardStep.EVERY.of(counts++, (int) selection.every()));
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
        return new Wanted(place(instrument, at, module, leaves), words, guard, false, whole);
    }

    private Guard.Taken taken(Instrument instrument, Leaf leaf, LeafWords source) {
        Guard.Taken taken = Guard.Taken.NOTHING;
        try {
            taken = source.of(leaf);
            if (taken.form() != LeafForm.NOWHERE && leaf.kind() != Leaf.Kind.STACK) {
                faults.available.add(instrument.number());
            }
            faults.understood.add(key(instrument, leaf));
        } catch (UnknownLeafException e) {
            faults.misunderstood.putIfAbsent(
                    key(instrument, leaf),
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
        List<Found> found = new ArrayList<>();
        for (Wanted wanted : list) {
            List<Word> words = new ArrayList<>();
            Instrument instrument =
                    wanted.placed() == null ? null : asked.get(wanted.placed().instrument());
            if (wanted.words().contains(Word.TIME) || instrument != null && instrument.times()) {
                words.add(Word.TIME);
            }
            boolean records = instrument != null && (instrument.tellsMore() || !wanted.whole());
            int[] at = records ? places(wanted.words(), words) : new int[0];
            int count = -1;
            if (instrument != null && !wanted.leaves() && instrument.counts() && wanted.whole()) {
                count = counts < room ? counts++ : -1;
                uncounted += count < 0 ? 1 : 0;
            }
            long more = wanted.guard().stream()
                    .filter(word -> word.kind() != AccessKind.GUARD)
                    .count();
            if (words.size() + more + (count < 0 ? 0 : 1) > MOST_WORDS
                    || Room.registers(words) > MOST_REGISTERS
                    || found.size() > MOST_THERE) {
                faults.crowded.add(wanted.placed().label());
                continue;
            }
            if (count >= 0) {
                words.add(new Word(AccessKind.COUNT, 0, 0, 0, List.of(count)));
            }
            words.addAll(0, wanted.guard());
            result.probes.add(new Probe(
                    AccessKind.INSTRUMENT,
                    side.after(),
                    side.address(),
                    side.address() + 1,
                    words));
            found.add(new Found(wanted.placed(), at, count, wanted.leaves(), wanted.whole()));
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
        Set<Integer> standing = new HashSet<>();
        placed.forEach(one -> standing.add(one.instrument()));
        faults.demandFound(switches.turns(), standing, status);
    }

    private static String hits(long count) {
        return count == 1 ? "1 hit is" : count + " hits are";
    }

    /** Returns what to say of what was found in no module, or not wholly, a sentence each. */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (Instrument instrument : asked) {
            if (!faults.matched.contains(instrument.number())) {
                sentences.add(
                        "--at '" + instrument.typed() + "': " + faults.nothing(instrument.place()));
            }
        }
        if (uncounted > 0) {
            sentences.add("--at: " + uncounted + " places are not counted: a recording has " + room
                    + " counts at most.");
        }
        sentences.addAll(called.sentences("--" + OPTION));
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
