package dev.madt.resolver.dwarf;

/**
 * Says how a value of a type is passed to a function: in which kind of registers each eight bytes
 * of it are (System V ABI, AMD64 supplement, section 3.2.3, "Classification").
 *
 * @param general general registers that it takes
 * @param vector vector registers
 * @param vectorFirst whether the first eight bytes are in a vector register
 * @param stack words on the stack, if it is there
 * @param hidden whether its address is passed in its place
 */
record Passing(int general, int vector, boolean vectorFirst, int stack, boolean hidden) {
    private static final int EIGHT = 8;
    private static final int LARGEST = 16;
    private static final int DEEPEST = 32;
    private static final int COMPLEX = 3;
    private static final int FLOAT = 4;
    private static final int DECIMAL_FLOAT = 0x0f;

    static final Passing GENERAL = general(1);
    static final Passing VECTOR = vector(1);
    private static final Passing HIDDEN = new Passing(1, 0, false, 0, true);

    private static Passing general(int registers) {
        return new Passing(registers, 0, false, 0, false);
    }

    private static Passing vector(int registers) {
        return new Passing(0, registers, true, 0, false);
    }

    /**
     * Of a type without other names for it.
     *
     * @throws MalformedDwarfException where it cannot be told
     */
    static Passing of(Die type) {
        return switch (type.tag()) {
            case Tag.BASE_TYPE -> base(type);
            case Tag.STRUCTURE_TYPE, Tag.CLASS_TYPE, Tag.UNION_TYPE -> record(type);
            case Tag.ARRAY_TYPE -> VECTOR; // of GNU: others are no parameters
            case Tag.PTR_TO_MEMBER_TYPE ->
                bare(type.type()).tag() == Tag.SUBROUTINE_TYPE ? general(2) : GENERAL;
            default -> GENERAL;
        };
    }

    /** The type behind typedefs, const and volatile. */
    static Die bare(Die type) {
        Die at = type;
        for (int hop = 0; at != null && hop < DEEPEST; hop++) {
            switch (at.tag()) {
                case Tag.TYPEDEF,
                        Tag.CONST_TYPE,
                        Tag.VOLATILE_TYPE,
                        Tag.RESTRICT_TYPE,
                        Tag.ATOMIC_TYPE -> at = at.type();
                default -> {
                    return at;
                }
            }
        }
        return at;
    }

    static long size(Die type) {
        return type.constant(Attribute.BYTE_SIZE, 0);
    }

    private static Passing memory(long size) {
        return new Passing(0, 0, false, (int) ((size + EIGHT - 1) / EIGHT), false);
    }

    private static Passing base(Die type) {
        long size = size(type);
        int words = (int) ((size + EIGHT - 1) / EIGHT);
        boolean wide = "long double".equals(type.name());
        return switch ((int) type.constant(Attribute.ENCODING, 0)) {
            case FLOAT, DECIMAL_FLOAT -> wide ? memory(size) : VECTOR;
            case COMPLEX -> size > LARGEST ? memory(size) : vector(words);
            default -> general(words);
        };
    }

    /** Two vector registers of 16 bytes are two eights; a larger record is on the stack. */
    private static Passing record(Die type) {
        Die whole = type.defined();
        if (whole == null || whole.flag(Attribute.DECLARATION)) {
            throw new MalformedDwarfException(".debug_info", type.offset(), "no whole type");
        }
        if (CopyCode.isIn(whole)) {
            return HIDDEN;
        }
        long size = size(whole);
        boolean[] general = new boolean[2];
        boolean[] vector = new boolean[2];
        if (size > LARGEST || !fields(whole, 0, 0, general, vector)) {
            return memory(size);
        }
        int generals = 0;
        int vectors = 0;
        for (int i = 0; i < 2; i++) {
            generals += general[i] ? 1 : 0;
            vectors += !general[i] && vector[i] ? 1 : 0;
        }
        return new Passing(generals, vectors, !general[0] && vector[0], 0, false);
    }

    /** Notes what each eight bytes hold; false: the record is passed in memory. */
    private static boolean fields(
            Die record, long at, int depth, boolean[] general, boolean[] vector) {
        if (depth > DEEPEST) {
            throw new MalformedDwarfException(".debug_info", record.offset(), "nested too deep");
        }
        boolean registers = true;
        DieWalk walk = DieWalk.below(record);
        while (walk.next()) {
            boolean field = walk.tag() == Tag.MEMBER || walk.tag() == Tag.INHERITANCE;
            if (field
                    && !walk.die().flag(Attribute.DECLARATION)
                    && !walk.die().flag(Attribute.EXTERNAL)) {
                Die type = bare(walk.die().type());
                long bit = MemberPlace.bit(walk.die(), type == null ? 0 : size(type));
                registers &= type != null
                        && bit >= 0
                        && part(type, at + bit / Byte.SIZE, depth, general, vector);
            }
            walk.skipChildren();
        }
        return registers;
    }

    private static boolean part(Die type, long at, int depth, boolean[] general, boolean[] vector) {
        switch (type.tag()) {
            case Tag.STRUCTURE_TYPE, Tag.CLASS_TYPE, Tag.UNION_TYPE -> {
                return fields(type, at, depth + 1, general, vector);
            }
            case Tag.ARRAY_TYPE -> {
                return elements(type, at, depth, general, vector);
            }
            default -> {
                Passing own = of(type);
                long size = Math.max(1, own.general + own.vector == 1 ? bytes(type) : LARGEST);
                if (own.stack > 0 || at % Math.min(size, EIGHT) != 0 || at + size > LARGEST) {
                    return false; // x87, or not aligned
                }
                for (long eight = at / EIGHT; eight <= (at + size - 1) / EIGHT; eight++) {
                    general[(int) eight] |= own.general > 0;
                    vector[(int) eight] |= own.vector > 0;
                }
                return true;
            }
        }
    }

    private static long bytes(Die type) {
        return type.constant(Attribute.BYTE_SIZE, Encoding.ADDRESS);
    }

    private static boolean elements(
            Die array, long at, int depth, boolean[] general, boolean[] vector) {
        Die element = bare(array.type());
        long count = new TypeReader(new TypeNames()).of(array).size() / Math.max(1, bytes(element));
        boolean registers = true;
        for (long i = 0; i < Math.min(count, LARGEST) && registers; i++) {
            registers = part(element, at + i * bytes(element), depth + 1, general, vector);
        }
        return registers;
    }
}
