package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.FrameVariable;
import java.util.ArrayList;
import java.util.List;

/**
 * The payload of a LOCS frame: what lies in the frames of functions, in which scopes, and at which
 * instructions. Variables and scopes are numbered from 0 in their order over all frames.
 */
public final class LocalsFrame extends PayloadFrame {
    private static final int VARIABLE = 1;
    private static final int SCOPE = 2;
    private static final int CODE = 3;
    private static final int CALL = 4;
    private static final FrameVariable.Kind[] KINDS = FrameVariable.Kind.values();

    public LocalsFrame() {
        super(FrameType.LOCALS);
    }

    /** Defines what lies in a frame, with the next number. */
    public LocalsFrame variable(FrameVariable variable) {
        payload.u8(VARIABLE)
                .u8(variable.kind().ordinal())
                .u16(0)
                .u32(variable.offset())
                .u32(variable.size())
                .u32(variable.type())
                .string(variable.name())
                .string(variable.function());
        return this;
    }

    /** Defines the scope with the next number by the numbers of variables, the innermost first. */
    public LocalsFrame scope(List<Integer> variables) {
        payload.u8(SCOPE).u8(0).u16(0).u32(variables.size());
        variables.forEach(payload::u32);
        return this;
    }

    /** Says which scope holds at an instruction. */
    public LocalsFrame code(long code, int scope) {
        payload.u8(CODE).u8(0).u16(0).u64(code).u32(scope);
        return this;
    }

    /** Says that an instruction is a call; {@code target} 0: through a pointer. */
    public LocalsFrame call(long code, long target) {
        payload.u8(CALL).u8(0).u16(0).u64(code).u64(target);
        return this;
    }

    /**
     * Defines everything in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.LOCALS);
        while (!cursor.atEnd()) {
            int op = cursor.u8();
            int kind = cursor.u8();
            cursor.u16();
            consumer.define(
                    switch (op) {
                        case VARIABLE -> variable(cursor, kind);
                        case SCOPE -> scope(cursor);
                        case CODE -> new Definition.CodeScope(cursor.u64(), cursor.u32());
                        case CALL -> new Definition.CallSite(cursor.u64(), cursor.u64());
                        default -> throw cursor.malformed("entry with op " + op);
                    });
        }
    }

    private static Definition variable(PayloadCursor cursor, int kind) throws TraceFormatException {
        if (kind >= KINDS.length) {
            throw cursor.malformed("variable of kind " + kind);
        }
        int offset = cursor.u32();
        int size = cursor.u32();
        int type = cursor.u32();
        String name = cursor.string();
        return new Definition.InFrame(
                new FrameVariable(KINDS[kind], name, cursor.string(), offset, size, type));
    }

    private static Definition scope(PayloadCursor cursor) throws TraceFormatException {
        int count = cursor.u32();
        List<Integer> variables = new ArrayList<>();
        for (int i = 0; i != count; i++) {
            variables.add(cursor.u32());
        }
        return new Definition.FrameScope(List.copyOf(variables));
    }
}
