package dev.madt.bench;

import dev.madt.console.Failure;
import dev.madt.session.Engine;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The form of table IV of the MadT paper: by what factor programs take longer when they are traced,
 * for both engines, to a trace file, and for Valgrind's Lackey with its lines to /dev/null. Time is
 * the program's own, by the clock, of the part between the markers.
 */
public final class PaperBenchmark {
    /**
     * @param whole repetitions of a full run
     * @param trap repetitions of the run with engine trap; its time is scaled
     * @param lackey the same for Lackey
     */
    private record Case(String name, String unit, long whole, long trap, long lackey) {}

    private static final List<Case> CASES = List.of(
            new Case("calloc", "a call", 500_000, 2_000, 20_000),
            new Case("realloc", "a call", 500_000, 2_000, 20_000),
            new Case("read", "4 KiB", 200_000, 5_000, 20_000),
            new Case("mmap", "four pages", 50_000, 1_000, 5_000),
            new Case("fwrite", "100 bytes", 1_000_000, 10_000, 20_000),
            new Case("mandelbrot", "a row", 1_920, 40, 40),
            new Case("disparity", "a row of 352", 288, 16, 72));

    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public PaperBenchmark(int rounds) {
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        try {
            out.printf(
                    Locale.ROOT,
                    """
                    How many times as long the programs take; untraced: 1. Best of %d rounds. trap \
                    and Lackey run as many repetitions as
                    said, scaled to the whole.

                    %-11s %-13s %11s %11s | %11s %11s %11s | %11s %11s%n\
                    """,
                    rounds,
                    "",
                    "repetition",
                    "repetitions",
                    "untraced ns",
                    "trap",
                    "splice",
                    "Lackey",
                    "of trap",
                    "of Lackey");
            for (Case one : CASES) {
                measure(out, one, trace);
            }
        } finally {
            Files.deleteIfExists(trace);
            Files.delete(folder);
        }
    }

    private void measure(PrintStream out, Case one, Path trace)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, "paper_" + one.name());
        MeasuredProgram.Run alone = null;
        MeasuredProgram.Run trap = null;
        MeasuredProgram.Run splice = null;
        MeasuredProgram.Run lackey = null;
        for (int i = 0; i < rounds; i++) {
            alone = program.alone(one.whole()).better(alone);
            trap = program.recorded(Engine.TRAP, trace, one.trap()).better(trap);
            splice = program.recorded(Engine.SPLICE, trace, one.whole()).better(splice);
            lackey = program.lackey(one.lackey()).better(lackey);
        }
        double unit = (double) alone.time() / one.whole();
        out.printf(
                Locale.ROOT,
                "%-11s %-13s %,11d %,11.0f | %,11.1f %,11.2f %,11.1f | %,11d %,11d%n",
                one.name(),
                one.unit(),
                one.whole(),
                unit,
                trap.time() / unit / one.trap(),
                splice.time() / unit / one.whole(),
                lackey.time() / unit / one.lackey(),
                one.trap(),
                one.lackey());
    }
}
