package dev.madt.cli;

/** Numbers as people read them: 1,204,311. */
final class Numbers {
    private Numbers() {}

    static String grouped(long number) {
        String digits = Long.toString(number);
        int first = number < 0 ? 1 : 0;
        StringBuilder grouped = new StringBuilder(digits);
        for (int at = digits.length() - 3; at > first; at -= 3) {
            grouped.insert(at, ',');
        }
        return grouped.toString();
    }

    /** "1 access", "2 accesses". */
    static String counted(long number, String one, String many) {
        return grouped(number) + " " + (number == 1 ? one : many);
    }
}
