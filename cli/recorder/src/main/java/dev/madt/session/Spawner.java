package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.natives.Libc;
import dev.madt.natives.NativeMemory;
import dev.madt.natives.NativeStrings;
import dev.madt.natives.Signals;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Starts the target so that it finds what it would find without madt: arguments and environment
 * byte for byte, descriptors, blocked and ignored signals. The one difference is wanted: no address
 * space randomisation, so that runs compare; where the system forbids that, the target starts with
 * it.
 */
public final class Spawner {
    private static final int ATTRIBUTES_BYTES = 512;
    private static final int SIGNAL_SET_BYTES = 128;
    private static final short SET_DEFAULT_AND_MASK = 4 | 8;
    private static final long ADDR_NO_RANDOMIZE = 0x0040000;
    private static final long CURRENT_PERSONALITY = 0xffffffffL;
    private static final int FILE_ACTIONS_BYTES = 512;
    /** Files that threads of the JVM may open while the target starts. */
    private static final int LATE_DESCRIPTORS = 64;

    private static final int READ = 0;
    /** O_WRONLY, O_CREAT, O_TRUNC. */
    private static final int WRITE = 0x241;

    private static final int OWNER_WRITES = 0644;

    private static final int SIGNALS = 64;
    /** Signals that the JVM itself cannot do without for a moment. */
    private static final long JVM_FAULTS =
            Signals.bit(4) | Signals.bit(5) | Signals.bit(7) | Signals.bit(8) | Signals.bit(11);
    /** Signals that libmadt.so itself handles in the target: SIGILL, SIGTRAP, SIGSEGV, SIGSYS. */
    private static final long SHIM_SIGNALS =
            Signals.bit(4) | Signals.bit(5) | Signals.bit(11) | Signals.bit(31);

    private Spawner() {}

    /**
     * Starts a program.
     *
     * @param keepsOutput false: standard output is not for the program, which writes to standard
     *     error instead
     * @param output the file that standard output and error of the program go to, which reads
     *     nothing; null: they are those of this process
     * @return its pid
     * @throws Failure with status 126 or 127 if the kernel refuses
     */
    public static int spawn(
            Path file,
            List<byte[]> arguments,
            List<byte[]> environment,
            boolean keepsOutput,
            Path output)
            throws Failure, IOException {
        enterDirectory();
        try (NativeMemory attributes = new NativeMemory(ATTRIBUTES_BYTES);
                NativeMemory actions = new NativeMemory(FILE_ACTIONS_BYTES);
                NativeMemory pid = new NativeMemory(Integer.BYTES);
                NativeMemory path = NativeMemory.of(file.toString().getBytes());
                NativeMemory nothing = NativeMemory.of("/dev/null");
                NativeMemory other = NativeMemory.of(output == null ? "" : output.toString());
                NativeStrings argv = new NativeStrings(arguments);
                NativeStrings envp = new NativeStrings(environment)) {
            setAttributes(attributes.address());
            Libc.posix_spawn_file_actions_init(actions.address());
            if (output != null) {
                Libc.posix_spawn_file_actions_addopen(
                        actions.address(), 0, nothing.address(), READ, 0);
                Libc.posix_spawn_file_actions_addopen(
                        actions.address(), 1, other.address(), WRITE, OWNER_WRITES);
                Libc.posix_spawn_file_actions_adddup2(actions.address(), 1, 2);
            } else if (!keepsOutput) {
                Libc.posix_spawn_file_actions_adddup2(actions.address(), 2, 1);
            }
            closeWhatTheCallerDidNotOpen(actions.address());
            List<Runnable> undo = ignoreAsTheCallerDid();
            int persona = Libc.personality(CURRENT_PERSONALITY);
            boolean fixed = persona != -1 && Libc.personality(persona | ADDR_NO_RANDOMIZE) != -1;
            int error = Libc.posix_spawn(
                    pid.address(),
                    path.address(),
                    actions.address(),
                    attributes.address(),
                    argv.table(),
                    envp.table());
            if (fixed) {
                Libc.personality(persona);
            }
            undo.forEach(Runnable::run);
            Libc.posix_spawn_file_actions_destroy(actions.address());
            Libc.posix_spawnattr_destroy(attributes.address());
            if (error != 0) {
                int status = error == Libc.ENOENT ? Status.NOT_FOUND : Status.CANNOT_EXECUTE;
                throw new Failure(
                        status, "cannot run " + file + ": " + Libc.errorText(error) + ".");
            }
            return pid.bytes().getInt(0);
        }
    }

    /** A deleted directory is where the caller was, and this process can be. */
    private static void enterDirectory() throws IOException {
        int directory = Caller.deletedDirectory();
        if (directory >= 0 && Libc.fchdir(directory) != 0) {
            throw new IOException(
                    "cannot go back to the deleted directory: " + Libc.errorText(Libc.lastError()));
        }
    }

    private static void setAttributes(long attributes) throws IOException {
        Libc.posix_spawnattr_init(attributes);
        Libc.posix_spawnattr_setflags(attributes, SET_DEFAULT_AND_MASK);
        try (NativeMemory set = new NativeMemory(SIGNAL_SET_BYTES)) {
            set.bytes().putLong(0, Caller.blockedSignals() & ~SHIM_SIGNALS);
            Libc.posix_spawnattr_setsigmask(attributes, set.address());
            set.bytes().putLong(0, ~Caller.ignoredSignals());
            Libc.posix_spawnattr_setsigdefault(attributes, set.address());
        }
    }

    /**
     * {@code IGNORED.BLOCKED}, decimal masks of what the target cannot inherit from this process;
     * null where there is no such signal.
     */
    public static String leftToTheShim() throws IOException {
        long ignored = Caller.ignoredSignals() & JVM_FAULTS;
        long blocked = Caller.blockedSignals() & SHIM_SIGNALS;
        return (ignored | blocked) == 0 ? null : ignored + "." + blocked;
    }

    /**
     * Ignores the signals again in whose place the JVM put handlers: they would be default signals
     * behind the exec.
     */
    private static List<Runnable> ignoreAsTheCallerDid() throws IOException {
        long wanted = Caller.ignoredSignals()
                & ~JVM_FAULTS
                & ~Caller.statusMask("/proc/self/status", "SigIgn:");
        List<Runnable> undo = new ArrayList<>();
        for (int signal = 1; signal <= SIGNALS; signal++) {
            if ((wanted & Signals.bit(signal)) != 0) {
                int number = signal;
                byte[] before = Signals.ignore(number);
                undo.add(() -> Signals.restore(number, before));
            }
        }
        return undo;
    }

    /**
     * Keeps descriptors that the JVM or the script opened away from the target: standard ones too,
     * where the caller had closed them. A thread of the JVM may open a file at any time, without
     * O_CLOEXEC (its look at the limits of a container does); such a file gets the lowest number
     * that is free. To close a number that is not open is no error (glibc).
     */
    private static void closeWhatTheCallerDidNotOpen(long actions) throws IOException {
        Set<Integer> callers = Caller.openDescriptors();
        if (callers == null) {
            return;
        }
        Set<Integer> close = new HashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                close.add(Integer.valueOf(entry.getFileName().toString()));
            }
        }
        int late = 0;
        for (int number = 0; late < LATE_DESCRIPTORS; number++) {
            late += callers.contains(number) || !close.add(number) ? 0 : 1;
        }
        for (int number : close) {
            if (!callers.contains(number)) {
                Libc.posix_spawn_file_actions_addclose(actions, number);
            }
        }
    }
}
