package dev.madt.collector;

import dev.madt.modules.AllocatingCalls;
import dev.madt.modules.FrameNotes;
import dev.madt.modules.LoadedModule;
import dev.madt.modules.ModuleLines;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.ThreadStorage;
import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.dwarf.TypeNumbers;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.GoTypes;
import dev.madt.resolver.local.Variable;
import dev.madt.resolver.type.Type;
import dev.madt.trace.codec.DeclarationsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.SourcesFrame;
import dev.madt.trace.codec.TypesFrame;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * Says what the debug information of the modules says of a trace: source lines of its code
 * addresses, types of variables and of allocated blocks, and what lies in frames. Addresses are
 * noted as they come, each once; they are looked up when their events are about to be written.
 */
final class SourceNotes {
    private static final int FRAME_BYTES = 1 << 20;

    private final ModuleTable modules;
    private final LongHashSet known = new LongHashSet();
    private final LongHashSet goTypes = new LongHashSet();
    private final LongArrayList places = new LongArrayList();
    private final AllocatingCalls calls = new AllocatingCalls();
    private final SourcesFrame sources = new SourcesFrame();
    private final DeclarationsFrame declarations = new DeclarationsFrame();
    private final Set<ByteBuffer> declared = new HashSet<>();
    private final TypesFrame types = new TypesFrame();
    private final TypeNumbers numbers = new TypeNumbers();
    private final FrameNotes frames = new FrameNotes(numbers, types);
    private boolean givenUp;

    SourceNotes(ModuleTable modules) {
        this.modules = modules;
    }

    /** Notes an instruction that is in the trace. */
    void place(long code) {
        if (!givenUp && known.add(code)) {
            places.add(code);
        }
    }

    /** Notes a call that allocates. */
    void allocation(long code) {
        if (!givenUp) {
            calls.add(code);
        }
    }

    /** Notes a type that Go describes at an address, of which blocks are allocated. */
    void goType(long description) {
        if (description == 0 || givenUp || !goTypes.add(description)) {
            return;
        }
        LoadedModule module = modules.at(description);
        GoTypes.GoType type = module == null ? null : module.goType(description);
        if (type != null) {
            types.blocks(description, numbers.ofNamed(type.name(), type.size(), types));
        }
    }

    /** Notes a call that led to another one. */
    void caller(long code, long caller) {
        if (!givenUp) {
            calls.add(code, caller);
        }
    }

    /** Forgets that addresses of a range are known: other code may come there. */
    void forget(long start, long end) {
        known.removeIf(code -> code >= start && code < end);
        calls.forget(start, end);
    }

    /**
     * Returns whether the debug information needed more memory than there was, so that lines and
     * types are incomplete.
     */
    boolean givenUp() {
        return givenUp;
    }

    /**
     * Looks up everything noted since the last time, and gives the frames that say it. The
     * recording is worth more than its source lines: where memory does not suffice, they are given
     * up.
     */
    void write(int pid, Consumer<Frame> sink) {
        if (givenUp) {
            return;
        }
        try {
            lookUp(pid, sink);
        } catch (OutOfMemoryError e) {
            givenUp = true;
            places.clear();
            calls.clear();
            modules.forgetDebug();
            sources.build(pid, 0); // what it holds may end in the middle
            declarations.build(pid, 0);
            types.build(pid, 0);
            frames.build(pid);
        }
    }

    private void lookUp(int pid, Consumer<Frame> sink) {
        for (int i = 0; i < places.size(); i++) {
            describe(places.get(i));
            if (sources.size() + declarations.size() >= FRAME_BYTES) {
                writeSources(pid, sink);
            }
            if (types.size() + frames.size() >= FRAME_BYTES) {
                writeFrames(pid, sink);
            }
        }
        places.clear();
        for (LoadedModule module : modules.takeUndescribed()) {
            describe(module, pid, sink);
        }
        for (ThreadStorage.ModuleStorage copy : modules.takeUndescribedStorage()) {
            describe(copy, pid, sink);
        }
        calls.look(this::guess);
        writeSources(pid, sink);
        writeFrames(pid, sink);
    }

    private void writeSources(int pid, Consumer<Frame> sink) {
        if (!sources.isEmpty()) {
            sink.accept(sources.build(pid, 0));
        }
        if (!declarations.isEmpty()) {
            sink.accept(declarations.build(pid, 0));
        }
    }

    /** Types in front of the frames that have them. */
    private void writeFrames(int pid, Consumer<Frame> sink) {
        if (!types.isEmpty()) {
            sink.accept(types.build(pid, 0));
        }
        if (!frames.isEmpty()) {
            sink.accept(frames.build(pid));
        }
    }

    private void describe(long code) {
        LoadedModule module = modules.at(code);
        if (module != null) {
            frames.describe(module, modules.debug(module), code);
        }
        ModuleLines lines = module == null ? null : modules.lines(module);
        if (lines == null) {
            return;
        }
        ModuleLines.Lines known = lines.lines(module, code);
        if (known.levels().hasRemaining()) {
            sources.add(code, known.levels());
        }
        ByteBuffer entries = known.declarations();
        if (entries.hasRemaining() && declared.add(entries)) {
            declarations.add(entries.duplicate());
        }
    }

    /** Looks for the type of what a call allocates; returns whether there is one. */
    private boolean guess(long code) {
        LoadedModule module = modules.at(code);
        ModuleLines lines = module == null ? null : modules.lines(module);
        Type type = lines == null ? null : lines.allocated(module, code);
        if (type == null && module != null) {
            ElfSymbol function = module.function(code);
            type = function == null ? null : DebugInfo.allocatedBy(function.name());
        }
        if (type != null) {
            types.blocks(code, numbers.of(type, types));
        }
        return type != null;
    }

    /**
     * Types of a module's variables; of libraries only where the debug information is in their own
     * file, since that of a system's library is large and seldom asked for.
     */
    private void describe(LoadedModule module, int pid, Consumer<Frame> sink) {
        DebugInfo info = wantedInfo(module);
        if (info == null) {
            return;
        }
        for (ElfSymbol symbol : module.elf().dataSymbols()) {
            Variable variable = info.symbol(symbol.address(), symbol.size());
            if (variable != null) {
                types.variable(
                        symbol.address() + module.bias(), numbers.of(variable.type(), types));
            }
            writeLong(pid, sink);
        }
    }

    /** Types of a thread's copies of a module's thread-local variables, likewise. */
    private void describe(ThreadStorage.ModuleStorage copy, int pid, Consumer<Frame> sink) {
        DebugInfo info = wantedInfo(copy.module());
        if (info == null) {
            return;
        }
        for (ElfSymbol symbol : copy.module().threadVariables()) {
            Variable variable = info.threadVariable(symbol.address());
            Type type = variable == null ? null : variable.type();
            if (type != null) {
                types.variable(copy.start() + symbol.address(), numbers.of(type, types));
            }
            writeLong(pid, sink);
        }
    }

    private void writeLong(int pid, Consumer<Frame> sink) {
        if (types.size() >= FRAME_BYTES) {
            sink.accept(types.build(pid, 0));
        }
    }

    /** The debug information of the program, or in the own file of a library; or null. */
    private DebugInfo wantedInfo(LoadedModule module) {
        DebugInfo info = modules.debug(module);
        boolean wanted = info != null
                && (module.isProgram() || info.path().equals(module.elf().file()));
        return wanted ? info : null;
    }
}
