package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.SourceLevel;
import java.util.ArrayList;
import java.util.List;

/** The payload of a SRCS frame: which source lines code addresses come from. */
public final class SourcesFrame extends PayloadFrame {
    private static final int MOST_LEVELS = 0xffff;

    public SourcesFrame() {
        super(FrameType.SOURCES);
    }

    /**
     * Says where the instruction at an address comes from, the innermost inlined function first.
     */
    public SourcesFrame add(long code, List<SourceLevel> levels) {
        int count = Math.min(levels.size(), MOST_LEVELS);
        payload.u64(code).u16(count).u16(0);
        for (SourceLevel level : levels.subList(0, count)) {
            payload.u32(level.line())
                    .u32(level.column())
                    .string(level.function())
                    .string(level.file());
        }
        return this;
    }

    /**
     * Calls source of the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.SOURCES);
        while (!cursor.atEnd()) {
            long code = cursor.u64();
            int count = cursor.u16();
            cursor.u16();
            List<SourceLevel> levels = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int line = cursor.u32();
                int column = cursor.u32();
                String function = cursor.string();
                levels.add(new SourceLevel(function, cursor.string(), line, column));
            }
            consumer.define(new Definition.Source(code, List.copyOf(levels)));
        }
    }
}
