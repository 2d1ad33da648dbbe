package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.console.Suggestion;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.natives.ProbeChoice.Word;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.local.Signature;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.Argument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The allocators that go by other names than the C library's: {@code --alloc}, and Go's, which need
 * not be asked for. The methods may be called by any thread.
 */
public final class NamedAllocators {
    /** The name of the option. */
    public static final String OPTION = "alloc";

    /** None. */
    public static final NamedAllocators NONE = new NamedAllocators(List.of(), false);
    /** {@code MADT_NAMED_MOST}. */
    static final int MOST = 128;

    private static final String ALLOCATOR = "PyObject_Malloc";
    /** Bytes, at most, of a function that checks its argument and goes on to another one. */
    private static final int GOES_ON = 64;

    /** Finds what compilers make of a function, which may take other arguments. */
    private static final Pattern CLONE = Pattern.compile("\\.(constprop|isra|part|cold)\\b");
    /** Commas between forms, and not between the arguments of one. */
    private static final Pattern COMMA = Pattern.compile(",(?![^()]*\\))");

    /**
     * Holds what the user has asked for at a time: a form, or the forms of an allocator.
     *
     * @param preset the allocator's name, or null
     */
    private record Asked(String preset, List<AllocatorForm> forms) {
        boolean isOfCPython() {
            return forms.stream().anyMatch(AllocatorForm::startsCPython);
        }
    }

    private final List<Asked> asked;
    /** Says whether the program runs already. */
    private final boolean running;

    private final FunctionNames names = new FunctionNames();
    private final Map<ElfModule, List<Probe>> known = new HashMap<>();
    private final Set<AllocatorForm> matched = new HashSet<>();
    private final Set<String> seen = new TreeSet<>();
    private final Set<String> clones = new TreeSet<>();
    private final Set<String> crowded = new TreeSet<>();
    /** Modules whose allocator can be followed from the start of the program alone. */
    private final Set<String> late = new TreeSet<>();
    /** By the modules, how many of their functions have no room for a jump. */
    private final Map<String, Integer> refused = new TreeMap<>();

    /** Forms that fit a function, and what is wrong with those that do not fit one. */
    private final Set<AllocatorForm> good = new HashSet<>();

    private final Map<AllocatorForm, String> mistaken = new LinkedHashMap<>();
    private long oddSizes;
    private int functions;

    private NamedAllocators(List<Asked> asked, boolean running) {
        this.asked = asked;
        this.running = running;
    }

    /**
     * Reads what the options say; null: there is none.
     *
     * @param running whether the program runs already
     * @param status of a failure
     */
    public static NamedAllocators of(String[] options, boolean running, int status) throws Failure {
        List<Asked> asked = new ArrayList<>();
        for (String option : options == null ? new String[0] : options) {
            add(option, asked, status);
        }
        return asked.isEmpty() ? NONE : new NamedAllocators(asked, running);
    }

    private static void add(String option, List<Asked> asked, int status) throws Failure {
        String typed = "--" + OPTION + " '" + option + "'";
        for (String part : COMMA.split(option)) {
            String text = part.strip();
            if (text.startsWith("@")) {
                for (String line : lines(Path.of(text.substring(1)), typed, status)) {
                    add(line, asked, status);
                }
            } else if (text.indexOf('(') >= 0 || text.indexOf(' ') >= 0) {
                asked.add(new Asked(null, List.of(AllocatorForm.of(typed, text, status))));
            } else if (!text.isEmpty()) {
                asked.add(preset(text, typed, status));
            }
        }
    }

