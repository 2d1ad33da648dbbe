package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.line.CallPairs;
import dev.madt.resolver.line.LineWriter;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.file.TraceEnds;
import dev.madt.view.EventFilter;
import dev.madt.view.Selection;
import dev.madt.view.TimeMerge;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineForm;
import dev.madt.view.text.LineKinds;
import dev.madt.view.text.LineOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt print}: the lines of a trace. */
final class PrintCommand implements Command {
    private static final String MERGED = "merged";

    @Override
    public String name() {
        return "print";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "print a trace line by line";
    }

    @Override
    public Options options() {
        Options options = new Options();
        LineForm.addTo(options);
        LineDetailOptions.addTo(options);
        options.addOption(Option.builder()
                .longOpt(MERGED)
                .desc("order what threads do by the times of calls and locks")
                .get());
        ResultFile.addTo(options);
        return TraceReading.addTo(SelectionOptions.addLines(SelectionOptions.addTo(options)));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                SelectionOptions.section("Which lines", "page", "count"),
                HelpSection.of(
                        "What a line shows",
                        "symbolic",
                        "raw",
                        "both",
                        "source",
                        "inlines",
                        "fields",
                        "tree",
                        MERGED,
                        "demangle",
                        "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("kind", LineKinds.words());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt print prog.madt",
                "madt print --symbol counter --kind store --source prog.madt",
                "madt print --from 1000 --count 20 prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        LineForm form = LineForm.of(line, Status.USAGE);
        Selection selection = SelectionOptions.of(line);
        if (selection.selectsNames()) {
            selection.know(TraceReadings.names(List.of(file)));
        }
        try (ResultFile result = ResultFile.open(line);
                LineOutput output =
                        new LineOutput(result.out(), form, LineDetailOptions.of(line))) {
            LineWriter lines = output.newConsumer();
            EventFilter filter = selection.isEverything()
                    ? null
                    : new EventFilter(
                            selection,
                            lines,
                            SelectionOptions.ownSource(line),
                            TraceReadings.sites(file, line));
            CallPairs ending = endsInCalls(file, selection)
                    ? new CallPairs(LineDetailOptions.readable())
                    : null;
            EventConsumer consumer = filter == null ? lines : filter;
            if (line.hasOption(MERGED)) {
                consumer = merged(file, line, consumer);
            }
            consumer = ending == null ? consumer : new ConsumerPair(consumer, ending);
            int status = filter == null
                    ? TraceReading.read(file, consumer, line, messages)
                    : filtered(file, consumer, filter, selection, line, messages);
            output.flush();
            result.finish(messages);
            if (ending != null && (filter == null || !filter.enough())) {
                CallReport.tellOpen(
                        ending.openCalls().stream()
                                .map(chain -> ending.lastMoment() + ", " + chain)
                                .toList(),
                        messages);
            }
            return status;
        }
    }

    /** Brings what threads did into one order, as far as the trace has times that tell it. */
    private static EventConsumer merged(Path file, CommandLine line, EventConsumer consumer)
            throws Failure, IOException {
        if (line.hasOption("from") || line.hasOption("until")) {
            throw new Failure(
                    Status.USAGE,
                    "--merged does not go with --from and --until: numbers are those of"
                            + " the trace, in which threads come one after the other.");
        }
        TraceEnds ends = Files.isRegularFile(file) ? TraceEnds.read(file) : null;
        if (ends != null && !ends.meta().containsKey("clock_start")) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no times, so nothing tells the order of its threads. Record calls"
                            + " or locks: madt run --record accesses,locks -- PROG");
        }
        return new TimeMerge(consumer);
    }

    /** Returns whether all is read, up to where the trace ends in the middle of calls. */
    private static boolean endsInCalls(Path file, Selection selection) throws IOException {
        if (!Files.isRegularFile(file) || selection.from() > 0 && selection.window() <= 0) {
            return false;
        }
        TraceEnds ends = TraceEnds.read(file);
        return ends != null
                && ends.meta().containsKey("calls")
                && CallPairs.lastMoment(ends.meta().getOrDefault("ended", "")) != null;
    }

    private static int filtered(
            Path file,
            EventConsumer consumer,
            EventFilter filter,
            Selection selection,
            CommandLine line,
            Messages messages)
            throws IOException {
        int status = TraceReading.read(
                file,
                consumer,
                selection.window() > 0 ? 0 : selection.from(),
                filter::enough,
                line,
                messages);
        if (filter.given() == 0) {
            SelectionOptions.tellNothing(selection, file, messages);
        }
        return status;
    }
}
