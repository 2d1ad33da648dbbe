package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.Selection;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.sharing.RaceReport;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt races}: accesses of threads that nothing orders. */
final class RacesCommand implements Command {
    @Override
    public String name() {
        return "races";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "accesses of two threads that nothing orders";
    }

    @Override
    public Options options() {
        Options options = ReportForm.addTo(new Options());
        options.addOption(SelectionOptions.option("columns", "LIST", "these columns"));
        options.addOption(SelectionOptions.option(
                "sort", "COLUMN", "sort by a column such as times; COLUMN:asc: least first"));
        Terminal.addTo(options);
        ResultFile.addTo(options);
        LineDetailOptions.addNames(options, true);
        return TraceReading.addTo(options);
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is shown",
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
        return Map.of("format", ReportForm.FORMATS, "color", Terminal.WHEN);
    }

    @Override
    public List<String> examples() {
        return List.of("madt races prog.madt", "madt races --format json prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        ReportForm form = ReportForm.ofColumns(line, RaceReport.HEADINGS);
        Path file = TraceArgument.of(this, line, messages);
        Demangler names = TraceReadings.names(
                line, form.format().equals("text"), List.of(file), Selection.ALL);
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        RaceReport report = new RaceReport();
        try (ResultFile result = ResultFile.open(line)) {
            int status = new TraceReadings(file, Selection.ALL, names)
                    .read(report::addTo, line, messages);
            demand(report, file);
            String text = ReportText.render(
                    report.table(form.order() == null ? form.top() : 0),
                    form,
                    List.of(file.toString()),
                    coloured);
            if (report.races() > 0 || !form.format().equals("text")) {
                result.out().write(text.getBytes(StandardCharsets.UTF_8));
            }
            result.finish(messages);
            report.sentences().forEach(messages::say);
            return status;
        }
    }

    /** Without locks everything that is shared would look like a race. */
    private static void demand(RaceReport report, Path file) throws Failure {
        String lacks = report.isOfAccesses() ? report.isOfLocks() ? null : "locks" : "accesses";
        if (lacks != null) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no " + lacks + ", which tell of races. Record both: madt run"
                            + " --record accesses,locks -- PROG");
        }
    }
}
