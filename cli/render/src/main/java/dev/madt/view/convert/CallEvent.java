package dev.madt.view.convert;

import dev.madt.view.Place;

/**
 * A function is entered or left.
 *
 * @param function its name; of one that was entered unseen, of what it was left from
 * @param caller who called it; null where it is left, or not known
 * @param values what it was given, or what it returns; null if that is not known
 * @param time nanoseconds since the recording began, of an enter; negative: not known
 * @param elapsed nanoseconds since it was entered; negative: not known
 * @param self those of them that it did not spend in functions that it called
 */
public record CallEvent(
        boolean enters,
        long number,
        int thread,
        Place place,
        String function,
        String caller,
        String values,
        long time,
        long elapsed,
        long self) {
    char letter() {
        return enters ? 'B' : 'X';
    }
}
