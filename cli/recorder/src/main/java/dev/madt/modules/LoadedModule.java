package dev.madt.modules;

import dev.madt.resolver.ElfModule;
import dev.madt.resolver.InterposedFunctions;
import dev.madt.resolver.dwarf.FrameRules;
import dev.madt.resolver.elf.AllocatorCode;
import dev.madt.resolver.elf.CodeRange;
import dev.madt.resolver.elf.DataRange;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.GoTypes;
import dev.madt.trace.code.CodeMap;
import dev.madt.trace.code.ModuleTemplates;
import dev.madt.trace.code.SplicePlan;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.WordSources;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * A module at its place in a process: its ranges and symbols for the trace, the sites of its
 * templates, and which instruction a return address belongs to. Not for use by several threads,
 * except {@link #firstTemplate}, {@link #entries}, {@link #words} and {@link #isProbe}.
 */
public final class LoadedModule {
    /** As code maps number registers. */
    private static final int RSP = 4;

    private static final int RBP = 5;

    private final String name;
    private final ElfModule elf;
    private final CodeMap map;
    private final ModuleTemplates templates;
    private final long bias;
    private final int firstTemplate;
    private final int firstInTrace;
    private final boolean program;
    private final boolean untraced;
    private final AccessSite[][] sites;
    /** The templates whose {@link #sites} are known. */
    private final IntArrayList known = new IntArrayList();
    /** All data symbols, from the second process on that has the module at this place. */
    private SymbolsFrame dataSymbols;

    private boolean hasGivenSymbols;
    /** Null until they are asked for. */
    private List<ElfSymbol> threadVariables;

    /**
     * @param elf null if the file cannot be read
     * @param map null for a module without a code map
     * @param templates null likewise; what its template numbers mean: the code map, or the splice
     *     plan
     * @param firstTemplate number of its template 0 in the buffers
     * @param firstInTrace and in traces
     * @param program whether it is the program itself, whose ranges carry no module name
     * @param untraced the loader
     */
    LoadedModule(
            String name,
            ElfModule elf,
            CodeMap map,
            ModuleTemplates templates,
            long bias,
            int firstTemplate,
            int firstInTrace,
            boolean program,
            boolean untraced) {
        this.name = name;
        this.elf = elf;
        this.map = map;
        this.templates = templates;
        this.bias = bias;
        this.firstTemplate = firstTemplate;
        this.firstInTrace = firstInTrace;
        this.program = program;
        this.untraced = untraced;
        this.sites = new AccessSite[templates == null ? 0 : templates.entries()][];
    }

    public String name() {
        return name;
    }

    /**
     * Returns whether it is the program and has a malloc of its own, or another function of an
     * allocator.
     */
    public boolean bringsAllocator() {
        return program && elf.bringsAllocator();
    }

    /** Returns whether some of its data are in scope. */
    public boolean covered(Scope scope, String programName) {
        return scope.isEverything()
                || elf.dataRanges().stream()
                        .anyMatch(range -> scope.covers(dataLabel(range), programName));
    }

    private String dataLabel(DataRange range) {
        return program ? "[" + range.part() + "]" : "[" + name + ":" + range.part() + "]";
    }

    public int firstTemplate() {
        return firstTemplate;
    }

    /** Returns what a trace has in the place of a template number of this module. */
    int numberInTrace(int template) {
        return template - firstTemplate + firstInTrace;
    }

    /** Returns whether it is this file with these templates at this place. */
    boolean is(ElfModule file, ModuleTemplates meaning, long place) {
        return elf == file && templates == meaning && bias == place;
    }

    /**
     * Returns which build it is, and its name, as META has it; empty if the file is not there, or
     * not what was loaded.
     */
    public String build() {
        try {
            return elf != null && elf.isUnchanged() ? elf.build() + " " + name : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** Number of its templates. */
    int entries() {
        return sites.length;
    }

    /** Words of a template of this module. */
    int words(int template) {
        return templates.words(template - firstTemplate);
    }

    /** Returns how its words follow from those in a chunk, or null. */
    WordSources sources(int template) {
        return templates.sources(template - firstTemplate);
    }

    /** Returns whether a template of this module tells of a call. */
    boolean isProbe(int template) {
        return templates.isProbe(template - firstTemplate);
    }

    /** Sites of a template of this module, one per word. */
    AccessSite[] sites(int template) {
        int entry = template - firstTemplate;
        if (sites[entry] == null) {
            sites[entry] = templates.sites(entry, bias);
            known.add(entry);
            numberElements(sites[entry]);
            if (recordsStack()) {
                Arrays.setAll(sites[entry], i -> inFrame(sites[entry][i]));
            }
        }
        return sites[entry];
    }

    /** Tells the elements of masked accesses apart, which are sites in a row. */
    private void numberElements(AccessSite[] all) {
        for (int i = 1; i < all.length; i++) {
            AccessSite before = all[i - 1];
            if (before.address() == all[i].address()
                    && before.operand() == all[i].operand()
                    && !before.kind().probes()
                    && map.isMasked(before.address() - bias, before.operand())) {
                all[i] = before.nextElement();
            }
        }
    }

    /** Returns whether its code's accesses to stacks are recorded. */
    boolean recordsStack() {
        return plan() != null && plan().recordsStack();
    }

    /**
     * An instruction.
     *
     * @param length bytes; 0 if that is not known
     * @param target the function that a call calls; 0: through a pointer
     */
    record Instruction(int length, boolean call, long target) {}

    /**
     * Returns the function that the call at an address calls, if it stores the return address where
     * stacks are recorded; else 0.
     */
    public long callTarget(long code) {
        return recordsStack() ? instruction(code).target() : 0;
    }

    /** Returns what is known of the instruction at an address. */
    Instruction instruction(long code) {
        int entry = map == null ? -1 : map.find(code - bias);
        if (entry < 0) {
            return new Instruction(0, false, 0);
        }
        int flags = map.flags(entry);
        boolean direct = (flags & SharedLayout.CODE_CALL_DIRECT) != 0;
        return new Instruction(
                map.length(entry),
                (flags & SharedLayout.CODE_CALL) != 0,
                direct ? map.target(entry) + bias : 0);
    }

    /** The sites of all templates that {@link #sites} was asked for. */
    public Stream<AccessSite> knownSites() {
        return Arrays.stream(known.toArray()).mapToObj(entry -> sites[entry]).flatMap(Stream::of);
    }

    /**
     * The site with its place in its function's frame, where it is on the stack and that is known.
     */
    private AccessSite inFrame(AccessSite site) {
        CodeMap.StackOperand operand = map.stackOperand(site.address() - bias, site.operand());
        FrameRules.Rule rule = operand == null ? null : elf.frame(site.address() - bias);
        boolean known = rule != null
                && (operand.register() == RSP && rule.register() == FrameRules.RSP
                        || operand.register() == RBP && rule.register() == FrameRules.RBP);
        return known ? site.inFrame(operand.displacement() - rule.offset()) : site;
    }

    /**
     * Puts the ranges of the module, loaded at {@code start} to {@code end}, into the address
     * space.
     */
    void addRanges(long start, long end, RegionMap space, MapsFrame frame) {
        String label = "[" + name + "]";
        if (untraced || elf == null) {
            RegionKind kind = untraced ? RegionKind.UNTRACED : RegionKind.FILE;
            space.add(new RegionMap.Region(kind, 1, start, end, start, label), frame);
            return;
        }
        for (CodeRange range : elf.codeRanges()) {
            RegionKind kind = isKernels() ? RegionKind.SPECIAL : RegionKind.CODE;
            space.add(
                    region(kind, range.protection(), range.start(), range.end(), start, label),
                    frame);
        }
        for (DataRange range : elf.dataRanges()) {
            RegionKind kind = isKernels() ? RegionKind.SPECIAL : RegionKind.DATA;
            space.add(
                    region(
                            kind,
                            range.protection(),
                            range.start(),
                            range.end(),
                            range.start() + bias,
                            dataLabel(range)),
                    frame);
        }
    }

    private boolean isKernels() {
        return name.startsWith("linux-vdso");
    }

    private RegionMap.Region region(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        return new RegionMap.Region(kind, protection, start + bias, end + bias, origin, label);
    }

    /** All data symbols. */
    void addSymbols(SymbolsFrame frame) {
        if (elf == null || untraced) {
            return;
        }
        if (dataSymbols != null) {
            frame.add(dataSymbols);
            return;
        }
        SymbolsFrame made = hasGivenSymbols ? new SymbolsFrame() : frame;
        for (ElfSymbol symbol : elf.dataSymbols()) {
            made.add(false, symbol.address() + bias, symbol.size(), symbol.name());
        }
        if (hasGivenSymbols) {
            dataSymbols = made;
            frame.add(made);
        }
        hasGivenSymbols = true;
    }

    /** Bytes of each thread's copy of its thread-local storage; 0 if it has none. */
    long threadStorage() {
        return elf == null ? 0 : elf.threadStorage();
    }

    /** The thread-local variables by their offsets in that storage; none of an unreadable file. */
    public List<ElfSymbol> threadVariables() {
        if (threadVariables == null) {
            try {
                threadVariables = elf.threadVariables();
            } catch (IOException e) {
                threadVariables = List.of();
            }
        }
        return threadVariables;
    }

    /** The function at a run-time address, at its ELF virtual address; null if none is known. */
    public ElfSymbol function(long address) {
        return elf == null ? null : elf.function(address - bias);
    }

    /** The type that Go describes at a run-time address; null if none is known. */
    public GoTypes.GoType goType(long address) {
        return elf == null || !elf.isOfGo() ? null : elf.goType(address - bias);
    }

    /** The address at which the function begins that covers an address; -1 if none does. */
    long functionStart(long address) {
        long start = elf == null ? -1 : elf.functionStart(address - bias);
        return start == -1 ? -1 : start + bias;
    }

    /** The file, unless it could not be read or is one of those that are not traced; else null. */
    public ElfModule elf() {
        return untraced ? null : elf;
    }

    /** Its splice plan; null if there is none. */
    SplicePlan plan() {
        return templates instanceof SplicePlan plan ? plan : null;
    }

    /**
     * Returns what is left out of the recording with the function around an address, while the
     * program runs: the ELF virtual addresses of its first byte and of the one behind its last; of
     * code in no known function, those of the patch. Null if it cannot be: its patches have to do
     * with others, or it makes a system call, which would be slow without.
     */
    public long[] restingWith(long address) {
        SplicePlan plan = plan();
        ElfSymbol function = function(address);
        long[] range = plan == null || elf == null
                ? null
                : function != null
                        ? new long[] {function.address(), function.end()}
                        : plan.patch(address - bias);
        return range != null
                        && range[0] < range[1]
                        && plan.areAlone(range[0], range[1])
                        && !elf.hasSystemCall(range[0], range[1])
                ? range
                : null;
    }

    /** Returns whether an instruction is part of an allocator. */
    boolean inAllocator(long address) {
        AllocatorCode allocator = elf == null ? null : elf.allocator();
        return allocator != null && allocator.contains(address - bias);
    }

    /** Returns whether it is the program itself. */
    public boolean isProgram() {
        return program;
    }

    /** Returns whether it is the loader. */
    boolean untraced() {
        return untraced;
    }

    public long bias() {
        return bias;
    }

    /**
     * The call instruction that returns to an address: one that ends there and calls an interposed
     * function, or calls through a pointer. Else a tail call lies between, and the return address
     * itself comes back with bit 63 set.
     */
    long callAddress(long returnAddress) {
        int entry = map == null ? -1 : map.findEndingAt(returnAddress - bias);
        if (entry >= 0
                && (map.flags(entry) & SharedLayout.CODE_CALL) != 0
                && callsInterposed(entry)) {
            return map.offset(entry) + bias;
        }
        return returnAddress | SharedLayout.CODE_EXACT;
    }

    /** The call instruction that returns to an address, whatever it calls; else as above. */
    long callBefore(long returnAddress) {
        int entry = map == null ? -1 : map.findEndingAt(returnAddress - bias);
        return entry >= 0 && (map.flags(entry) & SharedLayout.CODE_CALL) != 0
                ? map.offset(entry) + bias
                : returnAddress | SharedLayout.CODE_EXACT;
    }

    private boolean callsInterposed(int entry) {
        if ((map.flags(entry) & SharedLayout.CODE_CALL_DIRECT) == 0) {
            return true;
        }
        if (elf == null) {
            return true;
        }
        for (String candidate : elf.functionNames(map.target(entry))) {
            if (InterposedFunctions.contains(candidate)) {
                return true;
            }
        }
        return false;
    }
}
