package dev.madt.traces;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.event.ProcessImage;
import dev.madt.trace.file.TraceEnds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The processes of a run as a tree: of each image how many accesses its trace holds, for how long
 * it ran, how it ended and its command.
 */
public final class ProcessTree {
    private static final String INDENT = "  ";
    private static final String UNKNOWN = "?";

    private final List<RunTraces> runs = new ArrayList<>();
    private final Map<Integer, Integer> depths = new HashMap<>();
    private final Set<Path> files = new HashSet<>();
    private final StringBuilder text = new StringBuilder();
    private long accesses;
    private long untold;

    private ProcessTree(Path first) throws Failure, IOException {
        for (Path each : RunTraces.together(first)) {
            runs.add(RunTraces.of(each));
        }
        // a parent in front of its children
        runs.sort(Comparator.comparingInt(run -> run.processes().get(0).pid()));
    }

    /** The tree of a run; behind it those of the runs that were recorded together with it. */
    public static String of(Path first) throws Failure, IOException {
        return new ProcessTree(first).render();
    }

    private String render() throws IOException {
        text.append(String.format("%16s %10s  %-12s %s%n", "accesses", "time", "ended", "process"));
        for (RunTraces run : runs) {
            for (ProcessImage process : run.processes()) {
                Integer above = process.parent() == 0 ? null : depths.get(process.parent());
                int depth =
                        depths.computeIfAbsent(process.pid(), pid -> above == null ? 0 : above + 1);
                row(run, process, depth);
            }
        }
        text.append(String.format(
                "%16s %10s  %-12s %s%n",
                Numbers.grouped(accesses),
                "",
                "",
                Numbers.counted(depths.size(), "process", "processes")
                        + (untold == 0
                                ? ""
                                : ", " + Numbers.grouped(untold)
                                        + " of whose images say no accesses")));
        return text.toString();
    }

    private void row(RunTraces run, ProcessImage process, int depth) throws IOException {
        Path file = process.trace().isEmpty() ? null : run.file(process);
        if (file != null && !files.add(file)) {
            borrower(process, depth);
            return;
        }
        TraceEnds ends = file == null || !Files.isRegularFile(file) ? null : TraceEnds.read(file);
        String count = file == null
                ? "not traced"
                : ends == null ? UNKNOWN : Numbers.grouped(ends.index().accesses());
        accesses += ends == null ? 0 : ends.index().accesses();
        untold += ends == null ? 1 : 0;
        String command = ends == null
                ? process.program()
                : ends.meta().getOrDefault("command", process.program());
        String trouble = file == null || ends != null
                ? ""
                : Files.exists(file) ? ", not complete" : ", not there";
        text.append(String.format(
                "%16s %10s  %-12s %s%d %s%s%n",
                count,
                ends == null ? "" : time(ends.meta()),
                process.ended(),
                INDENT.repeat(depth),
                process.pid(),
                PrintableText.of(command),
                file == null
                        ? ""
                        : "  (" + PrintableText.of(file.getFileName().toString()) + trouble + ")"));
    }

    /** Adds a child of vfork that ended in its parent's memory, and in its parent's trace. */
    private void borrower(ProcessImage process, int depth) {
        text.append(String.format(
                "%16s %10s  %-12s %s%d %s%n",
                "in its parent's",
                "",
                process.ended(),
                INDENT.repeat(depth),
                process.pid(),
                PrintableText.of(process.program())));
    }

    private static String time(Map<String, String> meta) {
        try {
            Duration time = Duration.between(
                    Instant.parse(meta.getOrDefault("begin", "")),
                    Instant.parse(meta.getOrDefault("end", "")));
            return String.format(Locale.ROOT, "%.3f s", time.toMillis() / 1e3);
        } catch (DateTimeParseException e) {
            return UNKNOWN;
        }
    }
}
