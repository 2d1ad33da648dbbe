package dev.madt.collector;

import dev.madt.locks.AtomicInstructions;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.session.Engine;
import dev.madt.trace.codec.TemplateScope;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import dev.madt.trace.event.RegionKind;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/** Says which accesses of a process belong into its trace, and what its template numbers mean. */
final class TraceScope implements TemplateScope {
    /** Names modules of the C library, whose functions tell what orders threads. */
    private static final Pattern OF_C = Pattern.compile("(libc|libpthread|ld-linux.*)[.-].*");

    private final Engine engine;
    private final boolean stack;
    private final ModuleTable modules;
    private final RegionMap space;
    private final ThreadMemory threadMemory;
    /** Null: locks are not recorded. */
    private final AtomicInstructions atomics;

    private Consumer<RecordTemplate> definer = template -> {};
    private IntPredicate handedBack = number -> false;
    private final long[] around = new long[2];

    /**
     * @param stack stacks too
     * @param atomics null: locks are not recorded
     */
    TraceScope(
            Engine engine,
            boolean stack,
            ModuleTable modules,
            RegionMap space,
            ThreadMemory threadMemory,
            AtomicInstructions atomics) {
        this.atomics = atomics;
        this.engine = engine;
        this.stack = stack;
        this.modules = modules;
        this.space = space;
        this.threadMemory = threadMemory;
    }

    /** Says who gets every template that comes into the trace, once, before it does. */
    void defineBy(Consumer<RecordTemplate> taker) {
        definer = taker;
    }

    @Override
    public RecordTemplate template(int number) {
        return modules.words(number) < 0
                ? null
                : new RecordTemplate(
                        modules.numberInTrace(number),
                        modules.sites(number),
                        modules.sources(number));
    }

    /** Says which templates' records become something else in the trace. */
    void handBack(IntPredicate these) {
        handedBack = these;
    }

    @Override
    public boolean handsBack(int number) {
        return handedBack.test(number);
    }

    @Override
    public void define(RecordTemplate template) {
        definer.accept(template);
    }

    /**
     * The allocator's own work is none of the program's, also where no interposed function runs: at
     * a thread's end, in malloc_trim.
     */
    @Override
    public boolean traced(AccessSite site) {
        return (stack || !site.stack()) && !modules.inAllocator(site.address());
    }

    /** Returns whether code does an allocator's own work, as above. */
    boolean isOfAllocator(long code) {
        return modules.inAllocator(code);
    }

    /** Threads may wait for atomic variables on stacks: that orders them, whatever is recorded. */
    @Override
    public boolean everywhere(AccessSite site) {
        if (atomics == null || site.kind() != AccessKind.MODIFY || !space.coversStacks()) {
            return false;
        }
        LoadedModule module = modules.at(site.address());
        return module != null
                && !OF_C.matcher(module.name()).matches()
                && atomics.isAtomic(site, module);
    }

    @Override
    public boolean traced(long address, long[] range) {
        return switch (space.kindAround(address, range)) {
            case CODE, SPECIAL, UNTRACED -> false;
            case STACK -> stack;
            case OTHER -> engine == Engine.TRAP; // spliced code records before it faults
            case ANONYMOUS ->
                stack || engine == Engine.TRAP || !threadMemory.covers(address, range);
            default -> true;
        };
    }

    boolean traced(long address) {
        return traced(address, around);
    }

    boolean traced(AccessSite site, long address) {
        return site.kind().probes() || traced(site) && (everywhere(site) || traced(address));
    }

    /**
     * Bulk transfers count on stacks too, if the user did not choose other regions, but not where
     * madt has nothing to say.
     *
     * @param range takes start and end of addresses around it of which the same is true, as
     *     {@link #traced(long, long[])} does
     */
    boolean shown(long address, long[] range) {
        RegionKind kind = space.kindAround(address, range);
        if (kind == RegionKind.ANONYMOUS && threadMemory.covers(address, range)) {
            return space.coversStacks();
        }
        return kind != RegionKind.SPECIAL && kind != RegionKind.UNTRACED;
    }
}
