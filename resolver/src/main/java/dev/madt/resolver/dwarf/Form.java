package dev.madt.resolver.dwarf;

/**
 * Encodings of attribute values (DWARF 5, section 7.5.6, and the extensions of GNU). A value is
 * read into 64 bits: a number as it is, an in-line string as its position, a block as position
 * &lt;&lt; 32 | length.
 */
final class Form {
    static final int ADDR = 0x01;
    static final int BLOCK2 = 0x03;
    static final int BLOCK4 = 0x04;
    static final int DATA2 = 0x05;
    static final int DATA4 = 0x06;
    static final int DATA8 = 0x07;
    static final int STRING = 0x08;
    static final int BLOCK = 0x09;
    static final int BLOCK1 = 0x0a;
    static final int DATA1 = 0x0b;
    static final int FLAG = 0x0c;
    static final int SDATA = 0x0d;
    static final int STRP = 0x0e;
    static final int UDATA = 0x0f;
    static final int REF_ADDR = 0x10;
    static final int REF1 = 0x11;
    static final int REF2 = 0x12;
    static final int REF4 = 0x13;
    static final int REF8 = 0x14;
    static final int REF_UDATA = 0x15;
    static final int INDIRECT = 0x16;
    static final int SEC_OFFSET = 0x17;
    static final int EXPRLOC = 0x18;
    static final int FLAG_PRESENT = 0x19;
    static final int STRX = 0x1a;
    static final int ADDRX = 0x1b;
    static final int REF_SUP4 = 0x1c;
    static final int STRP_SUP = 0x1d;
    static final int DATA16 = 0x1e;
    static final int LINE_STRP = 0x1f;
    static final int REF_SIG8 = 0x20;
    static final int IMPLICIT_CONST = 0x21;
    static final int LOCLISTX = 0x22;
    static final int RNGLISTX = 0x23;
    static final int REF_SUP8 = 0x24;
    static final int STRX1 = 0x25;
    static final int STRX2 = 0x26;
    static final int STRX3 = 0x27;
    static final int STRX4 = 0x28;
    static final int ADDRX1 = 0x29;
    static final int ADDRX2 = 0x2a;
    static final int ADDRX3 = 0x2b;
    static final int ADDRX4 = 0x2c;
    static final int GNU_REF_ALT = 0x1f20;
    static final int GNU_STRP_ALT = 0x1f21;

    private static final int VARIABLE = -1;

    private Form() {}

    /** Bytes that a value takes; negative if its bytes themselves say how many. */
    static int size(int form, Encoding encoding) {
        return switch (form) {
            case FLAG_PRESENT, IMPLICIT_CONST -> 0;
            case DATA1, FLAG, REF1, STRX1, ADDRX1 -> 1;
            case DATA2, REF2, STRX2, ADDRX2 -> 2;
            case STRX3, ADDRX3 -> 3;
            case DATA4, REF4, STRX4, ADDRX4, REF_SUP4 -> 4;
            case ADDR, DATA8, REF8, REF_SIG8, REF_SUP8 -> 8;
            case DATA16 -> 16;
            case STRP, LINE_STRP, SEC_OFFSET, STRP_SUP, GNU_REF_ALT, GNU_STRP_ALT ->
                encoding.offsetSize();
            case REF_ADDR -> encoding.wideReference() ? 8 : 4;
            default -> VARIABLE;
        };
    }

    /** Moves behind a value. */
    static void skip(int form, Encoding encoding, SectionReader in) {
        int size = size(form, encoding);
        if (size >= 0) {
            in.skip(size);
            return;
        }
        switch (form) {
            case STRING -> in.skipString();
            case SDATA, UDATA, REF_UDATA, STRX, ADDRX, LOCLISTX, RNGLISTX -> in.skipLeb();
            case BLOCK1 -> in.skip(in.u8());
            case BLOCK2 -> in.skip(in.u16());
            case BLOCK4 -> in.skip(in.u32());
            case BLOCK, EXPRLOC -> in.skip(in.uleb());
            case INDIRECT -> skip(direct(in), encoding, in);
            default -> throw unknown(form, in);
        }
    }

    /** The form that DW_FORM_indirect stands for; it is not indirect again. */
    static int direct(SectionReader in) {
        int form = (int) in.uleb();
        if (form == INDIRECT || form == IMPLICIT_CONST) {
            throw unknown(form, in);
        }
        return form;
    }

    /** Reads a value of any form but DW_FORM_indirect and DW_FORM_implicit_const. */
    static long read(int form, Encoding encoding, SectionReader in) {
        return switch (form) {
            case FLAG_PRESENT -> 1;
            case STRING -> string(in);
            case SDATA -> in.sleb();
            case UDATA, REF_UDATA, STRX, ADDRX, LOCLISTX, RNGLISTX -> in.uleb();
            case BLOCK1 -> block(in, in.u8());
            case BLOCK2 -> block(in, in.u16());
            case BLOCK4 -> block(in, in.u32());
            case BLOCK, EXPRLOC -> block(in, in.uleb());
            case DATA16 -> block(in, 16);
            default -> number(size(form, encoding), form, in);
        };
    }

    private static long number(int size, int form, SectionReader in) {
        return switch (size) {
            case 1 -> in.u8();
            case 2 -> in.u16();
            case 3 -> in.u24();
            case 4 -> in.u32();
            case 8 -> in.u64();
            default -> throw unknown(form, in);
        };
    }

    private static long string(SectionReader in) {
        int start = in.position();
        in.skipString();
        return start;
    }

    private static long block(SectionReader in, long length) {
        long start = in.position();
        in.skip(length);
        return start << 32 | length;
    }

    private static MalformedDwarfException unknown(int form, SectionReader in) {
        return new MalformedDwarfException(
                "attribute", in.position(), "unknown form 0x" + Integer.toHexString(form));
    }
}
