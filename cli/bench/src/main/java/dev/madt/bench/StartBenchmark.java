package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.console.Status;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measures how long engine {@code splice} holds up the start of a program that does nothing, its
 * plans in the cache: from just before it is started to its {@code main}, less what exec takes
 * natively; and {@code madt run true} as a whole. The fastest round counts.
 */
final class StartBenchmark {
    private static final int GOAL_MILLIS = 50;
    private static final int GOAL_WHOLE = 500;
    private static final Pattern NUMBER = Pattern.compile("(?m)^(\\d+)$");
    private static final Pattern STARTED = Pattern.compile("madt: started at (\\d+) ns");

    private final Path trace;
    private final Path madt;
    private final int rounds;
    private final MeasuredProgram program;

    StartBenchmark(Path home, Path folder, int rounds) throws Failure {
        this.trace = folder.resolve("bench.madt");
        this.madt = home.resolve("madt");
        this.rounds = rounds;
        this.program = new MeasuredProgram(home, "engine_start");
    }

    void print(PrintStream out) throws Failure, IOException, InterruptedException {
        double alone = Double.MAX_VALUE;
        double recorded = Double.MAX_VALUE;
        double whole = Double.MAX_VALUE;
        held(); // fills the cache
        for (int i = 0; i < rounds; i++) {
            alone = Math.min(
                    alone, number(NUMBER, said(List.of(program.file().toString(), "again"))));
            recorded = Math.min(recorded, held());
            long begin = System.nanoTime();
            said(List.of(
                    madt.toString(),
                    "run",
                    "--engine",
                    "splice",
                    "-q",
                    "-f",
                    "-o",
                    trace.toString(),
                    "--",
                    "true"));
            whole = Math.min(whole, System.nanoTime() - begin);
        }
        out.printf(
                Locale.ROOT,
                "%nstart, plans in the cache: exec to main %.1f ms natively, held up %.1f ms by"
                        + " splice (goal %d); madt run true %.0f ms in all (goal %d)%n",
                alone / 1e6,
                (recorded - alone) / 1e6,
                GOAL_MILLIS,
                whole / 1e6,
                GOAL_WHOLE);
    }

    /** Nanoseconds from just before the program is started to its main. */
    private double held() throws Failure, IOException, InterruptedException {
        String said = said(List.of(
                madt.toString(),
                "run",
                "-v",
                "--engine",
                "splice",
                "-f",
                "-o",
                trace.toString(),
                "--",
                program.file().toString()));
        return number(NUMBER, said) - number(STARTED, said);
    }

    private static double number(Pattern pattern, String said) throws Failure {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new Failure(Status.FAILED, "the benchmark finds no time in: " + said.strip());
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static String said(List<String> words)
            throws Failure, IOException, InterruptedException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new Failure(
                    Status.FAILED,
                    "'" + String.join(" ", words) + "' failed; the benchmark ends. It said: "
                            + said.strip());
        }
        return said;
    }
}
