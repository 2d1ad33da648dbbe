package dev.madt.trace.codec;

import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.ProcessImage;

/** The payload of a PROC frame: the processes of the run, in the order in which they began. */
public final class ProcessesFrame extends PayloadFrame {
    public ProcessesFrame() {
        super(FrameType.PROCESSES);
    }

    public ProcessesFrame add(ProcessImage entry) {
        payload.u32(entry.pid())
                .u32(entry.parent())
                .string(PrintableText.of(entry.program()))
                .string(entry.ended())
                .string(PrintableText.of(entry.trace()));
        return this;
    }

    /**
     * Gives the entries to the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.PROCESSES);
        while (!cursor.atEnd()) {
            consumer.process(new ProcessImage(
                    cursor.u32(), cursor.u32(), cursor.string(), cursor.string(), cursor.string()));
        }
    }
}
