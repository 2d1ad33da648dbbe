package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.InstrumentSyntaxException;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.Place;
import dev.madt.trace.instrument.PlacedInstrument;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

    /** Finds a place and actions, with quotes or without, and a condition, in a line of a file. */
    private static final Pattern LINE = Pattern.compile(
            "(?:'([^']*)'|(\\S+))\\s+(?:'([^']*)'|(.*?))(?:\\s+--if\\s+(?:'([^']*)'|(.*)))?");

    private static final String COMMENT = "#";
    /** Words of a record behind the stack pointer, at most ({@code MADT_PROBE_WORDS}). */
    private static final int MOST_WORDS = 31;
    /** Registers of a payload, at most. */
    private static final int MOST_REGISTERS = 10;
    /** A page of counts. */
    private static final int FEW = 512;

    /** Says what is recorded at an instruction, for an instrument. */
    public record Found(PlacedInstrument placed, int[] words, int count) {}

    /** An instruction with instruments on one side of it. */
    private record Side(long address, boolean after) {}

    /** The instruments of a module. */
    private static final class InModule {
        final List<Probe> probes = new ArrayList<>();
        final Map<Side, List<Found>> found = new HashMap<>();
    }

    private final List<Instrument> asked;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, InModule> known = new HashMap<>();
    private final List<PlacedInstrument> placed = new ArrayList<>();
    private final Set<Integer> matched = new TreeSet<>();
    private final Set<String> seen = new TreeSet<>();
    private final Set<String> seenModules = new TreeSet<>();
    private final Map<Integer, String> hindered = new TreeMap<>();
    private int counts;
    private int uncounted;

    private Instruments(List<Instrument> asked) {
        this.asked = asked;
    }

    /**
     * Reads what the options say.
     *
     * @param options place, actions and condition of each, or null; and null instead of a place for
     *     a file
     * @param status of a failure
     */
    public static Instruments of(List<String[]> options, int status) throws Failure {
        List<Instrument> asked = new ArrayList<>();
        for (String[] option : options) {
            if (option[0] == null) {
                addFile(Path.of(option[1]), asked, status);
            } else {
                add("--" + OPTION, option, asked, status);
            }
        }
        return asked.isEmpty() ? NONE : new Instruments(asked);
    }

    private static void addFile(Path file, List<Instrument> asked, int status) throws Failure {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new Failure(status, "--" + FILE + ": cannot read " + file + ".", e);
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith(COMMENT)) {
                continue;
            }
            String where = file + ":" + (i + 1);
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new Failure(
                        status, where + ": a line is PLACE ACTION; …, and --if EXPR: " + line);
            }
            add(
                    where,
                    new String[] {
                        either(parts, 1),
                        either(parts, 3),
                        parts.group(5) == null && parts.group(6) == null ? "" : either(parts, 5)
                    },
                    asked,
                    status);
        }
    }

    private static String either(Matcher parts, int group) {
        return parts.group(group) != null ? parts.group(group) : parts.group(group + 1);
    }

    private static void add(String where, String[] texts, List<Instrument> asked, int status)
            throws Failure {
        try {
            Instrument instrument = Instrument.of(asked.size(), texts[0], texts[1], texts[2]);
            check(instrument);
            asked.add(instrument);
        } catch (InstrumentSyntaxException e) {
            throw new Failure(status, where + ": " + e.getMessage() + ".\n" + e.picture());
        }
    }

    /** Refuses what is not known at the place. */
    private static void check(Instrument instrument) throws InstrumentSyntaxException {
        for (Leaf leaf : instrument.leaves()) {
            String wrong =
                    switch (leaf.kind()) {
                        case ARGUMENT ->
                            instrument.place().kind() == Place.Kind.ENTRY
                                    ? null
                                    : leaf.text() + " is known where a function is entered;"
                                            + " elsewhere say reg(rdi), for instance";
                        case RESULT ->
                            instrument.place().kind() == Place.Kind.RETURN
                                    ? null
                                    : "ret is known where a function returns, FUNC:return";
                        case NAME ->
                            "'" + leaf.text() + "' is no register, arg0 to arg5, ret or tid";
                        default -> null;
                    };
            if (wrong != null) {
                throw at(instrument, leaf, wrong);
            }
        }
    }

    private static InstrumentSyntaxException at(Instrument instrument, Leaf leaf, String wrong) {
        boolean conditional =
                instrument.filter() != null && instrument.filter().leaves().contains(leaf);
        return new InstrumentSyntaxException(
                wrong,
                conditional ? instrument.condition() : instrument.typedActions(),
                leaf.column());
    }

    /** Returns whether there are none. */
    public boolean areNone() {
        return asked.isEmpty();
    }

    /** Returns whether some make records. */
    public boolean record() {
        return asked.stream().anyMatch(Instrument::records);
    }

    /** Returns the instruments. */
    public List<Instrument> all() {
        return asked;
    }

    /** Returns how many counts are used by now. */
    public synchronized int used() {
        return counts;
    }

    /** Returns how many counts each thread has room for. */
    public int room() {
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
        Map<Side, List<PlacedInstrument>> sides =
                new TreeMap<>(Comparator.comparing(Side::after).thenComparingLong(Side::address));
        for (Instrument instrument : asked) {
            for (InstrumentPlaces.At at : places.of(instrument.place())) {
                matched.add(instrument.number());
                if (at.hindrance() != null) {
                    hindered.putIfAbsent(instrument.number(), at.label() + ": " + at.hindrance());
                    continue;
                }
                PlacedInstrument one = new PlacedInstrument(
                        placed.size(),
                        instrument.number(),
                        at.label(),
                        module,
                        at.address(),
                        at.after(),
                        PlacedInstrument.leavesOf(instrument));
                placed.add(one);
                sides.computeIfAbsent(new Side(at.address(), at.after()), side -> new ArrayList<>())
                        .add(one);
            }
        }
        InModule result = new InModule();
        sides.forEach((side, list) -> add(side, list, result));
        return result;
    }

    private void add(Side side, List<PlacedInstrument> list, InModule result) {
        List<Word> words = new ArrayList<>();
        List<Word> counted = new ArrayList<>();
        List<Found> found = new ArrayList<>();
        for (PlacedInstrument placedThere : list) {
            Instrument instrument = asked.get(placedThere.instrument());
            int[] at = words(instrument, words);
            int count = -1;
            if (instrument.counts() && counts < room()) {
                count = counts++;
                counted.add(new Word(AccessKind.COUNT, 0, 0, 0, List.of(count)));
            } else if (instrument.counts()) {
                uncounted++;
            }
            found.add(new Found(placedThere, at, count));
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

    /**
     * Adds the words of what an instrument records; where they stand in the record, behind the
     * stack pointer.
     */
    private static int[] words(Instrument instrument, List<Word> words) {
        if (!instrument.records()) {
            return new int[0];
        }
        List<Integer> at = new ArrayList<>();
        Set<String> done = new TreeSet<>();
        for (Leaf leaf : instrument.leaves()) {
            if (leaf.register() >= 0 && done.add(leaf.text())) {
                at.add(1 + place(leaf.register(), words));
            }
        }
        if (words.isEmpty()) {
            place(Leaf.REGISTERS.indexOf("rsp"), words); // a record needs a word
        }
        return at.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int place(int register, List<Word> words) {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).kind() == AccessKind.VALUE && words.get(i).place() == register) {
                return i;
            }
        }
        words.add(new Word(AccessKind.VALUE, register, 0, 0, List.of()));
        return words.size() - 1;
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
            default ->
                InstrumentPlaces.isKnown(place, seen)
                        ? InstrumentPlaces.missing(place)
                        : "no function of the program or its libraries is called '" + known + "'."
                                + Suggestion.sentence(known, seen)
                                + " Of what the program loads or executes later, name the module:"
                                + " lib.so:" + known + ".";
        };
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
            sentences.add("--at: " + uncounted + " places are not counted: a recording has "
                    + room() + " counts at most.");
        }
        return sentences;
    }
}
