package dev.madt.view.timeline;

import java.util.stream.Stream;

/**
 * A time in which a thread did not run the program.
 *
 * @param lane the first one of the thread
 * @param from nanoseconds since the recording began
 * @param why such as {@code MadT}
 */
record OffCpu(Lane lane, long from, long to, String why) {
    /** Kinds; times of one kind do not overlap. */
    static final int KINDS = 3;

    /** It waited: for a lock, a file, a time. */
    static final String WAITS = "waits, without a processor";
    /** The same in a system call, whose name comes behind this. */
    static final String WAITS_IN = "waits in ";
    /** It was in a system call, whose name comes behind this; whether it waited is not known. */
    static final String IN = "in system call ";
    /** It would have gone on; behind this comes who got the processor. */
    static final String PREEMPTED = "preempted by ";
    /** Names a thread's wait for MadT: a buffer was full, or a module new. */
    static final String MADT = "waits for MadT";

    /** Its kind, from 0. */
    int kind() {
        return why.equals(MADT) ? 0 : why.startsWith(IN) ? 2 : 1;
    }

    /** The kind in one letter, as {@link OffCpuLine#KEY} has it; times of two kinds may overlap. */
    char letter() {
        return why.equals(MADT)
                ? 'm'
                : why.startsWith(IN) ? 's' : why.startsWith(PREEMPTED) ? 'p' : 'w';
    }

    /** The system call that it was in, or who got its processor; empty if neither is known. */
    String name() {
        return Stream.of(WAITS_IN, IN, PREEMPTED)
                .filter(why::startsWith)
                .map(before -> why.substring(before.length()))
                .findFirst()
                .orElse("");
    }

    /** Returns what the kind is called. */
    String heading() {
        return switch (kind()) {
            case 0 -> MADT;
            case 1 -> "no processor";
            default -> "in system calls";
        };
    }
}
