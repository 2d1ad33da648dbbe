package dev.madt.modules;

import dev.madt.generated.GeneratedCode;
import dev.madt.generated.GeneratedFunction;
import dev.madt.resolver.ElfModule;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.buffer.TemplateWords;
import dev.madt.trace.code.ModuleTemplates;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.event.WordSources;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * The modules of one process. Modules are prepared, and get their template numbers, by the thread
 * that answers the target's requests; everything else is the collector's. Template numbers are
 * never given twice. A plan has its own, whatever else is loaded; a trace numbers the templates of
 * the modules one behind the other, whatever their numbers are.
 */
public final class ModuleTable implements TemplateWords {
    private static final int READ = 1;
    private static final int WRITE = 2;
    private static final int EXECUTE = 4;
    private static final int[] BUILT_IN = {-1, 4, 3, 3, 2, 2};

    /** A module's place in the address space. */
    private record Placed(long start, long end, LoadedModule module) {}

    /** Stands for the begin of a function where none is known. */
    static final long NO_FUNCTION = -1;

    private final ModuleFiles files;
    private volatile PreparedModules prepared = PreparedModules.NONE;
    private volatile LoadedModule program;
    private int nextInTrace = SharedLayout.TEMPLATE_FIRST_MODULE;
    private final TreeMap<Long, Placed> placed = new TreeMap<>();
    private Placed last; // that was found; null behind every change
    private final List<LoadedModule> undescribed = new ArrayList<>();
    private final LongHashSet definedFunctions = new LongHashSet();
    private final MapSnapshot snapshot;
    private final ThreadStorage storage = new ThreadStorage();
    private final UnrecordedCode unrecorded = new UnrecordedCode();
    private volatile List<RegionMap.Region> initial = List.of();
    /** Null before the process is known. */
    private volatile GeneratedCode generated;

    public ModuleTable(ModuleFiles files, MapSnapshot snapshot) {
        this.files = files;
        this.snapshot = snapshot;
    }

    /** The table of a process's child, which begins with the same modules and template numbers. */
    public synchronized ModuleTable forChild() {
        ModuleTable child = new ModuleTable(files, snapshot);
        child.prepared = prepared;
        child.generated = generated;
        child.program = program;
        child.nextInTrace = nextInTrace;
        return child;
    }

    /**
     * Adds a module with its templates; called while the target waits for the answer. One that was
     * loaded at this place before and comes again keeps its numbers, so that neither they nor what
     * is known of them grow with how often it comes.
     *
     * @throws IOException if there are no template numbers for it
     */
    public synchronized LoadedModule prepare(
            ModuleFiles.Analysed analysed, ModuleTemplates templates, long bias)
            throws IOException {
        for (LoadedModule former : prepared.all()) {
            if (former.is(analysed.elf(), templates, bias)) {
                return former;
            }
        }
        LoadedModule module = files.loaded(
                analysed,
                templates,
                bias,
                prepared.place(templates),
                nextInTrace,
                isProgram(analysed));
        program = program == null ? module : program;
        nextInTrace += module.entries();
        prepared = prepared.with(module);
        return module;
    }

    /** The first module, also when it is asked for again: its plan did not fit. */
    private boolean isProgram(ModuleFiles.Analysed analysed) {
        return program == null || program.elf() == analysed.elf();
    }

    /** Name of the program, which is the first module; empty before it is prepared. */
    public String programName() {
        LoadedModule first = program;
        return first == null ? "" : first.name();
    }

    /**
     * Notes the address space at the start, once.
     *
     * @param own tells MadT's mappings in it
     */
    public synchronized void noteStart(int pid, Supplier<OwnMappings> own) {
        if (initial.isEmpty()) {
            initial = snapshot.take(pid, own);
            generated = generated == null ? new GeneratedCode(pid) : generated;
        }
    }

    /** Returns from where on accesses to a region of {@link #start} do not count, or its end. */
    public long loadersStart(RegionMap.Region region) {
        return region.kind() == RegionKind.ANONYMOUS ? snapshot.loadersStart(region) : region.end();
    }

