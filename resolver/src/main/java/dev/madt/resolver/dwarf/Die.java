package dev.madt.resolver.dwarf;

import java.nio.ByteBuffer;

/**
 * One debugging information entry with its attributes; values are understood only when they are
 * asked for.
 */
final class Die {
    /** Chains of specifications and abstract origins are two or three long. */
    private static final int MOST_HOPS = 16;

    private final Unit unit;
    private final int offset;
    private final Abbreviation abbreviation;
    private final int[] forms;
    private final long[] raw;
    private final int end;

    /**
     * Reads the entry whose abbreviation code has been read; moves the reader behind its
     * attributes.
     */
    Die(Unit unit, int offset, Abbreviation abbreviation, SectionReader in) {
        this.unit = unit;
        this.offset = offset;
        this.abbreviation = abbreviation;
        int count = abbreviation.attributes.length;
        int[] direct = abbreviation.forms;
        raw = new long[count];
        for (int i = 0; i < count; i++) {
            int form = abbreviation.forms[i];
            if (form == Form.INDIRECT) {
                form = Form.direct(in);
                direct = direct == abbreviation.forms ? direct.clone() : direct;
                direct[i] = form;
            }
            raw[i] = form == Form.IMPLICIT_CONST
                    ? abbreviation.implicit[i]
                    : Form.read(form, unit.encoding(), in);
        }
        forms = direct;
        end = in.position();
    }

    /** Reads the entry at an offset of the unit's section. */
    static Die at(Unit unit, long offset) {
        SectionReader in = new SectionReader(unit.bytes(), offset);
        long code = in.uleb();
        if (code == 0) {
            throw new MalformedDwarfException(
                    ".debug_info", offset, "no entry where one is referred to");
        }
        return new Die(unit, (int) offset, unit.abbreviations().get(code), in);
    }

    Unit unit() {
        return unit;
    }

    /** Offset in the unit's section. */
    int offset() {
        return offset;
    }

    /** Offset behind the attributes: of the first child, if there are any. */
    int end() {
        return end;
    }

    int tag() {
        return abbreviation.tag;
    }

    boolean hasChildren() {
        return abbreviation.children;
    }

    boolean has(int attribute) {
        return index(attribute) >= 0;
    }

