package dev.madt.trace.codec;

/**
 * Holds what the builders of frame payloads share: the bytes so far, and the frame made of them.
 */
abstract class PayloadFrame {
    final PayloadBytes payload = new PayloadBytes();
    private final FrameType type;

    PayloadFrame(FrameType type) {
        this.type = type;
    }

    /** Bytes of payload so far. */
    public final int size() {
        return payload.size();
    }

    public final boolean isEmpty() {
        return size() == 0;
    }

    /** The frame of everything added; the builder is empty afterwards. */
    public final Frame build(int pid, int tid) {
        return payload.frame(type, pid, tid);
    }
}
