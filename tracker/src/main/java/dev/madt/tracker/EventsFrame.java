package dev.madt.tracker;

/**
 * The payload of an EVTS frame: runs and ring events of one thread, in their order. {@link TraceDecoder} is its
 * counterpart. Frames should be cut at about 1 MiB of payload: larger ones cost memory, smaller ones compress less.
 */
public final class EventsFrame {
    private final PayloadBytes payload = new PayloadBytes();

    /**
     * A run as it stood in the buffer; in runs 1 to 3 the code word must have become the address of the call.
     *
     * @throws IllegalArgumentException for run 0, which is for ring events, and for the reserved number
     */
    public EventsFrame run(int run, long epoch, long[] words, int from, int count) {
        if (run <= SharedLayout.RUN_EVENT || run == SharedLayout.RUN_RESERVED) {
            throw new IllegalArgumentException("run " + run + " in an EVTS frame");
        }
        payload.u64(SharedLayout.runHeader(run, epoch)).u64s(words, from, count);
        return this;
    }

    /**
     * A ring event whose code word is that of a trace. Its name is not kept.
     *
     * @throws IllegalArgumentException for module and region events: traces hold them as MAPS and SYMS frames
     */
    public EventsFrame event(RingEvent event) {
        if (!belongs(event.type())) {
            throw new IllegalArgumentException(event.type() + " in an EVTS frame");
        }
        int callers = event.code() == 0 ? 0 : 1;
        payload.u64(SharedLayout.runHeader(SharedLayout.RUN_EVENT, event.epoch()))
                .u64(event.type().code() | callers << 16)
                .u64(event.epoch())
                .u64(event.thread() & 0xffffffffL)
                .u64(event.address())
                .u64(event.size())
                .u64(event.old())
                .u64(event.oldSize());
        if (callers == 1) {
            payload.u64(event.code());
        }
        return this;
    }

    /** Whether events of this type stand in EVTS frames. */
    public static boolean belongs(RingEventType type) {
        return switch (type) {
            case MODULE_LOAD, MODULE_UNLOAD, REGION_MAP, REGION_UNMAP, REGION_PROTECT, HEAP, FORK_BEGIN -> false;
            default -> true;
        };
    }

    /** Bytes of payload so far. */
    public int size() {
        return payload.size();
    }

    public boolean isEmpty() {
        return size() == 0;
    }

    /** The frame of everything added; the builder is empty afterwards. */
    public Frame build(int pid, int tid) {
        return payload.frame(FrameType.EVENTS, pid, tid);
    }
}
