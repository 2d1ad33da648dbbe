package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.Selection;
import dev.madt.view.locks.LockReport;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt locks}: what threads did with locks. */
final class LocksCommand implements Command {
    private static final String SVG = "svg";
    private static final List<String> FORMATS = List.of("text", "csv", "json", SVG);

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "locks: how often, how long, who waited for whom";
    }

    @Override
    public Options options() {
        Options options = ReportForm.addTo(new Options());
        options.addOption(SelectionOptions.option(
                "by", "KEY", "lock (default), or class: the same member of all of a type"));
        options.addOption(SelectionOptions.option(
                "histogram", "OF", "how many had which depth, length or wait; also as svg"));
        options.addOption(flag("waits", "which threads waited for which, and where"));
        options.addOption(
                flag("order", "which locks were asked for while which were held; circles"));
        options.addOption(SelectionOptions.option("columns", "LIST", "these columns"));
        options.addOption(SelectionOptions.option(
                "sort", "COLUMN", "sort by a column such as held; COLUMN:asc: least first"));
        Terminal.addTo(options);
        ResultFile.addTo(options);
        LineDetailOptions.addNames(options, true);
        return TraceReading.addTo(options);
    }

    private static Option flag(String name, String text) {
        return Option.builder().longOpt(name).desc(text).get();
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is shown",
                        "by",
                        "waits",
                        "order",
                        "histogram",
                        "top",
                        "sort",
                        "columns",
                        "wide",
                        "format",
                        "color",
                        "demangle",
                        "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "by",
                LockReport.KEYS,
                "histogram",
                LockReport.measures(),
                "format",
                FORMATS,
                "color",
                Terminal.WHEN);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt locks server.madt",
                "madt locks --waits --by class server.madt",
                "madt locks --histogram length --format svg -o held.svg server.madt");
    }

    private static LockReport.Part part(CommandLine line) throws Failure {
        List<LockReport.Part> asked = new ArrayList<>();
        if (line.hasOption("waits")) {
            asked.add(LockReport.Part.WAITS);
        }
        if (line.hasOption("order")) {
            asked.add(LockReport.Part.ORDER);
        }
        if (line.hasOption("histogram")) {
            asked.add(LockReport.Part.HISTOGRAM);
        }
        if (asked.size() > 1) {
            throw new Failure(
                    Status.USAGE,
                    "--waits, --order and --histogram are a table each: one of them.");
        }
        return asked.isEmpty() ? LockReport.Part.ROWS : asked.get(0);
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        LockReport.Part part = part(line);
        boolean drawn = SVG.equals(Choice.of(line, "format", FORMATS, FORMATS.get(0)));
        if (drawn && part != LockReport.Part.HISTOGRAM) {
            throw new Failure(Status.USAGE, "--format svg goes with --histogram.");
        }
        LockReport report = new LockReport(
                part,
                Choice.of(line, "by", LockReport.KEYS, LockReport.KEYS.get(0)),
                part == LockReport.Part.HISTOGRAM
                        ? Choice.of(line, "histogram", LockReport.measures(), null)
                        : null);
        ReportForm form = drawn ? null : ReportForm.ofColumns(line, LockReport.headings(part));
        Path file = TraceArgument.of(this, line, messages);
        boolean readable = drawn || form.format().equals("text");
        Demangler names = TraceReadings.names(line, readable, List.of(file), Selection.ALL);
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        try (ResultFile result = ResultFile.open(line)) {
            TraceReadings readings = new TraceReadings(file, Selection.ALL, names);
            int status = readings.read(report::addTo, line, messages);
            if (!report.isOfLocks()) {
                throw new Failure(
                        Status.FAILED,
                        file + " has no locks. Record them: madt run --record locks -- PROG");
            }
            String text = drawn
                    ? report.picture()
                    : ReportText.render(
                            report.table(
                                    form.order() == null ? form.top() : 0,
                                    !form.format().equals("text")),
                            form,
                            List.of(file.toString()),
                            coloured);
            result.out().write(text.getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            report.sentences().forEach(messages::say);
            return status;
        }
    }
}
