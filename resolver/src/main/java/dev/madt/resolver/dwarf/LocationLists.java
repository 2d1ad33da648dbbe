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

    /** Takes an expression, and for which instructions it holds. */
    interface Sink {
        void expression(long start, long end, ByteBuffer expression);
    }

    private final Unit unit;
    private final SectionReader in;
    private final ByteBuffer section;
    private final Sink sink;
    private long base;

    private LocationLists(Unit unit, ByteBuffer section, long offset, Sink sink) {
        this.unit = unit;
        this.section = section;
        this.in = new SectionReader(section, offset);
        this.sink = sink;
        this.base = unit.baseAddress();
    }

    /** The expression of an attribute at an instruction, or null. */
    static ByteBuffer at(Die die, int attribute, long pc) {
        ByteBuffer[] found = new ByteBuffer[1];
        each(die, attribute, (start, end, expression) -> {
            boolean always = start == 0 && end == -1;
            if (found[0] == null && (always || pc >= start && pc < end)) {
                found[0] = expression;
            }
        });
        return found[0];
    }

    /**
     * Gives all expressions of an attribute, the first that holds being the one that counts; one
     * that holds everywhere, or wherever no other does, comes last, with the range from 0 to -1.
     */
    static void each(Die die, int attribute, Sink sink) {
        if (!die.has(attribute) || die.isBlock(attribute)) {
            ByteBuffer block = die.block(attribute);
            if (block != null) {
                sink.expression(0, -1, block);
            }
            return;
        }
        Unit unit = die.unit();
        boolean old = unit.encoding().version() < 5;
        String name = old ? ".debug_loc" : ".debug_loclists";
        long index = die.listIndex(attribute);
        long offset = index < 0
                ? die.sectionOffset(attribute)
                : unit.listOffset(name, Attribute.LOCLISTS_BASE, index);
        LocationLists list = new LocationLists(unit, unit.file().section(name), offset, sink);
        if (old) {
            list.readOld();
        } else {
            list.read();
        }
    }

    private void readOld() {
        while (true) {
            long start = in.u64();
            long end = in.u64();
            if (start == 0 && end == 0) {
                return;
            }
            if (start == -1) {
                base = end;
            } else {
                sink.expression(base + start, base + end, expression(in.u16()));
            }
        }
    }

    private void read() {
        ByteBuffer otherwise = null;
        for (int kind = in.u8(); kind != END; kind = in.u8()) {
            long[] range = {0, 0};
            switch (kind) {
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
            if (kind == DEFAULT) {
                otherwise = expression(in.uleb());
            } else if (kind != BASE && kind != BASE_INDEX) {
                sink.expression(range[0], range[1], expression(in.uleb()));
            }
        }
        if (otherwise != null) {
            sink.expression(0, -1, otherwise);
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
