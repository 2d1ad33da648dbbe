package dev.madt.modules;

import dev.madt.natives.ProbeChoice;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.event.AccessKind;
import java.util.ArrayList;
import java.util.List;

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

    /** Returns what tells it from others. A record's own text makes classes at run time. */
    String key() {
        return flags + (accesses ? "a" : "") + (calls ? "c" : "") + (times ? "t" : "");
    }

    /** The probes for it in a module with these functions. */
    ProbeChoice probes(FunctionRanges functions) {
        if (accesses && !calls) {
            return ProbeChoice.ACCESSES;
        }
        List<Probe> probes = new ArrayList<>();
        if (accesses) {
            probes.addAll(ProbeChoice.ACCESSES.probes());
        }
        if (calls) {
            addCalls(probes, AccessKind.ENTER, functions);
            addCalls(probes, AccessKind.LEAVE, functions);
        }
        return new ProbeChoice(probes);
    }

    /** Adds probes of the functions between the ranges, unless only some functions are chosen. */
    private void addCalls(List<Probe> probes, AccessKind kind, FunctionRanges functions) {
        long at = 0;
        for (FunctionRanges.Range range : functions.ranges()) {
            int values = kind == AccessKind.ENTER ? range.enter() : range.leave();
            if (!functions.chosen() && at < range.start()) {
                probes.add(Probe.before(kind, at, range.start(), payload(0)));
            }
            probes.add(Probe.before(kind, range.start(), range.end(), payload(values)));
            at = range.end();
        }
        if (!functions.chosen() && at < ProbeChoice.END) {
            probes.add(Probe.before(kind, at, ProbeChoice.END, payload(0)));
        }
    }

    private List<Word> payload(int values) {
        List<Word> words = new ArrayList<>();
        if (times) {
            words.add(Word.TIME);
        }
        words.addAll(Word.values(values));
        return words;
    }
}
