package dev.madt.console;

/**
 * Exit statuses of the commands. {@code madt run} returns its target's, 128 + signal, or one of the
 * last three.
 */
public final class Status {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int USAGE = 2;
    public static final int INCOMPLETE = 3;
    public static final int DEFECTS = 4;
    public static final int RUN_FAILED = 125;
    public static final int CANNOT_EXECUTE = 126;
    public static final int NOT_FOUND = 127;

    private Status() {}
}
