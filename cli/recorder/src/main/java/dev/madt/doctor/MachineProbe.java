package dev.madt.doctor;

import dev.madt.console.Failure;
import dev.madt.modules.CodeMapCache;
import dev.madt.natives.Libc;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Asks this machine what {@link MachineFacts} hold. Whatever cannot be found out is told as not
 * there; nothing fails.
 */
public final class MachineProbe {
    private static final long SYS_PRCTL = 157;
    private static final long PR_SET_SYSCALL_USER_DISPATCH = 59;
    private static final long CURRENT_PERSONALITY = 0xffffffffL;
    private static final long ADDR_NO_RANDOMIZE = 0x0040000;
    private static final int NO_LIBC = -1;
    /**
     * The entry of the auxiliary vector that says how large a signal frame can be, getauxval(3).
     */
    private static final long AT_MINSIGSTKSZ = 51;

    /** {@code /proc}, or a folder in its form. */
    private final Path proc;

    public MachineProbe(Path proc) {
        this.proc = proc;
    }

    public MachineFacts.Processor processor() {
        String architecture = System.getProperty("os.arch");
        return new MachineFacts.Processor(
                architecture.equals("amd64") ? "x86_64" : architecture,
                value("cpuinfo", "vendor_id", "unknown vendor"),
                value("cpuinfo", "model name", "unknown model"),
                (" " + value("cpuinfo", "flags", "") + " ").contains(" avx512f "),
                signalFrame());
    }

    public MachineFacts.Kernel kernel() {
        return new MachineFacts.Kernel(
                line("sys/kernel/osrelease", System.getProperty("os.version")),
                dispatchError(),
                number(value("self/status", "Seccomp", "-1")),
                addressesCanBeFixed(),
                number(line("sys/kernel/yama/ptrace_scope", "-1")));
    }

    public MachineFacts.SharedMemory sharedMemory(Path place) {
        long needed = SharedLayout.bufferSize(SharedLayout.FIRST_BUFFER_CHUNKS)
                + SharedLayout.CONTROL_SIZE
                + 2L * SharedLayout.PAGE;
        try {
            FileStore store = Files.getFileStore(place);
            Files.delete(Files.createTempFile(place, "madt-doctor", null));
            return new MachineFacts.SharedMemory(
                    place, true, store.getTotalSpace(), store.getUsableSpace(), needed);
        } catch (IOException e) {
            return new MachineFacts.SharedMemory(place, false, 0, 0, needed);
        }
    }

    public static MachineFacts.Cache cache() {
        Path place = CodeMapCache.wanted();
        long limit;
        try {
            limit = CodeMapCache.limit();
        } catch (Failure e) {
            return new MachineFacts.Cache(place, false, 0, MachineFacts.Cache.NO_LIMIT);
        }
        if (place == null || limit == 0) {
            return new MachineFacts.Cache(place, false, 0, limit);
        }
        try {
            return new MachineFacts.Cache(place, CodeMapCache.usable(place), bytes(place), limit);
        } catch (IOException | LinkageError e) {
            return new MachineFacts.Cache(place, false, 0, limit);
        }
    }

    private static long bytes(Path place) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place)) {
            for (Path file : files) {
                bytes += Files.isRegularFile(file) ? Files.size(file) : 0;
            }
        }
        return bytes;
    }

    public static MachineFacts.Java java() {
        return new MachineFacts.Java(
                Runtime.version().feature(),
                Runtime.version().toString(),
                System.getProperty("java.home"));
    }

    /**
     * The end of dispatching where there is none: it changes nothing, and only a kernel that knows
     * of it takes it.
     */
    private static int dispatchError() {
        try {
            return Libc.syscall(SYS_PRCTL, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0) == 0
                    ? 0
                    : Libc.lastError();
        } catch (LinkageError e) {
            return NO_LIBC; // its library has a finding of its own
        }
    }

    private static boolean addressesCanBeFixed() {
        try {
            int persona = Libc.personality(CURRENT_PERSONALITY);
            boolean can = persona != -1 && Libc.personality(persona | ADDR_NO_RANDOMIZE) != -1;
            if (can) {
                Libc.personality(persona);
            }
            return can;
        } catch (LinkageError e) {
            return false;
        }
    }

    private long signalFrame() {
        try {
            ByteBuffer entries = ByteBuffer.wrap(Files.readAllBytes(proc.resolve("self/auxv")))
                    .order(ByteOrder.LITTLE_ENDIAN);
            while (entries.remaining() >= 2 * Long.BYTES) {
                long key = entries.getLong();
                long value = entries.getLong();
                if (key == AT_MINSIGSTKSZ) {
                    return value;
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return 0;
    }

    /** Returns what stands behind the first {@code key:} of a file. */
    private String value(String file, String key, String otherwise) {
        return lines(file).stream()
                .filter(line -> line.split(":", 2)[0].strip().equals(key) && line.contains(":"))
                .map(line -> line.split(":", 2)[1].strip())
                .findFirst()
                .orElse(otherwise);
    }

    private String line(String file, String otherwise) {
        return lines(file).stream().findFirst().map(String::strip).orElse(otherwise);
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(proc.resolve(file));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
