package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.chains.InstrumentStacks;
import dev.madt.view.report.InstrumentCounts;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.toolkit.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt points}: what the instruments of a recording have counted. */
final class PointsCommand implements Command {
    @Override
    public String name() {
        return "points";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "show what the instruments of madt run --at have counted";
    }

    @Override
    public Options options() {
        Options options = TraceReading.addTo(
                Terminal.addTo(ResultFile.addTo(LineDetailOptions.addNames(new Options(), true))));
        return ReportForm.addTo(options);
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("format", ReportForm.FORMATS, "color", Terminal.WHEN);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt points gzip.madt",
                "madt points --top 10 gzip.madt",
                "madt points --format csv -o counts.csv gzip.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        ReportForm form = ReportForm.ofColumns(line, List.of());
        InstrumentCounts counts = new InstrumentCounts();
        InstrumentStacks stacks = new InstrumentStacks();
        boolean coloured = ResultFile.coloured(line);
        try (ResultFile result = ResultFile.open(line)) {
            Demangler names = TraceReadings.names(line, true, List.of(file), Selection.ALL);
            Reading reading = new Reading(Selection.ALL).add(counts).add(stacks);
            int status = TraceReading.read(file, reading.consumer(names, null), line, messages);
            if (!counts.areAny()) {
                throw new Failure(
                        Status.FAILED,
                        file + " tells of no instruments. Record some: madt run --at FUNC count --"
                                + " PROG");
            }
            List<String> traces = List.of(file.toString());
            List<String> tables = new ArrayList<>();
            for (Table table : List.of(
                    counts.places(form.top()),
                    counts.times(form.top()),
                    counts.spread(),
                    counts.values(),
                    stacks.table(form.top()))) {
                if (!table.rows().isEmpty()) {
                    tables.add(ReportText.render(table, form, traces, coloured));
                }
            }
            result.out()
                    .write(ReportText.several(tables, form.format())
                            .getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            return status;
        }
    }
}
