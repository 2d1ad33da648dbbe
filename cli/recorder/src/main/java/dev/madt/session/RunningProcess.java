package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.natives.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that runs already, which is to be recorded.
 *
 * @param pid its number here
 * @param program the file that it executes
 * @param command its arguments, as it was started
 */
public record RunningProcess(int pid, Path program, List<String> command) {
    private static final String DELETED = " (deleted)";
    /** The byte of an ELF file that says how wide its addresses are. */
    private static final int CLASS = 4;

    private static final int CLASS_32 = 1;
    /** Real, effective, saved and that of the file system (proc(5)). */
    private static final Pattern USERS = Pattern.compile("(?m)^Uid:\\s+(.*)$");

    /**
     * The process that an option names.
     *
     * @param status for what is no such process
     */
    public static RunningProcess of(String text, int status) throws Failure {
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new Failure(status, "-p takes the number of a process, not '" + text + "'.");
        }
        int pid = Integer.parseInt(text);
        Path folder = Path.of("/proc", text);
        if (!Files.exists(folder)) {
            throw new Failure(status, "there is no process " + pid + ".");
        }
        if (!ProcessStatus.runs(pid)) {
            String[] threads = folder.resolve("task").toFile().list();
            throw new Failure(
                    status,
                    threads != null && threads.length > 1
                            ? "the first thread of process " + pid
                                    + " has ended: it can be recorded from its start alone."
                            : "process " + pid
                                    + " has ended: its parent has not waited for it yet.");
        }
        if (pid == ProcessHandle.current().pid()) {
            throw new Failure(status, "process " + pid + " is madt itself.");
        }
        try {
            RunningProcess process = new RunningProcess(pid, program(folder), command(folder));
            if (is32Bit(folder.resolve("exe"))) {
                throw new Failure(
                        status,
                        "process " + pid + " runs 32-bit code, which madt does not record.");
            }
            return process;
        } catch (IOException e) {
            throw new Failure(status, "process " + pid + " " + whyNot(pid, folder));
        }
    }

    /**
     * Returns the processes of this user, but for madt and those that it is started by, whose name
     * matches, or that of the file that they execute; by number.
     */
    public static List<RunningProcess> named(Pattern name, int status) throws Failure {
        Set<Long> own = new HashSet<>();
        for (ProcessHandle handle = ProcessHandle.current();
                handle != null;
                handle = handle.parent().orElse(null)) {
            own.add(handle.pid());
        }
        List<Integer> found = ProcessHandle.allProcesses()
                .filter(handle -> !own.contains(handle.pid()) && isNamed(handle.pid(), name))
                .map(handle -> (int) handle.pid())
                .sorted()
                .toList();
        List<RunningProcess> processes = new ArrayList<>();
        for (int pid : found) {
            processes.add(of(Integer.toString(pid), status));
        }
        return processes;
    }

    private static boolean isNamed(long pid, Pattern name) {
        Path folder = Path.of("/proc", Long.toString(pid));
        try {
            String comm = Files.readString(folder.resolve("comm"), StandardCharsets.ISO_8859_1);
            return ProcessStatus.runs((int) pid)
                    && Files.getAttribute(folder, "unix:uid").equals(Libc.geteuid())
                    && (name.matcher(comm.strip()).matches()
                            || name.matcher(program(folder).getFileName().toString())
                                    .matches());
        } catch (IOException e) {
            return false; // it has ended, or is a thread of the kernel
        }
    }

    private static boolean is32Bit(Path program) throws IOException {
        try (InputStream file = Files.newInputStream(program)) {
            byte[] head = file.readNBytes(CLASS + 1);
            return head.length > CLASS && head[CLASS] == CLASS_32;
        }
    }

    /** Says why its memory cannot be looked at. */
    private static String whyNot(int pid, Path folder) {
        if (ProcessStatus.isKernelThread(pid)) {
            return "is a thread of the kernel, which has no memory of its own.";
        }
        String users = "";
        try {
            Matcher line = USERS.matcher(
                    Files.readString(folder.resolve("status"), StandardCharsets.ISO_8859_1));
            users = line.find() ? line.group(1) : "";
        } catch (IOException e) {
            return "has ended.";
        }
        Set<String> all = new LinkedHashSet<>(List.of(users.split("\\s+")));
        boolean own = all.remove(Integer.toString(Libc.geteuid()));
        if (!own) {
            return "is another user's. Run madt as its user, or with sudo.";
        }
        return all.isEmpty()
                ? "does not let other programs of its user look into it (prctl(2),"
                        + " PR_SET_DUMPABLE). Run madt with sudo."
                : "has more rights than you: it executes a program that is set-user-ID. Run madt"
                        + " with sudo.";
    }

    private static Path program(Path folder) throws IOException {
        String file = Files.readSymbolicLink(folder.resolve("exe")).toString();
        return Path.of(
                file.endsWith(DELETED)
                        ? file.substring(0, file.length() - DELETED.length())
                        : file);
    }

    private static List<String> command(Path folder) throws IOException {
        String text = Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        String[] words = text.split("\0");
        return text.isEmpty() ? List.of(program(folder).toString()) : List.of(words);
    }
}
