package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says which unit holds the code at an address: from {@code .debug_aranges} (DWARF 5, section
 * 6.1.2) where it speaks of a unit, else from the ranges of the unit's own entry, else from its
 * functions.
 */
final class UnitIndex {
    private static final String ARANGES = ".debug_aranges";

    private final DwarfFile file;
    private final List<Unit> units;
    private final RangeTable ranges;

    UnitIndex(DwarfFile file) {
        this.file = file;
        this.units = file.units();
        RangeTable.Builder found = new RangeTable.Builder();
        BitSet covered = new BitSet();
        try {
            readAranges(found, covered);
        } catch (RuntimeException e) {
            file.warn(ARANGES + " is read only in part", e);
        }
        for (int i = covered.nextClearBit(0); i < units.size(); i = covered.nextClearBit(i + 1)) {
            addOwn(i, found);
        }
        ranges = found.build();
    }

    /** The unit with the code at an address, with what was split off from it; or null. */
    Unit find(long address) {
        int found = ranges.find(address);
        return found < 0 ? null : units.get(found).whole();
    }

    private void readAranges(RangeTable.Builder found, BitSet covered) {
        ByteBuffer section = file.section(ARANGES);
        Map<Long, Integer> numbers = new HashMap<>();
        for (int i = 0; i < units.size(); i++) {
            numbers.put((long) units.get(i).offset(), i);
        }
        long at = 0;
        while (at < section.limit()) {
            SectionReader in = new SectionReader(section, at);
            long length = in.u32();
            boolean wide = length == 0xffffffffL;
            length = wide ? in.u64() : length;
            long end = in.position() + length;
            if (length < 0 || end > section.limit()) {
                throw new MalformedDwarfException(
                        ARANGES, at, "a set of " + Long.toUnsignedString(length) + " bytes");
            }
            in.skip(2);
            Integer unit = numbers.get(in.offset(wide));
            if (in.u16() == Encoding.ADDRESS && unit != null) {
                in.seek(at + aligned(in.position() - at));
                readSet(in, end, unit, found);
                covered.set(unit);
            }
            at = end;
        }
    }

    private static long aligned(long offset) {
        return offset + 2 * Encoding.ADDRESS - 1 & -2L * Encoding.ADDRESS;
    }

    private static void readSet(SectionReader in, long end, int unit, RangeTable.Builder found) {
        while (in.position() < end) {
            long start = in.u64();
            long length = in.u64();
            if (start == 0 && length == 0) {
                return;
            }
            found.add(start, start + length, unit);
        }
    }

    private void addOwn(int number, RangeTable.Builder found) {
        Unit unit = units.get(number);
        if (unit.isType()) {
            return;
        }
        try {
            Die root = unit.root();
            int before = found.count();
            AddressRanges.of(root, (start, end) -> found.add(start, end, number));
            if (found.count() == before
                    && root.tag() == Tag.COMPILE_UNIT
                    && !root.has(Attribute.RANGES)) {
                Functions.each(unit.whole(), (die, start, end) -> found.add(start, end, number));
            }
        } catch (RuntimeException e) {
            file.warn(
                    "the addresses of the unit at byte 0x" + Integer.toHexString(unit.offset()), e);
        }
    }
}
