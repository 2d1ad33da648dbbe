package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Reason;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.TemporaryFolder;
import dev.madt.console.Terminal;
import dev.madt.graph.FunctionTable;
import dev.madt.graph.ModuleGraph;
import dev.madt.graph.ProcessModules;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.modules.FunctionGlob;
import dev.madt.modules.FunctionNames;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.NativeFiles;
import dev.madt.options.SelectionOptions;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.toolkit.JsonTable;
import dev.madt.view.toolkit.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt functions}: which functions a module has, and where instruments can stand. */
final class FunctionsCommand implements Command {
    @Override
    public String name() {
        return "functions";
    }

    @Override
    public String arguments() {
        return "[options] FILE…|PID";
    }

    @Override
    public String summary() {
        return "list functions, and where instruments can stand";
    }

    @Override
    public Options options() {
        return ReportForm.addTo(Terminal.addTo(ResultFile.addTo(new Options())))
                .addOption(SelectionOptions.option(
                        "filter", "GLOB", "only functions with such a name: f*, lib.so:f*"))
                .addOption(SelectionOptions.option(
                        "columns",
                        "A,B,C",
                        "show these columns, in this order, by their keys in csv"))
                .addOption(SelectionOptions.option(
                        "sort",
                        "COLUMN",
                        "sort by a column such as blocks; COLUMN:asc: least first"));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is shown",
                        "filter",
                        "sort",
                        "top",
                        "columns",
                        "wide",
                        "format",
                        "color"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "FILE is a program or a library, stripped or not; PID has several, all listed.",
                "What instrument says of a function's entry, and the last table of all blocks:",
                "yes        an instrument can stand there, and a jump leads to it",
                "by a trap  it can, but there is no room for a jump: each hit traps",
                "others     it cannot: unproven, data, frozen, step, in place, overlaps");
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
                "madt functions ./prog",
                "madt functions --filter 'str*' /lib/x86_64-linux-gnu/libc.so.6",
                "madt functions --format csv -o functions.csv 4242");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<String> named = line.getArgList();
        if (named.isEmpty()) {
            throw new Failure(Status.USAGE, "which module? Usage: madt functions " + arguments());
        }
        ReportForm form = ReportForm.ofColumns(line, FunctionTable.HEADINGS);
        boolean coloured = ResultFile.coloured(line);
        String glob = line.getOptionValue("filter");
        List<Path> files = new ArrayList<>();
        boolean process = false;
        for (String name : named) {
            process |= take(name, files, messages);
        }
        FunctionTable table = new FunctionTable(
                process || files.size() > 1,
                glob == null ? null : FunctionGlob.of("--filter '" + glob + "'", glob));
        try (ResultFile result = ResultFile.open(line);
                TemporaryFolder folder = new TemporaryFolder()) {
            boolean read = read(files, table, folder.path(), process, messages);
            result.out().write(text(table, form, named, coloured).getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            if (table.isEmpty() && glob != null) {
                messages.say("no function has a name like '" + glob + "'.");
            } else {
                table.sentences().forEach(messages::say);
            }
            return read ? Status.DONE : Status.FAILED;
        }
    }

    /** Returns whether the name is that of a process. */
    private static boolean take(String name, List<Path> files, Messages messages) throws Failure {
        if (!name.matches("[0-9]{1,9}") || Files.exists(Path.of(name))) {
            files.add(Path.of(name));
            return false;
        }
        try {
            ProcessModules modules = ProcessModules.of(Integer.parseInt(name));
            files.addAll(modules.files());
            modules.lost()
                    .forEach(lost -> messages.say(
                            "not listed: " + lost + ", which cannot be read any more."));
            return true;
        } catch (IOException e) {
            throw new Failure(
                    Status.FAILED,
                    "cannot read the modules of process " + name + ": " + Reason.cause(e) + ".",
                    e);
        }
    }

    /** Returns whether all modules could be read; of a process, the others are listed. */
    private static boolean read(
            List<Path> files, FunctionTable table, Path folder, boolean process, Messages messages)
            throws IOException {
        CodeAnalyser analyser = new CodeAnalyser(NativeFiles.find("libmadtcode.so"));
        FunctionNames spellings = new FunctionNames();
        boolean all = true;
        for (Path file : files) {
            try {
                table.add(new ModuleGraph(file, analyser, spellings, folder));
            } catch (IOException e) {
                if (!process) {
                    throw e;
                }
                messages.error(Reason.of(e));
                all = false;
            }
        }
        return all;
    }

    private static String text(
            FunctionTable table, ReportForm form, List<String> named, boolean coloured) {
        Table reasons = table.reasons();
        Table all = table.table(form.order() == null ? form.top() : 0);
        if (form.format().equals("json")) {
            return JsonTable.render(named, ReportText.rows(all, form), reasons);
        }
        String rows = ReportText.render(all, form, named, coloured);
        ReportForm whole = new ReportForm(List.of(), 0, form.format(), form.width(), null, null);
        return form.format().equals("csv")
                ? rows
                : rows + "\n" + ReportText.render(reasons, whole, named, coloured);
    }
}
