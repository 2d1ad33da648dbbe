package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how long a process stands still when a tool comes into it: a thread of {@code
 * madt-native/bench/stalls.c} looks at the clock again and again. Besides MadT there are {@code
 * dlopen} called by gdb, which is what most tools do, and heaptrack, if they are installed. The
 * tools take turns.
 */
public final class AttachBenchmark {
    private static final int[] THREADS = {1, 8, 64};
    private static final double MILLION = 1e6;
    /** Milliseconds; for 64 threads. */
    private static final double GOAL = 5;

    private static final int SETTLE_MILLIS = 300;
    private static final int MOST_SECONDS = 60;
    private static final Pattern SAID = Pattern.compile("stood still for ([0-9.]+) ms");

    /** Comes into a process, and returns what it says of the time itself, or NaN. */
    private interface Tool {
        double attach(Process target) throws Failure, IOException, InterruptedException;
    }

    /** Milliseconds of a tool, by round. */
    private record Figures(String name, Tool tool, List<Double> stalls, List<Double> said) {
        Figures(String name, Tool tool) {
            this(name, tool, new ArrayList<>(), new ArrayList<>());
        }
    }

    private final int rounds;
    private final Path home = MeasuredProcess.home();
    private final Path program = home.resolve("madt-native/target/bench/stalls");
    private Path folder;

    public AttachBenchmark(int rounds) {
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        if (!Files.isExecutable(program)) {
            throw new Failure(
                    Status.FAILED, program + " is not there. Build it with: make -C madt-native");
        }
        folder = Files.createTempDirectory("madt-bench");
        try {
            out.printf(
                    Locale.ROOT,
                    "%-7s %-14s %14s %9s   %s%n",
                    "threads",
                    "",
                    "longest stall",
                    "the worst",
                    "of them all stopped, as the tool says");
            for (int threads : THREADS) {
                measure(threads).forEach(figures -> print(out, threads, figures));
            }
        } finally {
            for (String name : List.of("trace.madt", "said", "heaptrack.zst", "heaptrack.gz")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(folder);
        }
    }

    private List<Figures> measure(int threads) throws Failure, IOException, InterruptedException {
        List<Figures> all = new ArrayList<>();
        all.add(new Figures("no tool", target -> Double.NaN));
        all.add(new Figures("madt", this::madt));
        if (InstalledPrograms.has("gdb")) {
            all.add(new Figures("gdb, dlopen", this::gdb));
        }
        if (InstalledPrograms.has("heaptrack")) {
            all.add(new Figures("heaptrack -p", this::heaptrack));
        }
        for (int round = 0; round <= rounds; round++) {
            for (Figures figures : all) {
                measure(threads, figures, round > 0);
            }
        }
        return all;
    }

    /** The first round makes plans, and fills caches. */
    private void measure(int threads, Figures figures, boolean counts)
            throws Failure, IOException, InterruptedException {
        Process target = new ProcessBuilder(program.toString(), Integer.toString(threads)).start();
        try (BufferedReader answers = target.inputReader(StandardCharsets.US_ASCII)) {
            Thread.sleep(SETTLE_MILLIS);
            stall(target, answers);
            double said = figures.tool.attach(target);
            double stall = stall(target, answers);
            if (counts) {
                figures.stalls.add(stall);
                figures.said.add(said);
            }
        } finally {
            target.destroyForcibly().waitFor();
        }
    }

    private static double stall(Process target, BufferedReader answers) throws IOException {
        target.getOutputStream().write('\n');
        target.getOutputStream().flush();
        return Long.parseLong(answers.readLine()) / MILLION;
    }

    private static void print(PrintStream out, int threads, Figures figures) {
        double said = median(figures.said);
        out.printf(
                Locale.ROOT,
                "%-7d %-14s %11.1f ms %6.1f ms   %s%n",
                threads,
                figures.name,
                median(figures.stalls),
                Collections.max(figures.stalls),
                Double.isNaN(said)
                        ? ""
                        : String.format(Locale.ROOT, "%.1f ms; goal: at most %.0f", said, GOAL));
    }

    private static double median(List<Double> figures) {
        return figures.stream().sorted().toList().get(figures.size() / 2);
    }

    private double madt(Process target) throws Failure, IOException, InterruptedException {
        String said = run(
                home.resolve("madt").toString(),
                "run",
                "-f",
                "--no-hottest",
                "--lossy",
                "--for",
                "100ms",
                "-o",
                folder.resolve("trace.madt").toString(),
                "-p",
                Long.toString(target.pid()));
        Matcher matcher = SAID.matcher(said);
        if (!matcher.find()) {
            throw new Failure(Status.FAILED, "madt cannot attach: " + said.strip());
        }
        return Double.parseDouble(matcher.group(1));
    }

    /** A library that the program does not have yet. */
    private double gdb(Process target) throws Failure, IOException, InterruptedException {
        run(
                "gdb",
                "-q",
                "-nx",
                "-batch",
                "-p",
                Long.toString(target.pid()),
                "-ex",
                "call (void *)dlopen(\"libm.so.6\", 2)",
                "-ex",
                "detach");
        return Double.NaN;
    }

    /** It stays in the process until that ends. */
    private double heaptrack(Process target) throws IOException, InterruptedException {
        Process heaptrack = new ProcessBuilder(
                        "heaptrack",
                        "-o",
                        folder.resolve("heaptrack").toString(),
                        "-p",
                        Long.toString(target.pid()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        for (int i = 0; i < MOST_SECONDS && !said().contains("injection finished"); i++) {
            heaptrack.waitFor(1, TimeUnit.SECONDS);
        }
        heaptrack.destroy();
        heaptrack.waitFor(1, TimeUnit.SECONDS);
        return Double.NaN;
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("said"));
    }

    private String run(String... command) throws Failure, IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("said").toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly().waitFor();
            throw new Failure(Status.FAILED, command[0] + " fails: " + said().strip());
        }
        return said();
    }
}
