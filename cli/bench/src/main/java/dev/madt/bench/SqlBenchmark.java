package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Rows a second with which {@code madt sql} answers questions about a trace of sqlite3, each in a
 * process of its own, its start included; beside them the same question asked of the trace as
 * Parquet, and of a tenth as csv, which is what one would do without it. The fastest round counts.
 */
public final class SqlBenchmark {
    private static final double COUNTED_GOAL = 30e6;
    private static final double FILTER_GOAL = 5;
    private static final double PARQUET_GOAL = 10e6;
    private static final double BYTES_GOAL = 3;
    private static final int CSV_PART = 10;

    private static final String COUNTS =
            "select function, data, count(*) from %s group by all order by all";
    /** A query that reads, though the session has counted the one above. */
    private static final String BY_THREAD =
            "select thread, function, data, count(*) from accesses group by all order by all";

    private static final String FILTERED = "select data, count(*) from accesses"
            + " where function = '%s' group by all order by all";
    /** The function whose part of all accesses is nearest to a hundredth. */
    private static final String HUNDREDTH = "select function from functions"
            + " order by abs(accesses * 100 / (select sum(accesses) from functions) - 1) limit 1";

    private final long accesses;
    private final int rounds;
    private final String madt = MeasuredProcess.home().resolve("madt").toString();

    public SqlBenchmark(long accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        if (!RecordedSqlite.isThere(out)) {
            return;
        }
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            measure(folder, out);
        } finally {
            remove(folder);
        }
    }

    private void measure(Path folder, PrintStream out)
            throws Failure, IOException, InterruptedException {
        String trace = folder.resolve("sqlite3.madt").toString();
        long counted = RecordedSqlite.record(madt, Path.of(trace), accesses);
        out.printf(
                Locale.ROOT,
                "sqlite3, %,d accesses; goals: %,.0f counted/s by the clock, a filter %.0f times as"
                        + " fast,%nParquet %,.0f rows/s of processor time, %.0f bytes a row%n",
                counted,
                COUNTED_GOAL,
                FILTER_GOAL,
                PARQUET_GOAL,
                BYTES_GOAL);
        out.printf(
                Locale.ROOT,
                "%-30s %16s %16s %9s%n",
                "rows a second",
                "by the clock",
                "of processors",
                "peak MiB");
        String counts = COUNTS.formatted("accesses");
        MeasuredProcess once = row(out, "by function and data", counted, "sql", trace, counts);
        behind(out, "by thread, too, behind that", counted, once, trace, counts, BY_THREAD);
        String function = MeasuredProcess.output(
                        List.of(madt, "sql", "--format", "csv", trace, HUNDREDTH))
                .lines()
                .skip(1)
                .findFirst()
                .orElseThrow()
                .replace("\"", "");
        String filtered = FILTERED.formatted(function);
        row(out, "one function, of all", counted, "sql", trace, filtered);
        behind(out, "the same, behind all", counted, once, trace, counts, filtered);
        Path parquet = folder.resolve("parquet");
        row(
                out,
                "convert --to parquet",
                counted,
                "convert",
                "-f",
                "--to",
                "parquet",
                "-o",
                parquet.toString(),
                trace);
        row(
                out,
                "counts, of Parquet",
                counted,
                "sql",
                trace,
                COUNTS.formatted("'" + parquet + "/*.parquet'"));
        out.printf(
                Locale.ROOT,
                "%-30s %16.2f%n",
                "bytes a row of Parquet",
                (double) size(parquet) / counted);
        csv(folder, trace, out);
    }

    private void csv(Path folder, String trace, PrintStream out)
            throws Failure, IOException, InterruptedException {
        long few = RecordedSqlite.record(madt, Path.of(trace), accesses / CSV_PART);
        String csv = folder.resolve("rows.csv").toString();
        row(
                out,
                "convert --to csv, of a tenth",
                few,
                "convert",
                "-f",
                "--to",
                "csv",
                "--kind",
                "access",
                "-o",
                csv,
                trace);
        String from = "read_csv('" + csv + "')";
        row(
                out,
                "counts, of csv",
                few,
                "sql",
                trace,
                "select function, symbol, count(*) from " + from + " group by all order by all");
    }

    /** Measures a query in one session with one in front of it, which took so long alone. */
    private void behind(
            PrintStream out,
            String what,
            long rows,
            MeasuredProcess first,
            String trace,
            String before,
            String query)
            throws Failure, IOException, InterruptedException {
        MeasuredProcess both =
                MeasuredProcess.best(rounds, List.of(madt, "sql", trace, before + "; " + query));
        row(
                out,
                what,
                rows,
                new MeasuredProcess(
                        both.clock() - first.clock(),
                        both.seconds() - first.seconds(),
                        0,
                        both.peakKib()));
    }

    private MeasuredProcess row(PrintStream out, String what, long rows, String... command)
            throws Failure, IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(madt));
        words.addAll(List.of(command));
        MeasuredProcess best = MeasuredProcess.best(rounds, words);
        row(out, what, rows, best);
        return best;
    }

    private static void row(PrintStream out, String what, long rows, MeasuredProcess took) {
        out.printf(
                Locale.ROOT,
                "%-30s %,16.0f %,16.0f %9d%n",
                what,
                rows / Math.max(took.clock(), 0.01),
                rows / Math.max(took.seconds(), 0.01),
                took.peakKib() >> 10);
    }

    private static long size(Path folder) throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
