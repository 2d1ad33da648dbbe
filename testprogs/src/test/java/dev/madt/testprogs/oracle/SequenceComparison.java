package dev.madt.testprogs.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares MadT's sequences of accesses with Lackey's, thread by thread, element by element. Only
 * where the accesses of one instruction differ, {@link ValgrindRules} are asked whether Valgrind
 * splits or reorders them.
 */
final class SequenceComparison {
    private static final int AROUND = 3;

    private final ValgrindModules modules;
    private long compared;
    private long adjusted;

    SequenceComparison(ValgrindModules modules) {
        this.modules = modules;
    }

    /** Accesses of MadT's that were found equal. */
    long compared() {
        return compared;
    }

    /** Accesses of Lackey's at instructions for which a rule was needed. */
    long adjusted() {
        return adjusted;
    }

    /** The first difference; empty if there is none. */
    String difference(ThreadAccesses ours, ThreadAccesses theirs) throws IOException {
        List<List<PlacedAccess>> one = ours.sequences();
        List<List<PlacedAccess>> two = theirs.sequences();
        if (one.size() != two.size()) {
            return one.size() + " threads (MadT) and " + two.size() + " (Lackey)";
        }
        for (int thread = 0; thread < one.size(); thread++) {
            String difference = difference(one.get(thread), two.get(thread));
            if (!difference.isEmpty()) {
                return "thread " + thread + " of " + one.size() + ": " + difference;
            }
        }
        return "";
    }

    private String difference(List<PlacedAccess> ours, List<PlacedAccess> theirs)
            throws IOException {
        int i = 0;
        int j = 0;
        while (i < ours.size() && j < theirs.size()) {
            int oursEnd = end(ours, i);
            int theirsEnd = end(theirs, j);
            List<PlacedAccess> one = ours.subList(i, oursEnd);
            List<PlacedAccess> two = theirs.subList(j, theirsEnd);
            if (!one.equals(two) && !equalByRule(one, two)) {
                return show("MadT", ours, i) + show("Lackey", theirs, j);
            }
            compared += one.size();
            i = oursEnd;
            j = theirsEnd;
        }
        return i == ours.size() && j == theirs.size()
                ? ""
                : show("MadT", ours, i) + show("Lackey", theirs, j);
    }

    /** Behind the accesses of the instruction, executed once or several times in a row. */
    private static int end(List<PlacedAccess> accesses, int from) {
        int end = from + 1;
        while (end < accesses.size()
                && accesses.get(end).code().equals(accesses.get(from).code())) {
            end++;
        }
        return end;
    }

    private boolean equalByRule(List<PlacedAccess> ours, List<PlacedAccess> theirs)
            throws IOException {
        ModulePlace code = theirs.get(0).code();
        ValgrindModules.Image module = modules.named(code.module());
        if (module == null || !code.equals(ours.get(0).code())) {
            return false;
        }
        String text = Instructions.text(module.file().path(), code.offset());
        adjusted += theirs.size();
        return ValgrindRules.atInstruction(text, ours)
                .equals(ValgrindRules.atInstruction(text, theirs));
    }

    /**
     * Functions that one of the two has other counts of, with both; among them those where Valgrind
     * splits accesses.
     */
    String differingFunctions(ThreadAccesses ours, ThreadAccesses theirs) {
        Map<String, ThreadAccesses.Count> one = byFunction(ours);
        Map<String, ThreadAccesses.Count> two = byFunction(theirs);
        Set<String> functions = new TreeSet<>(one.keySet());
        functions.addAll(two.keySet());
        StringBuilder text =
                new StringBuilder("counts that differ (where Valgrind splits accesses, too):\n");
        for (String function : functions) {
            ThreadAccesses.Count recorded = one.getOrDefault(function, ThreadAccesses.Count.NONE);
            ThreadAccesses.Count shown = two.getOrDefault(function, ThreadAccesses.Count.NONE);
            if (!recorded.equals(shown)) {
                text.append("  ")
                        .append(function)
                        .append(": MadT ")
                        .append(recorded)
                        .append(", Valgrind ")
                        .append(shown)
                        .append('\n');
            }
        }
        return text.toString();
    }

    Map<String, ThreadAccesses.Count> byFunction(ThreadAccesses accesses) {
        Map<String, ThreadAccesses.Count> functions = new TreeMap<>();
        accesses.counts()
                .forEach((place, count) -> functions.merge(
                        modules.functionAt(place), count, ThreadAccesses.Count::plus));
        return functions;
    }

    /** The element and those around it. */
    private String show(String witness, List<PlacedAccess> accesses, int i) {
        List<String> lines = new ArrayList<>();
        for (int k = Math.max(0, i - AROUND); k < Math.min(accesses.size(), i + AROUND + 1); k++) {
            lines.add((k == i ? "\n  >> " : "\n     ") + accesses.get(k) + " in "
                    + modules.functionAt(accesses.get(k).code()));
        }
        return "\n " + witness + ", element " + i + " of " + accesses.size() + ":"
                + String.join("", lines);
    }
}
