package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import dev.madt.guard.Guard.Taken;
import dev.madt.guard.InstrumentSwitches;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Expression;
import dev.madt.trace.instrument.Instrument;
import dev.madt.trace.instrument.InstrumentSyntaxException;
import dev.madt.trace.instrument.Leaf;
import dev.madt.trace.instrument.Place;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Finds what is wrong with instruments, as far as modules have been looked at. */
final class InstrumentFaults {
    /** Names that may be meant, at most. */
    private static final int MOST_NEAR = 4;

    private final List<Instrument> asked;
    final Set<Integer> matched = new TreeSet<>();
    /** Places that were found at which others are switched. */
    final Set<Place> turned = new HashSet<>();

    final Set<String> seen = new TreeSet<>();
    final Map<String, Supplier<DebugInfo>> seenModules = new TreeMap<>();
    final Map<Integer, String> hindered = new TreeMap<>();
    /** Leaves of instruments that are known at some place, and those that are not at some. */
    final Set<String> understood = new TreeSet<>();

    final Set<Integer> available = new TreeSet<>();
    final Map<String, InstrumentSyntaxException> misunderstood = new TreeMap<>();
    final Set<String> crowded = new TreeSet<>();
    /** Of instruments with tables of floating-point numbers, what is wrong. */
    private final Map<Integer, InstrumentSyntaxException> reals = new TreeMap<>();

    InstrumentFaults(List<Instrument> asked) {
        this.asked = asked;
    }

    /** Takes over what was found of another instrument. */
    void take(InstrumentFaults other) {
        matched.addAll(other.matched);
        turned.addAll(other.turned);
    }

    /**
     * Refuses a place that is in none of the modules that were foreseen, unless it names another
     * module.
     */
    void demandFound(List<InstrumentSwitches.Turn> turns, Set<Integer> standing, int status)
            throws Failure {
        for (Instrument instrument : asked) {
            if (matched.contains(instrument.number())) {
                String hindrance = hindered.get(instrument.number());
                if (hindrance != null && !standing.contains(instrument.number())) {
                    throw refused(
                            instrument, "no instrument can stand there: " + hindrance, status);
                }
                demandUnderstood(instrument, status);
                continue;
            }
            if (mayBeIn(instrument.place())) {
                throw refused(instrument, nothing(instrument.place()), status);
            }
        }
        demandTurns(turns, status);
    }

    /** Returns whether a place names no module, or one that was foreseen. */
    private boolean mayBeIn(Place place) {
        return place.module() == null
                || seenModules.keySet().stream()
                        .anyMatch(Scope.pattern(place.module()).asMatchPredicate());
    }

    private void demandTurns(List<InstrumentSwitches.Turn> turns, int status) throws Failure {
        for (InstrumentSwitches.Turn turn : turns) {
            if (!turned.contains(turn.place()) && mayBeIn(turn.place())) {
                throw new Failure(
                        status,
                        "--" + (turn.off() ? Instruments.UNTIL : Instruments.FROM) + ": "
                                + nothing(turn.place()));
            }
        }
    }

    /** Notes a table of floating-point numbers, of which there are none. */
    void demandIntegers(Instrument instrument, Map<String, Taken> taken) {
        Predicate<Leaf> real = leaf ->
                taken.containsKey(leaf.text()) && taken.get(leaf.text()).form().isReal();
        for (Action action : instrument.actions()) {
            List<Expression> all = new ArrayList<>(action.values());
            if (action.key() != null) {
                all.add(action.key());
            }
            for (Expression one : action.kind() == Action.Kind.LOG ? List.<Expression>of() : all) {
                if (one.isReal(real)) {
                    Leaf first = one.leaves().stream().filter(real).findFirst().orElse(null);
                    reals.putIfAbsent(
                            instrument.number(),
                            InstrumentOptions.at(
                                    instrument,
                                    first,
                                    first == null ? 0 : first.column(),
                                    "this is a floating-point number, and tables are of"
                                            + " integers; log tells it"));
                }
            }
        }
    }

