package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import java.nio.ByteBuffer;

/** The payload of a DECL frame: where the source has functions that it gives no name. */
public final class DeclarationsFrame extends PayloadFrame {
    public DeclarationsFrame() {
        super(FrameType.DECLARATIONS);
    }

    /** Says it of a function, by its name for the linker. */
    public DeclarationsFrame add(Definition.Declared declared) {
        payload.u32(declared.line()).string(declared.function()).string(declared.file());
        return this;
    }

    /** Adds entries as they stand in a payload. */
    public DeclarationsFrame add(ByteBuffer entries) {
        payload.bytes(entries);
        return this;
    }

    /** The entries so far, as they stand in the payload. */
    public byte[] entries() {
        return payload.copy();
    }

    /**
     * Gives the definitions to the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.DECLARATIONS);
        while (!cursor.atEnd()) {
            int line = cursor.u32();
            String function = cursor.string();
            consumer.define(new Definition.Declared(function, cursor.string(), line));
        }
    }
}
