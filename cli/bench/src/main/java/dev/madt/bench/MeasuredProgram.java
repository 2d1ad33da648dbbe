package dev.madt.bench;

import dev.madt.collector.BufferReader;
import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.session.Engine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program of {@code madt-native/bench} that does its work so many times as it is told, between
 * markers, and times that work itself ({@code measured.h}): by itself, under madt, under Lackey.
 */
final class MeasuredProgram {
    private static final int MINUTES = 5;
    private static final Pattern WROTE =
            Pattern.compile("madt: wrote .*: ([0-9,]+) access(?:es)? ");

    /**
     * One run; all times in nanoseconds.
     *
     * @param time of the work, by the clock
     * @param processor of the work: user and system time of the program
     * @param finished from the beginning of the work until all that was started had ended
     * @param accesses that madt says it wrote; 0 if it wrote none
     */
    record Run(long time, long processor, long finished, long accesses) {
        /** The better of two, figure by figure; {@code other} may be null. */
        Run better(Run other) {
            return other == null
                    ? this
                    : new Run(
                            Math.min(time, other.time),
                            Math.min(processor, other.processor),
                            Math.min(finished, other.finished),
                            Math.max(accesses, other.accesses));
        }
    }

    private final Path home;
    private final Path file;

    /** @throws Failure if it has not been built */
    MeasuredProgram(Path home, String name) throws Failure {
        this.home = home;
        this.file = home.resolve("madt-native/target/bench").resolve(name);
        if (!Files.isExecutable(file)) {
            throw new Failure(
                    Status.FAILED, file + " is not there. Build it with: make -C madt-native");
        }
    }

    private MeasuredProgram(Path home, Path file) {
        this.home = home;
        this.file = file;
    }

    /**
     * Returns the same program with ThreadSanitizer compiled in; null if the compiler cannot do
     * that.
     *
     * @param made the file to make
     */
    MeasuredProgram withThreadSanitizer(Path made) throws IOException, InterruptedException {
        return compiled(home, file.getFileName() + ".c", made, "-pthread", "-fsanitize=thread");
    }

    /**
     * Returns a program that the benchmark compiles itself; null if the compiler cannot do that.
     *
     * @param source in {@code madt-native/bench}
     * @param made the file to make
     * @param more options and libraries of the compiler
     */
    static MeasuredProgram compiled(Path home, String source, Path made, String... more)
            throws IOException, InterruptedException {
        Path bench = home.resolve("madt-native/bench");
        List<String> words = new ArrayList<>(List.of("cc", "-std=gnu11", "-O2", "-I" + bench));
        words.add("-I" + home.resolve("madt-native/include"));
        words.addAll(List.of("-o", made.toString(), bench.resolve(source).toString()));
        words.addAll(List.of(more));
        return InstalledPrograms.has("cc") && InstalledPrograms.succeeds(words)
                ? new MeasuredProgram(home, made)
                : null;
    }

    Path file() {
        return file;
    }

    Run alone(long repetitions) throws Failure, IOException, InterruptedException {
        return run(List.of(), false, repetitions);
    }

    /** Recorded into a trace file. */
    Run recorded(Engine engine, Path trace, long repetitions)
            throws Failure, IOException, InterruptedException {
        return run(madt(engine, trace, List.of()), false, repetitions);
    }

    /** Recorded into a trace file, with the accesses to stacks. */
    Run recordedWithStack(Engine engine, Path trace, long repetitions)
            throws Failure, IOException, InterruptedException {
        return run(madt(engine, trace, List.of("--stack")), false, repetitions);
    }

    /** Recorded, and what was recorded is released unread. */
    Run discarded(Engine engine, Path trace, long repetitions)
            throws Failure, IOException, InterruptedException {
        return run(madt(engine, trace, List.of()), true, repetitions);
    }

    /** Under Valgrind's Lackey, whose lines go to /dev/null. */
    Run lackey(long repetitions) throws Failure, IOException, InterruptedException {
        return run(
                List.of("valgrind", "--tool=lackey", "--trace-mem=yes", "--log-file=/dev/null"),
                false,
                repetitions);
    }

    private List<String> madt(Engine engine, Path trace, List<String> more) {
        List<String> words = new ArrayList<>(List.of(
                home.resolve("madt").toString(),
                "run",
                "--engine",
                engine.word(),
                "--start",
                "marker",
                "-f",
                "-o",
                trace.toString()));
        words.addAll(more);
        words.add("--");
        return words;
    }

    /** Under some tool; {@code discarding}: what madt records is released unread. */
    Run run(List<String> tool, boolean discarding, long repetitions)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(tool);
        words.add(file.toString());
        words.add(Long.toString(repetitions));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        if (discarding) {
            builder.environment().put(BufferReader.DISCARD, "1");
        }
        Process process = builder.start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        boolean ended = process.waitFor(MINUTES, TimeUnit.MINUTES);
        long end = System.nanoTime();
        if (!ended || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new Failure(
                    Status.FAILED,
                    "'" + String.join(" ", words) + "' failed; the benchmark ends. It said: "
                            + said.strip());
        }
        return read(said, end);
    }

    /** {@code System.nanoTime} is CLOCK_MONOTONIC here, as is the program's clock. */
    private Run read(String said, long end) throws Failure {
        Matcher times = Pattern.compile("(?m)^(\\d+) (\\d+) (\\d+) \\d+$").matcher(said);
        if (!times.find()) {
            throw new Failure(Status.FAILED, file + " printed no times: " + said.strip());
        }
        Matcher wrote = WROTE.matcher(said);
        return new Run(
                Long.parseLong(times.group(2)),
                Long.parseLong(times.group(3)),
                end - Long.parseLong(times.group(1)),
                wrote.find() ? Long.parseLong(wrote.group(1).replace(",", "")) : 0);
    }
}
