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
 * Accesses per second of processor time with which a trace of sqlite3 is read, each in a process of
 * its own, its start included: code and data of a program that nobody wrote for a benchmark. The
 * fastest round counts.
 */
final class RecordedReading {
    /** Lists of all events are made of a smaller trace: this part of the whole. */
    private static final int LISTED_PART = 10;

    private static final double COUNTED_GOAL = 50e6;
    private static final double LISTED_GOAL = 3e6;
    private static final double INFO_GOAL = 0.3;

    private final String madt;
    private final Path folder;
    private final int rounds;

    /** @param folder for files, which are gone behind {@link #run} */
    RecordedReading(String madt, Path folder, int rounds) {
        this.madt = madt;
        this.folder = folder;
        this.rounds = rounds;
    }

    /** Measures on traces of about so many accesses; says so where sqlite3 is not installed. */
    void run(PrintStream out, long accesses) throws Failure, IOException, InterruptedException {
        if (!RecordedSqlite.isThere(out)) {
            return;
        }
        Path trace = folder.resolve("sqlite3.madt");
        Path result = folder.resolve("result");
        try {
            long counted = RecordedSqlite.record(madt, trace, accesses);
            out.printf(
                    Locale.ROOT,
                    "%nsqlite3, %,d accesses; goals: %,.0f counted/s, %,.0f listed/s,"
                            + " info in %.1f s%n",
                    counted,
                    COUNTED_GOAL,
                    LISTED_GOAL,
                    INFO_GOAL);
            out.printf(Locale.ROOT, "%-16s %14s %10s%n", "", "per second", "peak MiB");
            row(out, "report", counted, "report");
            row(out, "report by site", counted, "report", "--by", "site");
            row(out, "heatmap", counted, "heatmap", "-f", "-o", result + ".html");
            row(out, "callgrind", counted, "convert", "-f", "--to", "callgrind", "-o", "-");
            MeasuredProcess info =
                    MeasuredProcess.best(rounds, List.of(madt, "info", trace.toString()));
            out.printf(
                    Locale.ROOT,
                    "%-16s %12.2f s %10d%n",
                    "info",
                    info.seconds(),
                    info.peakKib() >> 10);
            long listed = RecordedSqlite.record(madt, trace, accesses / LISTED_PART);
            row(out, "csv", listed, "convert", "-f", "--to", "csv", "-o", "-");
            row(out, "jsonl", listed, "convert", "-f", "--to", "jsonl", "-o", "-");
        } finally {
            Files.deleteIfExists(trace);
            Files.deleteIfExists(Path.of(result + ".html"));
        }
    }

    private void row(PrintStream out, String what, long accesses, String... command)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(madt));
        words.addAll(List.of(command));
        words.add(folder.resolve("sqlite3.madt").toString());
        MeasuredProcess.best(rounds, words).row(out, what, accesses);
    }
}
