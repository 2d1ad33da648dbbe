package dev.madt.locks;

import dev.madt.trace.event.EventWord;
import java.util.regex.Pattern;

/**
 * A function by which threads wait for each other: a line of {@code locks.txt}.
 *
 * @param kind of the lock, as lines show it: a word of text ({@link EventWord#word}); of a function
 *     that does not wait with a ? behind it
 * @param lock number of the argument that is the lock, from 0; {@link #NONE}: the function that
 *     takes it stands for it
 * @param mutex likewise that of the mutex of a wait
 * @param home the name of the function that stands for the lock where that is no argument
 */
record LockFunction(
        String name,
        long kind,
        Deed deed,
        int lock,
        int mutex,
        Result result,
        boolean asked,
        String home) {
    /** No argument. */
    static final int NONE = -1;
    /** rdi, rsi, rdx, rcx, r8, r9: the order of arguments. */
    private static final int[] REGISTERS = {7, 6, 2, 1, 8, 9};
    /** The number of arguments that are in registers. */
    static final int ARGUMENTS = REGISTERS.length;

    private static final Pattern TIMED = Pattern.compile("_(timed|clock)");
    private static final int OWNER_DIED = 130;
    private static final int NOT_OWNER = 1;
    private static final int INVALID = 22;

    /** Says what it does. */
    enum Deed {
        GET,
        TRY,
        FREE,
        WAIT,
        SIGNAL,
        DOWN,
        POST,
        MEET,
        ONCE,
        CREATE,
        JOIN,
        REGION,
        TASK,
        PART,
        GATHER,
        AWAIT;

        /** Returns whether its end is of interest. */
        boolean isLeft() {
            return switch (this) {
                case FREE, POST, SIGNAL, CREATE -> false;
                default -> true;
            };
        }
    }

    /** Says how its result tells that it has done so. */
    enum Result {
        ZERO,
        TRUE,
        ANY;

        boolean isGood(Deed deed, long value) {
            return switch (this) {
                case ZERO -> (int) value == 0 || (int) value == OWNER_DIED;
                case TRUE -> (value & 1) != 0;
                case ANY -> deed != Deed.WAIT || (int) value != NOT_OWNER && (int) value != INVALID;
            };
        }
    }

    /**
     * Returns whether it matters when its call ends: for what it does, or since it may do that by
     * another function of these.
     */
    boolean isFollowed() {
        return deed.isLeft() || !name.startsWith("pthread_") && !name.startsWith("sem_");
    }

    /** Returns whether its wait for a lock or a unit may end by time. */
    boolean isTimed() {
        return (deed == Deed.GET || deed == Deed.DOWN) && TIMED.matcher(name).find();
    }

    /** The registers of its arguments, a bit for each {@code enum madt_value}. */
    int registers() {
        return bit(lock) | bit(mutex);
    }

    private static int bit(int argument) {
        return argument == NONE ? 0 : 1 << REGISTERS[argument];
    }

    /** The place of an argument's word, an {@code enum madt_value}. */
    static int place(int argument) {
        return REGISTERS[argument];
    }
}
