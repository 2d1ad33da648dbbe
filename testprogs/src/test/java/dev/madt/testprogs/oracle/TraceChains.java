package dev.madt.testprogs.oracle;

import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The calls of the allocator in a trace of one process, of its first thread, with their chains; not
 * those of the loader.
 */
final class TraceChains implements EventConsumer {
    /**
     * A frame.
     *
     * @param place of its call, or of a return address
     * @param returns it is a return address: the call in front of it is not known
     */
    record Frame(ModulePlace place, boolean returns) {}

    /** @param kind M, C, R, F, P, E or U */
    record Call(char kind, List<Frame> frames) {}

    private record Module(long end, long origin, String name) {}

    private record Node(long outer, long cut, Frame frame) {}

    private final String program;
    private final int chain;
    private final TreeMap<Long, Module> modules = new TreeMap<>();
    private final Map<Long, Node> nodes = new HashMap<>();
    private final List<Call> calls = new ArrayList<>();
    private final Map<Long, Long> ends = new HashMap<>();
    private int first;

    /**
     * @param program the program's file name
     * @param chain frames of each call, at most
     */
    TraceChains(String program, int chain) {
        this.program = program;
        this.chain = chain;
    }

    List<Call> calls() {
        return calls;
    }

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.Region it && it.kind() == RegionKind.CODE) {
            String name = it.label().substring(1, it.label().length() - 1);
            modules.put(
                    it.start(), new Module(it.end(), it.origin(), ModulePlace.moduleName(name)));
        }
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.ChainNode node) {
            boolean returns = node.code() < 0;
            ModulePlace place = place(node.code() & Long.MAX_VALUE);
            nodes.put(node.node(), new Node(node.outer(), node.cut(), new Frame(place, returns)));
        }
        if (event instanceof TraceEvent.MappingChain end && end.thread() == first) {
            ends.put(end.old(), end.chain());
        }
        if (event instanceof TraceEvent.Allocation call && hasChain(call.type())) {
            first = first == 0 ? call.thread() : first;
            List<Frame> frames = frames(chain(call));
            if (call.thread() == first && (frames.isEmpty() || isNamed(frames.get(0)))) {
                calls.add(new Call(call.type().letter(), frames));
            }
        }
    }

    /** Returns whether it is none of the loader's, of whose code traces tell no module. */
    private static boolean isNamed(Frame frame) {
        return !frame.place.module().equals(ModulePlace.PAGE);
    }

    private static boolean hasChain(RingEventType type) {
        return switch (type) {
            case MALLOC, CALLOC, REALLOC_END, FREE, MMAP, MREMAP_END, MUNMAP -> true;
            default -> false;
        };
    }

    private long chain(TraceEvent.Allocation call) {
        return switch (call.type()) {
            case MREMAP_END, MUNMAP -> ends.getOrDefault(call.old(), 0L);
            default -> call.chain();
        };
    }

    /** Returns why the calls end that begin with a node: its {@code enum madt_cut}. */
    long cut(long innermost) {
        long at = innermost;
        while (nodes.get(at).outer != 0) {
            at = nodes.get(at).outer;
        }
        return nodes.get(at).cut;
    }

    /** Returns the calls that begin with a node, the innermost first. */
    List<Frame> frames(long innermost) {
        List<Frame> frames = new ArrayList<>();
        for (long at = innermost; at != 0 && frames.size() < chain; at = nodes.get(at).outer) {
            frames.add(nodes.get(at).frame);
        }
        return frames;
    }

    private ModulePlace place(long address) {
        Map.Entry<Long, Module> entry = modules.floorEntry(address);
        if (entry == null || address >= entry.getValue().end) {
            return ModulePlace.inPage(ModulePlace.PAGE, address);
        }
        Module module = entry.getValue();
        return new ModulePlace(
                module.name.isEmpty() ? program : module.name, address - module.origin);
    }

    @Override
    public void access(long number, int thread, AccessSite site, boolean store, long address) {}

    @Override
    public void block(
            long number, int thread, BlockKind kind, long to, long from, long length, long code) {}
}
