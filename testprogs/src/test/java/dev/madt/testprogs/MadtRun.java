package dev.madt.testprogs;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One run of a command, {@code ./madt} above all, with everything that it left behind.
 *
 * @param status exit status; 128 + signal if a signal ended it
 */
public record MadtRun(int status, byte[] output, String errors) {
    private static final int LIMIT_SECONDS = 600;

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
     * test, where it needs a tenth of the time, and all else by {@code ./madt}.
     */
    public static MadtRun madt(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> words = List.of(arguments);
        return ReadingHere.fits(words)
                ? new ReadingHere(directory, words).run()
                : process(directory, arguments);
    }

    /**
     * Returns all that {@code madt ARGUMENTS} would print on a terminal, as it was printed; null if
     * it does more than read a trace.
     */
    public static String shown(Path directory, List<String> arguments) {
        return ReadingHere.fits(arguments) ? new ReadingHere(directory, arguments).shown() : null;
    }

    /** Runs {@code ./madt ARGUMENTS} in the given directory, for tests of the process itself. */
    public static MadtRun process(Path directory, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(launcher().toString());
        command.addAll(List.of(arguments));
        return command(directory, command);
    }

    /**
     * Runs any command, without input, for ten minutes at most; if it is the launcher, on the Java
     * of the test.
     */
    public static MadtRun command(Path directory, List<String> command)
            throws IOException, InterruptedException {
        return command(directory, command, LIMIT_SECONDS);
    }

    /** Runs any command, without input, for so many seconds at most. */
    public static MadtRun command(Path directory, List<String> command, int limit)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("madt-output", ".bin");
        Path errors = Files.createTempFile("madt-errors", ".txt");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            if (!process.waitFor(limit, TimeUnit.SECONDS)) {
                List<ProcessHandle> left = process.descendants().toList();
                String running = left.stream().map(MadtRun::running).collect(joining(", "));
                left.forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException(command + " did not end within " + limit + " s; running: "
                        + running + "; stderr: " + Files.readString(errors));
            }
            return new MadtRun(
                    process.exitValue(),
                    Files.readAllBytes(output),
                    Files.readString(errors, StandardCharsets.ISO_8859_1));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
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