    private void demandUnderstood(Instrument instrument, int status) throws Failure {
        InstrumentSyntaxException real = reals.get(instrument.number());
        if (real != null) {
            throw new Failure(
                    status,
                    "--" + Instruments.OPTION + ": " + real.getMessage() + "\n" + real.picture());
        }
        for (Leaf leaf : instrument.leaves()) {
            String key = Instruments.key(instrument, leaf);
            InstrumentSyntaxException wrong =
                    understood.contains(key) ? null : misunderstood.get(key);
            if (wrong != null) {
                throw new Failure(
                        status,
                        "--" + Instruments.OPTION + ": " + wrong.getMessage() + "\n"
                                + wrong.picture());
            }
        }
        if (!crowded.isEmpty()) {
            throw new Failure(
                    status,
                    "--" + Instruments.OPTION + ": too many values at "
                            + crowded.iterator().next()
                            + ": a record has up to " + Instruments.MOST_WORDS
                            + " words of " + Instruments.MOST_REGISTERS
                            + " registers, and a text takes one for eight bytes and two more.");
        }
        boolean wants = instrument.leaves().stream().anyMatch(InstrumentFaults::isOfProgram);
        if (wants && !available.contains(instrument.number())) {
            boolean entered = instrument.place().kind() == Place.Kind.ENTRY;
            throw refused(
                    instrument,
                    "the compiler has left no variable of it anywhere there"
                            + (entered
                                    ? ": the function has not yet put away what it is given; say "
                                            + instrument.place().function()
                                            + ":line(N), N a line of its body."
                                    : "."),
                    status);
        }
    }

    /** Returns whether it may be nowhere. */
    private static boolean isOfProgram(Leaf leaf) {
        return leaf.kind() != Leaf.Kind.THREAD && leaf.kind() != Leaf.Kind.STACK;
    }

    private static Failure refused(Instrument instrument, String why, int status) {
        InstrumentSyntaxException told = new InstrumentSyntaxException(
                why, instrument.typed(), instrument.place().column());
        return new Failure(
                status,
                "--" + Instruments.OPTION + ": " + told.getMessage() + "\n" + told.picture());
    }

    String nothing(Place place) {
        String known = place.function();
        String whole = FunctionNames.whole(known);
        if (whole != null && seen.contains(whole)) {
            return "'" + known + "' is code of '" + whole
                    + "' that the compiler put elsewhere: it is"
                    + " jumped to, not called. Name a line of it: FILE:LINE.";
        }
        return switch (place.kind()) {
            case FILE_LINE ->
                "no code of the program or its libraries comes from this line of " + known
                        + ", as far as their debug information tells.";
            case STATIC ->
                "the source of the program and its libraries names no place '" + known + "'."
                        + Suggestion.sentence(known, seen)
                        + " madt events FILE lists them. Of what the program loads or executes"
                        + " later, name the module: lib.so:" + known + ".";
            default ->
                InstrumentPlaces.isKnown(place, seen)
                        ? InstrumentPlaces.missing(place)
                        : noFunction(known);
        };
    }

    private String noFunction(String typed) {
        String inlined = inlined(typed);
        return inlined == null
                ? "no function of the program or its libraries is called '" + typed + "'."
                        + meant(typed)
                        + " Of what the program loads or executes later, name the module: lib.so:"
                        + typed + "."
                : "'" + typed + "' was inlined wherever it is called, and has no code of its own."
                        + " Name a line of it, FILE:LINE: it begins at " + inlined + ".";
    }

    /** Returns where a function begins that has no code of its own; null: none is called so. */
    private String inlined(String function) {
        for (Supplier<DebugInfo> module : seenModules.values()) {
            DebugInfo debug = module.get();
            String place = debug == null ? null : debug.inlined(function);
            if (place != null) {
                return place;
            }
        }
        return null;
    }

    /** Names of C++ and Rust are meant whole, with the arguments of templates. */
    private String meant(String typed) {
        String wanted = "::" + plain(typed);
        List<String> near = seen.stream()
                .filter(name -> !name.contains("<…>") && ("::" + plain(name)).endsWith(wanted))
                .limit(MOST_NEAR)
                .map(name -> "'" + name + "'")
                .toList();
        return near.isEmpty()
                ? Suggestion.sentence(typed, seen)
                : " Did you mean "
                        + String.join(", ", near).replaceFirst(", ('[^']*')$", " or $1")
                        + "?";
    }

    private static String plain(String name) {
        String shorter = name.replaceFirst(" const$", "");
        for (String before = ""; !before.equals(shorter); ) {
            before = shorter;
            shorter = before.replaceAll("<[^<>]*>", "");
        }
        return shorter;
    }
}
