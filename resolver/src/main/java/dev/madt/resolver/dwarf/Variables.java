package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The variables with a fixed address, or all that are thread-local, by their offsets in each
 * thread's copy of the module's storage: of all units, sorted by address. Making it reads every
 * unit that has variables once, since nothing in a file says which unit describes an address of
 * data.
 */
final class Variables {
    private record Entry(long address, Unit unit, int offset, boolean common) {}

    /**
     * A variable.
     *
     * @param common whether it lies in a common block of Fortran
     */
    record Found(Die die, long address, boolean common) {}

    private static final int MOST_INSIDE = 1 << 14;

    private static final int ADDR = 0x03;
    private static final int ADDRX = 0xa1;
    private static final int CONST4U = 0x0c;
    private static final int CONST8U = 0x0e;
    private static final int CONSTX = 0xa2;

    private Entry[] entries = new Entry[64];
    private int count;

    private final boolean threadLocal;

    /** @param threadLocal the variables that each thread has */
    Variables(DwarfFile file, boolean threadLocal) {
        this.threadLocal = threadLocal;
        for (Unit unit : file.wholeUnits()) {
            try {
                addAll(unit);
            } catch (RuntimeException e) {
                file.warn(
                        "variables of the unit at byte 0x" + Integer.toHexString(unit.offset()), e);
            }
        }
        entries = Arrays.copyOf(entries, count);
        Arrays.sort(entries, Comparator.comparingLong(Entry::address));
    }

    private void addAll(Unit unit) {
        if (unit.isType() || !unit.usesTag(Tag.VARIABLE)) {
            return;
        }
        DieWalk walk = DieWalk.of(unit);
        int common = Integer.MAX_VALUE;
        while (walk.next()) {
            if (walk.depth() <= common) {
                common = walk.tag() == Tag.COMMON_BLOCK ? walk.depth() : Integer.MAX_VALUE;
            }
            if (walk.tag() == Tag.VARIABLE && walk.abbreviation().has(Attribute.LOCATION)) {
                long address = threadLocal ? offset(walk.die()) : address(walk.die());
                if (address > 0 || threadLocal && address == 0) {
                    add(new Entry(address, unit, walk.offset(), walk.depth() > common));
                }
            }
        }
    }

    private void add(Entry entry) {
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, 2 * count);
        }
        entries[count++] = entry;
    }

    /** The address of a variable that has one and always the same; else 0. */
    static long address(Die die) {
        ByteBuffer expression = die.block(Attribute.LOCATION);
        if (expression == null || expression.limit() < 2) {
            return 0;
        }
        SectionReader in = new SectionReader(expression, 0);
        int operation = in.u8();
        if (operation == ADDR && expression.limit() == 1 + Encoding.ADDRESS) {
            return in.u64();
        }
        if (operation == ADDRX) {
            long index = in.uleb();
            return in.hasMore() ? 0 : die.unit().address(index);
        }
        return 0;
    }

    /**
     * The offset of a thread-local variable, -1 of any other: a constant, which DWARF 5, 2.5.1.4,
     * or GNU's form before it makes an address of.
     */
    static long offset(Die die) {
        ByteBuffer expression = die.block(Attribute.LOCATION);
        if (expression == null || expression.limit() < 2) {
            return -1;
        }
        int last = expression.get(expression.limit() - 1) & 0xff;
        if (last != Operations.FORM_TLS_ADDRESS && last != Operations.GNU_PUSH_TLS_ADDRESS) {
            return -1;
        }
        SectionReader in = new SectionReader(expression, 0);
        long offset =
                switch (in.u8()) {
                    case ADDR, CONST8U -> in.u64();
                    case CONST4U -> in.u32();
                    case ADDRX, CONSTX -> die.unit().address(in.uleb());
                    default -> -1;
                };
        return in.position() == expression.limit() - 1 ? offset : -1;
    }

    /**
     * The entry of the last variable that begins at or before an address, the first of several;
     * null if there is none.
     */
    Die before(long address) {
        int at = indexBefore(address);
        return at < 0 ? null : Die.at(entries[at].unit(), entries[at].offset());
    }

    /** The variables that begin in a range, a bounded number of them. */
    List<Found> inside(long address, long size) {
        List<Found> found = new ArrayList<>();
        for (int i = Math.max(indexBefore(address), 0);
                i < count && found.size() < MOST_INSIDE && entries[i].address() - address < size;
                i++) {
            Entry entry = entries[i];
            if (entry.address() >= address) {
                Die die = Die.at(entry.unit(), entry.offset());
                found.add(new Found(die, entry.address(), entry.common()));
            }
        }
        return found;
    }

    private int indexBefore(long address) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (entries[middle].address() <= address) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        while (high > 0 && entries[high - 1].address() == entries[high].address()) {
            high--;
        }
        return high;
    }
}
