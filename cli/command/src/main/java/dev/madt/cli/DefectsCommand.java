package dev.madt.cli;

import dev.madt.collector.TraceResult;
import dev.madt.collector.TraceResults;
import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.ResultFile;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.console.TemporaryFolder;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.modules.ChosenPrograms;
import dev.madt.options.RunOptions;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.Selection;
import dev.madt.view.defects.DefectKind;
import dev.madt.view.defects.DefectReport;
import dev.madt.view.defects.DefectView;
import dev.madt.view.report.ReportForm;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt defects}: what the program did with memory that it must not do. */
final class DefectsCommand implements Command {
    private static final String USUAL_QUARANTINE = "20M";
    /** Options of {@code madt run} that this command takes with a program. */
    private static final List<String> RECORDING = List.of(
            RunOptions.QUARANTINE,
            "engine",
            "record",
            "stack",
            "only",
            ChosenPrograms.OPTION,
            "quiet");

    private final boolean program;

    DefectsCommand() {
        this(false);
    }

    private DefectsCommand(boolean program) {
        this.program = program;
    }

    /** Behind {@code --} stands a program, unless it is the file of a trace. */
    @Override
    public Command meant(String[] arguments) {
        int end = List.of(arguments).indexOf("--");
        boolean named = end >= 0 && end + 1 < arguments.length;
        Path first = named ? Path.of(arguments[end + 1]) : null;
        boolean trace = named && Files.isRegularFile(first) && !Files.isExecutable(first);
        return named && !trace ? new DefectsCommand(true) : this;
    }

    @Override
    public boolean stopsAtArgument() {
        return program;
    }

    @Override
    public int usageStatus() {
        return program ? Status.RUN_FAILED : Status.USAGE;
    }

    @Override
    public int failureStatus() {
        return program ? Status.RUN_FAILED : Status.FAILED;
    }

