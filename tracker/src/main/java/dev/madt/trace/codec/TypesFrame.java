package dev.madt.trace.codec;

import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.TypeEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The payload of a TYPS frame: types, numbered from 0 in their order over all frames, and what has
 * them.
 */
public final class TypesFrame extends PayloadFrame {
    private static final int TYPE = 1;
    private static final int VARIABLE = 2;
    private static final int BLOCKS = 3;
    private static final int FORTRAN = 1;
    private static final TypeEntry.Form[] FORMS = TypeEntry.Form.values();

    public TypesFrame() {
        super(FrameType.TYPES);
    }

    /** Defines the type with the next number. */
    public TypesFrame type(TypeEntry type) {
        List<TypeEntry.Member> members =
                type.lower() == 0 ? type.members() : List.of(lower(type.lower()));
        payload.u8(TYPE)
                .u8(type.form().ordinal())
                .u16(type.fortran() ? FORTRAN : 0)
                .u64(type.size())
                .u32(type.element())
                .u64(type.count())
                .string(type.name())
                .u32(members.size());
        for (TypeEntry.Member member : members) {
            payload.u64(member.offset())
                    .u32(member.type())
                    .u32(member.bitSize())
                    .u8(member.bitOffset())
                    .u8(member.base() ? 1 : 0)
                    .u16(0)
                    .string(member.name());
        }
        return this;
    }

    /** Returns what an array has in the place of a member: at its offset stands the first index. */
    private static TypeEntry.Member lower(long first) {
        return new TypeEntry.Member("", 0, first, 0, 0, false);
    }

    /** Says that the variable at an address has a type. */
    public TypesFrame variable(long address, int type) {
        payload.u8(VARIABLE).u8(0).u16(0).u64(address).u32(type);
        return this;
    }

    /**
     * Says that blocks that are allocated by the call at an address seem to hold values of a type.
     */
    public TypesFrame blocks(long code, int type) {
        payload.u8(BLOCKS).u8(0).u16(0).u64(code).u32(type);
        return this;
    }

    /**
     * Calls type, variableType and blockType of the consumer, in order.
     *
     * @throws TraceFormatException if the payload is malformed; the entries in front of the fault
     *     have been given
     */
    public static void decode(Frame frame, EventConsumer consumer) throws TraceFormatException {
        PayloadCursor cursor = new PayloadCursor(frame, FrameType.TYPES);
        while (!cursor.atEnd()) {
            int op = cursor.u8();
            int form = cursor.u8();
            int flags = cursor.u16();
            switch (op) {
                case TYPE ->
                    consumer.define(
                            new Definition.Type(type(cursor, form, (flags & FORTRAN) != 0)));
                case VARIABLE ->
                    consumer.define(new Definition.VariableType(cursor.u64(), cursor.u32()));
                case BLOCKS ->
                    consumer.define(new Definition.BlockType(cursor.u64(), cursor.u32()));
                default -> throw cursor.malformed("entry with op " + op);
            }
        }
    }

    private static TypeEntry type(PayloadCursor cursor, int form, boolean fortran)
            throws TraceFormatException {
        if (form >= FORMS.length) {
            throw cursor.malformed("type of form " + form);
        }
        long size = cursor.u64();
        int element = cursor.u32();
        long count = cursor.u64();
        String name = cursor.string();
        int members = cursor.u32();
        List<TypeEntry.Member> all = new ArrayList<>();
        for (int i = 0; i != members; i++) {
            all.add(member(cursor));
        }
        boolean array = FORMS[form] == TypeEntry.Form.ARRAY;
        return new TypeEntry(
                FORMS[form],
                name,
                size,
                element,
                count,
                array ? List.of() : List.copyOf(all),
                fortran,
                array && !all.isEmpty() ? all.get(0).offset() : 0);
    }

    private static TypeEntry.Member member(PayloadCursor cursor) throws TraceFormatException {
        long offset = cursor.u64();
        int type = cursor.u32();
        int bitSize = cursor.u32();
        int bitOffset = cursor.u8();
        boolean base = cursor.u8() != 0;
        cursor.u16();
        return new TypeEntry.Member(cursor.string(), type, offset, bitOffset, bitSize, base);
    }
}
