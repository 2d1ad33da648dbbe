package dev.madt.locks;

import dev.madt.console.Failure;
import dev.madt.console.Suggestion;
import dev.madt.modules.FunctionNames;
import dev.madt.modules.FunctionRanges;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.elf.ElfSymbol;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds the functions of modules by which threads wait for each other: {@code --record locks}. The
 * methods may be called by any thread.
 */
public final class LockFunctions implements FunctionRanges.Source {
    /** The name of the option for those of the user. */
    public static final String OPTION = "lock";

    /** Says how far jumps from one function to another are followed. */
    private static final int MOST_JUMPS = 3;

    private static final int RAX = 1;

    /** Are functions of the C library itself, old or new, whose names programs do not have. */
    private static final Set<String> LIBRARY =
            Set.of("__libc_early_init", "__libc_setup_tls", "__pthread_initialize_minimal");

    /**
     * Holds those of a module, by their addresses.
     *
     * @param asOthers whether functions of the C library's names may do their work by its own ones
     */
    private record Found(
            Map<Long, LockFunction> functions, FunctionRanges ranges, boolean asOthers) {
        private boolean isFollowed(LockFunction function) {
            return function.isFollowed() || asOthers;
        }
    }

    private final LockTable table;
    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, Found> known = new HashMap<>();
    private final Set<String> matched = new HashSet<>();
    private final Set<String> seen = new TreeSet<>();

    private LockFunctions(LockTable table) {
        this.table = table;
    }

    /**
     * Makes them of what the options say.
     *
     * @param pairs of {@code --lock}, or null
     * @param status of a failure
     */
    public static LockFunctions of(String[] pairs, int status) throws Failure {
        return new LockFunctions(LockTable.of(pairs, status));
    }

    /** Returns the table of known functions, as it stands in its file. */
    public static String text(int status) throws Failure {
        return LockTable.text(status);
    }

    @Override
    public synchronized FunctionRanges of(String module, ElfModule elf) throws IOException {
        return found(elf).ranges();
    }

    private Found found(ElfModule elf) throws IOException {
        Found found = known.get(elf);
        if (found == null) {
            found = find(elf);
            known.put(elf, found);
        }
        return found;
    }

    /** Returns what the function does that begins at an address; null: it is another one. */
    synchronized LockFunction at(ElfModule elf, long address) {
        Found found = known.get(elf);
        return found == null ? null : found.functions().get(address);
    }

    /**
     * Returns the address that stands for the lock of a function without an argument: the same for
     * those that take the lock and those that release it.
     *
     * @param address of the function, which stands for the lock if the module has no other one
     */
    synchronized long home(ElfModule elf, LockFunction function, long address) {
        if (function.deed() == LockFunction.Deed.PART) {
            return address; // regions have it for an argument
        }
        return known.get(elf).functions().entrySet().stream()
                .filter(one -> one.getValue().name().equals(function.home()))
                .mapToLong(Map.Entry::getKey)
                .findFirst()
                .orElse(address);
    }

    /** Returns whether it is recorded where such a function is left. */
    synchronized boolean isFollowed(ElfModule elf, LockFunction function) {
        return known.get(elf).isFollowed(function);
    }

    private Found find(ElfModule elf) throws IOException {
        Map<Long, LockFunction> functions = new TreeMap<>();
        for (ElfSymbol function : elf.functions()) {
            LockFunction role = role(elf.functionNames(function.address()));
            if (role != null) {
                functions.put(function.address(), role);
            }
        }
        addParts(elf, functions);
        if (functions.isEmpty()) {
            return new Found(functions, FunctionRanges.NONE, false);
        }
        boolean asOthers = !isLibrary(elf);
        FunctionJumps jumps = new FunctionJumps(elf);
        Map<Long, FunctionRanges.Range> ranges = new TreeMap<>();
        functions.forEach((address, role) -> {
            ranges.put(
                    address,
                    new FunctionRanges.Range(
                            address,
                            jumps.end(address),
                            role.registers(),
                            RAX,
                            role.isFollowed() || asOthers
                                    ? FunctionRanges.Role.WITH_CALLER
                                    : FunctionRanges.Role.ENTERED));
            if (role.deed().isLeft()) {
                addLeft(jumps, address, functions, ranges);
            }
        });
        return new Found(
                functions, new FunctionRanges(true, List.copyOf(ranges.values())), asOthers);
    }

    /** Adds what regions and tasks run, where a module makes some and no names tell of it. */
    private void addParts(ElfModule elf, Map<Long, LockFunction> functions) throws IOException {
        boolean known = functions.values().stream()
                .anyMatch(function -> function.deed() == LockFunction.Deed.PART || makes(function));
        if (!known && elf.functions().stream().anyMatch(this::leadsToMaker)) {
            LockFunction part = table.any(LockFunction.Deed.PART);
            HandedFunctions.of(elf).forEach(address -> functions.putIfAbsent(address, part));
        }
    }

    private static boolean makes(LockFunction function) {
        return function.deed() == LockFunction.Deed.REGION
                || function.deed() == LockFunction.Deed.TASK;
    }

    /** Returns whether it leads to a function of another module that makes regions or tasks. */
    private boolean leadsToMaker(ElfSymbol function) {
        LockFunction called = ElfSymbol.isStub(function.name())
                ? table.named(function.name().replaceFirst("@.*", ""))
                : null;
        return called != null && makes(called);
    }

    private static boolean isLibrary(ElfModule elf) {
        return elf.functions().stream().anyMatch(function -> LIBRARY.contains(function.name()));
    }

    /** Adds the functions to which one goes on by a jump: they return in its place. */
    private static void addLeft(
            FunctionJumps jumps,
            long address,
            Map<Long, LockFunction> functions,
            Map<Long, FunctionRanges.Range> ranges) {
        Set<Long> reached = Set.of(address);
        for (int i = 0; i < MOST_JUMPS; i++) {
            Set<Long> next = new HashSet<>();
            reached.forEach(from -> next.addAll(jumps.from(from)));
            next.removeAll(functions.keySet());
            for (long target : next) {
                ranges.putIfAbsent(
                        target,
                        new FunctionRanges.Range(
                                target, jumps.end(target), 0, RAX, FunctionRanges.Role.LEFT));
            }
            reached = next;
        }
    }

    private LockFunction role(List<String> symbols) {
        LockFunction role = null;
        for (String symbol : symbols) {
            if (ElfSymbol.isStub(symbol)) {
                continue;
            }
            List<String> spellings = new ArrayList<>(names.of(symbol));
            spellings.add(symbol.replaceFirst("@.*", ""));
            seen.add(spellings.get(spellings.size() - 1));
            for (String spelling : spellings) {
                LockFunction one = table.named(spelling);
                if (one != null) {
                    matched.add(one.name());
                    role = role == null || one.asked() ? one : role;
                }
            }
        }
        return role;
    }

    /** Returns what to say about functions of the user's that no module has, a sentence each. */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (LockFunction one : table.all()) {
            if (one.asked() && !matched.contains(one.name())) {
                sentences.add("--lock " + one.name() + " names no function of the program or its"
                        + " libraries." + Suggestion.sentence(one.name(), seen));
            }
        }
        return sentences;
    }
}
