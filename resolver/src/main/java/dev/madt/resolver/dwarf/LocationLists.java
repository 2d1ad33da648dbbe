package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The expression that holds for an instruction (DWARF 5, sections 2.6 and 7.7.3; DWARF 4, 2.6.2).
 */
final class LocationLists {
    private static final int END = 0;
    private static final int BASE_INDEX = 1;
    private static final int START_END_INDEX = 2;
    private static final int START_LENGTH_INDEX = 3;
    private static final int OFFSETS = 4;
    private static final int DEFAULT = 5;
    private static final int BASE = 6;
    private static final int START_END = 7;
    private static final int START_LENGTH = 8;

    private final Unit unit;
    private final SectionReader in;
    private final ByteBuffer section;
    private final long pc;
    private long base;
    private ByteBuffer otherwise;

    private LocationLists(Unit unit, ByteBuffer section, long offset, long pc) {
        this.unit = unit;
        this.section = section;
        this.in = new SectionReader(section, offset);
        this.pc = pc;
        this.base = unit.baseAddress();
    }

    /** The expression of an attribute at an instruction, or null. */
    static ByteBuffer at(Die die, int attribute, long pc) {
        if (!die.has(attribute) || die.isBlock(attribute)) {
            return die.block(attribute);
        }
        Unit unit = die.unit();
        boolean old = unit.encoding().version() < 5;
        String name = old ? ".debug_loc" : ".debug_loclists";
        long index = die.listIndex(attribute);
        long offset = index < 0
                ? die.sectionOffset(attribute)
                : unit.listOffset(name, Attribute.LOCLISTS_BASE, index);
        LocationLists list = new LocationLists(unit, unit.file().section(name), offset, pc);
        return old ? list.findOld() : list.find();
    }

    private ByteBuffer findOld() {
        while (true) {
            long start = in.u64();
            long end = in.u64();
            if (start == 0 && end == 0) {
                return null;
            }
            if (start == -1) {
                base = end;
                continue;
            }
            ByteBuffer expression = expression(in.u16());
            if (pc >= base + start && pc < base + end) {
                return expression;
            }
        }
    }

    private ByteBuffer find() {
        while (true) {
            int kind = in.u8();
            long[] range = {0, 0};
            switch (kind) {
                case END -> {
                    return otherwise;
                }
                case BASE_INDEX -> base = unit.address(in.uleb());
                case BASE -> base = in.u64();
                case START_END_INDEX ->
                    range = new long[] {unit.address(in.uleb()), unit.address(in.uleb())};
                case START_LENGTH_INDEX -> range = withLength(unit.address(in.uleb()));
                case OFFSETS -> range = new long[] {base + in.uleb(), base + in.uleb()};
                case START_END -> range = new long[] {in.u64(), in.u64()};
                case START_LENGTH -> range = withLength(in.u64());
                case DEFAULT -> {}
                default ->
                    throw new MalformedDwarfException(
                            ".debug_loclists", in.position(), "entry of kind " + kind);
            }
            if (kind != BASE && kind != BASE_INDEX) {
                ByteBuffer expression = expression(in.uleb());
                if (pc >= range[0] && pc < range[1]) {
                    return expression;
                }
                otherwise = kind == DEFAULT ? expression : otherwise;
            }
        }
    }

    private long[] withLength(long start) {
        return new long[] {start, start + in.uleb()};
    }

    private ByteBuffer expression(long length) {
        int start = in.position();
        in.skip(length);
        return section.slice(start, (int) length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
