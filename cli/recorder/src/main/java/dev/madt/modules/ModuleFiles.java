package dev.madt.modules;

import dev.madt.console.Failure;
import dev.madt.console.Reason;
import dev.madt.natives.ProbeChoice;
import dev.madt.natives.ProbeChoice.Probe;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.FunctionSource;
import dev.madt.resolver.debug.DebugSections;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.FileVersion;
import dev.madt.resolver.type.TypePlaces;
import dev.madt.trace.code.CodeMap;
import dev.madt.trace.code.CodePlaces;
import dev.madt.trace.code.ModuleTemplates;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.codec.EventCounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The files behind the modules, each read and analysed once in a session. The methods may be called
 * by any thread.
 */
public final class ModuleFiles {
    public static final String VDSO = "linux-vdso.so.1";
    private static final int MOST_LOADED = 256;

    /**
     * A module file with its code map.
     *
     * @param identity {@link CodeMapCache#identify}
     * @param path the code map file
     */
    public record Analysed(String name, String identity, ElfModule elf, CodeMap map, Path path) {}

    /** Says what a path led to when it was last looked at. */
    private record Seen(String version, Analysed module) {}

    /** A splice plan and its file. */
    public record Planned(SplicePlan plan, Path path) {}

    private final CodeMapCache cache;
    private final ChosenFunctions functions;
    private final FunctionRanges.Source further;
    private final NamedAllocators allocators;
    private final Instruments instruments;
    private final Path session;
    private final Consumer<String> warnings;
    private final Map<String, Analysed> analysed = new HashMap<>();
    private final Map<String, Seen> seen = new HashMap<>();
    private final Map<String, Planned> planned = new HashMap<>();
    /** Keys of plans that some thread makes. */
    private final Set<String> making = new HashSet<>();

