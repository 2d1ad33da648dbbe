package dev.madt.resolver.dwarf;

/**
 * The debug information is not what the standard says, or is of a kind that is not read; the
 * message says where.
 */
final class MalformedDwarfException extends RuntimeException {
    MalformedDwarfException(String section, long offset, String cause) {
        super(section + ", byte 0x" + Long.toHexString(offset) + ": " + cause);
    }
}
