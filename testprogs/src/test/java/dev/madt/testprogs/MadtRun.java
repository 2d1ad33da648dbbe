package dev.madt.testprogs;

import static java.util.stream.Collectors.joining;

import dev.madt.testing.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One run of a command, {@code ./madt} above all, with everything that it left behind.
 *
 * @param status exit status; 128 + signal if a signal ended it
 */
public record MadtRun(int status, byte[] output, String errors) {
    private static final int LIMIT_SECONDS = 600;
    private static final Set<String> RECORDERS = Set.of("run", "trace");
    /** Commands that do nothing to their process and read no trace. */
    private static final Set<String> LOOKERS = Set.of("cfg", "ctl", "events", "functions");

    /** The root of the repository: the parent of this module. */
    public static Path root() {
        return Path.of(System.getProperty("basedir", "."))
                .toAbsolutePath()
                .normalize()
                .getParent();
    }

    /** A program built from src/. */
    public static Path program(String name) {
        return root().resolve("testprogs/target/bin").resolve(name);
    }

    public static Path launcher() {
        return root().resolve("madt");
    }

    /**
     * Runs {@code madt ARGUMENTS} in the given directory: what only reads a trace in the JVM of the
     * test, where it needs a tenth of the time, and all else as {@link #command} does. Nothing is
     * said of what is hot or wrong in a recording: that takes as long as to record a short program.
     */
    public static MadtRun madt(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (ReadingHere.fits(words)) {
            return new ReadingHere(directory, words).run();
        }
        if (!Tier.SOAK && records(words)) {
            words.add(1, "--no-hottest");
        }
        words.add(0, launcher().toString());
        return command(directory, words);
    }

    /**
     * Runs {@code madt ARGUMENTS} in the given directory as {@link #command} does, for tests of all
     * that a user is told of a recording.
     */
    public static MadtRun told(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add(0, launcher().toString());
        return command(directory, words);
    }

    /**
     * Returns all that {@code madt ARGUMENTS} would print on a terminal, as it was printed; null if
     * only a process of its own can tell.
     *
     * @param environment of what records
     */
    public static String shown(
            Path directory, List<String> arguments, Map<String, String> environment)
            throws IOException, InterruptedException {
        if (ReadingHere.fits(arguments)) {
            return new ReadingHere(directory, arguments).shown();
        }
        if (!isWarm(arguments)) {
            return null;
        }
        Path both = Files.createTempFile("madt-shown", ".txt");
        Path variables = WarmLauncher.file(environment);
        try {
            WarmLauncher.run(directory, arguments, variables, both, both, LIMIT_SECONDS);
            return Files.readString(both);
        } finally {
            Files.delete(both);
            Files.delete(variables);
        }
    }

    /**
     * Runs {@code ./madt ARGUMENTS} in the given directory, for tests of the process itself: how it
     * starts, what it inherits, and how it ends.
     */
    public static MadtRun process(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(launcher().toString());
        command.addAll(List.of(arguments));
        return process(directory, command);
    }

    /**
     * Runs any command as {@link #command} does, where {@code /dev/shm} is a file system of its own
     * with room for so much. This needs the right to mount.
     *
     * @param size as mount(8) has it, such as {@code 5m}
     */
    public static MadtRun withSharedMemory(Path directory, String size, List<String> command)
            throws IOException, InterruptedException {
        String mount = "mount -t tmpfs -o size=" + size + " tmpfs /dev/shm && exec \"$@\"";
        List<String> all = new ArrayList<>(List.of("unshare", "-m", "sh", "-c", mount, "sh"));
        all.addAll(command);
        return command(directory, all);
    }

    /** Runs any command, without input, for ten minutes at most, as a process of its own. */
    public static MadtRun process(Path directory, List<String> command)
            throws IOException, InterruptedException {
        return run((output, errors) -> start(directory, command, LIMIT_SECONDS, output, errors));
    }

    /**
     * Runs any command, without input, for ten minutes at most; if it is the launcher, on the Java
     * of the test.
     */
    public static MadtRun command(Path directory, List<String> command)
            throws IOException, InterruptedException {
        return command(directory, command, LIMIT_SECONDS);
    }

    /**
     * Runs any command, without input, for so many seconds at most; what records or looks at a
     * program in a {@link WarmLauncher}, but for the soak profile, where all is as users start it.
     */
    public static MadtRun command(Path directory, List<String> command, int limit)
            throws IOException, InterruptedException {
        List<String> words = command.subList(1, command.size());
        boolean warm = command.get(0).equals(launcher().toString()) && isWarm(words);
        return run((output, errors) -> warm
                ? WarmLauncher.run(
                        directory, words, WarmLauncher.environment(), output, errors, limit)
                : start(directory, command, limit, output, errors));
    }

    /**
     * Runs {@code madt ARGUMENTS} in the given directory, in a JVM that is there in the soak
     * profile, too: for what is done a thousand times.
     */
    public static MadtRun repeated(Path directory, String... arguments)
            throws IOException, InterruptedException {
        return run((output, errors) -> WarmLauncher.run(
                directory,
                List.of(arguments),
                WarmLauncher.environment(),
                output,
                errors,
                LIMIT_SECONDS));
    }

    /** Returns whether a command of madt may run in a JVM that is there. */
    private static boolean isWarm(List<String> words) {
        return !Tier.SOAK && (records(words) || !words.isEmpty() && LOOKERS.contains(words.get(0)));
    }

    private static boolean records(List<String> words) {
        return !words.isEmpty() && RECORDERS.contains(words.get(0));
    }

    /** Says how a command is run, whose outputs go to two files. */
    private interface Way {
        int run(Path output, Path errors) throws IOException, InterruptedException;
    }

    private static MadtRun run(Way way) throws IOException, InterruptedException {
        Path output = Files.createTempFile("madt-output", ".bin");
        Path errors = Files.createTempFile("madt-errors", ".txt");
        try {
            int status = way.run(output, errors);
            return new MadtRun(
                    status,
                    Files.readAllBytes(output),
                    Files.readString(errors, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; stderr: " + Files.readString(errors), e);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static int start(
            Path directory, List<String> command, int limit, Path output, Path errors)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        if (!process.waitFor(limit, TimeUnit.SECONDS)) {
            throw new IOException(
                    command + " did not end within " + limit + " s; running: " + endAll(process));
        }
        return process.exitValue();
    }

    /** Ends a process and all that it has started, and returns what was running. */
    static String endAll(Process process) {
        List<ProcessHandle> left = process.descendants().toList();
        String running = left.stream().map(MadtRun::running).collect(joining(", "));
        left.forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        return running;
    }

    private static String running(ProcessHandle process) {
        return process.info().command().orElse("?") + " ("
                + process.info().totalCpuDuration().map(Duration::toString).orElse("?") + ")";
    }

    public String text() {
        return new String(output, StandardCharsets.UTF_8);
    }

    /** This run, if it ended with the status; otherwise an error that shows what it said. */
    public MadtRun expect(int wanted) {
        if (status != wanted) {
            throw new AssertionError(
                    "status " + status + " instead of " + wanted + "; stderr: " + errors);
        }
        return this;
    }
}
