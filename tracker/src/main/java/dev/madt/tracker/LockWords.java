package dev.madt.tracker;

import dev.madt.trace.event.EventWord;
import dev.madt.trace.event.TraceEvent;

/** Reads what events of locks say in words. */
public final class LockWords {
    /** The key of META that says whose locks no recording sees. */
    public static final String UNSEEN = "locks_unseen";
    /** The kind of a lock that several threads may have at a time. */
    public static final String READ = "read";
    /** The kind of what is counted, and not held. */
    public static final String SEMAPHORE = "sem";
    /** The kind of a mutex that a thread has again behind a wait for a condition. */
    public static final String CONDITION = "cond";
    /** A lock was not got. */
    public static final String FAILED = "failed";
    /** A lock was not got by a function that waits for some time. */
    public static final String TIMEOUT = "timeout";
    /** A spin lock was made, or released by a thread that is not known to hold it. */
    public static final String MADE = "made";

    private static final String TRIED = "?";

    private LockWords() {}

    /** Returns the kind of a lock. */
    public static String kind(TraceEvent.LockGot got) {
        String kind = EventWord.text(got.how());
        return kind.endsWith(TRIED) ? kind.substring(0, kind.length() - 1) : kind;
    }

    /** Returns whether the thread would not have waited for the lock. */
    public static boolean isTried(TraceEvent.LockGot got) {
        return EventWord.text(got.how()).endsWith(TRIED);
    }

    /** Returns whether an event has a place among those of its thread alone. */
    public static boolean areOfOneThread(TraceEvent event) {
        return switch (event.type()) {
            case LOCK_GOT, LOCK_RELEASED, LOCK_UNDONE, THREAD_SYNC, OFF_CPU -> true;
            default -> false;
        };
    }

    /** Returns when such an event was, in ticks; 0 if it stands at another time. */
    public static long time(TraceEvent event) {
        if (event instanceof TraceEvent.LockGot got) {
            return got.asked() + got.waited();
        }
        if (event instanceof TraceEvent.LockReleased gone) {
            return gone.time();
        }
        if (event instanceof TraceEvent.LockUndone not) {
            return not.time() + not.lasted();
        }
        return event instanceof TraceEvent.ThreadSync sync ? sync.time() : 0;
    }

    /** Returns whether threads meet at an object in memory, not by the function of a thread. */
    public static boolean isOfObject(String role) {
        return switch (role) {
            case "signal", "awoke", "arrive", "pass", "begin", "once" -> true;
            default -> false;
        };
    }

    /** Returns whether others may have the lock meanwhile. */
    public static boolean isShared(TraceEvent.LockGot got) {
        return kind(got).equals(READ);
    }

    /** Returns whether a lock was not got; else one was released that nobody is known to hold. */
    public static boolean isVain(TraceEvent.LockUndone not) {
        String why = EventWord.text(not.why());
        return why.equals(FAILED) || why.equals(TIMEOUT);
    }

    /** Returns whether it is a unit of a semaphore, which any thread may give back. */
    public static boolean isSemaphore(TraceEvent.LockGot got) {
        return kind(got).equals(SEMAPHORE);
    }
}
