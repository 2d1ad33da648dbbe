package dev.madt.modules;

import dev.madt.trace.event.TraceEvent;
import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/**
 * The functions that are open when the recording of a thread begins, on their way into the trace:
 * those whose calls are recorded and within the bounds, each with its entry. As in a recording from
 * main on, a program begins there, and a thread with the first function behind its system call.
 */
public final class OpenFunctions {
    private static final String MAIN_CALLER = "__libc_start_main";
    /** Of those that begin a thread the one that every recording has. */
    private static final String THREAD = "start_thread";

    /** Knows what is recorded, and takes what the trace is to know. */
    public interface Trace {
        /** Returns whether the calls of a function at this ELF virtual address are recorded. */
        boolean records(LoadedModule module, long address);

        /** Returns whether a function, by its linker's name, begins programs or threads. */
        boolean starts(String function);

        /** Returns whether an open function is within the bounds; it is open from here on. */
        boolean takes(TraceEvent.OpenFunction event);

        /** Defines a function. */
        void define(long function);

        /** Returns what the trace has in the place of a code word. */
        long call(long word);
    }

    private final ModuleTable modules;
    private final Trace trace;
    /** By thread: how many were told of its stack. */
    private final IntIntHashMap told = new IntIntHashMap();
    /** The C library, as it begins a program: what it calls there has no name in stripped files. */
    private LoadedModule starting;

    public OpenFunctions(ModuleTable modules, Trace trace) {
        this.modules = modules;
        this.trace = trace;
    }

    /** Returns an event of the ring as the trace has it; null: it is none of the trace's. */
    public TraceEvent.OpenFunction take(TraceEvent.OpenFunction event) {
        if (event.depth() == 0) {
            told.put(event.thread(), 0);
            starting = null;
        }
        long entry = modules.openFunction(event.code());
        if (entry == ModuleTable.NO_FUNCTION || !isWanted(event.thread(), entry)) {
            return null;
        }
        if (!trace.takes(of(event, entry, event.depth(), 0))) {
            return null;
        }
        int depth = told.get(event.thread());
        told.put(event.thread(), depth + 1);
        trace.define(entry);
        return of(event, entry, depth, trace.call(event.code()));
    }

    private boolean isWanted(int thread, long entry) {
        LoadedModule module = modules.at(entry);
        if (told.get(thread) == 0) {
            String name = module.function(entry).name();
            starting = name.startsWith(MAIN_CALLER) ? module : starting;
            if (module == starting && !module.isProgram()
                    || trace.starts(name) && !name.equals(THREAD)) {
                return false;
            }
        }
        return trace.records(module, entry - module.bias());
    }

    private static TraceEvent.OpenFunction of(
            TraceEvent.OpenFunction event, long entry, long depth, long call) {
        return new TraceEvent.OpenFunction(
                event.thread(), event.epoch(), entry, event.stack(), event.time(), depth, call);
    }
}
