package dev.madt.doctor;

/**
 * One thing that recording depends on, as it was found.
 *
 * @param what a word or two
 * @param found the state, without a period
 * @param remedy what to do about it, as sentences; null if all is well
 */
public record Finding(String what, Grade grade, String found, String remedy) {
    static Finding ok(String what, String found) {
        return new Finding(what, Grade.OK, found, null);
    }

    static Finding warning(String what, String found, String remedy) {
        return new Finding(what, Grade.WARNING, found, remedy);
    }

    static Finding failed(String what, String found, String remedy) {
        return new Finding(what, Grade.FAILED, found, remedy);
    }
}
