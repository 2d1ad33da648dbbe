package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.console.Talk;
import dev.madt.console.Terminal;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import dev.madt.view.defects.Defect;
import dev.madt.view.defects.DefectKind;
import dev.madt.view.defects.DefectTable;
import dev.madt.view.defects.DefectText;
import dev.madt.view.defects.DefectView;
import dev.madt.view.report.CsvTable;
import dev.madt.view.report.JsonTable;
import dev.madt.view.report.ReportForm;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt defects}: what the program did with memory that it must not do. */
final class DefectsCommand implements Command {
    @Override
    public String name() {
        return "defects";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE…]";
    }

    @Override
    public String summary() {
        return "find uses of freed memory, accesses beyond blocks, wrong frees and more";
    }

    @Override
    public Options options() {
        Options options = SelectionOptions.addTo(
                TraceReading.addTo(Terminal.addTo(ResultFile.addTo(new Options()))));
        return LineDetailOptions.addNames(options, true)
                .addOption(SelectionOptions.option(
                        "find",
                        "KINDS",
                        "only these kinds of defects, with commas between them: "
                                + String.join(", ", DefectKind.words())))
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("look at all processes of the run, from its first trace")
                        .get())
                .addOption(SelectionOptions.option(
                        "top", "N", "show only the first N defects of a trace"))
                .addOption(
                        SelectionOptions.option("format", "FORMAT", "text (default), csv or json"))
                .addOption(Option.builder()
                        .longOpt("fail")
                        .desc("end with status 4 if there is a defect beyond doubt")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is looked for", "find", "all", "fail"),
                SelectionOptions.section("Which accesses and calls"),
                HelpSection.of(
                        "What is shown", "top", "format", "demangle", "no-demangle", "color"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "find",
                DefectKind.words(),
                "format",
                ReportForm.FORMATS,
                "color",
                Terminal.WHEN,
                "kind",
                LineKinds.words());
    }

    @Override
    public List<String> statuses() {
        return List.of(
                "0    done",
                "1    the command failed",
                "2    the command line was not understood",
                "3    with --strict, the trace is incomplete",
                "4    with --fail, there is a defect beyond doubt; memory that is never freed is"
                        + " none");
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt defects prog.madt",
                "madt defects --all first.madt",
                "madt defects --fail --find after-free,beyond,double-free prog.madt",
                "madt defects --function parse --format csv -o parse.csv prog.madt");
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, talk);
        Set<DefectKind> kinds = kinds(line);
        Selection selection = SelectionOptions.of(line);
        String format = Choice.of(line, "format", ReportForm.FORMATS, "text");
        int top = (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0));
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        Demangler demangler = LineDetailOptions.names(line, true);
        try (ResultFile result = ResultFile.open(line)) {
            Map<Path, List<Defect>> defects = new LinkedHashMap<>();
            int status = Status.DONE;
            boolean certain = false;
            for (Path file : files) {
                DefectView view = new DefectView(kinds, selection);
                ViewFeed feed = new ViewFeed(view, demangler);
                status = Math.max(status, TraceReading.read(file, feed, line, talk));
                if (feed.hasOnlyCalls()) {
                    talk.say(file + " has calls and no accesses: only wrong frees and memory that"
                            + " is never freed can be found. Record both: madt trace --record"
                            + " accesses,calls -- PROG");
                }
                defects.put(file, view.found().sorted());
                certain |= view.found().anyCertain();
                if (view.found().untold() > 0) {
                    talk.say(file + " has more defects than are kept: "
                            + Numbers.counted(view.found().untold(), "case", "cases")
                            + " are left out.");
                }
            }
            if (!selection.isEverything() && defects.values().stream().allMatch(List::isEmpty)) {
                SelectedView asked = new SelectedView(batch -> {}, selection);
                TraceReading.read(
                        files.get(0),
                        new ViewFeed(asked, demangler),
                        line,
                        talk); // learns the names that there are
                if (asked.given() == 0) {
                    SelectionOptions.tellNothing(selection, files.get(0), talk);
                }
            }
            result.out()
                    .write(text(defects, format, top, coloured).getBytes(StandardCharsets.UTF_8));
            result.finish(talk);
            return line.hasOption("fail") && certain ? Status.DEFECTS : status;
        }
    }

    private static String text(
            Map<Path, List<Defect>> traces, String format, int top, boolean coloured) {
        if (format.equals("csv")) {
            return CsvTable.render(DefectTable.of(traces, top));
        }
        if (format.equals("json")) {
            return JsonTable.render(
                    traces.keySet().stream().map(Path::toString).toList(),
                    DefectTable.of(traces, top));
        }
        StringBuilder text = new StringBuilder();
        traces.forEach((trace, defects) -> text.append(text.isEmpty() ? "" : "\n")
                .append(DefectText.of(
                        traces.size() == 1 ? "" : trace.toString(), defects, top, coloured)));
        return text.toString();
    }

    private static Set<DefectKind> kinds(CommandLine line) throws Failure {
        if (!line.hasOption("find")) {
            return EnumSet.allOf(DefectKind.class);
        }
        Set<DefectKind> kinds = EnumSet.noneOf(DefectKind.class);
        for (String word : line.getOptionValue("find").split(",")) {
            int index = DefectKind.words().indexOf(word);
            if (index < 0) {
                throw new Failure(
                        Status.USAGE,
                        "--find is a list of " + String.join(", ", DefectKind.words()) + ", not '"
                                + word + "'." + Suggestion.sentence(word, DefectKind.words()));
            }
            kinds.add(DefectKind.values()[index]);
        }
        return kinds;
    }
}
