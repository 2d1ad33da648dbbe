package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what the chain of calls of an allocation costs ({@code madt-native/bench/chains.c}): an
 * allocation and its end have a chain each. The program runs alone, recorded without chains and
 * with them, and under heaptrack where that is installed, whose allocations have chains; they take
 * turns, so that all see the same machine; of each figure the best round counts.
 */
public final class ChainsBenchmark {
    private static final Map<String, Integer> GOALS = Map.of("near", 250, "cold", 1000);

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public ChainsBenchmark(int repetitions, int rounds) {
        this.repetitions = repetitions;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        Path profile = folder.resolve("heaptrack");
        try {
            TimedKinds program = new TimedKinds(home, "chains", repetitions);
            Map<String, Double> alone = new LinkedHashMap<>();
            Map<String, Double> sites = new LinkedHashMap<>();
            Map<String, Double> chains = new LinkedHashMap<>();
            Map<String, Double> heaptrack = new LinkedHashMap<>();
            for (int i = 0; i < rounds; i++) {
                program.better(alone, List.of());
                program.better(sites, madt(trace, 1));
                program.better(chains, madt(trace, 20));
                heaptrack(program, heaptrack, profile);
            }
            print(out, alone, sites, chains, heaptrack);
        } finally {
            Files.deleteIfExists(trace);
            for (String ending : List.of("", ".gz", ".zst")) {
                Files.deleteIfExists(folder.resolve(profile.getFileName() + ending));
            }
            Files.delete(folder);
        }
    }

    private static void heaptrack(TimedKinds program, Map<String, Double> best, Path profile)
            throws Failure, InterruptedException {
        try {
            program.better(best, List.of("heaptrack", "-o", profile.toString()));
        } catch (IOException e) {
            best.clear(); // it is not installed
        }
    }

    private List<String> madt(Path trace, int chain) {
        return List.of(
                home.resolve("madt").toString(),
                "run",
                "-q",
                "--chain",
                Integer.toString(chain),
                "-f",
                "-o",
                trace.toString(),
                "--");
    }

    private static void print(
            PrintStream out,
            Map<String, Double> alone,
            Map<String, Double> sites,
            Map<String, Double> chains,
            Map<String, Double> heaptrack) {
        out.printf(
                Locale.ROOT,
                "nanoseconds of processor time; a chain is half of what --chain 20 takes longer%n"
                        + "%-6s %8s %10s %10s %8s %10s%n",
                "",
                "alone",
                "--chain 1",
                "--chain 20",
                "chain",
                "heaptrack");
        alone.forEach((name, time) -> out.printf(
                Locale.ROOT,
                "%-6s %8.0f %10.0f %10.0f %8.0f %10s%s%n",
                name,
                time,
                sites.get(name),
                chains.get(name),
                (chains.get(name) - sites.get(name)) / 2,
                heaptrack.containsKey(name)
                        ? String.format(Locale.ROOT, "%.0f", heaptrack.get(name) - time)
                        : "-",
                GOALS.containsKey(name)
                        ? "   goal: at most " + GOALS.get(name) + ", 1/5 of heaptrack's"
                        : ""));
    }
}
