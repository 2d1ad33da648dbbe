package dev.madt.collector;

/** Says how much of a process is recorded at most: {@code --max-events} and {@code --max-size}. */
final class TraceLimit {
    private final long maxEvents;
    private final long maxSize;
    private final TraceSink sink;
    private final TraceFrames frames;
    private boolean cut;

    TraceLimit(Recording recording, TraceSink sink, TraceFrames frames) {
        this.maxEvents = recording.maxEvents();
        this.maxSize = recording.maxSize();
        this.sink = sink;
        this.frames = frames;
    }

    /**
     * Returns whether it is reached, so that no access, bulk transfer or call is taken any more.
     */
    boolean isReached() {
        cut |= isLarge();
        return cut || maxEvents > 0 && left() <= 0;
    }

    private boolean isLarge() {
        return maxSize > 0 && sink.size() >= maxSize;
    }

    /** The option that ended the recording. */
    String option() {
        return isLarge() ? "--max-size" : "--max-events";
    }

    /** Returns whether events are counted one by one. */
    boolean countsEvents() {
        return maxEvents > 0;
    }

    /** Returns whether so many words may be more than is left; each is two events at most. */
    boolean isNear(long words) {
        return maxEvents > 0 && 2 * words > left();
    }

    /** Accesses, bulk transfers and calls that may still come, where events are counted. */
    long left() {
        return maxEvents
                - frames.loads()
                - frames.stores()
                - frames.blocks()
                - frames.enters()
                - frames.leaves();
    }

    /** Something did not fit into what is left; nothing may come behind it. */
    void cut() {
        cut = true;
    }
}
