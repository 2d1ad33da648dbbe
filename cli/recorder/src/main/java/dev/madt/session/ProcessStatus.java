package dev.madt.session;

import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import dev.madt.natives.Signals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what proc(5) says of a process, and whether it still runs. */
public final class ProcessStatus {
    private static final int PARENT_FIELD = 4;
    private static final int FLAGS_FIELD = 9;
    /** PF_KTHREAD. */
    private static final long KERNEL_THREAD = 0x200000;

    private static final int START_TIME_FIELD = 22;
    private static final int EXIT_CODE_FIELD = 52;
    private static final short POLLIN = 1;
    /**
     * PIDFD_GET_INFO, PIDFD_INFO_EXIT and struct pidfd_info in linux/pidfd.h; the exit code is
     * known since Linux 6.15.
     */
    private static final long GET_INFO = 0xc040ff0bL;

    private static final long INFO_EXIT = 8;
    private static final int INFO_BYTES = 64;
    private static final int INFO_EXIT_CODE = 60;

    /** signal(7) */
    private static final Set<String> CRASHES = Stream.of(
                    "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV", "SIGSYS", "SIGTRAP")
            .map(name -> "signal " + name)
            .collect(Collectors.toUnmodifiableSet());

    private ProcessStatus() {}

    /**
     * Field 22 of /proc/PID/stat: clock ticks after boot. With the pid it names one process for
     * good.
     */
    static long startTime(int pid) throws IOException {
        return Long.parseLong(fields(pid)[START_TIME_FIELD - 3]);
    }

    /** The parent of a process; 0 if it is gone. */
    public static int parent(int pid) {
        try {
            return Integer.parseInt(fields(pid)[PARENT_FIELD - 3]);
        } catch (IOException e) {
            return 0;
        }
    }

    /** From field 3 on. */
    private static String[] fields(int pid) throws IOException {
        String stat =
                Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ");
    }

    /** Returns whether a process of this number exists and has not ended. */
    public static boolean runs(int pid) {
        try {
            return !fields(pid)[0].matches("[ZX]");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether it has been stopped by a signal. */
    static boolean isStopped(int pid) {
        try {
            return fields(pid)[0].equals("T");
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns whether a process, or a thread by its number, is there and does not wait in a system
     * call.
     */
    public static boolean isBusy(int pid) {
        try {
            return !fields(pid)[0].equals("S");
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether it is a thread of the kernel's. */
    static boolean isKernelThread(int pid) {
        try {
            return (Long.parseLong(fields(pid)[FLAGS_FIELD - 3]) & KERNEL_THREAD) != 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** A wait status (wait(2)) as META says it: {@code exit 0}, {@code signal SIGSEGV}. */
    public static String ending(int status) {
        int signal = status & 0x7f;
        return signal != 0 ? "signal " + Signals.name(signal) : "exit " + (status >> 8 & 0xff);
    }

    /**
     * Returns whether an {@link #ending} is a program's own fault, and not what somebody sent to
     * it.
     */
    public static boolean isCrash(String ending) {
        return CRASHES.contains(ending);
    }

    /**
     * Returns how a process ended that is not a child of this one, as META says it; null if the
     * kernel does not tell.
     */
    public static String ending(int pid, int descriptor) {
        String ending = endingOfGone(descriptor);
        if (ending == null) {
            ending = endingOfZombie(pid);
        }
        // its parent may have waited for it in between
        return ending == null ? endingOfGone(descriptor) : ending;
    }

    /** Returns how a process ended for which its parent has waited: Linux 6.15 and later. */
    private static String endingOfGone(int descriptor) {
        try (NativeMemory info = new NativeMemory(INFO_BYTES)) {
            info.bytes().putLong(0, INFO_EXIT);
            boolean told = descriptor >= 0
                    && Libc.syscall(Libc.SYS_IOCTL, descriptor, GET_INFO, info.address(), 0) == 0;
            return told && (info.bytes().getLong(0) & INFO_EXIT) != 0
                    ? ending(info.bytes().getInt(INFO_EXIT_CODE))
                    : null;
        }
    }

    /** Returns how a process ended for which its parent has not waited yet, or waits just now. */
    private static String endingOfZombie(int pid) {
        try {
            String[] fields = fields(pid);
            return "ZX".contains(fields[0])
                    ? ending(Integer.parseInt(fields[EXIT_CODE_FIELD - 3]))
                    : null;
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }

    /** A descriptor that becomes readable when the process ends; negative when it has. */
    public static int openPid(int pid) {
        return (int) Libc.syscall(Libc.SYS_PIDFD_OPEN, pid, 0, 0, 0);
    }

    /** Returns whether the process behind a descriptor of {@link #openPid} has ended. */
    public static boolean ended(int descriptor) {
        return endsWithin(descriptor, 0);
    }

    /** The same, after it had so much time for it. */
    static boolean endsWithin(int descriptor, int millis) {
        try (NativeMemory entry = new NativeMemory(8)) {
            entry.bytes().putInt(0, descriptor).putShort(4, POLLIN);
            return descriptor < 0 || Libc.poll(entry.address(), 1, millis) > 0;
        }
    }
}
