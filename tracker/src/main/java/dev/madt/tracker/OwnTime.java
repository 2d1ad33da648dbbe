package dev.madt.tracker;

/**
 * Time by the clock of one thread, which stands still while the thread waits for MadT, and between
 * windows of the recording: what its calls take has neither in it.
 */
final class OwnTime {
    private long left;
    /** Of what was left out last. */
    private long begin;

    private long end;

    /** Leaves a time out, from its begin on. */
    void pause(long from, long length) {
        left += length;
        begin = from;
        end = from + length;
    }

    /**
     * Returns the own time at a time of the recording. That may be earlier than the last pause: it
     * is read before there is room for it.
     */
    long at(long time) {
        long behind = time < end ? end - Math.max(begin, time) : 0;
        return time - left + behind;
    }
}
