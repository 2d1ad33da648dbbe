package dev.madt.cli;

/** Exit statuses of the commands. {@code madt run} returns its target's, 128 + signal, or one of the last three. */
final class Status {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;
    static final int INCOMPLETE = 3;
    static final int RUN_FAILED = 125;
    static final int CANNOT_EXECUTE = 126;
    static final int NOT_FOUND = 127;

    private Status() {}
}
