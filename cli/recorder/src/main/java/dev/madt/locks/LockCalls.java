package dev.madt.locks;

import dev.madt.modules.FunctionRanges;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleTable;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RingEventTaker;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.util.function.BiPredicate;
import java.util.function.LongUnaryOperator;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.eclipse.collections.impl.set.mutable.primitive.IntHashSet;

/** Makes events of the records that tell of calls of a process's lock functions. */
public final class LockCalls {
    /** Records of such a function, or of one that returns in its place. */
    private record Template(
            ThreadLocks.Entry entry, boolean enters, boolean kept, AccessSite[] sites) {
        /** Returns the word of a value, 0 if there is none. */
        long value(long[] words, int place) {
            for (int i = 2; i < sites.length; i++) {
                if (sites[i].kind() == AccessKind.VALUE && sites[i].operand() == place) {
                    return words[i];
                }
            }
            return 0;
        }

        long caller(long[] words) {
            int last = sites.length - 1;
            return sites[last].kind() == AccessKind.RETURN ? words[last] : 0;
        }

        long argument(long[] words, int argument) {
            return argument == LockFunction.NONE
                    ? entry.home()
                    : value(words, LockFunction.place(argument));
        }
    }

    private static final Template OTHER = new Template(null, false, true, null);
    private static final int RAX = 0;

    private final LockFunctions functions;
    private final ModuleTable modules;
    private final BiPredicate<LoadedModule, Long> called;
    private final LongUnaryOperator codes;
    private final RingEventTaker out;
    private final IntObjectHashMap<Template> templates = new IntObjectHashMap<>();
    private final IntObjectHashMap<ThreadLocks> threads = new IntObjectHashMap<>();
    /** Threads that began while the window at hand was open. */
    private final IntHashSet begun = new IntHashSet();
    /** Says whether other threads may have been within calls when that one opened. */
    private boolean late;

    /**
     * @param functions null: none are recorded
     * @param called whether a function's calls are recorded as well
     * @param codes makes of what a call returns to the code word of a trace
     */
    public LockCalls(
            LockFunctions functions,
            ModuleTable modules,
            BiPredicate<LoadedModule, Long> called,
            LongUnaryOperator codes,
            RingEventTaker out) {
        this.codes = codes;
        this.out = out;
        this.functions = functions;
        this.modules = modules;
        this.called = called;
    }

    /** Returns whether records have to be looked at. */
    public boolean areRecorded() {
        return functions != null;
    }

    /** Returns whether a template is that of such a function. */
    public boolean are(int template) {
        return of(template) != OTHER;
    }

    /** Returns whether its records are in the trace besides. */
    public boolean areKept(int template) {
        return of(template).kept();
    }

    private Template of(int template) {
        Template known = templates.get(template);
        if (known == null) {
            known = find(modules.sites(template));
            templates.put(template, known);
        }
        return known;
    }

    private Template find(AccessSite[] sites) {
        AccessKind kind = sites[0].kind();
        boolean enters = kind == AccessKind.ENTER;
        LoadedModule module =
                enters || kind == AccessKind.LEAVE ? modules.at(sites[0].address()) : null;
        ElfSymbol symbol =
                module == null || module.elf() == null ? null : module.function(sites[0].address());
        if (symbol == null) {
            return OTHER;
        }
        FunctionRanges ranges;
        try {
            ranges = functions.of(module.name(), module.elf());
        } catch (IOException e) {
            return OTHER;
        }
        if (!ranges.include(symbol.address())) {
            return OTHER;
        }
        return new Template(
                entry(module, symbol.address()),
                enters,
                called.test(module, symbol.address()),
                sites);
    }

    /** Returns the function that begins at an address of a module's file; null: another one. */
    private ThreadLocks.Entry entry(LoadedModule module, long address) {
        LockFunction function = functions.at(module.elf(), address);
        return function == null
                ? null
                : new ThreadLocks.Entry(
                        function,
                        address + module.bias(),
                        functions.home(module.elf(), function, address) + module.bias(),
                        functions.isFollowed(module.elf(), function));
    }

    /** Takes a record of such a template, whose words stand in front in {@code words}. */
    public void take(int thread, int template, long epoch, long[] words) {
        Template of = of(template);
        ThreadLocks locks = threads.get(thread);
        if (locks == null) {
            locks = new ThreadLocks(thread, late && !begun.contains(thread), codes, out);
            threads.put(thread, locks);
        }
        if (!of.enters()) {
            locks.leave(of.entry(), words[0], words[1], of.value(words, RAX), epoch);
        } else if (of.entry() != null) {
            LockFunction function = of.entry().function();
            locks.enter(
                    new ThreadLocks.Call(
                            of.entry(),
                            words[0],
                            words[1],
                            of.argument(words, function.lock()),
                            of.argument(words, function.mutex()),
                            of.caller(words)),
                    epoch);
        }
    }

    /**
     * Takes an event: a thread that has ended holds nothing. When a window of the recording closes,
     * nobody sees what is released from there on, and what is got: what threads hold is not known.
     */
    public void note(TraceEvent event) {
        switch (event.type()) {
            case THREAD_START -> {
                threads.remove(event.thread());
                begun.add(event.thread());
            }
            case THREAD_END -> threads.remove(event.thread());
            case RECORD_START -> late |= isLate(((TraceEvent.Recording) event).cause());
            case RECORD_STOP -> {
                threads.clear();
                begun.clear();
                late = true;
            }
            default -> {}
        }
    }

    /** Returns whether a window opens while threads may be within calls. */
    private static boolean isLate(long cause) {
        return cause != SharedLayout.START_MAIN
                && cause != SharedLayout.START_LOAD
                && cause != SharedLayout.START_FORK;
    }
}
