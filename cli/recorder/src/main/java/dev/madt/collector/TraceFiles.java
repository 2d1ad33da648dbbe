package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.OutputName;
import dev.madt.console.Reason;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.trace.file.TraceWriter;
import dev.madt.trace.layout.TraceLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/** Names and makes the trace files of a run. */
final class TraceFiles {
    private static final Path OUTPUT = Path.of("/proc/self/fd/1");
    private static final int TYPE_OF_FILE = 0170000;
    /** Types of files that two writers of would spoil: pipes, files on a disk, sockets. */
    private static final Set<Integer> SHARED = Set.of(0010000, 0100000, 0140000);

    /**
     * A file that frames can go to.
     *
     * @param file null if there is to be none
     * @param writer null without a file, or when it could not be made
     * @param refusal why the file could not be made, or null
     */
    record Opened(Path file, TraceWriter writer, IOException refusal) {}

    private final Recording recording;
    /** Null if traces are not kept. */
    private final OutputName name;
    /**
     * Hashes of the names that traces have: thousands of them cost little so, and two that are
     * equal cost one a {@code .2}.
     */
    private final LongHashSet taken = new LongHashSet();

    TraceFiles(Recording recording) {
        this.recording = recording;
        this.name = recording.output() == null ? null : new OutputName(recording.output());
    }

    /** Returns whether there is to be a file whose name is known before the program runs. */
    boolean areKnown(Path program) throws Failure {
        if (name != null) {
            check(name.of(0, programName(program), true));
        }
        return name != null && !name.dependsOnPid() && recording.programs().include(program);
    }

    /** Makes the file of the first process, whose name is known. */
    Opened first(Path program) throws Failure {
        Opened file = make(0, programName(program), true);
        if (file.refusal() != null) {
            throw new Failure(
                    Status.RUN_FAILED,
                    Reason.unwritable(file.file(), file.refusal()),
                    file.refusal());
        }
        return file;
    }

    /** Makes the file of a process, if there is to be one. */
    Opened make(int pid, String program, boolean first) {
        if (name == null) {
            return new Opened(null, null, null);
        }
        Path file = unused(name.of(pid, program, first));
        try {
            TraceWriter writer = file.equals(OutputName.STANDARD)
                    ? new TraceWriter(new ResultStream(), "standard output", features())
                    : new TraceWriter(file, recording.overwrite(), features());
            return new Opened(file, writer, null);
        } catch (IOException e) {
            return new Opened(file, null, e);
        }
    }

    /** Returns what of {@link TraceLayout} the traces may tell of. */
    int features() {
        return recording.functions().haveValues()
                ? TraceLayout.CALLS | TraceLayout.ARGUMENTS
                : recording.kinds().calls() ? TraceLayout.CALLS : 0;
    }

    private void check(Path file) throws Failure {
        if (recording.takesStandardOutput()) {
            checkTerminal();
        } else if (isTheProgramsOutput(file)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + file + ": the program writes its standard output there."
                            + " With -o - the trace alone goes to standard output, and what the"
                            + " program prints to standard error.");
        } else if (!TraceWriter.isSpecial(file)) {
            checkFolder(file.toAbsolutePath());
        }
    }

    private static void checkTerminal() throws Failure {
        if (Terminal.standardOutput()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write the trace to a terminal: it is no text. Name a file with -o"
                            + " FILE, or use --text - for lines.");
        }
    }

    private static boolean isTheProgramsOutput(Path file) {
        try {
            return Files.exists(file)
                    && Files.isSameFile(file, OUTPUT)
                    && SHARED.contains((int) Files.getAttribute(file, "unix:mode") & TYPE_OF_FILE);
        } catch (IOException e) {
            return false; // standard output is closed
        }
    }

    private void checkFolder(Path file) throws Failure {
        Path folder = file.getParent();
        if (recording.output().endsWith("/")) {
            makeFolder(folder, recording.output());
        }
        if (!Files.isDirectory(folder)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + file + ": there is no directory " + folder
                            + ". Make it with: mkdir -p " + folder);
        }
        if (isDeleted(folder)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + recording.output() + ": the current directory has been"
                            + " deleted. Choose another place with -o FILE.");
        }
        if (!Files.isWritable(folder)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + file + ": " + folder
                            + " is not writable. Choose another place with -o FILE.");
        }
    }

    private static boolean isDeleted(Path folder) {
        try {
            return (int) Files.getAttribute(folder, "unix:nlink") == 0;
        } catch (IOException e) {
            return false; // whoever makes the file is told
        }
    }

    private static void makeFolder(Path folder, String name) throws Failure {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot make the folder " + name + ": " + Reason.root(e) + ".",
                    e);
        }
    }

    /**
     * A process that replaces its image by exec has a trace for each: the later ones get .2, .3 …
     * appended.
     */
    private Path unused(Path file) {
        Path free = file;
        for (int i = 2; !taken.add(hash(free)); i++) {
            free = file.resolveSibling(file.getFileName() + "." + i);
        }
        return free;
    }

    private static long hash(Path file) {
        long hash = 0;
        String name = file.toString();
        for (int i = 0; i < name.length(); i++) {
            hash = hash * 0x9e3779b97f4a7c15L + name.charAt(i);
        }
        return hash;
    }

    private static String programName(Path program) {
        return program.getFileName().toString();
    }
}
