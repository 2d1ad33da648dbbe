package dev.madt.testprogs;

import java.nio.file.Files;
import java.nio.file.Path;

/** Waits until a process waits itself: then it has been loaded, and is where a test wants it. */
public final class AwaitedCall {
    /** The beginning of /proc/PID/syscall (proc(5)) in clock_nanosleep, as sleep(1) makes it. */
    public static final String CLOCK_NANOSLEEP = "230 ";

    private AwaitedCall() {}

    /**
     * Returns once the first thread of a process is in a system call.
     *
     * @param call the beginning of its line in /proc/PID/syscall: the call's number in decimal,
     *     and arguments in hexadecimal
     */
    public static void in(long process, String call) throws Exception {
        Path line = Path.of("/proc/" + process + "/syscall");
        while (!Files.readString(line).startsWith(call)) {
            Thread.sleep(10);
        }
    }
}