    private int index(int attribute) {
        int[] all = abbreviation.attributes;
        for (int i = 0; i < all.length; i++) {
            if (all[i] == attribute) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether the value is a block: an expression or a constant that fits no number. */
    boolean isBlock(int attribute) {
        int i = index(attribute);
        return i >= 0 && isBlockForm(forms[i]);
    }

    private static boolean isBlockForm(int form) {
        return switch (form) {
            case Form.BLOCK, Form.BLOCK1, Form.BLOCK2, Form.BLOCK4, Form.EXPRLOC, Form.DATA16 ->
                true;
            default -> false;
        };
    }

    /** Returns whether the value is a number as it stands: no block, no reference. */
    boolean isConstant(int attribute) {
        int i = index(attribute);
        return i >= 0
                && switch (forms[i]) {
                    case Form.DATA1,
                            Form.DATA2,
                            Form.DATA4,
                            Form.DATA8,
                            Form.SDATA,
                            Form.UDATA,
                            Form.IMPLICIT_CONST -> true;
                    default -> false;
                };
    }

    /** A number, not negative unless the form has a sign; {@code otherwise} if there is none. */
    long constant(int attribute, long otherwise) {
        return isConstant(attribute) ? raw[index(attribute)] : otherwise;
    }

    /** A number that stands for one with a sign: DW_FORM_data1 to data8 are extended. */
    long signedConstant(int attribute, long otherwise) {
        if (!isConstant(attribute)) {
            return otherwise;
        }
        int i = index(attribute);
        return switch (forms[i]) {
            case Form.DATA1 -> (byte) raw[i];
            case Form.DATA2 -> (short) raw[i];
            case Form.DATA4 -> (int) raw[i];
            default -> raw[i];
        };
    }

    boolean flag(int attribute) {
        int i = index(attribute);
        return i >= 0 && raw[i] != 0;
    }

    /**
     * The offset of a list or line program in its section, not of a form with an index; -1 if there
     * is none.
     */
    long sectionOffset(int attribute) {
        int i = index(attribute);
        if (i < 0) {
            return -1;
        }
        return switch (forms[i]) {
            case Form.SEC_OFFSET, Form.DATA4, Form.DATA8 -> raw[i];
            default -> -1;
        };
    }

    /**
     * The index of a list behind the unit's base, of DW_FORM_rnglistx and DW_FORM_loclistx; else
     * -1.
     */
    long listIndex(int attribute) {
        int i = index(attribute);
        return i >= 0 && (forms[i] == Form.RNGLISTX || forms[i] == Form.LOCLISTX) ? raw[i] : -1;
    }

    /** Returns whether the value is an address. */
    boolean isAddress(int attribute) {
        int i = index(attribute);
        return i >= 0 && (forms[i] == Form.ADDR || isAddressIndex(forms[i]));
    }

    private static boolean isAddressIndex(int form) {
        return form == Form.ADDRX || form >= Form.ADDRX1 && form <= Form.ADDRX4;
    }

    /** An address, or 0 if there is none. */
    long address(int attribute) {
        int i = index(attribute);
        if (i >= 0 && forms[i] == Form.ADDR) {
            return raw[i];
        }
        return i >= 0 && isAddressIndex(forms[i]) ? unit.address(raw[i]) : 0;
    }

    /** The bytes of a block, or null if the value is none. */
    ByteBuffer block(int attribute) {
        int i = index(attribute);
        return i >= 0 && isBlockForm(forms[i]) ? unit.block(raw[i]) : null;
    }

    /** A string, or null if there is none. */
    String string(int attribute) {
        int i = index(attribute);
        if (i < 0) {
            return null;
        }
        DwarfFile file = unit.file();
        return switch (forms[i]) {
            case Form.STRING -> new SectionReader(unit.bytes(), raw[i]).string();
            case Form.STRP -> file.string(".debug_str", raw[i]);
            case Form.LINE_STRP -> file.string(".debug_line_str", raw[i]);
            case Form.STRX, Form.STRX1, Form.STRX2, Form.STRX3, Form.STRX4 ->
                unit.indexedString(raw[i]);
            case Form.STRP_SUP, Form.GNU_STRP_ALT ->
                file.supplementary().string(".debug_str", raw[i]);
            default -> null;
        };
    }

    /** The entry that the value refers to, or null if there is none. */
    Die reference(int attribute) {
        int i = index(attribute);
        if (i < 0) {
            return null;
        }
        return switch (forms[i]) {
            case Form.REF1, Form.REF2, Form.REF4, Form.REF8, Form.REF_UDATA ->
                at(unit, unit.offset() + raw[i]);
            case Form.REF_ADDR -> unit.file().entry(raw[i]);
            case Form.REF_SIG8 -> unit.file().typeEntry(raw[i]);
            case Form.REF_SUP4, Form.REF_SUP8, Form.GNU_REF_ALT ->
                unit.file().supplementary().entry(raw[i]);
            default -> null;
        };
    }

    /**
     * The first of this entry and those that it completes (specification, abstract origin) with the
     * attribute; or null.
     */
    Die holder(int attribute) {
        Die at = this;
        for (int hop = 0; at != null && hop < MOST_HOPS; hop++) {
            if (at.has(attribute)) {
                return at;
            }
            at = at.completed();
        }
        return null;
    }

    /** The entry that this one completes, or null. */
    Die completed() {
        return reference(
                has(Attribute.ABSTRACT_ORIGIN)
                        ? Attribute.ABSTRACT_ORIGIN
                        : Attribute.SPECIFICATION);
    }

    /**
     * The entry of a type in a unit of its own, where this one only names it by its signature; else
     * itself. Null if no unit has the signature.
     */
    Die defined() {
        return has(Attribute.SIGNATURE) ? reference(Attribute.SIGNATURE) : this;
    }

    /** The name, its own or that of the entry that it completes; null if it has none. */
    String name() {
        Die holder = holder(Attribute.NAME);
        return holder == null ? null : holder.string(Attribute.NAME);
    }

    /** The name for the linker, where it differs from the name; or null. */
    String linkageName() {
        Die holder = holder(Attribute.LINKAGE_NAME);
        if (holder != null) {
            return holder.string(Attribute.LINKAGE_NAME);
        }
        holder = holder(Attribute.MIPS_LINKAGE_NAME);
        return holder == null ? null : holder.string(Attribute.MIPS_LINKAGE_NAME);
    }

    /**
     * The entry of the type, its own or that of the entry that it completes; null for none (void).
     */
    Die type() {
        Die holder = holder(Attribute.TYPE);
        return holder == null ? null : holder.reference(Attribute.TYPE);
    }

    /** Offset of the next sibling; -1 if the entry does not say. */
    long sibling() {
        int i = index(Attribute.SIBLING);
        if (i < 0) {
            return -1;
        }
        return switch (forms[i]) {
            case Form.REF1, Form.REF2, Form.REF4, Form.REF8, Form.REF_UDATA ->
                unit.offset() + raw[i];
            default -> -1;
        };
    }
}