    private static List<String> lines(Path file, String typed, int status) throws Failure {
        try {
            return Files.readAllLines(file).stream()
                    .map(line -> line.replaceFirst("#.*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new Failure(status, typed + ": cannot read " + file + ".", e);
        }
    }

    private static Asked preset(String name, String typed, int status) throws Failure {
        AllocatorPresets presets = AllocatorPresets.read(status);
        List<String> lines = presets.forms(name);
        if (lines == null) {
            throw new Failure(
                    status,
                    typed + ": no allocator is known by the name '" + name + "'."
                            + Suggestion.sentence(name, presets.names())
                            + " See madt run --alloc list.");
        }
        List<AllocatorForm> forms = new ArrayList<>();
        for (String line : lines) {
            forms.add(AllocatorForm.of(typed, line, status));
        }
        return new Asked(name, forms);
    }

    /** Returns whether there are none. */
    public boolean areNone() {
        return asked.isEmpty();
    }

    /**
     * The hooks of a module's functions, by address.
     *
     * @param debug its debug information, or null
     */
    synchronized List<Probe> hooks(String module, ElfModule elf, Supplier<DebugInfo> debug) {
        return asked.isEmpty() && !elf.isOfGo()
                ? List.of()
                : known.computeIfAbsent(elf, file -> choose(module, file, debug));
    }

    /** Returns whether Go's allocator is among these. */
    static boolean hasGo(List<Probe> hooks) {
        return hooks.stream().anyMatch(GoAllocator::isHook);
    }

    private List<Probe> choose(String module, ElfModule elf, Supplier<DebugInfo> debug) {
        List<Probe> hooks = new ArrayList<>();
        Probe ofGo = GoAllocator.hook(elf);
        boolean copies = hasCopies(elf);
        for (ElfSymbol function : asked.isEmpty() ? List.<ElfSymbol>of() : elf.functions()) {
            if (ofGo != null && function.address() == ofGo.start()) {
                continue;
            }
            AllocatorForm form =
                    form(module, elf.functionNames(function.address()), running && copies);
            if (form != null && form.startsCPython() && !copies) {
                continue;
            }
            if (form != null && isMistaken(form, elf, function, debug)) {
                continue;
            }
            if (form != null && hooks.size() == MOST) {
                crowded.add(module);
            } else if (form != null) {
                hooks.add(Probe.hook(function.address(), form.code()));
                functions++;
            }
        }
        if (ofGo != null && hooks.size() < MOST) {
            hooks.add(ofGo);
            hooks.sort(Comparator.comparingLong(Probe::start));
        }
        return hooks;
    }

    /**
     * Returns whether a function lacks an argument that its form wants, and notes it. Forms that
     * have a name are right. What several functions are at one address is not asked.
     */
    private boolean isMistaken(
            AllocatorForm form, ElfModule elf, ElfSymbol function, Supplier<DebugInfo> debug) {
        boolean typed =
                asked.stream().anyMatch(one -> one.preset == null && one.forms.contains(form));
        List<String> symbols = elf.functionNames(function.address());
        if (!typed || symbols.size() != 1) {
            good.add(form);
            return false;
        }
        Signature signature = FunctionValues.signature(elf, debug.get(), function);
        int missing = form.missing(signature);
        if (missing < 0) {
            good.add(form);
            return false;
        }
        List<String> spellings = names.of(symbols.get(0));
        mistaken.putIfAbsent(
                form,
                "--" + OPTION + " " + form.function().text() + ": there is no argument " + missing
                        + ". By the debug information the function is "
                        + spellings.get(spellings.size() - 1).replaceFirst("\\(.*", "")
                        + signature.arguments().stream()
                                .map(Argument::name)
                                .collect(Collectors.joining(", ", "(", ")"))
                        + "; arguments count from 0.");
        return true;
    }

    /**
     * Refuses a form if all functions that were foreseen for it lack an argument that it wants.
     *
     * @param status of the failure
     */
    public synchronized void demandArguments(int status) throws Failure {
        for (Map.Entry<AllocatorForm, String> one : mistaken.entrySet()) {
            if (!good.contains(one.getKey())) {
                throw new Failure(status, one.getValue());
            }
        }
    }

    /** A block cannot be as large as its argument says. */
    public synchronized void oddSize() {
        oddSizes++;
    }

    /** Takes how many of a module's functions its plan leads through MadT. */
    synchronized void hooked(String module, ElfModule elf, int made) {
        int missing = known.getOrDefault(elf, List.of()).size() - made;
        if (missing > 0) {
            refused.put(module, missing);
        }
    }

    /**
     * Returns whether it is a CPython whose allocators have copies in their callers: then there is
     * one in the function that is called from outside, which else only goes on to the allocator.
     */
    private static boolean hasCopies(ElfModule elf) {
        return elf.functions().stream()
                .filter(function -> elf.functionNames(function.address()).contains(ALLOCATOR))
                .anyMatch(function -> function.end() - function.address() > GOES_ON);
    }

    /**
     * Returns what a function with these names does; null: nothing that was asked for.
     *
     * @param isLate whether what CPython does can be followed no more: its copies are in callers
     */
    private AllocatorForm form(String module, List<String> symbols, boolean isLate) {
        AllocatorForm found = null;
        for (String symbol : symbols) {
            if (ElfSymbol.isStub(symbol)) {
                continue;
            }
            List<String> spellings = names.of(symbol);
            seen.add(spellings.get(spellings.size() - 1));
            for (Asked one : asked) {
                for (AllocatorForm form : one.forms) {
                    if (!form.function().matches(module, spellings)) {
                        continue;
                    }
                    if (isLate && one.isOfCPython()) {
                        late.add(module);
                        matched.add(form);
                    } else if (CLONE.matcher(symbol).find()) {
                        clones.add(symbol);
                    } else {
                        matched.add(form);
                        found = found == null ? form : found;
                    }
                }
            }
        }
        return found;
    }

    private int left() {
        return refused.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** For people, what was asked for and found. */
    public synchronized String text() {
        List<String> parts = new ArrayList<>();
        for (Asked one : asked) {
            parts.add(one.preset == null ? one.forms.get(0).function().text() : one.preset);
        }
        return String.join(", ", parts) + ": " + functions
                + (functions == 1 ? " function" : " functions")
                + (left() > 0 ? ", " + left() + " of them without room for a jump" : "");
    }

    /** Returns what to say of what was found in no module, a sentence each. */
    public synchronized List<String> unmatched() {
        List<String> sentences = new ArrayList<>();
        for (Asked one : asked) {
            if (one.forms.stream().noneMatch(matched::contains)) {
                AllocatorForm first = one.forms.get(0);
                sentences.add(
                        one.preset != null
                                ? "--alloc " + one.preset
                                        + ": the program and its libraries have none of" + " its "
                                        + one.forms.size() + " functions, or no symbols of them."
                                : "--alloc " + first.function().text()
                                        + " names no function of the program"
                                        + " or its libraries." + clone(first)
                                        + Suggestion.sentence(first.function().text(), seen));
            }
        }
        for (String module : late) {
            sentences.add("--alloc python: the allocator of " + module + " has copies in other"
                    + " functions, which MadT follows from the program's start alone: its blocks"
                    + " are not told. Start the program under madt to see them.");
        }
        refused.forEach((module, missing) -> sentences.add("--alloc: " + missing
                + (missing == 1 ? " function of " : " functions of ") + module
                + " cannot be followed, for want of room for a jump: blocks are missing."));
        sentences.addAll(mistaken.values());
        if (oddSizes > 0) {
            sentences.add("--alloc: " + Numbers.counted(oddSizes, "block has", "blocks have")
                    + " no size: what was taken for it cannot be one. Does the argument that tells"
                    + " the size have another number? Arguments count from 0.");
        }
        for (String module : crowded) {
            sentences.add("--alloc names more than " + MOST + " functions of " + module
                    + ": the others are not followed.");
        }
        return sentences;
    }

    private String clone(AllocatorForm form) {
        for (String symbol : clones) {
            if (form.function().matches("", names.of(symbol))) {
                return " The compiler has made " + symbol + " of it, which may take other"
                        + " arguments.";
            }
        }
        return "";
    }

    /**
     * Finds Go's allocator, {@code runtime.mallocgc}. Functions of libmadt.so's are called where it
     * is entered and left ({@code shim/wrap/wrap_go.c}); no wrapper calls it, since its stack may
     * be moved meanwhile.
     */
    static final class GoAllocator {
        private static final String NAME = "runtime.mallocgc";
        /** {@code MADT_HOOK_NAMED}, {@code MADT_NAMED_GO}, and no arguments. */
        private static final int ROLE = 1 << 31 | 6 | 0xffff0;

        private static final Word ENTER = called(5);
        private static final Word LEAVE = called(6);

        private GoAllocator() {}

        /** Calls {@code enum madt_call}. */
        private static Word called(int function) {
            return new Word(AccessKind.FUNCTION, function, 0, 0, List.of(0));
        }

        /** Returns it; null: the module has none whose arguments are in registers. */
        private static ElfSymbol find(ElfModule elf) {
            if (!elf.isOfGo()) {
                return null;
            }
            return elf.functions().stream()
                    .filter(function -> function.name().equals(NAME))
                    .findFirst()
                    .orElse(null);
        }

        /**
         * Returns what has the module's plan applied from the start on, and always; null: nothing.
         */
        static Probe hook(ElfModule elf) {
            ElfSymbol found = find(elf);
            return found == null ? null : Probe.hook(found.address(), ROLE);
        }

        /** Returns whether a probe is such a one. */
        static boolean isHook(Probe probe) {
            return probe.kind() == AccessKind.HOOK
                    && probe.payload().get(0).displacements().get(0) == ROLE;
        }

        /** Returns the calls of functions where it is entered and left. */
        static List<Probe> calls(ElfModule elf, CodePlaces places) {
            List<Probe> calls = new ArrayList<>();
            ElfSymbol found = find(elf);
            calls.add(at(found.address(), ENTER));
            for (int row = places.from(found.address());
                    row < places.count() && places.address(row) < found.end();
                    row++) {
                if (places.is(row, CodePlaces.RETURNS)) {
                    calls.add(at(places.address(row), LEAVE));
                }
            }
            return calls;
        }

        private static Probe at(long address, Word word) {
            return Probe.before(AccessKind.INSTRUMENT, address, address + 1, List.of(word));
        }
    }
}
