package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;

/**
 * Says where a member begins in its record (DWARF 5, sections 5.7.6 and, for the bit-fields of
 * version 3, DWARF 4, 5.5.6).
 */
final class MemberPlace {
    private static final int DEREF = 0x06;
    private static final int PUSH_OBJECT_ADDRESS = 0x97;
    private static final int PLUS_UCONST = 0x23;
    private static final int CONSTU = 0x10;

    private MemberPlace() {}

    /**
     * The first bit of a member, counted from the record's first; -1 if the place is computed while
     * the program runs.
     *
     * @param typeSize bytes of the member's type
     */
    static long bit(Die die, long typeSize) {
        if (die.isConstant(Attribute.DATA_BIT_OFFSET)) {
            return Math.max(0, die.constant(Attribute.DATA_BIT_OFFSET, 0));
        }
        long offset = offset(die);
        if (offset < 0 || offset > Integer.MAX_VALUE) {
            return -1;
        }
        if (!die.isConstant(Attribute.BIT_OFFSET)) {
            return offset * 8;
        }
        long storage = die.constant(Attribute.BYTE_SIZE, typeSize);
        long first = storage * 8
                - die.signedConstant(Attribute.BIT_OFFSET, 0)
                - die.constant(Attribute.BIT_SIZE, 0);
        return Math.max(0, offset * 8 + first);
    }

    private static long offset(Die die) {
        ByteBuffer expression = die.block(Attribute.DATA_MEMBER_LOCATION);
        if (expression == null) {
            return die.constant(Attribute.DATA_MEMBER_LOCATION, 0);
        }
        SectionReader in = new SectionReader(expression, 0);
        int operation = in.u8();
        long value = operation == PLUS_UCONST || operation == CONSTU ? in.uleb() : -1;
        return in.hasMore() ? -1 : value;
    }

    /**
     * Returns where in the descriptor of an array a value of it is read; -1 if it is computed
     * otherwise.
     */
    static long inDescriptor(Die die, int attribute) {
        ByteBuffer expression = die.block(attribute);
        if (expression == null || !expression.hasRemaining()) {
            return -1;
        }
        SectionReader in = new SectionReader(expression, 0);
        boolean inside = in.u8() == PUSH_OBJECT_ADDRESS && in.hasMore();
        int operation = inside ? in.u8() : 0;
        long place = 0;
        if (operation == PLUS_UCONST) {
            place = in.uleb();
            operation = in.hasMore() ? in.u8() : 0;
        }
        return operation == DEREF && !in.hasMore() ? place : -1;
    }
}
