package dev.madt.resolver.dwarf;

import dev.madt.resolver.type.Notation;

/** Says what depends on the language of a unit (DWARF 5, tables 3.1 and 7.17). */
final class Language {
    private Language() {}

    static boolean isC(Unit unit) {
        return switch (code(unit)) {
            case 0x01, 0x02, 0x0c, 0x1d, 0x2c -> true;
            default -> false;
        };
    }

    static boolean isFortran(Unit unit) {
        return switch (code(unit)) {
            case 0x07, 0x08, 0x0e, 0x22, 0x23, 0x2d -> true;
            default -> false;
        };
    }

    static boolean isRust(Unit unit) {
        return code(unit) == 0x1c;
    }

    static boolean isAda(Unit unit) {
        return switch (code(unit)) {
            case 0x03, 0x0d, 0x2e, 0x2f -> true;
            default -> false;
        };
    }

    static Notation notation(Unit unit) {
        return isFortran(unit) ? Notation.FORTRAN : Notation.C;
    }

    /** The index of the first element of an array that does not say it. */
    static long lowerBound(Unit unit) {
        return switch (code(unit)) {
            // Ada, COBOL, Pascal, Modula, PL/I and Julia.
            case 0x03, 0x05, 0x06, 0x09, 0x0a, 0x0d, 0x0f, 0x17, 0x1f, 0x2e, 0x2f -> 1;
            default -> isFortran(unit) ? 1 : 0;
        };
    }

    private static int code(Unit unit) {
        return (int) unit.root().constant(Attribute.LANGUAGE, 0);
    }
}
