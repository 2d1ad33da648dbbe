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
import dev.madt.resolver.line.AddressSpace;
import dev.madt.session.CommandText;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.DefinitionConsumer;
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
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
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
                        .desc("take the allocating calls of a function for one where their"
                                + " blocks hold the same (default for functions that are of"
                                + " other sizes in the two)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("offsets")
                        .desc("tell calls apart by their offsets in each function")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("compare all processes of both runs, from their first traces")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is compared", "by", "measure", "offsets", "no-offsets", "all"),
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
                "madt diff --by site --measure alive before.madt after.madt");
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
        if (line.hasOption("offsets") && line.hasOption("no-offsets")) {
            throw new Failure(Status.USAGE, "--offsets and --no-offsets exclude each other.");
        }
        ReportForm form = ReportForm.of(line, "by");
        boolean coloured = ResultFile.coloured(line);
        Selection selection = SelectionOptions.of(line);
        List<List<Path>> sides = TraceArgument.two(this, line, messages);
        boolean joined = sides.get(0).size() + sides.get(1).size() > 2;
        try (ResultFile result = ResultFile.open(line)) {
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
            Difference difference = new Difference(key, measure, moved(line, key, names, sides));
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
            if (difference.hasMoved() && !line.hasOption("no-offsets")) {
                messages.say("some functions are of other sizes in " + called.get(1) + ": calls in"
                        + " them go by what they allocate, without offsets. --offsets keeps"
                        + " these.");
            }
            if (calls) {
                sayNext(line, messages);
            }
            return status;
        }
    }

    /** Says of which functions allocating calls have no offsets. */
    private static Predicate<String> moved(
            CommandLine line, ReportKey key, Demangler names, List<List<Path>> sides) {
        boolean calls = key == ReportKey.SYMBOL || key == ReportKey.SITE;
        if (!calls || line.hasOption("no-offsets") || line.hasOption("offsets")) {
            return function -> line.hasOption("no-offsets");
        }
        FunctionSizes before = new FunctionSizes(names);
        FunctionSizes after = new FunctionSizes(names);
        sides.get(0).forEach(file -> TraceReadings.gather(file, before));
        sides.get(1).forEach(file -> TraceReadings.gather(file, after));
        return function -> before.differs(after, function);
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

    /** Gathers how many bytes the functions of some traces have, from what these define. */
    private static final class FunctionSizes implements DefinitionConsumer {
        private final Demangler names;
        private final AddressSpace space = new AddressSpace();
        /** By the names that are shown. */
        private final Map<String, Set<Long>> sizes = new HashMap<>();

        /** @param names says how functions are shown */
        private FunctionSizes(Demangler names) {
            this.names = names;
        }

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.Symbol symbol) {
                if (symbol.code() && symbol.size() > 0) {
                    String name = names.demangle(symbol.name(), space.label(symbol.address()));
                    sizes.computeIfAbsent(name, absent -> new HashSet<>(1)).add(symbol.size());
                }
            } else {
                space.define(definition);
            }
        }

        /**
         * Returns whether both have a function and it has other sizes there, so that the same call
         * may be at another offset.
         */
        private boolean differs(FunctionSizes others, String function) {
            Set<Long> mine = sizes.getOrDefault(function, Set.of());
            Set<Long> theirs = others.sizes.getOrDefault(function, Set.of());
            return !mine.isEmpty() && !theirs.isEmpty() && Collections.disjoint(mine, theirs);
        }
    }
}
