package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program recorded once, and what {@code madt convert} and {@code madt report} make of it. */
public final class ConvertedTrace {
    private final Path directory;
    private final Path trace;

    private ConvertedTrace(Path directory, Path trace) {
        this.directory = directory;
        this.trace = trace;
    }

    /** @param directory for the files that are made of the trace */
    public static ConvertedTrace record(Path directory, Path program) {
        return new ConvertedTrace(directory, Recording.of(program));
    }

    public Path trace() {
        return trace;
    }

    /** A file in another format. */
    public Path to(String format, String... options) throws IOException, InterruptedException {
        Path file = Files.createTempFile(directory, "converted", "." + format);
        List<String> arguments =
                new ArrayList<>(List.of("convert", "--to", format, "-f", "-o", file.toString()));
        arguments.addAll(List.of(options));
        arguments.add(trace.toString());
        MadtRun.madt(directory, arguments.toArray(String[]::new)).expect(0);
        return file;
    }

    /** The cells of the report's total, in the order of its headings, as CSV rows added up. */
    public long[] reportTotals(String key) throws IOException, InterruptedException {
        String csv = MadtRun.madt(
                        directory, "report", "--by", key, "--format", "csv", trace.toString())
                .expect(0)
                .text();
        long[] totals = new long[6];
        for (String line : csv.lines().skip(1).toList()) {
            String[] cells = line.split(",");
            for (int i = 1; i < totals.length; i++) {
                totals[i] += Long.parseLong(cells[i]);
            }
        }
        return totals;
    }
}
