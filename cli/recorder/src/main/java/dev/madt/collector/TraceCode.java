package dev.madt.collector;

import dev.madt.modules.ModuleTable;
import dev.madt.resolver.line.CodeWord;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/**
 * Code words of the buffer on their way into a trace: each becomes that of a call, whose symbol and
 * source line are defined first.
 */
final class TraceCode {
    private final ModuleTable modules;
    private final TraceFrames frames;
    private final CodeWords calls = new CodeWords(this::defineCall);
    private final CodeWords chainCalls = new CodeWords(this::defineChainCall);
    /** By the numbers of chains' nodes, the calls. */
    private final LongArrayList nodes = new LongArrayList();

    private final CodeWords allocations = new CodeWords(this::defineAllocation);

    TraceCode(ModuleTable modules, TraceFrames frames) {
        this.modules = modules;
        this.frames = frames;
    }

    /** The call before a return address, which the trace knows from here on. */
    long call(long word) {
        return calls.code(word);
    }

    /** The allocating call before a return address, which the trace knows from here on. */
    long allocation(long word) {
        return allocations.code(word);
    }

    /** The call of a chain before a return address, or what a handler interrupted. */
    long chainCall(TraceEvent.ChainNode node) {
        long code = chainCalls.code(node.code());
        if (node.node() == nodes.size() + 1 && frames.notes() != null) {
            nodes.add(CodeWord.inside(code));
            if (node.outer() > 0 && node.outer() < node.node()) {
                frames.notes().caller(CodeWord.inside(code), nodes.get((int) node.outer() - 1));
            }
        }
        return code;
    }

    /** The call before a return address of any function, or what was interrupted there. */
    long callBefore(long word) {
        return chainCalls.code(word);
    }

    /** A function of which the trace knows the name from here on. */
    void function(long entry) {
        frames.define(entry);
    }

    /** The call before a return address of an allocator by another name. */
    long namedCall(long word) {
        return chainCalls.code(word);
    }

    /** The same, which allocated. */
    long namedAllocation(long word) {
        long code = namedCall(word);
        note(code);
        return code;
    }

    /** A call that the parent's trace knows, which allocated. */
    void inherited(long code) {
        frames.define(code);
        note(code);
    }

    /** Forgets what was known of code that comes or goes, in front of the event's change. */
    void change(TraceEvent event) {
        if (event instanceof TraceEvent.ModuleUnload gone && frames.notes() != null) {
            frames.notes().forget(gone.start(), gone.start() + gone.size());
        }
        if (event.type() == RingEventType.MODULE_UNLOAD
                || event.type() == RingEventType.MODULE_LOAD) {
            frames.encoder().forgetCodes();
            calls.forget();
            chainCalls.forget();
            allocations.forget();
        }
    }

    private long defineCall(long word) {
        long code = modules.callAddress(word);
        frames.define(code);
        return code;
    }

    private long defineChainCall(long word) {
        long code = modules.callBefore(word);
        frames.define(code);
        return code;
    }

    private long defineAllocation(long word) {
        long code = calls.code(word);
        note(code);
        return code;
    }

    private void note(long code) {
        if (frames.notes() != null) {
            frames.notes().allocation(CodeWord.inside(code));
        }
    }
}
