package dev.madt.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;

/** What proc(5) says of a process, and whether it still runs. */
final class ProcessStatus {
    private static final int START_TIME_FIELD = 22;
    private static final short POLLIN = 1;

    private ProcessStatus() {}

    /** Field 22 of /proc/PID/stat: clock ticks after boot. With the pid it names one process for good. */
    static long startTime(int pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[START_TIME_FIELD - 3]);
    }

    /** A descriptor that becomes readable when the process ends; negative when it has. */
    static int openPid(int pid) {
        return (int) Libc.C.syscall(Libc.SYS_PIDFD_OPEN, pid, 0, 0, null, 0, 0);
    }

    /** Whether the process behind a descriptor of {@link #openPid} has ended. */
    static boolean ended(int descriptor) {
        Pointer entry = Memory.allocateDirect(Libc.RUNTIME, 8, true);
        entry.putInt(0, descriptor);
        entry.putShort(4, POLLIN);
        return descriptor < 0 || Libc.C.poll(entry, 1, 0) > 0;
    }
}
