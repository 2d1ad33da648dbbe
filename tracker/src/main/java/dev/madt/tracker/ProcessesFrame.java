package dev.madt.tracker;

/** The payload of a PROC frame: the processes of the run, in the order in which they began. */
public final class ProcessesFrame extends PayloadFrame {
    /**
     * A process image: a process that replaces its image by exec has one entry for each.
     *
     * @param parent pid of the process that made it, 0 if unknown
     * @param program file that it runs
     * @param ended as the key of META, or {@code running}
     * @param trace name of its trace file; empty if it has none
     */
    public record Entry(int pid, int parent, String program, String ended, String trace) {}

    public ProcessesFrame() {
        super(FrameType.PROCESSES);
    }

    public ProcessesFrame add(Entry entry) {
        payload.u32(entry.pid()).u32(entry.parent()).string(PrintableText.of(entry.program()))
                .string(entry.ended()).string(PrintableText.of(entry.trace()));
        return this;
    }

    /**
     * Gives the entries to the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.PROCESSES);
        while (!cursor.atEnd()) {
            consumer.process(new Entry(cursor.u32(), cursor.u32(), cursor.string(), cursor.string(), cursor.string()));
        }
    }
}
