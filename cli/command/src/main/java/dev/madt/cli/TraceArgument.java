package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import dev.madt.traces.RunTraces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;

/**
 * The one trace that a command reads: the one that is named, else the newest in the current
 * directory.
 */
final class TraceArgument {
    /** One of these stands in what the recorder says of a trace that lacks something. */
    private static final List<String> LACKS =
            List.of(" but for ", ", without ", "untraced", "truncated");

    private TraceArgument() {}

    static Path of(Command command, CommandLine line, Messages messages)
            throws Failure, IOException {
        List<String> named = line.getArgList();
        if (named.size() > 1) {
            refuse(command, named.size());
        }
        return named.size() == 1
                ? file(Path.of(named.get(0)), command, line, messages)
                : newest(command, messages);
    }

    /**
     * The traces that are named, or the newest one; with {@code --all}, of each first one those of
     * all processes of its run.
     */
    static List<Path> several(Command command, CommandLine line, Messages messages)
            throws Failure, IOException {
        return several(command, line.getArgList(), line, messages);
    }

    /** As above, where not all arguments name traces. */
    static List<Path> several(
            Command command, List<String> named, CommandLine line, Messages messages)
            throws Failure, IOException {
        List<Path> first = new ArrayList<>();
        for (String name : named) {
            first.add(file(Path.of(name), command, line, messages));
        }
        if (first.isEmpty()) {
            first.add(newest(command, messages));
        }
        return processes(first, line, messages);
    }

    /** The option of commands that take all processes of a run. */
    static Option all(String text) {
        return Option.builder().longOpt("all").desc(text).get();
    }

    /** Refuses several traces; never returns. */
    static int refuse(Command command, int count) throws Failure {
        throw new Failure(Status.USAGE, "one trace at a time, not " + count + usage(command));
    }

    /** These traces; with {@code --all}, of each those of all processes of its run. */
    static List<Path> processes(List<Path> first, CommandLine line, Messages messages)
            throws Failure, IOException {
        if (!line.hasOption("all")) {
            return first;
        }
        Set<Path> all = new LinkedHashSet<>();
        for (Path trace : first) {
            for (Path run : RunTraces.together(trace)) {
                RunTraces.of(run).files(messages, all);
            }
        }
        return List.copyOf(all);
    }

    /**
     * Two traces that are named; with {@code --all}, for each those of all processes of its run.
     */
    static List<List<Path>> two(Command command, CommandLine line, Messages messages)
            throws Failure, IOException {
        List<String> named = line.getArgList();
        if (named.size() != 2) {
            throw new Failure(
                    Status.USAGE, "two traces are compared, not " + named.size() + usage(command));
        }
        List<List<Path>> sides = new ArrayList<>();
        for (String name : named) {
            Path file = file(Path.of(name), command, line, messages);
            sides.add(processes(List.of(file), line, messages));
        }
        return sides;
    }

    /** In the place of a folder the first trace of the run in it; says if it has others as well. */
    private static Path file(Path named, Command command, CommandLine line, Messages messages)
            throws Failure, IOException {
        if (!Files.isDirectory(named)) {
            return named;
        }
        Path first = RunTraces.first(named);
        int runs = RunTraces.together(first).size();
        if (runs > 1 && !line.hasOption("all")) {
            messages.say("reading " + first + ", that with most accesses of " + runs
                    + " that were recorded together."
                    + (command.options().hasLongOption("all") ? " --all takes all of them." : ""));
        }
        return first;
    }

    private static Path newest(Command command, Messages messages) throws Failure, IOException {
        Path newest = RunTraces.newest(Path.of(""));
        if (newest == null) {
            throw new Failure(
                    Status.USAGE,
                    "no trace given, and no *.madt in the current directory" + usage(command));
        }
        messages.say("reading " + newest + ", the newest trace here.");
        return newest;
    }

    private static String usage(Command command) {
        return ". Usage: madt " + command.name() + " " + command.arguments();
    }

    /** Says when the trace is incomplete, and what is missing; the exit status that follows. */
    static int status(TraceReader reader, CommandLine line, Messages messages) throws IOException {
        if (reader.skipped() > 0) {
            messages.error(Numbers.counted(reader.skipped(), "event", "events") + " of "
                    + reader.name() + " left out, of kinds that this madt does not know: a newer"
                    + " one recorded the trace.");
            if (line.hasOption("strict")) {
                return Status.INCOMPLETE;
            }
        }
        if (reader.incompleteness() == null) {
            Path file = Path.of(reader.name());
            return line.hasOption("strict") && Files.isRegularFile(file)
                    ? strict(TraceEnds.read(file), messages)
                    : Status.DONE;
        }
        messages.error("the trace is incomplete: " + reader.incompleteness() + "."
                + (reader.isDamaged() ? " " + missing(reader) : ""));
        return line.hasOption("strict")
                ? Status.INCOMPLETE
                : reader.isDamaged() ? Status.FAILED : Status.DONE;
    }

    /**
     * The exit status of a whole trace with {@code --strict}: its recorder may have said that it
     * lacks something of what the process did.
     *
     * @param ends null if they cannot be read
     */
    static int strict(TraceEnds ends, Messages messages) {
        String said = ends == null ? "" : ends.meta().getOrDefault("completeness", "");
        if (LACKS.stream().noneMatch(said::contains)) {
            return Status.DONE;
        }
        messages.error("the trace is incomplete: " + said + ".");
        return Status.INCOMPLETE;
    }

    /** The index of a damaged trace, if it can be read, tells how much stands behind the damage. */
    private static String missing(TraceReader reader) throws IOException {
        Path file = Path.of(reader.name());
        TraceEnds ends = TraceReadings.ends(file);
        if (ends == null) {
            return "Nothing behind that is read.";
        }
        long all = ends.index().numbered();
        return "Nothing behind that is read: "
                + Numbers.grouped(all - ends.index().numberedBefore(reader.frameStart())) + " of "
                + Numbers.counted(all, "event", "events") + " are missing.";
    }
}
