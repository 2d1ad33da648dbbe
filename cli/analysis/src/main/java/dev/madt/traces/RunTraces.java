package dev.madt.traces;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.file.TraceEnds;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;

/**
 * The traces of one run, as the list of processes in its first trace names them; they lie in one
 * folder.
 */
public record RunTraces(Path first, List<ProcessImage> processes) {
    /** @throws Failure if the trace has no list of processes */
    public static RunTraces of(Path first) throws Failure, IOException {
        TraceEnds ends = TraceEnds.read(first);
        if (ends == null || ends.processes().isEmpty()) {
            throw new Failure(
                    Status.FAILED,
                    first
                            + " has no list of processes: it is not the first trace of a run, or"
                            + " not complete. Name the traces one by one, without --all.");
        }
        return new RunTraces(first, ends.processes());
    }

    /** The trace in a folder that has a list of processes; of several the newest. */
    public static Path first(Path folder) throws Failure, IOException {
        Path found = null;
        FileTime last = null;
        try (DirectoryStream<Path> traces = Files.newDirectoryStream(folder, "*.madt*")) {
            for (Path trace : traces) {
                TraceEnds ends = Files.isRegularFile(trace) ? TraceEnds.read(trace) : null;
                FileTime written = ends == null || ends.processes().isEmpty()
                        ? null
                        : Files.getLastModifiedTime(trace);
                if (written != null && (last == null || written.compareTo(last) > 0)) {
                    found = trace;
                    last = written;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        found = found == null ? newest(folder) : found;
        if (found == null) {
            throw new Failure(
                    Status.FAILED,
                    "there is no trace in " + folder + ". Make one with: madt run -o " + folder
                            + "/ -- PROGRAM");
        }
        return found;
    }

    /** The file {@code *.madt} in a directory that was written last, null if there is none. */
    public static Path newest(Path directory) throws IOException {
        Path newest = null;
        FileTime last = null;
        try (DirectoryStream<Path> traces = Files.newDirectoryStream(directory, "*.madt")) {
            for (Path trace : traces) {
                FileTime written =
                        Files.isRegularFile(trace) ? Files.getLastModifiedTime(trace) : null;
                if (written != null && (last == null || written.compareTo(last) > 0)) {
                    newest = trace;
                    last = written;
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return newest;
    }

    /** Adds the files to a set; says which are not there. */
    public void files(Messages messages, Set<Path> to) {
        processes.stream().filter(RunTraces::isTraced).forEach(process -> {
            Path file = file(process);
            if (Files.exists(file)) {
                to.add(file);
            } else {
                messages.say(
                        file + " of process " + process.pid() + " is not there: it is left out.");
            }
        });
    }

    private static boolean isTraced(ProcessImage process) {
        return !process.trace().isEmpty();
    }

    /**
     * The trace of a process, which is that of its parent for a child of vfork; that of the first
     * one may have been renamed.
     */
    Path file(ProcessImage process) {
        boolean own = processes.stream()
                .filter(RunTraces::isTraced)
                .findFirst()
                .map(other -> other.trace().equals(process.trace()))
                .orElse(false);
        return own ? first : first.resolveSibling(process.trace());
    }
}
