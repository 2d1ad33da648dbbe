package dev.madt.cli;

import java.util.Locale;

/** Numbers as people read them: 1,204,311. */
final class Numbers {
    private Numbers() {}

    static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** "1 access", "2 accesses". */
    static String counted(long number, String one, String many) {
        return grouped(number) + " " + (number == 1 ? one : many);
    }
}