    /** Notes code that a process which ran before has made by now. */
    public void noteAtStart(RegionMap.Region region) {
        if (region.kind() == RegionKind.ANONYMOUS && !region.own()) {
            unrecorded.change(region.start(), region.end(), region.protection(), false);
        }
    }

    /** The address space at the start; empty if it is not known yet. */
    public List<RegionMap.Region> start() {
        return initial;
    }

    @Override
    public int words(int template) {
        if (template < SharedLayout.TEMPLATE_FIRST_MODULE) {
            return template < BUILT_IN.length ? BUILT_IN[template] : -1;
        }
        LoadedModule module = moduleOf(template);
        return module == null ? -1 : module.words(template);
    }

    @Override
    public boolean wordsFirst(int template) {
        LoadedModule module = moduleOf(template);
        return module != null && module.isProbe(template);
    }

    /** Returns what the trace has in the place of a template number that {@link #words} knows. */
    public int numberInTrace(int template) {
        return moduleOf(template).numberInTrace(template);
    }

    /** Sites of a template that {@link #words} knows. */
    public AccessSite[] sites(int template) {
        return moduleOf(template).sites(template);
    }

    /**
     * Returns how the words of a template that {@link #words} knows follow from those in a chunk,
     * or null.
     */
    public WordSources sources(int template) {
        return moduleOf(template).sources(template);
    }

    /** Returns the files of the modules that are, or were, in the process. */
    public List<ElfModule> files() {
        return prepared.all().stream().map(LoadedModule::elf).distinct().toList();
    }

    /** Returns whether an instruction is part of an allocator. */
    public boolean inAllocator(long address) {
        for (LoadedModule module : prepared.all()) {
            if (module.inAllocator(address)) {
                return true;
            }
        }
        return false;
    }

    private LoadedModule moduleOf(int template) {
        return prepared.of(template);
    }

    /** Applies an event that changes the address space; the changes are added to the frames. */
    public void apply(TraceEvent event, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        if (event instanceof TraceEvent.ModuleLoad it) {
            load(it, space, maps, symbols);
        } else if (event instanceof TraceEvent.ModuleUnload it) {
            unload(it.start(), it.start() + it.size(), space, maps, symbols);
        } else if (event instanceof TraceEvent.RegionMap it) {
            map(it, space, maps);
        } else if (event instanceof TraceEvent.RegionUnmap it) {
            space.unmap(it.start(), it.start() + it.size(), maps);
        } else if (event instanceof TraceEvent.RegionProtect it) {
            long end = it.start() + it.size();
            unrecorded.change(it.start(), end, it.protection(), at(it.start()) != null);
            if ((it.protection() & WRITE) != 0) {
                take(it.start(), end, space);
            }
            space.protect(it.start(), end, (int) it.protection() & 7, maps);
        } else if (event instanceof TraceEvent.Heap it) {
            heap(it.start(), it.start() + it.size(), space, maps);
        } else if (event instanceof TraceEvent.ThreadStart it) {
            stack(it, space, maps);
        } else if (event instanceof TraceEvent.TlsThread
                || event instanceof TraceEvent.TlsModule
                || event instanceof TraceEvent.TlsBlock) {
            storage.apply(event, this::beginning, space, maps, symbols);
        } else {
            throw new IllegalArgumentException(event.type() + " changes no address space");
        }
    }

    /** The module that begins at an address, or null. */
    private LoadedModule beginning(long start) {
        Placed there = placed.get(start);
        return there == null ? null : there.module();
    }

    private void unload(
            long start, long end, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        last = null;
        placed.remove(start);
        definedFunctions.removeIf(function -> function >= start && function < end);
        symbols.forget(start, end);
        storage.unload(start, space, maps, symbols);
        space.forget(start, end, maps);
    }

    private void map(TraceEvent.RegionMap event, RegionMap space, MapsFrame maps) {
        long start = event.start();
        long end = start + event.size();
        unrecorded.change(start, end, event.protection(), at(start) != null);
        take(start, end, space);
        if (generated != null) {
            generated.mapped(event.file());
        }
        space.add(region(event), maps);
    }