    private final Map<Loaded, LoadedModule> loaded = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Loaded, LoadedModule> eldest) {
            return size() > MOST_LOADED;
        }
    };
    private final Map<String, Optional<ElfModule>> withoutMap = new HashMap<>();
    private final Map<String, String> libraries = new HashMap<>();
    private final TypePlaces types = new TypePlaces();
    private final Map<ElfModule, String> identities = new HashMap<>();
    private final Map<ElfModule, Optional<DebugInfo>> debug = new HashMap<>();
    private final Map<ElfModule, Optional<ModuleLines>> lines = new HashMap<>();
    private final Map<ElfModule, Optional<DebugInfo>> planDebug = new HashMap<>();

    /**
     * A module at a place, which is the same in many processes: programs run without random
     * addresses.
     */
    private record Loaded(
            Analysed module,
            ModuleTemplates templates,
            long bias,
            int firstTemplate,
            int firstInTrace,
            boolean program) {
        /** Not a record's own: see {@link EventCounts#equals}. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Loaded loaded
                    && module == loaded.module
                    && templates == loaded.templates
                    && bias == loaded.bias
                    && firstTemplate == loaded.firstTemplate
                    && firstInTrace == loaded.firstInTrace
                    && program == loaded.program;
        }

        @Override
        public int hashCode() {
            return 31 * (31 * module.path().hashCode() + Long.hashCode(bias)) + firstInTrace;
        }
    }

    /**
     * @param functions whose calls are recorded
     * @param further functions that are recorded whether calls are or not
     * @param allocators whose functions are entered through wrappers
     * @param instruments what else is recorded, and where
     * @param warnings takes what debug information could not be read
     */
    public ModuleFiles(
            CodeMapCache cache,
            Path session,
            ChosenFunctions functions,
            FunctionRanges.Source further,
            NamedAllocators allocators,
            Instruments instruments,
            Consumer<String> warnings) {
        this.functions = functions;
        this.further = further;
        this.allocators = allocators;
        this.instruments = instruments;
        this.cache = cache;
        this.session = session;
        this.warnings = warnings;
    }

    /**
     * Reads and analyses a module.
     *
     * @throws IOException with the reason if that is not possible
     */
    public synchronized Analysed analyse(String path) throws IOException {
        Path file = path.equals(VDSO) ? vdso() : Path.of(path);
        String version = FileVersion.of(file);
        Seen last = seen.get(path);
        if (last != null && last.version().equals(version)) {
            return last.module();
        }
        String identity = cache.identify(file);
        String key = identity + "@" + path;
        Analysed known = analysed.get(key);
        if (known == null) {
            ElfModule elf = open(file, identity, functionsOf(identity));
            Path map = cache.mapOf(file, identity, elf.buildId());
            known = new Analysed(name(path), identity, elf, CodeMap.open(map), map);
            analysed.put(key, known);
        }
        seen.put(path, new Seen(version, known));
        return known;
    }

    /**
     * The same for a process whose module is not what {@link #analyse} found under the path.
     *
     * @throws IOException if there still is what was found before
     */
    public synchronized Analysed analyseAnew(String path) throws IOException {
        Seen before = seen.remove(path);
        Analysed now = analyse(path);
        if (before != null && before.module() == now) {
            throw new IOException("its code in memory is not that of its file, which was edited or"
                    + " replaced after it was loaded");
        }
        return now;
    }

    private ElfModule open(Path file, String identity, FunctionSource functions)
            throws IOException {
        ElfModule elf = ElfModule.open(
                file,
                (module, tables, maker) -> cache.symbolsOf(module, identity, tables, maker),
                functions);
        identities.put(elf, identity);
        return elf;
    }

    private FunctionSource functionsOf(String identity) {
        return (module, buildId) ->
                CodeMap.open(cache.mapOf(module, identity, buildId)).functions();
    }

    /**
     * The splice plan of a module that was analysed. Where no plan of the variant wanted can be
     * applied, it is one of another. Several threads make plans of several modules at once.
     *
     * @throws IOException with the reason if there can be none
     */
    public Planned plan(Analysed module, int wanted, PlanWish wish) throws IOException {
        return plan(module, wanted, wish, false);
    }

    /** The same; null if it has to be made. */
    public Planned keptPlan(Analysed module, int wanted, PlanWish wish) throws IOException {
        return plan(module, wanted, wish, true);
    }

    /**
     * The same, with instruments that were added while the recording went on.
     *
     * @param generation those up to this one are wanted; another plan than the newest may be gone
     */
    public Planned plan(Analysed module, int wanted, PlanWish wish, int generation)
            throws IOException {
        int revision = instruments.revision(module.elf(), generation);
        if (revision == instruments.revision(module.elf(), Integer.MAX_VALUE)) {
            return plan(module, wanted, wish, false);
        }
        synchronized (this) {
            Planned former = planned.get(key(module, variant(module, wanted), wish, revision));
            if (former == null) {
                throw new IOException("its plan of before is gone");
            }
            return former;
        }
    }

    private static String key(Analysed module, int variant, PlanWish wish, int revision) {
        return module.path() + "/" + variant + "/" + wish.key() + "/" + revision;
    }

    /** Returns whether instruments have come to a module behind those of a generation. */
    public boolean isRenewed(Analysed module, int generation) {
        return instruments.revision(module.elf(), Integer.MAX_VALUE) > generation;
    }

    /**
     * Adds an instrument while the recording goes on, in all modules that were read; plans for
     * those in which it stands are made.
     *
     * @param option as {@link Instruments#option} makes it
     * @param status of a failure, with which nothing has changed
     */
    public Instruments.Added add(String[] option, int status) throws Failure, IOException {
        synchronized (this) {
            Map<ElfModule, Instruments.Known> read = new LinkedHashMap<>();
            for (Analysed module : analysed.values()) {
                ElfModule elf = module.elf();
                read.put(
                        elf,
                        new Instruments.Known(
                                module.name(), elf, () -> debugOfPlans(elf), places(module)));
            }
            return instruments.add(option, read.values(), status);
        }
    }

    /** Returns the modules that were read of some files. */
    public synchronized List<Analysed> read(Set<ElfModule> files) {
        return analysed.values().stream()
                .filter(module -> files.contains(module.elf()))
                .toList();
    }

    private Planned plan(Analysed module, int wanted, PlanWish wish, boolean kept)
            throws IOException {
        int variant = variant(module, wanted);
        ElfModule elf = module.elf();
        String key;
        ProbeChoice chosen;
        synchronized (this) {
            key = key(module, variant, wish, instruments.revision(elf, Integer.MAX_VALUE));
            while (making.contains(key)) {
                await();
            }
            if (planned.containsKey(key)) {
                return planned.get(key);
            }
            List<Probe> hooks = allocators.hooks(module.name(), elf, () -> debugOfPlans(elf));
            chosen = wish.probes(
                            functions.of(module.name(), elf, () -> debugOfPlans(elf)),
                            wish == PlanWish.HOOKS
                                    ? FunctionRanges.NONE
                                    : further.of(module.name(), elf))
                    .with(hooks)
                    .with(wish == PlanWish.HOOKS ? List.of() : instrumentsOf(module, hooks));
            if (kept && !cache.hasPlan(module.identity(), variant, wish.flags(), chosen)) {
                return null;
            }
            making.add(key);
        }
        try {
            Path file = cache.planOf(
                    elf.file(), module.identity(), elf.buildId(), variant, wish.flags(), chosen);
            SplicePlan made = SplicePlan.open(file);
            allocators.hooked(module.name(), elf, made.namedHooks());
            Planned plan = new Planned(made, file);
            synchronized (this) {
                planned.put(key, plan);
            }
            return plan;
        } finally {
            synchronized (this) {
                making.remove(key);
                notifyAll();
            }
        }
    }

    /**
     * Returns the counters of 16 bits of a module that must be above zero for instruments to be
     * hit; ELF virtual addresses.
     */
    public Set<Long> semaphores(Analysed module) {
        return instruments.semaphores(module.elf());
    }

    /** The user's, and behind them where Go's allocator is entered and left. */
    private List<Probe> instrumentsOf(Analysed module, List<Probe> hooks) throws IOException {
        ElfModule elf = module.elf();
        List<Probe> asked =
                instruments.probes(module.name(), elf, () -> debugOfPlans(elf), places(module));
        if (!NamedAllocators.hasGo(hooks)) {
            return asked;
        }
        List<Probe> all = new ArrayList<>(asked);
        all.addAll(NamedAllocators.GoAllocator.calls(elf, places(module).read()));
        all.sort(InstrumentSearch.ORDER);
        return all;
    }

    private Instruments.PlaceSource places(Analysed module) {
        return () -> CodePlaces.open(cache.placesOf(module.elf().file(), module.identity()));
    }

    private static int variant(Analysed module, int wanted) {
        return wanted == SplicePlan.BELOW
                        && module.elf().lowestFixedAddress() < SplicePlan.BELOW_BYTES
                ? SplicePlan.ABOVE
                : wanted;
    }

    private void await() throws IOException {
        try {
            wait();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a plan is made", e);
        }
    }

    /** A module at its place in a process; processes share what is the same in them. */
    synchronized LoadedModule loaded(
            Analysed module,
            ModuleTemplates templates,
            long bias,
            int firstTemplate,
            int firstInTrace,
            boolean program) {
        Loaded place = new Loaded(module, templates, bias, firstTemplate, firstInTrace, program);
        LoadedModule known = loaded.get(place);
        if (known == null) {
            String file = module.elf().file().toString();
            boolean library = !program && name(file).equals(module.name());
            known = new LoadedModule(
                    library ? libraryName(file) : module.name(),
                    module.elf(),
                    module.map(),
                    templates,
                    bias,
                    firstTemplate,
                    firstInTrace,
                    program,
                    false);
            loaded.put(place, known);
        }
        return known;
    }

    /**
     * The loader, or a module that could not be analysed; {@code program}: it is the program
     * itself.
     */
    synchronized LoadedModule withoutMap(String path, long bias, boolean program) {
        String name = name(path);
        boolean untraced = MapSnapshot.isLoader(name);
        ElfModule elf = path.isEmpty()
                ? null
                : withoutMap.computeIfAbsent(path, this::readable).orElse(null);
        return new LoadedModule(
                program || untraced ? name : libraryName(path),
                elf,
                null,
                null,
                bias,
                0,
                0,
                program,
                untraced);
    }

    /** Empty where a module can be named by its file alone. */
    private Optional<ElfModule> readable(String path) {
        try {
            Path file = path.equals(VDSO) ? vdso() : Path.of(path);
            String identity = cache.identify(file);
            return Optional.of(open(file, identity, functionsOf(identity).orNone()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * The debug information of a module, opened when it is first asked for; null if there is none
     * that can be read.
     */
    synchronized DebugInfo debug(ElfModule elf) {
        return debug.computeIfAbsent(elf, this::openToldDebug).orElse(null);
    }

    /** The source lines of a module's code; null if it has no debug information. */
    synchronized ModuleLines lines(ElfModule elf) {
        return lines.computeIfAbsent(elf, this::openLines).orElse(null);
    }

    private Optional<ModuleLines> openLines(ElfModule elf) {
        DebugInfo info = debug(elf);
        if (info == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new ModuleLines(info, cache.linesOf(identities.get(elf), info.path())));
        } catch (IOException e) {
            return Optional.of(new ModuleLines(info, null));
        }
    }

    /** Returns whether a module has functions of allocators by other names. */
    public synchronized boolean hasAllocators(Analysed module) {
        ElfModule elf = module.elf();
        return !allocators.hooks(module.name(), elf, () -> debugOfPlans(elf)).isEmpty();
    }

    /** Keeps the source lines that this session has asked for. */
    public synchronized void keepLines() {
        lines.values().forEach(found -> found.ifPresent(known -> known.keep(cache)));
    }

    /** Another one than {@link #debug} gives, which another thread uses. */
    private DebugInfo debugOfPlans(ElfModule elf) {
        return planDebug.computeIfAbsent(elf, this::openDebug).orElse(null);
    }

    /** Forgets the debug information of all modules, and finds none any more. */
    synchronized void forgetDebug() {
        debug.replaceAll((file, known) -> Optional.empty());
        lines.replaceAll((file, known) -> Optional.empty());
    }

    /** Opens it and tells what of it is not read, once for each module. */
    private Optional<DebugInfo> openToldDebug(ElfModule elf) {
        Optional<DebugInfo> info = openDebug(elf);
        info.map(DebugInfo::split).ifPresent(split -> warnings.accept(split + "."));
        return info;
    }

    private Optional<DebugInfo> openDebug(ElfModule elf) {
        try {
            DebugSections sections = DebugSections.of(elf.file(), cache::sectionOf);
            if (!elf.isUnchanged()) {
                throw new IOException(
                        elf.file() + " has changed since it was loaded: its lines are not known");
            }
            return Optional.ofNullable(DebugInfo.of(sections, warnings, types));
        } catch (IOException e) {
            warnings.accept(Reason.of(e));
            return Optional.empty();
        }
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Returns what a library is called: its file, with as many of its folders as tell it from other
     * libraries of the session.
     */
    private String libraryName(String path) {
        String file = real(path);
        String known = libraries.get(file);
        if (known != null) {
            return known;
        }
        String name = name(path);
        int from = file.lastIndexOf('/') + 1;
        while (from > 1 && libraries.containsValue(name)) {
            from = file.lastIndexOf('/', from - 2) + 1;
            name = file.substring(from);
        }
        libraries.put(file, name);
        return name;
    }

    /** The path of a file that has several. */
    private static String real(String path) {
        try {
            return Path.of(path).toRealPath().toString();
        } catch (IOException | InvalidPathException e) {
            return path;
        }
    }

    /** The vDSO is the same in every process: this one's, copied out of memory into a file. */
    private Path vdso() throws IOException {
        Path copy = session.resolve(VDSO);
        if (Files.exists(copy)) {
            return copy;
        }
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.endsWith("[vdso]")) {
                long start = Long.parseUnsignedLong(line.substring(0, line.indexOf('-')), 16);
                long end = Long.parseUnsignedLong(
                        line.substring(line.indexOf('-') + 1, line.indexOf(' ')), 16);
                Files.write(copy, memory(start, Math.toIntExact(end - start)));
                return copy;
            }
        }
        throw new IOException("this kernel has no vDSO");
    }

    private static byte[] memory(long start, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel memory =
                FileChannel.open(Path.of("/proc/self/mem"), StandardOpenOption.READ)) {
            while (bytes.hasRemaining() && memory.read(bytes, start + bytes.position()) > 0) {}
        }
        return bytes.array();
    }
}
