package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.OptionalValue;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt report}: the totals of a trace, hottest first. */
final class ReportCommand implements Command {
    /** Rows of {@code --top} without a number. */
    private static final String TOP = "20";

    private static final String CHAINS = "chains";

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
        return "count accesses by variable, block, line …, hottest first";
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
                                + " (default: symbol), or by up to three; or calls, by"
                                + " call or path; may repeat")
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
                        .desc("sort by a column such as stores; COLUMN:asc: least first")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("count all processes of the run, from its first trace")
                        .get())
                .addOption(Option.builder()
                        .longOpt("tree")
                        .hasArg()
                        .argName("[FUNC]")
                        .desc("show calls as a tree, or FUNC's callers and callees")
                        .get())
                .addOption(Option.builder()
                        .longOpt("min")
                        .hasArg()
                        .argName("PERCENT")
                        .desc("leave out branches of a tree with less (default: 1)")
                        .get())
                .addOption(Option.builder()
                        .longOpt("top")
                        .hasArg()
                        .argName("[N]")
                        .desc("show only the hottest N rows (" + TOP + "), with bars")
                        .get())
                .addOption(Option.builder()
                        .longOpt("leaks")
                        .desc("show blocks alive at the end, by the call that made them")
                        .get())
                .addOption(Option.builder()
                        .longOpt(CHAINS)
                        .desc("show the calls that led to each allocation site")
                        .get())
                .addOption(Option.builder()
                        .longOpt("patterns")
                        .desc("show the strides and reuse distances of each row")
                        .get())
                .addOption(Option.builder()
                        .longOpt("fields")
                        .desc("show members instead of whole data; a guess ends in ?")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is counted",
                        "by",
                        "all",
                        "leaks",
                        CHAINS,
                        "fields",
                        "patterns",
                        "tree",
                        "min"),
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
                "madt report --by site --chains prog.madt",
                "madt report --by call --tree parse calls.madt",
                "madt report --by symbol --fields --format csv -o members.csv prog.madt");
    }

    private static List<String> keys() {
        return Stream.concat(ReportKey.words().stream(), CallReport.WORDS.stream())
                .toList();
    }

    /** A word behind {@code --tree} that names a trace is one. */
    @Override
    public String[] spelled(String[] arguments) {
        String[] counted =
                OptionalValue.spelled(arguments, "--top", word -> word.matches("\\d+"), TOP);
        return OptionalValue.spelled(
                counted,
                "--tree",
                word -> !word.startsWith("-")
                        && !word.endsWith(".madt")
                        && !Files.isReadable(Path.of(word)),
                "");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, messages);
        checkLeaks(line);
        checkChains(line);
        Selection selection = SelectionOptions.of(line);
        MemberTypes types = asksForTypes(line) ? new MemberTypes() : null;
        Demangler names = TraceReadings.names(line, true, files, selection);
        List<ReportPart> parts =
                parts(line, selection, line.hasOption("fields") ? types : null, files, names);
        boolean coloured = ResultFile.coloured(line);
        try (ResultFile result = ResultFile.open(line)) {
            TraceReadings readings = new TraceReadings(files, selection, names);
            int status = readings.read(types, reading -> addTo(reading, parts), line, messages);
            boolean ofAccesses = parts.stream().anyMatch(ReportPart::needsAccesses);
            if (ofAccesses && readings.haveOnlyCalls()) {
                return CallReport.tellOnlyCalls(this, files.get(0), line, messages);
            }
            for (ReportPart part : parts) {
                part.check(readings, messages);
            }
            readings.tellSelected(messages);
            if (types != null && types.isEmpty()) {
                messages.say(files.get(0) + " has no types: "
                        + (line.hasOption("fields") ? "rows are whole variables and blocks. " : "")
                        + "Compile the program with -g to see "
                        + (line.hasOption("fields") ? "members." : "them."));
            }
            result.out().write(text(parts, files, coloured, line).getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            parts.forEach(part -> part.tell(messages));
            return status;
        }
    }

    private static boolean asksForTypes(CommandLine line) {
        return line.hasOption("fields")
                || by(line).stream().anyMatch(keys -> List.of(keys.split(",")).contains("type"));
    }

    private static void addTo(Reading reading, List<ReportPart> parts) {
        parts.forEach(part -> part.addTo(reading));
    }

    /** One for each {@code --by}. */
    private static List<ReportPart> parts(
            CommandLine line,
            Selection selection,
            MemberTypes types,
            List<Path> files,
            Demangler names)
            throws Failure, IOException {
        List<ReportPart> parts = new ArrayList<>();
        for (String word : by(line)) {
            if (line.hasOption(CHAINS)) {
                parts.add(new ChainReport(line));
            } else if (line.hasOption("tree")) {
                parts.add(new CallTreeReport(word, selection, names, line));
            } else if (CallReport.isOf(word, line)) {
                parts.add(new CallReport(word, selection, names, line));
            } else {
                checkKeys(word);
                parts.add(new AccessReport(word, selection, types, files, line));
            }
        }
        return parts;
    }

    private static List<String> by(CommandLine line) {
        String[] words = line.getOptionValues("by");
        String usual = line.hasOption("tree")
                ? CallReport.CALL
                : line.hasOption("leaks") || line.hasOption(CHAINS)
                        ? ReportKey.SITE.word()
                        : ReportKey.SYMBOL.word();
        return words == null ? List.of(usual) : List.of(words);
    }

    private static String text(
            List<ReportPart> parts, List<Path> files, boolean coloured, CommandLine line)
            throws Failure {
        List<String> names = files.stream().map(Path::toString).toList();
        List<String> tables = new ArrayList<>();
        for (ReportPart part : parts) {
            tables.add(part.render(names, coloured));
        }
        return ReportText.several(tables, ReportForm.format(line));
    }

    /** Calls have reports of their own. */
    private static void checkKeys(String by) throws Failure {
        for (String word : by.split(",", -1)) {
            if (CallReport.CALL.equals(word)) {
                throw new Failure(Status.USAGE, "--by " + word + " goes with no other key.");
            }
            Choice.checked("by", word, keys());
        }
    }

    private static void checkChains(CommandLine line) throws Failure {
        if (line.hasOption(CHAINS) && !by(line).equals(List.of(ReportKey.SITE.word()))) {
            throw new Failure(Status.USAGE, "--chains goes by site.");
        }
    }

    private static void checkLeaks(CommandLine line) throws Failure {
        if (line.hasOption("leaks")
                && (!by(line).equals(List.of(ReportKey.SITE.word()))
                        || line.hasOption("fields")
                        || line.hasOption("patterns")
                        || line.hasOption("sort")
                        || line.hasOption("columns"))) {
            throw new Failure(
                    Status.USAGE,
                    "--leaks goes by site, without --fields, --patterns, --sort and --columns.");
        }
    }
}
