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
import dev.madt.view.sharing.SharingReport;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt sharing}: what threads have in common. */
final class SharingCommand implements Command {
    private static final String LINES = "lines";
    private static final String LOCKS = "locks";

    @Override
    public String name() {
        return "sharing";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "what threads share; lines that hold data of several";
    }

    @Override
    public Options options() {
        Options options = ReportForm.addTo(new Options());
        options.addOption(Option.builder()
                .longOpt(LINES)
                .desc("lines of 64 bytes that move, and what to keep apart")
                .get());
        options.addOption(Option.builder()
                .longOpt(LOCKS)
                .desc("what locks are made of, too")
                .get());
        options.addOption(SelectionOptions.option("columns", "LIST", "these columns"));
        options.addOption(SelectionOptions.option(
                "sort", "COLUMN", "sort by a column such as accesses; COLUMN:asc: least first"));
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
                        LINES,
                        LOCKS,
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
        return List.of("madt sharing prog.madt", "madt sharing --lines --top 10 prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        boolean lines = line.hasOption(LINES);
        ReportForm form = ReportForm.ofColumns(line, SharingReport.headings(lines));
        Path file = TraceArgument.of(this, line, messages);
        Demangler names = TraceReadings.names(
                line, form.format().equals("text"), List.of(file), Selection.ALL);
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        SharingReport report = new SharingReport();
        try (ResultFile result = ResultFile.open(line)) {
            int status = new TraceReadings(file, Selection.ALL, names)
                    .read(report::addTo, line, messages);
            if (!report.isOfAccesses()) {
                throw new Failure(
                        Status.FAILED,
                        file + " has no accesses. Record them: madt run --record accesses,locks --"
                                + " PROG");
            }
            String text = ReportText.render(
                    report.table(
                            lines, line.hasOption(LOCKS), form.order() == null ? form.top() : 0),
                    form,
                    List.of(file.toString()),
                    coloured);
            result.out().write(text.getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            report.sentences(lines || line.hasOption(LOCKS)).forEach(messages::say);
            return status;
        }
    }
}
