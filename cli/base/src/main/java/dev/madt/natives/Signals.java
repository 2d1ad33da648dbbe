package dev.madt.natives;

/** Numbers and names of signals on Linux, and their dispositions in this process. */
public final class Signals {
    public static final int HUP = 1;
    public static final int INT = 2;
    public static final int QUIT = 3;
    public static final int TERM = 15;

    private static final int DISPOSITION_BYTES = 152;
    private static final long SIG_IGN = 1;
    private static final String[] NAMES =
            ("0 HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD"
                            + " CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR"
                            + " SYS")
                    .split(" ");

    private Signals() {}

    /** The usual name, {@code SIGSEGV} for 11. */
    public static String name(int signal) {
        return signal > 0 && signal < NAMES.length ? "SIG" + NAMES[signal] : "signal " + signal;
    }

    public static long bit(int signal) {
        return 1L << (signal - 1);
    }

    /**
     * Ignores a signal in this process.
     *
     * @return the disposition before, for {@link #restore}
     */
    public static byte[] ignore(int signal) {
        byte[] before = new byte[DISPOSITION_BYTES];
        try (NativeMemory action = new NativeMemory(DISPOSITION_BYTES);
                NativeMemory old = new NativeMemory(DISPOSITION_BYTES)) {
            action.bytes().putLong(0, SIG_IGN);
            Libc.sigaction(signal, action.address(), old.address());
            old.bytes().get(0, before);
        }
        return before;
    }

    public static void restore(int signal, byte[] disposition) {
        try (NativeMemory action = NativeMemory.of(disposition)) {
            Libc.sigaction(signal, action.address(), 0);
        }
    }
}
