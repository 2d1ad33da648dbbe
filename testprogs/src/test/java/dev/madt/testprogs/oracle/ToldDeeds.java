package dev.madt.testprogs.oracle;

import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.oracle.LockDeeds.Deed;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Holds what a trace says that threads did with locks, and where each call of it stands. */
final class ToldDeeds extends QuietConsumer {
    private static final long TAIL = 1L << 63;

    /**
     * A deed of the trace.
     *
     * @param depth how many locks the thread had when it got the one that it releases
     * @param module the region of the call, as lines show it
     * @param function the function of the call; empty where none is known
     */
    record Told(Deed deed, long depth, String module, String function) {
        /** Returns the same place with another deed. */
        Told withDeed(Deed other) {
            return new Told(other, depth, module, function);
        }

        /** Returns whether the C library has called a function of its own. */
        boolean isOfTheLibrary() {
            return module.startsWith("[libc.so") || module.startsWith("[ld-linux");
        }

        /** Returns whether a handler of locks/kinds has done it. */
        boolean isOfHandler() {
            return function.contains("on_signal");
        }
    }

    private final Map<Integer, List<Told>> all = new TreeMap<>();
    private final TreeMap<Long, Definition.Region> regions = new TreeMap<>();
    private final TreeMap<Long, String> functions = new TreeMap<>();

    @Override
    public void define(Definition definition) {
        if (definition instanceof Definition.Region region) {
            regions.put(region.start(), region);
        } else if (definition instanceof Definition.RegionsForgotten gone) {
            regions.values()
                    .removeIf(region -> region.start() < gone.end() && gone.start() < region.end());
        } else if (definition instanceof Definition.Symbol symbol && symbol.code()) {
            functions.put(symbol.address(), symbol.name());
        }
    }

    @Override
    public void ring(TraceEvent event) {
        if (event instanceof TraceEvent.LockGot got) {
            add(event, "got " + EventWord.text(got.how()), got.lock(), 0, got.code());
        } else if (event instanceof TraceEvent.LockReleased gone) {
            add(event, "free", gone.lock(), gone.depth(), gone.code());
        } else if (event instanceof TraceEvent.LockUndone not) {
            String why = EventWord.text(not.why());
            add(event, why.equals("timeout") ? "failed" : why, not.lock(), 0, not.code());
        } else if (event instanceof TraceEvent.ThreadSync sync) {
            add(event, EventWord.text(sync.role()), sync.object(), 0, sync.code());
        }
    }

    private void add(TraceEvent event, String what, long lock, long depth, long code) {
        long caller = code & ~TAIL;
        Map.Entry<Long, String> function = functions.floorEntry(caller);
        all.computeIfAbsent(event.thread(), first -> new ArrayList<>())
                .add(new Told(
                        new Deed(what, lock),
                        depth,
                        module(caller),
                        function == null ? "" : function.getValue()));
    }

    /** Returns the region of an address at the end of the trace, as lines show it, or nothing. */
    String module(long address) {
        Map.Entry<Long, Definition.Region> region = regions.floorEntry(address);
        boolean known = region != null && address < region.getValue().end();
        return known ? region.getValue().label() : "";
    }

    /** Returns the deeds of each thread, in their order. */
    Map<Integer, List<Told>> all() {
        return all;
    }
}