    private RegionMap.Region region(TraceEvent.RegionMap event) {
        long start = event.start();
        long end = start + event.size();
        int protection = (int) event.protection() & 7;
        return (event.flags() & SharedLayout.MAP_OF_THREAD) == 0
                ? snapshot.file(start, end, protection, 0, event.file())
                : RegionMap.Region.stack(protection, start, end, start);
    }

    /** Returns whether the trace need not be told of an event that changes the address space. */
    public boolean isUntold(TraceEvent event, RegionMap space) {
        return event instanceof TraceEvent.RegionMap made && space.comesUntold(region(made))
                || event instanceof TraceEvent.RegionUnmap it
                        && space.goesUntold(it.start(), it.start() + it.size());
    }

    /** The program maps or changes memory: no text that lies there is patched from here on. */
    private void take(long start, long end, RegionMap space) {
        for (RegionMap.Region region : space.overlapping(start, end)) {
            LoadedModule module = at(Math.max(start, region.start()));
            if (module != null && (region.protection() & EXECUTE) != 0) {
                unrecorded.taken(
                        module, Math.max(start, region.start()), Math.min(end, region.end()));
            }
        }
    }

    private static void stack(TraceEvent.ThreadStart event, RegionMap space, MapsFrame maps) {
        if (event.size() > 0) {
            long start = event.stack();
            long end = start + event.size();
            space.add(RegionMap.Region.stack(READ | WRITE, start, end, start), maps);
        }
    }

    /** The heap grows and shrinks at its end. */
    private static void heap(long start, long end, RegionMap space, MapsFrame maps) {
        for (RegionMap.Region region : space.overlapping(start, Long.MAX_VALUE)) {
            if (region.kind() == RegionKind.HEAP && region.end() > end) {
                space.forget(Math.max(end, region.start()), region.end(), maps);
            }
        }
        space.add(new RegionMap.Region(RegionKind.HEAP, 3, start, end, start, "[heap]"), maps);
    }

    private void load(
            TraceEvent.ModuleLoad event, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        long start = event.start();
        long end = start + event.size();
        LoadedModule module = preparedAt(event);
        if (module == null) {
            module = files.withoutMap(event.path(), event.bias(), placed.isEmpty());
        }
        last = null;
        placed.put(start, new Placed(start, end, module));
        unrecorded.load(
                module,
                start,
                end,
                executable(space, start, end),
                module.name().equals(programName()));
        undescribed.add(module);
        symbols.forget(start, end);
        module.addRanges(start, end, space, maps);
        module.addSymbols(symbols);
    }

    /** The executable bytes there, as far as they are known; else all. */
    private static long executable(RegionMap space, long start, long end) {
        long bytes = 0;
        for (RegionMap.Region region : space.overlapping(start, end)) {
            if ((region.protection() & EXECUTE) != 0) {
                bytes += Math.min(end, region.end()) - Math.max(start, region.start());
            }
        }
        return bytes == 0 ? end - start : bytes;
    }

    /** The module whose templates begin at this number, or null. */
    LoadedModule withFirstTemplate(int template) {
        LoadedModule module = moduleOf(template);
        return module != null && module.firstTemplate() == template ? module : null;
    }

    private LoadedModule preparedAt(TraceEvent.ModuleLoad event) {
        for (LoadedModule module : prepared.all()) {
            if (module.firstTemplate() == event.firstTemplate()
                    && module.bias() == event.bias()
                    && (module.entries() > 0 || module.plan() != null)) {
                return module; // a plan may have no templates where calls are chosen
            }
        }
        return null;
    }

    /** The modules in which there are instruments, each file once. */
    List<LoadedModule> withInstruments(Instruments instruments) {
        List<LoadedModule> with = new ArrayList<>();
        Set<ElfModule> known = new HashSet<>();
        for (LoadedModule module : prepared.all()) {
            if (module.elf() != null
                    && !instruments.addresses(module.elf()).isEmpty()
                    && known.add(module.elf())) {
                with.add(module);
            }
        }
        return with;
    }