    @Override
    public String name() {
        return "defects";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE…] | [options] -- PROG ARGS…";
    }

    @Override
    public String summary() {
        return "find uses of freed memory, wrong frees and more";
    }

    @Override
    public Options options() {
        Options options = SelectionOptions.addTo(
                TraceReading.addTo(Terminal.addTo(ResultFile.addTo(new Options()))));
        options.getOption("output")
                .setDescription("write the result to FILE; of a program, its trace");
        Options recording = RunOptions.options();
        RECORDING.forEach(name -> options.addOption(recording.getOption(name)));
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
                        .desc("end with status 4 if there is a defect beyond doubt, with 3 if no"
                                + " accesses were there to look at")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is looked for", "find", "all", "fail"),
                SelectionOptions.section("Which accesses and calls"),
                HelpSection.of(
                        "What is shown", "top", "format", "demangle", "no-demangle", "color"),
                HelpSection.of("Where it goes, and how a program is recorded", "output", "force")
                        .and(RECORDING.toArray(String[]::new)));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "A program is recorded with --quarantine 20M, and all its processes looked at.");
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
                "3    with --strict, the trace is incomplete; with --fail, no accesses to blocks"
                        + " were recorded, so that nothing could be looked at",
                "4    with --fail, there is a defect beyond doubt; memory that is never freed is"
                        + " none",
                "N    with a program, but for 3 and 4: as madt run, so the program's own");
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt defects -- ./prog input",
                "madt defects --fail --find after-free,beyond,double-free prog.madt",
                "madt defects --function parse --format csv -o parse.csv prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Search search = new Search(line, messages);
        boolean coloured = Terminal.coloured(line);
        if (program) {
            return record(line, search, coloured, messages);
        }
        for (String option : RECORDING) {
            if (line.hasOption(option)) {
                throw new Failure(
                        Status.USAGE,
                        "--" + option + " is for recording: madt defects [options] -- PROG ARGS…");
            }
        }
        List<Path> files = TraceArgument.several(this, line, messages);
        try (ResultFile result = ResultFile.open(line)) {
            for (Path file : files) {
                search.look(file, file);
            }
            search.tellLimits();
            search.tellNothing(files.get(0));
            boolean shown = line.getOptionValue("output", "-").equals("-");
            result.out()
                    .write(search.text(coloured && shown, false).getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            return search.status(Status.DONE);
        }
    }

    /** Without {@code -o} the traces are not kept. */
    private static int record(CommandLine line, Search search, boolean coloured, Messages messages)
            throws Failure, IOException {
        if (line.hasOption("output")) {
            return record(line, search, null, coloured, messages);
        }
        try (TemporaryFolder folder = new TemporaryFolder()) {
            return record(line, search, folder, coloured, messages);
        }
    }

    private static int record(
            CommandLine line,
            Search search,
            TemporaryFolder folder,
            boolean coloured,
            Messages messages)
            throws Failure, IOException {
        Made made = new Made(folder == null);
        CommandLine run = Main.parse(
                new RunCommand(),
                arguments(
                        line,
                        folder == null ? line.getOptionValue("output") : folder.path() + "/"));
        int status = RunCommand.record(RunOptions.of(run), run, made, messages);
        List<Path> traces = folder == null ? made.traces : folder.files(made.traces);
        if (traces.isEmpty()) {
            return status;
        }
        for (Path trace : traces) {
            String name = trace.getFileName().toString().replaceFirst("\\.madt", "");
            search.look(trace, folder == null ? trace : Path.of(name));
        }
        search.tellLimits();
        search.tellNothing(traces.get(0));
        if (folder == null && made.further > 0) {
            messages.say("not looked at: the traces of "
                    + Numbers.counted(made.further, "more process", "more processes")
                    + "; madt defects --all " + traces.get(0) + " looks at all.");
        }
        try (ResultStream out = new ResultStream()) {
            out.write(search.text(coloured, true).getBytes(StandardCharsets.UTF_8));
        }
        return search.status(status);
    }

    /** Returns the arguments of {@code madt run}. */
    private static String[] arguments(CommandLine line, String output) throws Failure {
        if (output.equals("-")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "-o - does not go with a program: name a file for its trace.");
        }
        List<String> words = new ArrayList<>(List.of("--" + RunOptions.NO_LOOK, "-o", output));
        if (!line.hasOption(RunOptions.QUARANTINE)) {
            words.addAll(List.of("--" + RunOptions.QUARANTINE, USUAL_QUARANTINE));
        }
        if (line.hasOption("force")) {
            words.add("--force");
        }
        for (Option option : line.getOptions()) {
            if (RECORDING.contains(option.getLongOpt())) {
                words.add("--" + option.getLongOpt());
                words.addAll(option.getValuesList());
            }
        }
        words.add("--");
        words.addAll(line.getArgList());
        return words.toArray(String[]::new);
    }

    /** The traces of a recording. */
    private static final class Made implements RunCommand.Further {
        private final List<Path> traces = new ArrayList<>();
        private final boolean kept;
        private long further;

        private Made(boolean kept) {
            this.kept = kept;
        }

        @Override
        public boolean keepsTraces() {
            return kept;
        }

        @Override
        public void take(TraceResults results) {
            results.all().stream()
                    .filter(result -> result.failure() == null && result.file() != null)
                    .map(TraceResult::file)
                    .forEach(traces::add);
            further = results.further();
        }
    }

    /** Holds what is asked for, and what has been found so far. */
    private static final class Search {
        private final CommandLine line;
        private final Messages messages;
        private final Set<DefectKind> kinds;
        private final Selection selection;
        private final String format;
        private final int top;
        private final DefectReport report = new DefectReport();
        private int status = Status.DONE;

        private Search(CommandLine line, Messages messages) throws Failure {
            this.line = line;
            this.messages = messages;
            this.kinds = line.hasOption("find")
                    ? DefectKind.of(line.getOptionValue("find"))
                    : EnumSet.allOf(DefectKind.class);
            this.selection = SelectionOptions.of(line);
            this.format = ReportForm.format(line);
            this.top = (int) Math.min(Integer.MAX_VALUE, Choice.number(line, "top", 1, 0));
            LineDetailOptions.names(line, true);
        }

        private void look(Path file, Path name) throws Failure, IOException {
            DefectView view = new DefectView(kinds, selection);
            Demangler names = TraceReadings.names(line, true, List.of(file), selection);
            TraceReadings readings = new TraceReadings(file, Selection.ALL, names);
            status = Math.max(
                    status, readings.read((reading, types) -> reading.add(view), line, messages));
            report.add(name, view);
            if (readings.lackHeap()) {
                report.lackHeap(name, readings.areOfGo());
            }
            if (readings.haveGoBlocks()) {
                report.hasGo(name);
            }
            if (view.found().untold() > 0) {
                messages.say(name + " has more defects than are kept: "
                        + Numbers.counted(view.found().untold(), "case", "cases")
                        + " are left out.");
            }
        }

        private void tellLimits() {
            report.tellLimits(format, messages);
        }

        /** Says where nothing was found since a name of the selection means nothing. */
        private void tellNothing(Path file) throws Failure, IOException {
            if (selection.isEverything() || !report.isEmpty()) {
                return;
            }
            // learns the names that there are
            TraceReadings asked = new TraceReadings(
                    file, selection, TraceReadings.names(line, true, List.of(file), selection));
            asked.read((reading, types) -> reading.add(batch -> {}), line, messages);
            if (asked.given() == 0) {
                SelectionOptions.tellNothing(selection, file, messages);
            }
        }

        private String text(boolean coloured, boolean brief) {
            return report.render(format, top, coloured, brief);
        }

        /** @param otherwise if this search has nothing to say */
        private int status(int otherwise) {
            if (line.hasOption("fail") && report.status() != Status.DONE) {
                return report.status();
            }
            return status == Status.DONE ? otherwise : status;
        }
    }
}
