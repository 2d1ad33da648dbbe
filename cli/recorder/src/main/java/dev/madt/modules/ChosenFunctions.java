package dev.madt.modules;

import dev.madt.console.Suggestion;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Says which functions are recorded where calls are: those that one of the {@code --calls} patterns
 * matches, if there are any, and none of the {@code --no-calls} patterns. The others get no probes.
 * Those that one of the {@code --args} patterns matches are recorded with their arguments and
 * results.
 */
public final class ChosenFunctions {
    /** All functions. */
    public static final ChosenFunctions ALL = new ChosenFunctions(null, null, null);

    private final List<FunctionGlob> wanted;
    private final List<FunctionGlob> unwanted;
    private final List<FunctionGlob> withValues;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, FunctionRanges> known = new HashMap<>();
    /** The functions whose values are recorded, by their first bytes. */
    private final Map<ElfModule, Set<Long>> valued = new HashMap<>();

    private final Set<FunctionGlob> matched = new HashSet<>();
    private final Set<String> seen = new TreeSet<>();
    private long functions;
    private long chosen;

    /** Null: the option was not given. */
    public ChosenFunctions(String[] calls, String[] noCalls, String[] args) {
        this.withValues = globs("--args", args);
        this.wanted = globs("--calls", calls);
        this.unwanted = globs("--no-calls", noCalls);
    }

    private static List<FunctionGlob> globs(String option, String[] texts) {
        return Arrays.stream(texts == null ? new String[0] : texts)
                .map(text -> FunctionGlob.of(option + " '" + text + "'", text))
                .toList();
    }

    /** Returns whether nothing is left out. */
    public boolean areAll() {
        return wanted.isEmpty() && unwanted.isEmpty();
    }

    /** Returns whether arguments and results are recorded. */
    public boolean haveValues() {
        return !withValues.isEmpty();
    }

    /**
     * Returns which functions of a module have probes. A function reaches to the next one at most.
     *
     * @param debug the debug information of the module, or null
     */
    synchronized FunctionRanges of(String module, ElfModule elf, Supplier<DebugInfo> debug) {
        return areAll() && !haveValues()
                ? FunctionRanges.ALL
                : known.computeIfAbsent(elf, file -> choose(module, file, debug));
    }

    /** Returns whether a function of a module is recorded with its arguments and result. */
    public synchronized boolean hasValues(ElfModule elf, ElfSymbol function) {
        return valued.getOrDefault(elf, Set.of()).contains(function.address());
    }

    /** Returns whether the calls of a function of a module are recorded that was looked at. */
    public synchronized boolean include(ElfModule elf, long address) {
        FunctionRanges ranges = known.get(elf);
        return areAll() || ranges != null && ranges.include(address);
    }

    private FunctionRanges choose(String module, ElfModule elf, Supplier<DebugInfo> debug) {
        List<ElfSymbol> all = elf.functions();
        List<FunctionRanges.Range> ranges = new ArrayList<>();
        Set<Long> withThem = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            ElfSymbol function = all.get(i);
            long next = i + 1 < all.size() ? all.get(i + 1).address() : Long.MAX_VALUE;
            Wish wish = wish(module, elf.functionNames(function.address()));
            if (wish == Wish.VALUES || wish == Wish.CALLS && !areAll()) {
                boolean values = wish == Wish.VALUES;
                Signature signature =
                        values ? FunctionValues.signature(elf, debug.get(), function) : null;
                ranges.add(new FunctionRanges.Range(
                        function.address(),
                        Math.min(Math.max(function.end(), function.address() + 1), next),
                        values ? FunctionValues.entering(signature) : 0,
                        values ? FunctionValues.leaving(signature) : 0));
            }
            if (wish == Wish.VALUES) {
                withThem.add(function.address());
            }
            chosen += wish == Wish.NOTHING ? 0 : 1;
            functions++;
        }
        valued.put(elf, withThem);
        return new FunctionRanges(!areAll(), ranges);
    }

    private enum Wish {
        NOTHING,
        CALLS,
        VALUES
    }

    private Wish wish(String module, List<String> symbols) {
        boolean in = wanted.isEmpty();
        boolean out = false;
        boolean values = false;
        for (String symbol : symbols) {
            List<String> spellings = names.of(symbol);
            seen.add(spellings.get(spellings.size() - 1));
            in |= any(wanted, module, spellings);
            out |= any(unwanted, module, spellings);
            values |= any(withValues, module, spellings);
        }
        return out ? Wish.NOTHING : values ? Wish.VALUES : in ? Wish.CALLS : Wish.NOTHING;
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
        withValues.forEach(glob -> parts.add(glob.option()));
        return String.join(" ", parts) + ": " + chosen + " of " + functions
                + " functions have probes";
    }

    /**
     * Returns what to say about patterns that matched no function of any module, a sentence each.
     */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (List<FunctionGlob> globs : List.of(wanted, unwanted, withValues)) {
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
