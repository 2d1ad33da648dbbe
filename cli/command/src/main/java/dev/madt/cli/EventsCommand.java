package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.TemporaryFolder;
import dev.madt.console.Terminal;
import dev.madt.graph.EventTable;
import dev.madt.graph.ModuleGraph;
import dev.madt.manual.Command;
import dev.madt.modules.FunctionNames;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.NativeFiles;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt events}: the places that a module's source names for tools. */
final class EventsCommand implements Command {
    @Override
    public String name() {
        return "events";
    }

    @Override
    public String arguments() {
        return "[options] FILE…";
    }

    @Override
    public String summary() {
        return "list the triggers and static tracepoints of a program";
    }

    @Override
    public Options options() {
        return ReportForm.addTo(Terminal.addTo(ResultFile.addTo(new Options())));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "event:NAME          is MADT_EVENT(NAME, values...) of <madt.h>;",
                "sdt:PROVIDER:NAME   a probe of <sys/sdt.h>, as libstdc++ has some.",
                "Both are places for madt run --at; their values are arg0, arg1, ...");
    }

    @Override
    public Operands operands() {
        return Operands.FILES;
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("format", ReportForm.FORMATS, "color", Terminal.WHEN);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt events ./prog",
                "madt events /usr/lib/x86_64-linux-gnu/libstdc++.so.6",
                "madt events --format csv -o events.csv ./prog");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<String> named = line.getArgList();
        if (named.isEmpty()) {
            throw new Failure(Status.USAGE, "which module? Usage: madt events " + arguments());
        }
        ReportForm form = ReportForm.ofColumns(line, List.of());
        boolean coloured = ResultFile.coloured(line);
        EventTable table = new EventTable();
        CodeAnalyser analyser = new CodeAnalyser(NativeFiles.find("libmadtcode.so"));
        FunctionNames spellings = new FunctionNames();
        try (ResultFile result = ResultFile.open(line);
                TemporaryFolder folder = new TemporaryFolder()) {
            for (String name : named) {
                Path file = Path.of(name);
                ModuleGraph module = new ModuleGraph(file, analyser, spellings, folder.path());
                table.add(module, CfgCommand.debug(file, messages));
            }
            String text = ReportText.render(table.table(form.top()), form, named, coloured);
            result.out().write(text.getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            if (table.isEmpty()) {
                messages.say(String.join(", ", named)
                        + ": the source names no places: MADT_EVENT(NAME, values...) of <madt.h>"
                        + " does (madt --include-dir).");
            }
            return Status.DONE;
        }
    }
}
