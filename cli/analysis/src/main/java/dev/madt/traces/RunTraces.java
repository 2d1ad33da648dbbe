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
import java.util.ArrayList;
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

    /** Key of META: traces that have the same were made by one command, a run each. */
    private static final String TOGETHER = "together";

    /**
     * The trace in a folder that has a list of processes; of several the newest, and of those that
     * were recorded together the one that has most accesses.
     */
    public static Path first(Path folder) throws Failure, IOException {
        Path most = newestFirst(folder);
        long accesses = -1;
        for (Path trace : together(most)) {
            TraceEnds ends = TraceEnds.read(trace);
            if (ends != null && ends.index().accesses() > accesses) {
                most = trace;
                accesses = ends.index().accesses();
            }
        }
        return most;
    }

    /**
     * This first trace of a run, and behind it those of the other runs that the same command
     * recorded, which lie in the same folder.
     */
    public static List<Path> together(Path first) throws IOException {
        String together = togetherOf(first);
        List<Path> all = new ArrayList<>(List.of(first));
        if (together == null) {
            return all;
        }
        Path folder = first.toAbsolutePath().getParent();
        try (DirectoryStream<Path> traces = Files.newDirectoryStream(folder, "*.madt*")) {
            for (Path trace : traces) {
                Path named = first.resolveSibling(trace.getFileName());
                if (!named.equals(first) && together.equals(togetherOf(named))) {
                    all.add(named);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        all.subList(1, all.size()).sort(null);
        return all;
    }

    /** Null if a run was recorded alone, or the trace is none that is whole. */
    private static String togetherOf(Path first) throws IOException {
        TraceEnds ends = Files.isRegularFile(first) ? TraceEnds.read(first) : null;
        return ends == null || ends.processes().isEmpty() ? null : ends.meta().get(TOGETHER);
    }

    private static Path newestFirst(Path folder) throws Failure, IOException {
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
