package dev.madt.modules;

import dev.madt.console.Suggestion;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which functions are recorded where calls are: those that one of the {@code --calls} patterns
 * matches, if there are any, and none of the {@code --no-calls} patterns. The others get no probes.
 */
public final class ChosenFunctions {
    /** All functions. */
    public static final ChosenFunctions ALL = new ChosenFunctions(null, null);

    private final List<FunctionGlob> wanted;
    private final List<FunctionGlob> unwanted;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, int[]> known = new HashMap<>();
    private final Set<FunctionGlob> matched = new HashSet<>();
    private final Set<String> seen = new TreeSet<>();
    private long functions;
    private long chosen;

    /** Null: the option was not given. */
    public ChosenFunctions(String[] calls, String[] noCalls) {
        this.wanted = globs("--calls", calls);
        this.unwanted = globs("--no-calls", noCalls);
    }

    private static List<FunctionGlob> globs(String option, String[] texts) {
        return Arrays.stream(texts == null ? new String[0] : texts)
                .map(text -> FunctionGlob.of(option + " '" + text + "'", text))
                .toList();
    }

    /** Whether nothing is left out. */
    public boolean areAll() {
        return wanted.isEmpty() && unwanted.isEmpty();
    }

    /**
     * Start and end of each range of chosen functions, ascending; null: all. A function reaches to
     * the next one at most.
     */
    synchronized int[] of(String module, ElfModule elf) {
        return areAll() ? null : known.computeIfAbsent(elf, file -> choose(module, file));
    }

    private int[] choose(String module, ElfModule elf) {
        List<ElfSymbol> all = elf.functions();
        List<Integer> ranges = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ElfSymbol function = all.get(i);
            long next = i + 1 < all.size() ? all.get(i + 1).address() : Long.MAX_VALUE;
            if (isChosen(module, elf.functionNames(function.address()))) {
                ranges.add((int) function.address());
                ranges.add((int) Math.min(Math.max(function.end(), function.address() + 1), next));
                chosen++;
            }
            functions++;
        }
        return ranges.stream().mapToInt(Integer::intValue).toArray();
    }

    private boolean isChosen(String module, List<String> symbols) {
        boolean in = wanted.isEmpty();
        boolean out = false;
        for (String symbol : symbols) {
            List<String> spellings = names.of(symbol);
            seen.add(spellings.get(spellings.size() - 1));
            in |= any(wanted, module, spellings);
            out |= any(unwanted, module, spellings);
        }
        return in && !out;
    }

    private boolean any(List<FunctionGlob> globs, String module, List<String> spellings) {
        boolean any = false;
        for (FunctionGlob glob : globs) {
            if (glob.matches(module, spellings)) {
                matched.add(glob);
                any = true;
            }
        }
        return any;
    }

    /** For people, what was chosen. */
    public synchronized String text() {
        List<String> parts = new ArrayList<>();
        wanted.forEach(glob -> parts.add(glob.option()));
        unwanted.forEach(glob -> parts.add(glob.option()));
        return String.join(" ", parts) + ": " + chosen + " of " + functions
                + " functions have probes";
    }

    /** What to say about patterns that matched no function of any module, a sentence each. */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (List<FunctionGlob> globs : List.of(wanted, unwanted)) {
            for (FunctionGlob glob : globs) {
                if (!matched.contains(glob)) {
                    sentences.add(glob.option() + " names no function of the program or its"
                            + " libraries." + Suggestion.sentence(glob.text(), seen));
                }
            }
        }
        return sentences;
    }
}
