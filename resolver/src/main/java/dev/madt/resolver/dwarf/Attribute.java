package dev.madt.resolver.dwarf;

/** Attributes that are looked at (DWARF 5, section 7.5.4, and the extensions of GNU). */
final class Attribute {
    static final int SIBLING = 0x01;
    static final int LOCATION = 0x02;
    static final int NAME = 0x03;
    static final int BYTE_SIZE = 0x0b;
    static final int BIT_OFFSET = 0x0c;
    static final int BIT_SIZE = 0x0d;
    static final int STMT_LIST = 0x10;
    static final int LOW_PC = 0x11;
    static final int HIGH_PC = 0x12;
    static final int LANGUAGE = 0x13;
    static final int COMP_DIR = 0x1b;
    static final int CONST_VALUE = 0x1c;
    static final int INLINE = 0x20;
    static final int LOWER_BOUND = 0x22;
    static final int PRODUCER = 0x25;
    static final int UPPER_BOUND = 0x2f;
    static final int ABSTRACT_ORIGIN = 0x31;
    static final int ARTIFICIAL = 0x34;
    static final int CALLING_CONVENTION = 0x36;
    static final int COUNT = 0x37;
    static final int DATA_MEMBER_LOCATION = 0x38;
    static final int DECL_FILE = 0x3a;
    static final int DECL_LINE = 0x3b;
    static final int DECLARATION = 0x3c;
    static final int ENCODING = 0x3e;
    static final int EXTERNAL = 0x3f;
    static final int FRAME_BASE = 0x40;
    static final int SPECIFICATION = 0x47;
    static final int TYPE = 0x49;
    static final int VIRTUALITY = 0x4c;
    static final int DATA_LOCATION = 0x50;
    static final int BYTE_STRIDE = 0x51;
    static final int RANGES = 0x55;
    static final int CALL_COLUMN = 0x57;
    static final int CALL_FILE = 0x58;
    static final int CALL_LINE = 0x59;
    static final int SIGNATURE = 0x69;
    static final int DATA_BIT_OFFSET = 0x6b;
    static final int ENUM_CLASS = 0x6d;
    static final int LINKAGE_NAME = 0x6e;
    static final int STR_OFFSETS_BASE = 0x72;
    static final int ADDR_BASE = 0x73;
    static final int RNGLISTS_BASE = 0x74;
    static final int DWO_NAME = 0x76;
    static final int CALL_ALL_CALLS = 0x7a;
    static final int CALL_ALL_TAIL_CALLS = 0x7c;
    static final int CALL_RETURN_PC = 0x7d;
    static final int CALL_VALUE = 0x7e;
    static final int CALL_ORIGIN = 0x7f;
    static final int CALL_TAIL_CALL = 0x82;
    static final int DELETED = 0x8a;
    static final int DEFAULTED = 0x8b;
    static final int LOCLISTS_BASE = 0x8c;
    static final int MIPS_LINKAGE_NAME = 0x2007;

    static final int GNU_CALL_SITE_VALUE = 0x2111;
    static final int GNU_TAIL_CALL = 0x2115;
    static final int GNU_ALL_TAIL_CALL_SITES = 0x2116;
    static final int GNU_ALL_CALL_SITES = 0x2117;
    static final int GNU_DWO_NAME = 0x2130;

    private Attribute() {}
}
