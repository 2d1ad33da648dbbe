package dev.madt.modules;

import dev.madt.called.CalledFunctions;
import dev.madt.console.Failure;
import dev.madt.guard.InstrumentSwitches;
import dev.madt.modules.InstrumentSearch.InModule;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.session.InstrumentMemory;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
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
    /** A page of counts. */
    private static final int FEW = 512;
    /** A page of switches. */
    private static final int PAGE_OF_SWITCHES = SharedLayout.PAGE / SharedLayout.Switch.BYTES;

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

    private final List<Instrument> asked;
    private volatile boolean records;
    private final int room;
    /** The most instruments that there may be. */
    private final int switchRoom;

    private final InstrumentSwitches switches;
    private final CalledFunctions called;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, InModule> known = new HashMap<>();
    /** By files, which of those that were added while the recording went on came to them. */
    private final Map<ElfModule, TreeSet<Integer>> revisions = new HashMap<>();

    private final InstrumentFaults faults;
    private InstrumentSearch.Numbers numbers;
    private int generation;
    private long unread;
    private long beyond;
    private long withoutRoom;

    private Instruments(List<Instrument> asked, CalledFunctions called) {
        this.asked = new CopyOnWriteArrayList<>(asked);
        this.called = called;
        records = asked.stream().anyMatch(Instrument::records);
        numbers = new InstrumentSearch.Numbers(called.used());
        room = roomFor(asked, called);
        switchRoom = Math.min(
                SharedLayout.SWITCHES_MOST,
                (asked.size() / PAGE_OF_SWITCHES + 2) * PAGE_OF_SWITCHES);
        switches = new InstrumentSwitches(asked);
        faults = new InstrumentFaults(this.asked);
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
                ? new Instruments(asked, new CalledFunctions())
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
        return numbers.counts;
    }

    /** Returns how many counts each thread has room for. */
    public int room() {
        return room;
    }

    /** Returns what targets and the launcher share for them. */
    public InstrumentMemory memory() {
        CalledFunctions library = called.areNone() ? null : called;
        return new InstrumentMemory(
                room, switchRoom, switches.off(), switches.turned(), counts(), library);
    }

    /** Returns room for twice as many, in whole pages. */
    private static int room(int instruments) {
        return Math.min(SharedLayout.COUNTS_MOST / 2, (2 * instruments + FEW - 1) / FEW * FEW);
    }

    /** Returns whether threads have counts. */
    public boolean counts() {
        return !called.areNone()
                || asked.stream()
                        .anyMatch(one -> one.counts() || one.selection().every() > 1);
    }

    private static int roomFor(List<Instrument> asked, CalledFunctions called) {
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
                : module.found.getOrDefault(
                        new InstrumentSearch.Side(address, (operand & 1) != 0), List.of());
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
                        && module.found.containsKey(
                                new InstrumentSearch.Side(probe.address(), false))) {
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

    private InstrumentSearch search() {
        return new InstrumentSearch(asked, switches, called, names, faults, numbers, room);
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
            found = search().find(module, elf, debug, source);
            known.put(elf, found);
        }
        return found.probes;
    }

    static String key(Instrument instrument, Leaf leaf) {
        return instrument.number() + " " + leaf.text();
    }

    /** A module that the session has read. */
    record Known(String name, ElfModule elf, Supplier<DebugInfo> debug, PlaceSource source) {}

    /**
     * Adds an instrument while the recording goes on. Where it cannot be, nothing changes.
     *
     * @param option as {@link #option} makes it
     * @param modules those that the session has read
     * @param status of a failure
     */
    synchronized Added add(String[] option, Collection<Known> modules, int status)
            throws Failure, IOException {
        Instrument one = InstrumentOptions.read(option, asked.size(), status);
        demandPossible(one, status);
        InstrumentFaults wrong = new InstrumentFaults(List.of(one));
        InstrumentSearch.Numbers more = numbers.copy();
        switches.add(one);
        boolean added = false;
        try {
            InstrumentSearch search =
                    new InstrumentSearch(List.of(one), switches, called, names, wrong, more, room);
            Map<ElfModule, InModule> found = new LinkedHashMap<>();
            for (Known module : modules) {
                if (asked.isEmpty() || known.containsKey(module.elf())) {
                    found.put(
                            module.elf(),
                            search.find(
                                    module.name(), module.elf(), module.debug(), module.source()));
                }
            }
            wrong.demandFound(switches.turns(one), Set.of(one.number()), status);
            demandRoom(found, more, status);
            take(one, wrong, more, found);
            added = true;
            found.values().removeIf(there -> there.probes.isEmpty());
            return new Added(one, generation, Set.copyOf(found.keySet()));
        } finally {
            if (!added) {
                switches.removeLast();
            }
        }
    }

    private void demandPossible(Instrument one, int status) throws Failure {
        if (one.calls()) {
            throw new Failure(
                    status,
                    "--at: call needs its library when a process begins: give this instrument to"
                            + " madt run --at, with --from ctl, and switch it on when it is"
                            + " wanted: madt ctl enable " + (one.number() + 1));
        }
        if (one.number() >= switchRoom) {
            throw new Failure(
                    status, "--at: this recording has room for " + switchRoom + " instruments.");
        }
    }

    private void demandRoom(
            Map<ElfModule, InModule> found, InstrumentSearch.Numbers more, int status)
            throws Failure {
        if (more.uncounted > numbers.uncounted || more.counts > room) {
            throw new Failure(
                    status,
                    "--at: a thread has room for " + room + " counts, of which "
                            + (room - numbers.counts) + " are free: too few for all places. Count"
                            + " fewer, or give them to madt run --at.");
        }
        for (Map.Entry<ElfModule, InModule> module : found.entrySet()) {
            InModule there = known.getOrDefault(module.getKey(), new InModule());
            if (there.mostWith(module.getValue()) > InstrumentSearch.MOST_THERE) {
                throw new Failure(
                        status,
                        "--at: there are " + InstrumentSearch.MOST_THERE
                                + " instruments at one of its instructions already.");
            }
        }
    }

    private void take(
            Instrument one,
            InstrumentFaults wrong,
            InstrumentSearch.Numbers more,
            Map<ElfModule, InModule> found) {
        generation++;
        numbers = more;
        faults.take(wrong);
        asked.add(one);
        records |= one.records();
        found.forEach((elf, there) -> {
            known.computeIfAbsent(elf, absent -> new InModule()).add(there);
            if (!there.probes.isEmpty()) {
                revisions.computeIfAbsent(elf, absent -> new TreeSet<>()).add(generation);
            }
        });
    }

    /**
     * Says what was added.
     *
     * @param generation how many were, so far
     * @param files in which it stands
     */
    public record Added(Instrument instrument, int generation, Set<ElfModule> files) {}

    /**
     * Returns which of the instruments that were added one by one came to a file last.
     *
     * @param most those behind this one do not count
     */
    synchronized int revision(ElfModule elf, int most) {
        Integer last = revisions.getOrDefault(elf, new TreeSet<>()).floor(most);
        return last == null ? 0 : last;
    }

    /** Returns whether some were added while the recording went on. */
    synchronized boolean areAdded() {
        return generation > 0;
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
        numbers.placed.forEach(one -> rows.append(rows.length() > 0 ? "\n" : "").append(one.row()));
        return rows.toString();
    }

    /** Returns at how many places an instrument stands, as far as modules are known by now. */
    public synchronized long places(int instrument) {
        return numbers.placed.stream()
                .filter(one -> one.instrument() == instrument)
                .map(one -> one.module() + " " + one.address() + " " + one.after())
                .distinct()
                .count();
    }

    /** Returns how many places are known by now. */
    public synchronized int places() {
        return numbers.placed.size();
    }

    /**
     * Refuses a place that is in none of the modules that were foreseen, unless it names another
     * module.
     */
    public synchronized void demandFound(int status) throws Failure {
        Set<Integer> standing = new HashSet<>();
        numbers.placed.forEach(one -> standing.add(one.instrument()));
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
        if (numbers.uncounted > 0) {
            sentences.add("--at: " + numbers.uncounted + " places are not counted: a recording has "
                    + room + " counts at most.");
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
