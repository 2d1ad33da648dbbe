package dev.madt.modules;

import dev.madt.natives.ProbeChoice;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.event.AccessKind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * Says what the plans of a recording are to record.
 *
 * @param flags of {@code enum madt_plan_flag}
 * @param calls functions that are entered and left
 * @param times when that was
 */
public record PlanWish(int flags, boolean accesses, boolean calls, boolean times) {
    /** Nothing: the program's own allocator is led through the wrappers. */
    public static final PlanWish HOOKS = new PlanWish(SplicePlan.HOOKS, false, false, false);

    private static final Word CALLER = new Word(AccessKind.RETURN, 0, 0, 0, List.of());

    /** Returns what tells it from others. A record's own text makes classes at run time. */
    String key() {
        return flags + (accesses ? "a" : "") + (calls ? "c" : "") + (times ? "t" : "");
    }

    /**
     * The probes for it in a module with these functions.
     *
     * @param further functions that are recorded besides, whether calls are or not
     */
    ProbeChoice probes(FunctionRanges functions, FunctionRanges further) {
        if (accesses && !calls && further.ranges().isEmpty()) {
            return ProbeChoice.ACCESSES;
        }
        List<Probe> probes = new ArrayList<>();
        if (accesses) {
            probes.addAll(ProbeChoice.ACCESSES.probes());
        }
        FunctionRanges called = calls ? functions : FunctionRanges.NONE;
        addCalls(probes, AccessKind.ENTER, called, further);
        addCalls(probes, AccessKind.LEAVE, called, further);
        addGone(probes, called);
        return new ProbeChoice(probes);
    }

    /** Adds probes, range by range; those between chosen functions have none. */
    private void addCalls(
            List<Probe> probes, AccessKind kind, FunctionRanges called, FunctionRanges further) {
        TreeSet<Long> bounds = new TreeSet<>(List.of(0L, ProbeChoice.END));
        for (FunctionRanges all : List.of(called, further)) {
            all.ranges().forEach(range -> bounds.addAll(List.of(range.start(), range.end())));
        }
        Cursor first = new Cursor(called);
        Cursor second = new Cursor(further);
        for (long start : bounds.headSet(ProbeChoice.END)) {
            FunctionRanges.Range besides = second.at(start);
            List<Word> one = payload(first.at(start), called.chosen(), kind);
            List<Word> other = payload(besides, further.chosen(), kind);
            if (one != null || other != null) {
                boolean waited = kind == AccessKind.LEAVE
                        && other != null
                        && besides != null
                        && besides.role() != FunctionRanges.Role.CALL;
                List<Word> all = timed(joined(one, other), waited);
                probes.add(Probe.before(kind, start, bounds.higher(start), all));
            }
        }
    }

    /** Adds probes where functions whose calls are recorded go on in others that are not. */
    private void addGone(List<Probe> probes, FunctionRanges called) {
        if (!called.chosen()) {
            probes.add(Probe.before(AccessKind.GONE, 0, ProbeChoice.END, timed(List.of(), false)));
            return;
        }
        for (FunctionRanges.Range range : called.ranges()) {
            if (range.role() == FunctionRanges.Role.CALL) {
                probes.add(Probe.before(
                        AccessKind.GONE, range.start(), range.end(), timed(List.of(), false)));
            }
        }
    }

    /**
     * Puts the time in front.
     *
     * @param waited whether other threads may have done before what the function waited for
     */
    private List<Word> timed(List<Word> words, boolean waited) {
        List<Word> all = new ArrayList<>(words);
        if (times) {
            all.add(0, waited ? Word.ORDERED_TIME : Word.TIME);
        }
        return all;
    }

    /** Goes through ranges with addresses that ascend. */
    private static final class Cursor {
        private final List<FunctionRanges.Range> ranges;
        private int next;

        private Cursor(FunctionRanges all) {
            ranges = all.ranges();
        }

        /** Returns the range around an address, or null. */
        private FunctionRanges.Range at(long address) {
            while (next < ranges.size() && ranges.get(next).end() <= address) {
                next++;
            }
            return next < ranges.size() && ranges.get(next).start() <= address
                    ? ranges.get(next)
                    : null;
        }
    }

    /** Returns the words of a probe but for the time; null: there is none. */
    private static List<Word> payload(FunctionRanges.Range range, boolean chosen, AccessKind kind) {
        boolean enters = kind == AccessKind.ENTER;
        if (range == null && chosen
                || range != null
                        && range.role()
                                == (enters
                                        ? FunctionRanges.Role.LEFT
                                        : FunctionRanges.Role.ENTERED)) {
            return null;
        }
        List<Word> words = new ArrayList<>();
        if (range != null) {
            words.addAll(Word.values(enters ? range.enter() : range.leave()));
        }
        if (range != null && enters && range.role() != FunctionRanges.Role.CALL) {
            words.add(CALLER);
        }
        return words;
    }

    private static List<Word> joined(List<Word> one, List<Word> other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        List<Word> all = new ArrayList<>(one);
        other.stream().filter(word -> !all.contains(word)).forEach(all::add);
        return all;
    }
}
