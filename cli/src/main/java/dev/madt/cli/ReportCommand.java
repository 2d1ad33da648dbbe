package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Talk;
import dev.madt.console.Terminal;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import dev.madt.view.ViewFeed;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt report}: the totals of a trace, hottest first. */
final class ReportCommand implements Command {
    @Override
    public String name() {
        return "report";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE…]";
    }

    @Override
    public String summary() {
        return "count accesses by variable, block, function, line …, hottest first";
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
                        .desc("count by "
                                + String.join(", ", ReportKey.words())
                                + " (default: symbol), or by two or three; or what"
                                + " calls cost, by call or path")
                        .get())
                .addOption(Option.builder()
                        .longOpt("columns")
                        .hasArg()
                        .argName("A,B,C")
                        .desc("show these columns, in this order, by their keys in csv")
                        .get())
                .addOption(Option.builder()
                        .longOpt("sort")
                        .hasArg()
                        .argName("COLUMN")
                        .desc("sort by this column, such as stores or never_accessed;"
                                + " COLUMN:asc: least first (default: hottest first)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("count all processes of the run, from its first trace")
                        .get())
                .addOption(Option.builder()
                        .longOpt("leaks")
                        .desc("show blocks alive at the end, by the call that made them")
                        .get())
                .addOption(Option.builder()
                        .longOpt("patterns")
                        .desc("show the strides and reuse distances of each row")
                        .get())
                .addOption(Option.builder()
                        .longOpt("fields")
                        .desc("show members of variables and blocks (with --by symbol or"
                                + " block); a guess about a block ends in ?")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is counted", "by", "all", "leaks", "fields", "patterns"),
                SelectionOptions.section("Which accesses"),
                HelpSection.of(
                        "What is shown",
                        "sort",
                        "top",
                        "columns",
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
                "madt report prog.madt",
                "madt report --by thread,site --top 10 prog.madt",
                "madt report --by call calls.madt",
                "madt report --leaks --top 10 prog.madt",
                "madt report --by symbol --fields --format csv -o members.csv prog.madt");
    }

    private static List<String> keys() {
        return Stream.concat(ReportKey.words().stream(), CallReport.WORDS.stream())
                .toList();
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, talk);
        if (CallReport.isAskedFor(line)) {
            return CallReport.run(files, line, talk);
        }
        checkKeys(line);
        ReportForm form = ReportForm.of(line, "by");
        boolean leaks = leaks(line);
        List<ReportKey> keys = leaks ? List.of(ReportKey.SITE) : form.keys();
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        MemberTypes types = line.hasOption("fields") ? types(keys) : null;
        Selection selection = SelectionOptions.of(line);
        if (!keys.contains(ReportKey.SITE)) {
            SelectionOptions.checkAccesses(selection);
        }
        boolean several = files.size() > 1;
        checkJoinable(several, keys, line);
        try (ResultFile result = ResultFile.open(line)) {
            Report report = new Report(keys, line.hasOption("patterns"), types);
            if (selection.selectsAccesses()) {
                report.partial();
            }
            Demangler demangler = LineDetailOptions.names(line, true);
            int status = Status.DONE;
            List<ViewFeed> feeds = new ArrayList<>();
            boolean all = selection.isEverything();
            List<SelectedView> views = new ArrayList<>();
            for (Path file : files) {
                SelectedView selected =
                        new SelectedView(several ? report.joined() : report, selection);
                views.add(selected);
                ViewFeed feed = new ViewFeed(all ? report : selected, demangler, types);
                status = Math.max(status, TraceReading.read(file, feed, line, talk));
                feeds.add(feed);
            }
            /* sites have their allocations all the same */
            if (!leaks && !keys.contains(ReportKey.SITE) && CallReport.haveOnlyCalls(feeds)) {
                return CallReport.tellOnlyCalls(this, files.get(0), line, talk);
            }
            if (keys.contains(ReportKey.LINE) && feeds.stream().noneMatch(ViewFeed::hasSources)) {
                throw new Failure(
                        Status.FAILED,
                        files.get(0)
                                + " has no source lines. Compile the program with -g, or use --by"
                                + " function.");
            }
            if (!all) {
                SelectionOptions.tell(selection, views, files, talk);
            }
            if (types != null && types.isEmpty()) {
                talk.say(files.get(0)
                        + " has no types: rows are whole variables and blocks. Compile the"
                        + " program with -g to see members.");
            }
            List<String> names = files.stream().map(Path::toString).toList();
            String text = leaks
                    ? ReportText.leaks(report, form, names, coloured)
                    : ReportText.render(report, form, names, coloured);
            result.out().write(text.getBytes(StandardCharsets.UTF_8));
            result.finish(talk);
            return status;
        }
    }

    /** Calls have reports of their own. */
    private static void checkKeys(CommandLine line) throws Failure {
        List<String> asked = List.of(line.getOptionValue("by", "").split(",", -1));
        for (String word : asked) {
            if (CallReport.WORDS.contains(word)) {
                throw new Failure(Status.USAGE, "--by " + word + " goes with no other key.");
            }
            if (asked.size() > 1 || !word.isEmpty()) {
                Choice.checked("by", word, keys());
            }
        }
    }

    private static boolean leaks(CommandLine line) throws Failure {
        boolean leaks = line.hasOption("leaks");
        if (leaks
                && (!line.getOptionValue("by", "site").equals("site")
                        || line.hasOption("fields")
                        || line.hasOption("patterns")
                        || line.hasOption("sort")
                        || line.hasOption("columns"))) {
            throw new Failure(
                    Status.USAGE,
                    "--leaks goes by site, without --fields, --patterns, --sort and --columns.");
        }
        return leaks;
    }

    /** What each process numbers or places by itself cannot be told together. */
    private static void checkJoinable(boolean several, List<ReportKey> keys, CommandLine line)
            throws Failure {
        if (several
                && (!keys.stream().allMatch(ReportKey::joinsProcesses)
                        || line.hasOption("patterns")
                        || line.hasOption("fields"))) {
            throw new Failure(
                    Status.USAGE,
                    "--by block, --by page, --fields and --patterns take one trace at a time.");
        }
    }

    private static MemberTypes types(List<ReportKey> keys) throws Failure {
        if (keys.size() > 1 || !keys.get(0).hasMembers()) {
            throw new Failure(
                    Status.USAGE,
                    "--fields goes with --by symbol and --by block, not with --by "
                            + keys.stream().map(ReportKey::word).collect(Collectors.joining(","))
                            + ".");
        }
        return new MemberTypes();
    }
}
