package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Peak memory of the commands that read a whole trace, for a long trace beside that for one of a
 * hundredth of its length.
 */
public final class MemoryBenchmark {
    private static final long FEWEST = 5_000_000;
    private static final int PARTS = 100;
    private static final double GOAL = 1.2;
    private static final List<String> COMMANDS = List.of(
            "print",
            "convert --to lackey",
            "convert --to callgrind",
            "report",
            "heatmap -f -o FOLDER/map.png",
            "heatmap -f -o FOLDER/map.html");

    /**
     * Says how often a command reads both traces where the ratio is above the goal: peaks of one
     * command differ by a third, as the garbage collector comes sooner or later. What grows with
     * the trace has a least peak with the long one that is above the greatest with the short one.
     */
    private static final int RUNS = 3;

    private final long accesses;
    private final Path home = MeasuredProcess.home();

    public MemoryBenchmark(long accesses) {
        this.accesses = accesses;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path small = folder.resolve("small.madt");
        Path large = folder.resolve("large.madt");
        try {
            long few = Math.max(FEWEST, accesses / PARTS);
            SyntheticTrace.write(small, few / SyntheticTrace.ACCESSES_PER_RECORD);
            SyntheticTrace.write(large, accesses / SyntheticTrace.ACCESSES_PER_RECORD);
            out.printf(
                    Locale.ROOT,
                    "peak MiB; goal: at most %.1f x%n%-24s %14s %14s %8s%n",
                    GOAL,
                    "accesses",
                    String.format(Locale.ROOT, "%,d", few),
                    String.format(Locale.ROOT, "%,d", accesses),
                    "ratio");
            for (String command : COMMANDS) {
                double before = peak(command, folder, small);
                double after = peak(command, folder, large);
                for (int run = 1; run < RUNS && after > GOAL * before; run++) {
                    before = Math.max(before, peak(command, folder, small));
                    after = Math.min(after, peak(command, folder, large));
                }
                out.printf(
                        Locale.ROOT,
                        "%-24s %14.0f %14.0f %8.2f%n",
                        command.replace("-f -o FOLDER/", ""),
                        before,
                        after,
                        after / before);
            }
        } finally {
            for (String name : List.of("small.madt", "large.madt", "map.png", "map.html")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.delete(folder);
        }
    }

    private double peak(String command, Path folder, Path trace)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(home.resolve("madt").toString()));
        words.addAll(List.of(command.replace("FOLDER", folder.toString()).split(" ")));
        words.add(trace.toString());
        return MeasuredProcess.run(words).peakKib() / 1024.0;
    }
}
