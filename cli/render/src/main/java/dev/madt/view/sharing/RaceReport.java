package dev.madt.view.sharing;

import dev.madt.console.Numbers;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Place;
import dev.madt.view.Reading;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Races of a trace, as a table. */
public final class RaceReport {
    /** The columns. */
    public static final List<String> HEADINGS = List.of(
            "times",
            "certain",
            "data",
            "what",
            "first at",
            "under",
            "thread",
            "second at",
            "under too",
            "other thread",
            "first calls",
            "second calls");
    /** Functions of a chain of calls that are told. */
    private static final int MOST_CALLS = 64;

    private RaceFinder finder;
    /** Holds for what threads wait in loops, of the reading before. */
    private Set<Long> awaited = Set.of();

    /** Adds what a trace tells; a second time where {@link #needsAnother}. */
    public void addTo(Reading reading, MemberTypes types) {
        awaited = finder == null ? Set.of() : finder.awaited();
        finder = new RaceFinder(types, awaited);
        reading.addUnselected(finder); // what is not selected orders threads, too
    }

    /**
     * Returns whether some of the races may be none: threads wait in loops for variables of which
     * only that is known, and another reading takes these into account from its beginning.
     */
    public boolean needsAnother() {
        return races() > 0 && !awaited.containsAll(finder.awaited());
    }

    /** Returns whether there were accesses at all. */
    public boolean isOfAccesses() {
        return finder.accesses() > 0;
    }

    /** Returns whether the trace was to hold locks. */
    public boolean isOfLocks() {
        return finder.hasLocks();
    }

    /** Returns how many races there are, of two places each. */
    public int races() {
        return finder.races().size();
    }

    /**
     * The rows, the most frequent first.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        List<Map.Entry<RaceFinder.Key, RaceFinder.Race>> all =
                new ArrayList<>(finder.races().entrySet());
        all.sort(Comparator.comparingLong(one -> -one.getValue().times));
        return new Table("races", HEADINGS)
                .extra(List.of("thread", "other thread"))
                .first(all, top, one -> cells(one.getKey(), one.getValue()));
    }

    private Object[] cells(RaceFinder.Key key, RaceFinder.Race race) {
        return new Object[] {
            race.times,
            race.isCertain() && awaited.containsAll(finder.awaited()) ? "yes" : "maybe",
            race.data.text(),
            (key.firstStores() ? "store" : "load") + ", " + (key.secondStores() ? "store" : "load"),
            at(key.first()),
            race.first.locks().text(),
            (long) finder.threadOf(race.first),
            at(key.second()),
            race.second.locks().text(),
            (long) finder.threadOf(race.second),
            calls(race.first),
            calls(race.second)
        };
    }

    private static Table.Chain calls(Shadow.Touch access) {
        return access.calls() == null
                ? null
                : new Table.Chain(access.calls().functions(MOST_CALLS));
    }

    private static String at(Place place) {
        String line = place.lineName();
        return place.name() + (line == null || line.isEmpty() ? "" : " (" + line + ")");
    }

    /** Returns what to know about the table, a sentence each. */
    public List<String> sentences() {
        List<String> all = new ArrayList<>();
        if (finder.threads() < 2) {
            all.add("one thread alone accessed what was recorded: there can be no race.");
        } else if (races() == 0) {
            all.add("no race among " + Numbers.counted(finder.accesses(), "access", "accesses")
                    + " of " + finder.threads() + " threads, in this run. Another one may have"
                    + " some: what was not executed was not looked at.");
        }
        if (finder.races().values().stream().anyMatch(RaceFinder.Race::isUntyped)) {
            all.add("maybe: no debug information tells the type of the data, which may be atomic."
                    + " Compile the program with -g.");
        }
        if (finder.races().values().stream().anyMatch(RaceFinder.Race::isAwaited)) {
            all.add("maybe: a thread loads again and again, as if it waited for it, what another"
                    + " one stores. No type says that it is atomic; by a compiler's intrinsics"
                    + " (__atomic_load_n) it may be, and without them it is a race.");
        }
        if (finder.races().values().stream()
                .anyMatch(race -> !race.isCertain()
                        && !race.isUntyped()
                        && !race.isAwaited()
                        && !race.isUnseen())) {
            all.add("maybe: an atomic variable may have ordered the two, and the"
                    + " trace does not tell who was first.");
        }
        if (finder.races().values().stream().anyMatch(RaceFinder.Race::isUnseen)) {
            all.add("maybe: a thread changed an atomic variable on a stack, for which the other one"
                    + " may have waited. Loads there are recorded with madt run --stack.");
        }
        if (finder.ofGo() > 0) {
            all.add("left out: " + Numbers.counted(finder.ofGo(), "pair", "pairs")
                    + " of places in Go's runtime, which orders its threads by means of its own.");
        }
        all.addAll(finder.doubts());
        return all;
    }
}
