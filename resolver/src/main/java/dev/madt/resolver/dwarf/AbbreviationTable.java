package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The abbreviations of a unit (DWARF 5, section 7.5.3), read only as far as they are asked for: the
 * first one is enough to know which addresses a unit has.
 */
final class AbbreviationTable {
    private static final int DENSE = 1 << 14;

    private final SectionReader in;
    private Abbreviation[] dense = new Abbreviation[16];
    private final Map<Long, Abbreviation> others = new HashMap<>();
    private boolean whole;

    AbbreviationTable(ByteBuffer section, long offset) {
        in = new SectionReader(section, offset);
    }

    /** The abbreviation with a code. */
    Abbreviation get(long code) {
        Abbreviation found = known(code);
        while (found == null && !whole) {
            readNext();
            found = known(code);
        }
        if (found == null) {
            throw new MalformedDwarfException(
                    ".debug_abbrev",
                    in.position(),
                    "no abbreviation has code " + Long.toUnsignedString(code));
        }
        return found;
    }

    /** Returns whether some kind of entry has this tag; reads the whole table. */
    boolean usesTag(int tag) {
        while (!whole) {
            readNext();
        }
        for (Abbreviation one : dense) {
            if (one != null && one.tag == tag) {
                return true;
            }
        }
        return others.values().stream().anyMatch(one -> one.tag == tag);
    }

    private Abbreviation known(long code) {
        if (code > 0 && code < DENSE) {
            return code < dense.length ? dense[(int) code] : null;
        }
        return others.get(code);
    }

    private void readNext() {
        long code = in.hasMore() ? in.uleb() : 0;
        if (code == 0) {
            whole = true;
            return;
        }
        int tag = (int) in.uleb();
        boolean children = in.u8() != 0;
        put(code, readAttributes(tag, children));
    }

    private Abbreviation readAttributes(int tag, boolean children) {
        int[] attributes = new int[8];
        int[] forms = new int[8];
        long[] implicit = new long[8];
        int count = 0;
        while (true) {
            int attribute = (int) in.uleb();
            int form = (int) in.uleb();
            if (attribute == 0 && form == 0) {
                return new Abbreviation(
                        tag,
                        children,
                        Arrays.copyOf(attributes, count),
                        Arrays.copyOf(forms, count),
                        Arrays.copyOf(implicit, count));
            }
            if (count == attributes.length) {
                attributes = Arrays.copyOf(attributes, 2 * count);
                forms = Arrays.copyOf(forms, 2 * count);
                implicit = Arrays.copyOf(implicit, 2 * count);
            }
            attributes[count] = attribute;
            forms[count] = form;
            implicit[count++] = form == Form.IMPLICIT_CONST ? in.sleb() : 0;
        }
    }

    /** Of two abbreviations with one code the first counts. */
    private void put(long code, Abbreviation one) {
        if (code <= 0 || code >= DENSE) {
            others.putIfAbsent(code, one);
            return;
        }
        if (code >= dense.length) {
            dense = Arrays.copyOf(dense, Math.max(2 * dense.length, (int) code + 1));
        }
        if (dense[(int) code] == null) {
            dense[(int) code] = one;
        }
    }
}
