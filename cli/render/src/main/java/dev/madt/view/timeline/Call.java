package dev.madt.view.timeline;

/**
 * A call of a timeline. Positions are nanoseconds since the recording began; in a trace without
 * times, numbers of events.
 */
final class Call {
    /** Says how a call has ended. */
    enum Ending {
        /** By a return. */
        RETURNED("return"),
        /**
         * By longjmp or an exception, by a tail call, on a stack that was given up, or behind the
         * end of a window of the recording, with which it ends.
         */
        UNSEEN("unseen"),
        /** Not at all: it is open where its thread or the trace ends. */
        OPEN("never"),
        /** By a jump to another function, with which it ended. */
        JUMPED("jump");

        private final String word;

        Ending(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    private final Lane lane;
    private final CalledFunction function;
    private final Call caller;
    private final boolean wanted;
    private final int depth;
    private final long start;
    private final long first;
    private boolean begun;
    private long end;
    private long last;
    private long length;
    private long self;
    private long accesses;
    private long bytes;
    private Ending ending;
    private String arguments = "";
    private String result = "";

    /**
     * @param first number of its enter
     * @param wanted whether it is drawn, if it reaches into what is selected
     */
    Call(Lane lane, CalledFunction function, Call caller, long start, long first, boolean wanted) {
        this.lane = lane;
        this.function = function;
        this.caller = caller;
        this.start = start;
        this.first = first;
        this.wanted = wanted;
        this.depth = caller == null ? 0 : caller.depth + (caller.wanted ? 1 : 0);
    }

    Lane lane() {
        return lane;
    }

    CalledFunction function() {
        return function;
    }

    /** Returns who called it, drawn or not; null if that is not known. */
    Call caller() {
        return caller;
    }

    boolean isWanted() {
        return wanted;
    }

    /** Returns how many wanted calls it lies within. */
    int depth() {
        return depth;
    }

    long start() {
        return start;
    }

    /** Number of its enter. */
    long first() {
        return first;
    }

    /** Number of the event that ended it; of one that is open, of the last event. */
    long last() {
        return last;
    }

    /** Returns where it ends; what its thread waited for MadT is none of its length. */
    long end() {
        return end;
    }

    long length() {
        return length;
    }

    /** Of the length, what was not spent in calls that it made; never negative. */
    long self() {
        return self;
    }

    /** Accesses that it and all that it called made. */
    long accesses() {
        return accesses;
    }

    long bytes() {
        return bytes;
    }

    Ending ending() {
        return ending;
    }

    /** Notes what it was given, as lines have it. */
    void given(String text) {
        arguments = text;
    }

    void returned(String text) {
        result = text;
    }

    /** Returns what it was given, without parentheses; null if that is not known. */
    String arguments() {
        return arguments.isEmpty() ? null : arguments.substring(1, arguments.length() - 1);
    }

    /** Returns what it returned; null if that is not known. */
    String result() {
        return result.isEmpty() ? null : result.substring(1);
    }

    /** Returns what stands behind its name, such as {@code (n=3)=4}; null if nothing is known. */
    String said() {
        return arguments.isEmpty() && result.isEmpty() ? null : arguments + result;
    }

    void access(long count, long size) {
        accesses += count;
        bytes += size;
    }

    void ended(long at, long lastEvent, long whole, long own, Ending how) {
        end = at;
        last = lastEvent;
        length = Math.max(0, whole);
        self = Math.max(0, own);
        ending = how;
        if (caller != null) {
            caller.access(accesses, bytes);
        }
    }

    /** Returns whether a sink has been told that it begins. */
    boolean isBegun() {
        return begun;
    }

    void begin() {
        begun = true;
    }
}
