package dev.madt.view.timeline;

/**
 * A window of the recording. Positions are those of calls.
 *
 * @param number from 1, in its process
 * @param to where it closed; {@link #OPEN}: it did not
 * @param closer empty if it did not close
 */
record RecordedWindow(
        TracedProcess process, long number, long from, long to, String opener, String closer) {
    static final long OPEN = Long.MAX_VALUE;

    RecordedWindow closed(long position, String why) {
        return new RecordedWindow(process, number, from, Math.max(from, position), opener, why);
    }

    String title() {
        return "window " + number;
    }

    /** Returns where it ends in a picture that ends there. */
    long end(long last) {
        return Math.min(to, last);
    }

    /** Returns what opened it and what closed it, for people. */
    String causes() {
        return "opened by " + opener
                + (closer.isEmpty() ? ", open to the end" : ", closed by " + closer);
    }
}
