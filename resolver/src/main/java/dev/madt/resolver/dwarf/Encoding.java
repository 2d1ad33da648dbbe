package dev.madt.resolver.dwarf;

/**
 * Says what the sizes of forms depend on.
 *
 * @param version of the unit: 2 to 5
 * @param wide the 64-bit DWARF format: offsets have 8 bytes
 */
record Encoding(int version, boolean wide) {
    /** Bytes of a target address: x86-64 only. */
    static final int ADDRESS = 8;

    int offsetSize() {
        return wide ? 8 : 4;
    }

    /** A DW_FORM_ref_addr of DWARF 2 was as long as an address. */
    boolean wideReference() {
        return wide || version == 2;
    }
}
