package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A build: {@code make -j2} of many small C files, whose processes (make, the compiler's driver,
 * cc1, as, ld) each run for some milliseconds. What counts is what MadT needs for a process, in the
 * process and in the launcher: alone, where nothing is recorded ({@code --start marker}), and
 * recorded. The plans are in the cache. The fastest round counts.
 */
public final class BuildBenchmark {
    private static final double MIB = 1024;
    private static final int GOAL = 3;

    private final int files;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    /** A build that took the least processor time, and its seconds by the clock. */
    private record Built(MeasuredProcess process, double clock) {
        Built better(Built other) {
            return other == null || process.seconds() < other.process.seconds() ? this : other;
        }
    }

    /** @param files C files */
    public BuildBenchmark(int files, int rounds) {
        this.files = files;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        try {
            for (int i = 0; i < files; i++) {
                Files.writeString(folder.resolve("file" + i + ".c"), source(i));
            }
            measure(folder, "some", "main"); // fills the cache
            Built alone = null;
            Built waiting = null;
            Built recorded = null;
            for (int i = 0; i < rounds; i++) {
                alone = measure(folder, "all", null).better(alone);
                waiting = measure(folder, "all", "marker").better(waiting);
                recorded = measure(folder, "all", "main").better(recorded);
            }
            long traces = names(folder).filter(name -> name.contains(".madt")).count();
            out.printf(
                    Locale.ROOT,
                    "make -j2 of %d C files, %d programs executed; seconds by the clock and of"
                            + " processor time, how much%nof it the launcher's, its MiB. Goal:"
                            + " --start marker %d x alone in processor time.%n%n%-16s %6s"
                            + " %9s %8s %8s %5s%n",
                    files,
                    traces,
                    GOAL,
                    "",
                    "clock",
                    "processor",
                    "x alone",
                    "launcher",
                    "MiB");
            out.printf(
                    Locale.ROOT,
                    "%-16s %6.2f %9.2f%n",
                    "alone",
                    alone.clock(),
                    alone.process().seconds());
            print(out, "--start marker", waiting, alone);
            print(out, "recorded", recorded, alone);
        } finally {
            clean(folder, "");
            Files.delete(folder);
        }
    }

    private static void print(PrintStream out, String name, Built built, Built alone) {
        out.printf(
                Locale.ROOT,
                "%-16s %6.2f %9.2f %8.1f %8.2f %5.0f%n",
                name,
                built.clock(),
                built.process().seconds(),
                built.process().seconds() / alone.process().seconds(),
                built.process().ownSeconds(),
                built.process().peakKib() / MIB);
    }

    private static String source(int number) {
        return """
                int table%1$d[64];

                int sum%1$d(const int *values, int count) {
                    int sum = 0;
                    for (int i = 0; i < count; i++) {
                        sum += values[i] * %1$d + table%1$d[i & 63];
                    }
                    return sum;
                }
                """
                .formatted(number);
    }

    private static String makefile(int files) {
        StringBuilder makefile = new StringBuilder("all: all.so\nsome: some.so\n");
        makefile.append("%.o: %.c\n\tgcc -O1 -fPIC -c -o $@ $<\n");
        makefile.append("%.so:\n\tgcc -shared -o $@ $^\n");
        makefile.append("some.so: file0.o\nall.so:");
        for (int i = 0; i < files; i++) {
            makefile.append(" file").append(i).append(".o");
        }
        return makefile.append('\n').toString();
    }

    /** @param start when the recording is to start; null: without MadT */
    private Built measure(Path folder, String target, String start)
            throws Failure, IOException, InterruptedException {
        clean(folder, ".c");
        Files.writeString(folder.resolve("Makefile"), makefile(files));
        List<String> words = new ArrayList<>();
        if (start != null) {
            words.addAll(List.of(
                    home.resolve("madt").toString(),
                    "run",
                    "-q",
                    "-f",
                    "-o",
                    folder.resolve("%p.madt").toString(),
                    "--start",
                    start,
                    "--"));
        }
        words.addAll(List.of("make", "-s", "-j2", "-C", folder.toString(), target));
        long begin = System.nanoTime();
        MeasuredProcess process = MeasuredProcess.run(words);
        return new Built(process, (System.nanoTime() - begin) / 1e9);
    }

    private static Stream<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList().stream();
        }
    }

    /** Deletes all files but those whose names end so; all if that is empty. */
    private static void clean(Path folder, String kept) throws IOException {
        for (String name : names(folder).toList()) {
            if (kept.isEmpty() || !name.endsWith(kept)) {
                Files.delete(folder.resolve(name));
            }
        }
    }
}
