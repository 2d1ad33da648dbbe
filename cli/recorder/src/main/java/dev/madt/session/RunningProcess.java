package dev.madt.session;

import dev.madt.console.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that runs already, which is to be recorded.
 *
 * @param pid its number here
 * @param program the file that it executes
 * @param command its arguments, as it was started
 */
public record RunningProcess(int pid, Path program, List<String> command) {
    private static final String DELETED = " (deleted)";

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
            throw new Failure(
                    status, "process " + pid + " has ended: its parent has not waited for it yet.");
        }
        if (pid == ProcessHandle.current().pid()) {
            throw new Failure(status, "process " + pid + " is madt itself.");
        }
        try {
            return new RunningProcess(pid, program(folder), command(folder));
        } catch (IOException e) {
            throw new Failure(
                    status,
                    "process " + pid + " cannot be looked at: it is another user's, or has no"
                            + " memory of its own (a kernel thread). Run madt as its user, or with"
                            + " sudo.");
        }
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
