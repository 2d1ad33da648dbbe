package dev.madt.testprogs.oracle;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All accesses in a MadT trace of one process, recorded from main: nothing is left out. A module's
 * addresses are those in its file, since the files' first bytes have address 0.
 */
final class TraceThreads implements EventConsumer {

    /** A stack that is not the main thread's is a page of any kind. */
    private record Region(RegionKind kind, long end, long origin, String name, boolean early) {}

    private static final String CONTROL = "[tcb]";
    private static final Set<String> STORAGE = Set.of(CONTROL, "[tls]");

    private final String program;
    private final ValgrindModules modules;
    private final TreeSet<Long> bases = new TreeSet<>();
    private final Map<ModulePlace, Boolean> threadLocal = new HashMap<>();
    private final TreeMap<Long, Region> regions = new TreeMap<>();
    private final Map<String, Long> origins = new TreeMap<>();
    private final ThreadAccesses accesses = new ThreadAccesses();
    private long frame = -1;

    /**
     * @param program the program's file name
     * @param modules the modules that it has loaded
     */
    TraceThreads(String program, ValgrindModules modules) {
        this.program = program;
        this.modules = modules;
    }

    ThreadAccesses accesses() {
        return accesses;
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.RegionsForgotten it) {
            mapsForget(it.start(), it.end());
        } else if (definition instanceof Definition.Region it) {
            mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
        }
    }

    private void mapsForget(long start, long end) {
        Map.Entry<Long, Region> before = regions.lowerEntry(start);
        Map.Entry<Long, Region> last = regions.lowerEntry(end);
        if (last != null && last.getValue().end > end) {
            regions.put(end, last.getValue());
        }
        if (before != null && before.getValue().end > start) {
            Region cut = before.getValue();
            regions.put(
                    before.getKey(), new Region(cut.kind, start, cut.origin, cut.name, cut.early));
        }
        regions.subMap(start, end).clear();
    }

    private void mapsAdd(
            RegionKind kind, int protection, long start, long end, long origin, String label) {
        if (kind == RegionKind.DATA && STORAGE.contains(label)) { // a program may be called tls
            if (label.equals(CONTROL)) {
                bases.add(origin);
            }
            regions.put(start, new Region(RegionKind.ANONYMOUS, end, origin, "[anon]", frame < 0));
            return;
        }
        String name = kind.isModule() ? moduleName(label) : label;
        regions.put(start, new Region(kind, end, origin, name, frame < 0));
        if (kind == RegionKind.CODE) {
            origins.put(name, origin);
        }
    }

    /** {@code [libc.so.6:.bss]}, {@code [.bss]} of the program, {@code [libc.so.6]} for code. */
    private String moduleName(String label) {
        String name = label.substring(1, label.length() - 1);
        int colon = name.indexOf(':');
        return name.startsWith(".")
                ? program
                : ModulePlace.moduleName(colon < 0 ? name : name.substring(0, colon));
    }

    private Region regionAt(long address) {
        Map.Entry<Long, Region> entry = regions.floorEntry(address);
        return entry == null || address >= entry.getValue().end ? null : entry.getValue();
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {
        Region code = regionAt(site.address());
        frame = frame < 0 ? address : frame;
        ModulePlace from = code == null || code.kind != RegionKind.CODE
                ? new ModulePlace("?", site.address())
                : new ModulePlace(code.name, site.address() - code.origin);
        boolean relative = threadLocal.computeIfAbsent(
                from, place -> AllCodeRules.isThreadLocal(modules, place));
        ModulePlace data = relative ? ModulePlace.ofThread(bases, address) : place(address);
        accesses.add(thread, new PlacedAccess(from, store, site.size(), data));
    }

    private ModulePlace place(long address) {
        Region region = regionAt(address);
        if (region == null) {
            return ModulePlace.inPage("[unknown]", address);
        }
        if (region.kind.isModule()) {
            return new ModulePlace(region.name, address - origins.getOrDefault(region.name, 0L));
        }
        if (region.kind == RegionKind.STACK && region == regionAt(frame)) {
            return address >= frame
                    ? new ModulePlace(ModulePlace.ABOVE, 0)
                    : ModulePlace.inPage(ModulePlace.STACK, address);
        }
        if (region.kind == RegionKind.ANONYMOUS && region.early) {
            return ModulePlace.early(address);
        }
        return region.kind == RegionKind.HEAP
                ? new ModulePlace(ModulePlace.HEAP, address - region.origin)
                : ModulePlace.inPage(ModulePlace.PAGE, address);
    }

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}

    @Override
    public void ring(TraceEvent event) {}
}
