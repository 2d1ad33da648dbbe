package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Says what a process cost.
 *
 * @param clock seconds by the clock on the wall
 * @param seconds processor time, user and system, of the process and those that it waited for; to
 *     1/100 (proc(5), cutime)
 * @param ownSeconds what of it is the process's own, but for its last {@value #LOOK_MILLIS} ms
 * @param peakKib VmHWM when it was last looked at, at most {@value #LOOK_MILLIS} ms before the end;
 *     0 if it ended sooner
 */
record MeasuredProcess(double clock, double seconds, double ownSeconds, long peakKib) {
    private static final int LOOK_MILLIS = 10;
    private static final int MINUTES = 5;
    private static final double TICKS = 100;
    private static final double NANOS = 1e9;
    /** Fields behind the command's name in /proc/self/stat, counted from 0. */
    private static final int USER = 11;

    private static final int CHILD_USER = 13;

    /** Returns the folder of MadT's sources, in which the launcher lies. */
    static Path home() {
        return Path.of(System.getProperty("madt.home", ".")).toAbsolutePath().normalize();
    }

    /**
     * Runs a command, its output discarded.
     *
     * @throws Failure if it fails
     */
    static MeasuredProcess run(List<String> command)
            throws Failure, IOException, InterruptedException {
        long started = System.nanoTime();
        long before = ticks("self", CHILD_USER);
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        long peak = 0;
        long own = 0;
        do {
            peak = Math.max(peak, peak(process.pid()));
            own = Math.max(own, ticks(Long.toString(process.pid()), USER));
        } while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        if (process.exitValue() != 0) {
            throw new Failure(
                    Status.FAILED,
                    "'" + String.join(" ", command) + "' failed with status " + process.exitValue()
                            + "; the benchmark ends.");
        }
        return new MeasuredProcess(
                (System.nanoTime() - started) / NANOS,
                (ticks("self", CHILD_USER) - before) / TICKS,
                own / TICKS,
                peak);
    }

    /**
     * Runs a command that measures itself, and returns what it writes to its standard output.
     *
     * @throws Failure if it fails, or does not end
     */
    static String output(List<String> command) throws Failure, IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        process.getOutputStream().close();
        String said =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new Failure(
                    Status.FAILED,
                    "'" + String.join(" ", command) + "' failed; the benchmark ends.");
        }
        return said;
    }

    /** Runs a command several times: the fastest, with the largest peak. */
    static MeasuredProcess best(int rounds, List<String> command)
            throws Failure, IOException, InterruptedException {
        MeasuredProcess best = null;
        for (int i = 0; i < rounds; i++) {
            best = run(command).better(best);
        }
        return best;
    }

    /** Prints how much of something it has done in a second of processor time, and its peak. */
    void row(PrintStream out, String what, long count) {
        out.printf(
                Locale.ROOT,
                "%-16s %,14.0f %10d%n",
                what,
                count / Math.max(seconds, 0.01),
                peakKib >> 10);
    }

    /** The faster of two runs, with the larger peak; {@code other} may be null. */
    MeasuredProcess better(MeasuredProcess other) {
        return other == null
                ? this
                : new MeasuredProcess(
                        Math.min(clock, other.clock),
                        Math.min(seconds, other.seconds),
                        Math.min(ownSeconds, other.ownSeconds),
                        Math.max(peakKib, other.peakKib));
    }

    /** User and system time of a process, or of its children; 0 if it has ended. */
    private static long ticks(String pid, int user) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Long.parseLong(fields[user]) + Long.parseLong(fields[user + 1]);
        } catch (IOException e) {
            return 0;
        }
    }

    private static long peak(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("VmHWM:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0; // it has ended
        }
    }
}
