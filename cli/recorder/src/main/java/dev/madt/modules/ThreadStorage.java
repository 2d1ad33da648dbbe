package dev.madt.modules;

import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.codec.MapsFrame;
import dev.madt.trace.codec.SymbolsFrame;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Knows where the threads of a process have their thread-local storage. Each thread's copy of a
 * module's storage is a region {@code [tls]} with the module's thread-local variables as its
 * symbols, and its control block, at the base of FS, is {@code [tcb]}. When a copy ends, its memory
 * is again what it was before, such as a part of the heap.
 */
public final class ThreadStorage {
    private static final String STORAGE = "[tls]";
    private static final String CONTROL = "[tcb]";
    private static final int READ_AND_WRITE = 3;

    /** A module with thread-local storage; a positive offset says where it is in each thread. */
    private record Owner(LoadedModule module, long offset) {}

    /**
     * A range of a thread.
     *
     * @param module start of the module whose storage it is; 0: of none
     * @param before what lay there
     */
    private record Copy(long module, long start, long end, List<RegionMap.Region> before) {}

    private final Map<Long, Owner> owners = new TreeMap<>();
    /** The base of FS of each thread. Threads that the program clones by itself may share one. */
    private final Map<Integer, Long> threads = new HashMap<>();
    /** By base of FS, in the order in which they came. */
    private final Map<Long, List<Copy>> copies = new HashMap<>();

    private final List<ModuleStorage> undescribed = new ArrayList<>();

    /**
     * A thread's copy of a module's storage.
     *
     * @param start its first byte
     */
    public record ModuleStorage(LoadedModule module, long start) {}

    /** Follows an event; {@code modules} gives the module that begins at an address, or null. */
    void apply(
            TraceEvent event,
            LongFunction<LoadedModule> modules,
            RegionMap space,
            MapsFrame maps,
            SymbolsFrame symbols) {
        if (event instanceof TraceEvent.TlsThread it) {
            leave(it.thread(), space, maps, symbols);
            if (it.size() > 0) {
                begin(it, space, maps, symbols);
            }
        } else if (event instanceof TraceEvent.TlsModule it) {
            LoadedModule module = modules.apply(it.start());
            if (module != null) {
                own(it.start(), new Owner(module, it.offset()), space, maps, symbols);
            }
        } else if (event instanceof TraceEvent.TlsBlock it
                && owners.containsKey(it.start())
                && threads.containsKey(it.thread())) {
            long base = threads.get(it.thread());
            Owner owner = owners.get(it.start());
            put(base, it.start(), owner.module(), it.block(), space, maps, symbols);
        }
    }

    /** A thread ends, or goes on with another base. */
    private void leave(int thread, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        Long base = threads.remove(thread);
        if (base != null && !threads.containsValue(base)) {
            end(copies.remove(base), space, maps, symbols);
        }
    }

    private void begin(
            TraceEvent.TlsThread thread, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        long base = thread.base();
        threads.put(thread.thread(), base);
        boolean shared = copies.containsKey(base)
                && space.overlapping(base, base + 1).stream()
                        .anyMatch(region -> region.label().equals(CONTROL));
        if (shared) {
            return;
        }
        copies.remove(base);
        cover(base, 0, base - thread.below(), base, STORAGE, space, maps);
        cover(base, 0, base, base + thread.size(), CONTROL, space, maps);
        owners.forEach((start, owner) -> {
            if (owner.offset() > 0) {
                long at = base - owner.offset();
                put(base, start, owner.module(), at, space, maps, symbols);
            }
        });
    }

    private void own(
            long start, Owner owner, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        owners.put(start, owner);
        if (owner.offset() > 0) {
            for (long base : List.copyOf(copies.keySet())) {
                long at = base - owner.offset();
                put(base, start, owner.module(), at, space, maps, symbols);
            }
        }
    }

    /** Puts a thread's copy of a module's storage there, unless it is known. */
    private void put(
            long base,
            long start,
            LoadedModule module,
            long at,
            RegionMap space,
            MapsFrame maps,
            SymbolsFrame symbols) {
        long bytes = module.threadStorage();
        boolean known = copies.getOrDefault(base, List.of()).stream()
                .anyMatch(copy -> copy.module() == start && copy.start() == at);
        if (known || bytes == 0) {
            return;
        }
        cover(base, start, at, at + bytes, STORAGE, space, maps);
        undescribed.add(new ModuleStorage(module, at));
        symbols.forget(at, at + bytes);
        for (ElfSymbol variable : module.threadVariables()) {
            symbols.add(false, at + variable.address(), variable.size(), variable.name());
        }
    }

    private void cover(
            long base,
            long module,
            long start,
            long end,
            String label,
            RegionMap space,
            MapsFrame maps) {
        List<RegionMap.Region> before = space.overlapping(start, end).stream()
                .map(region -> region.cut(start, end))
                .toList();
        copies.computeIfAbsent(base, none -> new ArrayList<>())
                .add(new Copy(module, start, end, before));
        space.add(
                new RegionMap.Region(RegionKind.DATA, READ_AND_WRITE, start, end, start, label),
                maps);
    }

    /** The copies whose variables nobody has asked for yet; they are given once. */
    List<ModuleStorage> takeUndescribed() {
        List<ModuleStorage> taken = List.copyOf(undescribed);
        undescribed.clear();
        return taken;
    }

    /** The module is gone. */
    void unload(long start, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        if (owners.remove(start) == null) {
            return;
        }
        for (List<Copy> ofThread : copies.values()) {
            List<Copy> ended =
                    ofThread.stream().filter(copy -> copy.module() == start).toList();
            ofThread.removeAll(ended);
            end(ended, space, maps, symbols);
        }
    }

    /** Ends copies, the newest first: what one lay on comes back before it ends itself. */
    private static void end(
            List<Copy> ended, RegionMap space, MapsFrame maps, SymbolsFrame symbols) {
        for (int i = ended == null ? -1 : ended.size() - 1; i >= 0; i--) {
            Copy copy = ended.get(i);
            symbols.forget(copy.start(), copy.end());
            if (isStillThere(copy, space)) {
                copy.before().forEach(region -> space.add(region, maps));
            }
        }
    }

    /** Returns whether its memory has not been unmapped since, or become something else. */
    private static boolean isStillThere(Copy copy, RegionMap space) {
        List<RegionMap.Region> now = space.overlapping(copy.start(), copy.end());
        return !now.isEmpty()
                && now.stream()
                        .allMatch(region ->
                                region.label().equals(STORAGE) || region.label().equals(CONTROL));
    }
}
