package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.session.CommandText;
import dev.madt.view.Selection;
import dev.madt.view.report.Difference;
import dev.madt.view.report.DifferenceText;
import dev.madt.view.report.Measure;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt diff}: two traces, compared by their totals. */
final class DiffCommand implements Command {
    /** Rows that mean the same in two runs. */
    private static List<String> keys() {
        return Arrays.stream(ReportKey.values())
                .filter(key -> key.joinsProcesses()
                        && key != ReportKey.THREAD
                        && key != ReportKey.PROCESS
                        && key != ReportKey.PATH)
                .map(ReportKey::word)
                .toList();
    }

    @Override
    public String name() {
        return "diff";
    }

    @Override
    public String arguments() {
        return "[options] BEFORE AFTER";
    }

    @Override
    public String summary() {
        return "compare two traces: what grew, shrank, is new or gone";
    }

    @Override
    public Options options() {
        Options options = SelectionOptions.addTo(
                TraceReading.addTo(Terminal.addTo(ResultFile.addTo(new Options()))));
        return LineDetailOptions.addNames(ReportForm.addTo(options), true)
                .addOption(Option.builder()
                        .longOpt("by")
                        .hasArg()
                        .argName("KEY")
                        .desc("compare by " + String.join(", ", keys()) + " (default: symbol)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("measure")
                        .hasArg()
                        .argName("WHAT")
                        .desc("accesses (default), loads, stores or bytes; with --by site"
                                + " also blocks, allocated or alive (bytes at the end)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("no-offsets")
                        .desc("take the allocating calls in a function for one, whatever"
                                + " their offsets: for two builds of a program")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("compare all processes of both runs, from their first traces")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is compared", "by", "measure", "no-offsets", "all"),
                SelectionOptions.section("Which accesses"),
                HelpSection.of(
                        "What is shown",
                        "top",
                        "wide",
                        "format",
                        "demangle",
                        "no-demangle",
                        "color"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "by",
                keys(),
                "measure",
                Measure.words(),
                "format",
                ReportForm.FORMATS,
                "color",
                Terminal.WHEN,
                "kind",
                LineKinds.words());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt diff before.madt after.madt",
                "madt diff --by function --top 10 before.madt after.madt",
                "madt diff --by site --measure alive --no-offsets before.madt after.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        ReportKey key = ReportKey.of(Choice.of(line, "by", keys(), ReportKey.SYMBOL.word()));
        Measure measure =
                Measure.of(Choice.of(line, "measure", Measure.words(), Measure.ACCESSES.word()));
        if (measure.needsSites() && key != ReportKey.SITE) {
            throw new Failure(
                    Status.USAGE, "--measure " + measure.word() + " goes with --by site.");
        }
        ReportForm form = ReportForm.of(line, "by");
        boolean coloured = ResultFile.coloured(line);
        Selection selection = SelectionOptions.of(line);
        List<List<Path>> sides = TraceArgument.two(this, line, messages);
        boolean joined = sides.get(0).size() + sides.get(1).size() > 2;
        try (ResultFile result = ResultFile.open(line)) {
            Difference difference = new Difference(key, measure, !line.hasOption("no-offsets"));
            List<Path> all = sides.stream().flatMap(List::stream).toList();
            Demangler names = TraceReadings.names(line, true, all, selection);
            Side before = new Side(report(key, joined), selection, sides.get(0), names);
            Side after = new Side(report(key, joined), selection, sides.get(1), names);
            int status = Math.max(before.read(line, messages), after.read(line, messages));
            boolean calls = before.report.isOfCalls() && after.report.isOfCalls();
            String obstacle = measure.needsSites() ? null : obstacle(before, after);
            if (obstacle != null) {
                messages.error(obstacle);
                if (calls) {
                    sayNext(line, messages);
                }
                return Status.FAILED;
            }
            difference.compare(before.report, after.report);
            List<String> called = line.getArgList();
            result.out()
                    .write(DifferenceText.render(
                                    difference,
                                    measure,
                                    form,
                                    called.get(0),
                                    called.get(1),
                                    coloured)
                            .getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            if (calls) {
                sayNext(line, messages);
            }
            return status;
        }
    }

    private static Report report(ReportKey key, boolean joined) {
        Report report = new Report(key, false);
        return joined ? report.joined() : report;
    }

    /** Why no accesses can be compared; null if they can. */
    private static String obstacle(Side before, Side after) {
        if (before.hasOnlyCalls() && after.hasOnlyCalls()) {
            return "both traces have calls, and no accesses to compare.";
        } else if (!before.hasOnlyCalls() && !after.hasOnlyCalls()) {
            return null;
        }
        Side bare = before.hasOnlyCalls() ? before : after;
        Side other = bare == before ? after : before;
        String what = bare.name() + " has calls and no accesses, " + other.name() + " has ";
        return other.report.isOfCalls()
                ? what + "both: only their calls can be compared."
                : what + "accesses and no calls: there is nothing to compare. Record the same of"
                        + " both runs: madt run --record accesses,calls -- PROG";
    }

    /** Says how the calls of the traces are compared, with what they were called. */
    private static void sayNext(CommandLine line, Messages messages) {
        List<String> names = line.getArgList();
        String all = line.hasOption("all") ? " --all" : "";
        String traces = CommandText.of(List.of(names.get(0), names.get(1)));
        messages.say("next: madt flame" + all + " --by calls --diff " + traces + "     madt flame"
                + all + " -o grown.html --diff " + traces);
    }

    /** One of the two runs, as much of it as is selected. */
    private static final class Side {
        private final Report report;
        private final List<Path> files;
        private final TraceReadings readings;

        private Side(Report report, Selection selection, List<Path> files, Demangler names) {
            this.report = report;
            this.files = files;
            this.readings = new TraceReadings(files, selection, names);
        }

        private Path name() {
            return files.get(0);
        }

        private boolean hasOnlyCalls() {
            return readings.haveOnlyCalls();
        }

        private int read(CommandLine line, Messages messages) throws Failure, IOException {
            int status = readings.read((reading, types) -> reading.add(report), line, messages);
            if (!hasOnlyCalls()) {
                if ("line".equals(line.getOptionValue("by"))) {
                    readings.checkSources();
                }
                readings.tellSelected(messages);
            }
            return status;
        }
    }
}