    /** Returns of which variants plans of a file are, or were, in the process. */
    public Set<Integer> variants(ElfModule file) {
        Set<Integer> variants = new HashSet<>();
        for (LoadedModule module : prepared.all()) {
            if (module.elf() == file && module.plan() != null) {
                variants.add(module.plan().variant());
            }
        }
        return variants;
    }

    /** Returns what engine splice records nothing of. */
    public UnrecordedCode unrecorded() {
        return unrecorded;
    }

    /** The modules whose variables nobody has asked for yet; they are given once. */
    public List<LoadedModule> takeUndescribed() {
        List<LoadedModule> taken = List.copyOf(undescribed);
        undescribed.clear();
        return taken;
    }

    /** The copies of thread-local storage whose variables nobody has asked for yet; once. */
    public List<ThreadStorage.ModuleStorage> takeUndescribedStorage() {
        return storage.takeUndescribed();
    }

    /** The debug information of a module, or null. */
    public DebugInfo debug(LoadedModule module) {
        return module.elf() == null ? null : files.debug(module.elf());
    }

    /** The source lines of a module's code; null if it has no debug information. */
    public ModuleLines lines(LoadedModule module) {
        return module.elf() == null ? null : files.lines(module.elf());
    }

    /** Gives back what the debug information of all modules takes. */
    public void forgetDebug() {
        files.forgetDebug();
    }

    /** The module around an address, or null. */
    public LoadedModule at(long address) {
        Placed found = last;
        if (found == null || address < found.start() || address >= found.end()) {
            Map.Entry<Long, Placed> entry = placed.floorEntry(address);
            if (entry == null || address >= entry.getValue().end()) {
                return null;
            }
            found = entry.getValue();
            last = found;
        }
        return found.module();
    }

    /**
     * Returns what a trace says in the place of a code word of the buffer: the address of the call,
     * or with bit 63 set a return address in front of which no such call stands.
     */
    public long callAddress(long word) {
        return callAddress(word, LoadedModule::callAddress);
    }

    /**
     * Returns where the function begins that is at work at a code word of the buffer, if it has got
     * behind its begin; else {@link #NO_FUNCTION}.
     */
    long openFunction(long word) {
        boolean exact = (word & SharedLayout.CODE_EXACT) != 0;
        long inside = exact ? word & ~SharedLayout.CODE_EXACT : word - 1;
        LoadedModule module = at(inside);
        long start = module == null || module.elf() == null || module.plan() == null
                ? NO_FUNCTION
                : module.functionStart(inside);
        return exact && start == inside ? NO_FUNCTION : start;
    }

    /** As {@link #callAddress}, of a call to any function. */
    public long callBefore(long word) {
        return callAddress(word, LoadedModule::callBefore);
    }

    private long callAddress(long word, ToLongBiFunction<LoadedModule, Long> call) {
        if ((word & SharedLayout.CODE_EXACT) != 0) {
            return word & ~SharedLayout.CODE_EXACT;
        }
        LoadedModule module = at(word - 1);
        return module == null ? word | SharedLayout.CODE_EXACT : call.applyAsLong(module, word);
    }

    /**
     * Adds the function around a code address to the frame, the first time that it is asked for.
     */
    public void defineCode(long address, SymbolsFrame symbols) {
        LoadedModule module = at(address);
        if (module == null) {
            defineGenerated(address, symbols);
            return;
        }
        long start = module.functionStart(address);
        if (start != -1 && definedFunctions.add(start)) {
            ElfSymbol function = module.function(address);
            symbols.add(true, start, function.size(), function.name());
        }
    }

    /** Adds a function that the program has made, in the place of what was there before. */
    private void defineGenerated(long address, SymbolsFrame symbols) {
        GeneratedFunction function = generated == null ? null : generated.newAt(address);
        if (function != null) {
            symbols.forget(function.start(), function.start() + function.size());
            symbols.add(true, function.start(), function.size(), function.name());
        }
    }
}
