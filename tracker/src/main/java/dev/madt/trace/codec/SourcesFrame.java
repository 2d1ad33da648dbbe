package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.SourceLevel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The payload of a SRCS frame: which source lines code addresses come from. */
public final class SourcesFrame extends PayloadFrame {
    private static final int MOST_LEVELS = 0xffff;
    /** Behind the number of levels, and the first one's line and column. */
    private static final int FIRST_FUNCTION = 12;

    public SourcesFrame() {
        super(FrameType.SOURCES);
    }

    /**
     * Says where the instruction at an address comes from, the innermost inlined function first.
     */
    public SourcesFrame add(long code, List<SourceLevel> levels) {
        payload.u64(code);
        put(levels, List.of(), payload);
        return this;
    }

    /** The same; the levels are those that {@link #levels} gave. */
    public SourcesFrame add(long code, ByteBuffer levels) {
        payload.u64(code).bytes(levels);
        return this;
    }

    /** Levels as they stand behind their address in the payload. */
    public static byte[] levels(List<SourceLevel> levels, List<SourceLevel> callers) {
        PayloadBytes bytes = new PayloadBytes();
        put(levels, callers, bytes);
        return bytes.copy();
    }

    private static void put(List<SourceLevel> levels, List<SourceLevel> callers, PayloadBytes to) {
        List<SourceLevel> all = new ArrayList<>(levels);
        all.addAll(callers);
        boolean fits = all.size() <= MOST_LEVELS;
        int count = fits ? all.size() : Math.min(levels.size(), MOST_LEVELS);
        to.u16(count).u16(fits ? callers.size() : 0);
        for (SourceLevel level : all.subList(0, count)) {
            to.u32(level.line()).u32(level.column()).string(level.function()).string(level.file());
        }
    }

    /** The source file of the innermost one of the levels that {@link #levels} gave. */
    public static String firstFile(ByteBuffer levels) {
        ByteBuffer in = levels.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        in.position(in.position() + FIRST_FUNCTION);
        in.position(in.getInt() + in.position());
        byte[] utf8 = new byte[in.getInt()];
        in.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
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
            int callers = cursor.u16();
            List<SourceLevel> levels = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int line = cursor.u32();
                int column = cursor.u32();
                String function = cursor.string();
                levels.add(new SourceLevel(function, cursor.string(), line, column));
            }
            int own = Math.max(0, count - callers);
            consumer.define(new Definition.Source(
                    code,
                    List.copyOf(levels.subList(0, own)),
                    List.copyOf(levels.subList(own, count))));
        }
    }
}
