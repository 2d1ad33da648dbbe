package dev.madt.resolver.dwarf;

/**
 * The addresses of an entry: DW_AT_low_pc and DW_AT_high_pc, or a list (DWARF 5, sections 2.17 and
 * 7.25).
 */
final class AddressRanges {
    /** Takes a range. */
    interface Sink {
        void range(long start, long end);
    }

    private static final int END = 0;
    private static final int BASE_INDEX = 1;
    private static final int START_END_INDEX = 2;
    private static final int START_LENGTH_INDEX = 3;
    private static final int OFFSETS = 4;
    private static final int BASE = 5;
    private static final int START_END = 6;
    private static final int START_LENGTH = 7;

    /** A list that is longer is cut. */
    private static final int MOST = 1 << 17;

    private AddressRanges() {}

    /** Returns whether an entry of this kind may have addresses. */
    static boolean possible(Abbreviation abbreviation) {
        return abbreviation.has(Attribute.LOW_PC) || abbreviation.has(Attribute.RANGES);
    }

    /** Gives all ranges of an entry. */
    static void of(Die die, Sink sink) {
        if (die.has(Attribute.RANGES)) {
            list(die, sink);
        } else if (die.has(Attribute.LOW_PC) && die.has(Attribute.HIGH_PC)) {
            long low = die.address(Attribute.LOW_PC);
            boolean absolute = die.isAddress(Attribute.HIGH_PC);
            sink.range(
                    low,
                    absolute
                            ? die.address(Attribute.HIGH_PC)
                            : low + die.constant(Attribute.HIGH_PC, 0));
        }
    }

    /** Returns whether one of the ranges holds the address. */
    static boolean contain(Die die, long address) {
        boolean[] found = new boolean[1];
        of(die, (start, end) -> found[0] |= start > 0 && address >= start && address < end);
        return found[0];
    }

    private static void list(Die die, Sink sink) {
        Unit unit = die.unit();
        if (unit.encoding().version() < 5) {
            old(unit, new SectionReader(unit.file().section(".debug_ranges"), offset(die)), sink);
            return;
        }
        long index = die.listIndex(Attribute.RANGES);
        long at = index < 0
                ? offset(die)
                : unit.listOffset(".debug_rnglists", Attribute.RNGLISTS_BASE, index);
        SectionReader in = new SectionReader(unit.file().section(".debug_rnglists"), at);
        long[] base = {unit.baseAddress()};
        for (int i = 0; i < MOST && entry(unit, in, base, sink); i++) {}
    }

    private static long offset(Die die) {
        return die.sectionOffset(Attribute.RANGES);
    }

    private static void old(Unit unit, SectionReader in, Sink sink) {
        long base = unit.baseAddress();
        for (int i = 0; i < MOST; i++) {
            long start = in.u64();
            long end = in.u64();
            if (start == -1) {
                base = end;
            } else if (start == 0 && end == 0) {
                return;
            } else {
                sink.range(base + start, base + end);
            }
        }
    }

    private static boolean entry(Unit unit, SectionReader in, long[] base, Sink sink) {
        int kind = in.u8();
        switch (kind) {
            case BASE_INDEX -> base[0] = unit.address(in.uleb());
            case BASE -> base[0] = in.u64();
            case START_END_INDEX -> {
                long start = unit.address(in.uleb());
                sink.range(start, unit.address(in.uleb()));
            }
            case START_LENGTH_INDEX -> withLength(unit.address(in.uleb()), in, sink);
            case OFFSETS -> {
                long start = base[0] + in.uleb();
                sink.range(start, base[0] + in.uleb());
            }
            case START_END -> {
                long start = in.u64();
                sink.range(start, in.u64());
            }
            case START_LENGTH -> withLength(in.u64(), in, sink);
            case END -> {
                return false;
            }
            default ->
                throw new MalformedDwarfException(
                        ".debug_rnglists", in.position(), "range of kind " + kind);
        }
        return true;
    }

    private static void withLength(long start, SectionReader in, Sink sink) {
        sink.range(start, start + in.uleb());
    }
}
