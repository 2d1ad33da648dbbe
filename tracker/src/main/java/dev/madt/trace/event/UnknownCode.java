package dev.madt.trace.event;

import dev.madt.trace.layout.SharedLayout;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/**
 * Code without a map, which names itself with each access: its runs, of one site each. Such code
 * can be made anew for ever, so all are forgotten when there are many. Several threads may ask.
 */
public final class UnknownCode {
    private static final int MOST = 65_536;

    private final LongObjectHashMap<Run> loads = new LongObjectHashMap<>();
    private final LongObjectHashMap<Run> stores = new LongObjectHashMap<>();

    /**
     * The run of the code at an address; {@code number} is {@link SharedLayout#RUN_LOAD_UNKNOWN} or
     * the one for stores.
     */
    public synchronized Run run(int number, long code) {
        boolean load = number == SharedLayout.RUN_LOAD_UNKNOWN;
        LongObjectHashMap<Run> runs = load ? loads : stores;
        Run run = runs.get(code);
        if (run == null) {
            if (runs.size() == MOST) {
                runs.clear();
            }
            run = new Run(number, new AccessSite[] {
                new AccessSite(code, 0, load ? AccessKind.LOAD : AccessKind.STORE, 0, 0, false)
            });
            runs.put(code, run);
        }
        return run;
    }
}
