package dev.madt.cli;

import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/** Numbers and names of signals on Linux, and their dispositions in this process. */
final class Signals {
    static final int HUP = 1;
    static final int INT = 2;
    static final int QUIT = 3;
    static final int TERM = 15;

    private static final int DISPOSITION_BYTES = 152;
    private static final long SIG_IGN = 1;
    private static final String[] NAMES = (
            "0 HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG"
                    + " XCPU XFSZ VTALRM PROF WINCH IO PWR SYS")
            .split(" ");

    private Signals() {}

    /** The usual name, {@code SIGSEGV} for 11. */
    static String name(int signal) {
        return signal > 0 && signal < NAMES.length ? "SIG" + NAMES[signal] : "signal " + signal;
    }

    static long bit(int signal) {
        return 1L << (signal - 1);
    }

    /**
     * Ignores a signal in this process.
     *
     * @return the disposition before, for {@link #restore}
     */
    static Pointer ignore(int signal) {
        Pointer action = Memory.allocateDirect(Libc.RUNTIME, DISPOSITION_BYTES, true);
        Pointer old = Memory.allocateDirect(Libc.RUNTIME, DISPOSITION_BYTES, true);
        action.putLong(0, SIG_IGN);
        Libc.C.sigaction(signal, action, old);
        return old;
    }

    static void restore(int signal, Pointer disposition) {
        Libc.C.sigaction(signal, disposition, null);
    }
}
