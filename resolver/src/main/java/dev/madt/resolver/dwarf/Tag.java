package dev.madt.resolver.dwarf;

/** Kinds of entries that are looked at (DWARF 5, section 7.5.3). */
final class Tag {
    static final int ARRAY_TYPE = 0x01;
    static final int CLASS_TYPE = 0x02;
    static final int ENUMERATION_TYPE = 0x04;
    static final int FORMAL_PARAMETER = 0x05;
    static final int LEXICAL_BLOCK = 0x0b;
    static final int MEMBER = 0x0d;
    static final int POINTER_TYPE = 0x0f;
    static final int REFERENCE_TYPE = 0x10;
    static final int COMPILE_UNIT = 0x11;
    static final int STRING_TYPE = 0x12;
    static final int STRUCTURE_TYPE = 0x13;
    static final int SUBROUTINE_TYPE = 0x15;
    static final int TYPEDEF = 0x16;
    static final int UNION_TYPE = 0x17;
    static final int UNSPECIFIED_PARAMETERS = 0x18;
    static final int VARIANT = 0x19;
    static final int COMMON_BLOCK = 0x1a;
    static final int INHERITANCE = 0x1c;
    static final int INLINED_SUBROUTINE = 0x1d;
    static final int MODULE = 0x1e;
    static final int PTR_TO_MEMBER_TYPE = 0x1f;
    static final int SUBRANGE_TYPE = 0x21;
    static final int BASE_TYPE = 0x24;
    static final int CONST_TYPE = 0x26;
    static final int ENUMERATOR = 0x28;
    static final int SUBPROGRAM = 0x2e;
    static final int TEMPLATE_TYPE_PARAMETER = 0x2f;
    static final int VARIABLE = 0x34;
    static final int VARIANT_PART = 0x33;
    static final int VOLATILE_TYPE = 0x35;
    static final int RESTRICT_TYPE = 0x37;
    static final int NAMESPACE = 0x39;
    static final int CALL_SITE = 0x48;
    static final int CALL_SITE_PARAMETER = 0x49;
    static final int GNU_CALL_SITE = 0x4109;
    static final int GNU_CALL_SITE_PARAMETER = 0x410a;
    static final int UNSPECIFIED_TYPE = 0x3b;
    static final int RVALUE_REFERENCE_TYPE = 0x42;
    static final int ATOMIC_TYPE = 0x47;
    static final int GNU_FORMAL_PARAMETER_PACK = 0x4108;

    private Tag() {}
}
