package dev.madt.options;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.manual.HelpSection;
import dev.madt.trace.event.OwnSource;
import dev.madt.view.LineRange;
import dev.madt.view.NamePattern;
import dev.madt.view.SelectedView;
import dev.madt.view.Selection;
import dev.madt.view.ThreadChoice;
import dev.madt.view.chains.SiteOptions;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * The options by which commands select accesses, bulk transfers and allocations, and the selection
 * that they describe.
 */
public final class SelectionOptions {
    private static final Pattern LINES =
            Pattern.compile("(?:(.+):)?([0-9]{1,9})(?:-([0-9]{1,9}))?");

    private static final String SOURCE_ROOT = "source-root";
    private static final String EXACT = "exact";

    private SelectionOptions() {}

    /** Adds the options that every view has. */
    public static Options addTo(Options options) {
        return addBesides(options)
                .addOption(option(
                        "kind", "KINDS", "only load,store,access,block,allocation,call,window"));
    }

    /** Adds those options but for the kinds, for a command that has its own. */
    public static Options addBesides(Options options) {
        return SiteOptions.addTo(options)
                .addOption(option(
                        "symbol", "NAME", "only this variable, or blocks such as <malloc@f+45>"))
                .addOption(option(
                        "region", "NAME", "only this region, such as [heap], .bss or libc.so.6"))
                .addOption(option(
                        "site", "CALL", "only blocks that this call made: f+45, f or file:line"))
                .addOption(option(
                        "type", "NAME", "only variables of this type, and blocks that hold such"))
                .addOption(option("function", "NAME", "only events in this function"))
                .addOption(option("file", "NAME", "only events in this source file"))
                .addOption(option(
                        "line", "N", "only events in these source lines: N, N-M or FILE:N-M"))
                .addOption(option("thread", "TID", "only this thread, by its number or name"))
                .addOption(option("from", "N", "begin at access number N"))
                .addOption(option("until", "N", "end at access number N"))
                .addOption(option("window", "N", "only window number N of the recording"))
                .addOption(option(
                        SOURCE_ROOT, "DIR", "only files below DIR are the author's; may repeat"))
                .addOption(Option.builder()
                        .longOpt(EXACT)
                        .desc("charge code to its innermost line, of libraries too")
                        .get());
    }

    /**
     * Returns which source lines accesses are charged to, in tables and where lines are selected.
     */
    public static OwnSource ownSource(CommandLine line) throws Failure {
        String[] roots = line.getOptionValues(SOURCE_ROOT);
        if (roots != null && line.hasOption(EXACT)) {
            throw new Failure(
                    Status.USAGE, "--" + SOURCE_ROOT + " and --" + EXACT + " exclude each other.");
        }
        if (line.hasOption(EXACT)) {
            return OwnSource.EXACT;
        }
        return OwnSource.below(Stream.of(roots == null ? new String[0] : roots)
                .map(root -> Path.of(root).toAbsolutePath().normalize().toString())
                .toList());
    }

    /** Their names, as a section of the help lists them. */
    public static HelpSection section(String title, String... more) {
        List<String> names = new ArrayList<>(List.of(
                "symbol",
                "region",
                "site",
                "type",
                "function",
                "file",
                "line",
                "kind",
                "thread",
                "from",
                "until",
                "window",
                SOURCE_ROOT,
                EXACT,
                SiteOptions.BLOCKS_BY,
                SiteOptions.THROUGH));
        names.addAll(List.of(more));
        return HelpSection.of(title, names.toArray(String[]::new));
    }

    /** Adds the options that only {@code madt print} has. */
    public static Options addLines(Options options) {
        return options.addOption(
                        option("page", "ADDRESS", "only the page of 4 KiB that holds this address"))
                .addOption(option("count", "N", "print at most N lines"));
    }

    /** An option with an argument, by its long name. */
    public static Option option(String name, String argument, String text) {
        return Option.builder()
                .longOpt(name)
                .hasArg()
                .argName(argument)
                .desc(text)
                .get();
    }

    /**
     * Returns what the options select; a pattern remembers the names that it is asked about, so all
     * traces of a command share them.
     */
    public static Selection of(CommandLine line) throws Failure {
        String kinds = line.getOptionValue("kind");
        return of(
                line,
                pattern(line, "symbol"),
                kinds == null ? null : LineKinds.letters(kinds),
                ThreadChoice.of(line.getOptionValue("thread")),
                line.hasOption("page") ? address(line) : -1,
                line.hasOption("count") ? Choice.number(line, "count", 1, -1) : -1);
    }

    /**
     * Returns what the options select, for a command that selects by symbol, kind and thread
     * itself.
     */
    public static Selection besides(CommandLine line) throws Failure {
        return of(line, null, null, ThreadChoice.ALL, -1, -1);
    }

    private static Selection of(
            CommandLine line,
            NamePattern symbol,
            String letters,
            ThreadChoice thread,
            long page,
            long count)
            throws Failure {
        long from = Choice.number(line, "from", 0, 0);
        long to = Choice.number(line, "until", 0, -1);
        if (to >= 0 && to < from) {
            throw new Failure(Status.USAGE, "--until " + to + " comes before --from " + from + ".");
        }
        return new Selection(
                symbol,
                pattern(line, "region"),
                SiteOptions.isHow(line.getOptionValue("site")) ? null : pattern(line, "site"),
                type(line),
                pattern(line, "function"),
                pattern(line, "file"),
                lines(line),
                letters,
                thread,
                page,
                from,
                to,
                Choice.number(line, "window", 1, -1),
                count);
    }

    /** The pattern of an option that takes a name, or null. */
    public static NamePattern pattern(CommandLine line, String option) {
        String text = line.getOptionValue(option);
        return text == null ? null : new NamePattern(text, LineDetailOptions.spellings());
    }

    /** The pattern of a type: what reports mark as a guess is taken without the mark. */
    private static NamePattern type(CommandLine line) {
        String text = line.getOptionValue("type");
        return text == null
                ? null
                : new NamePattern(text.endsWith("?") ? text.substring(0, text.length() - 1) : text);
    }

    private static LineRange lines(CommandLine line) throws Failure {
        String text = line.getOptionValue("line");
        if (text == null) {
            return null;
        }
        Matcher parts = LINES.matcher(text);
        if (parts.matches()) {
            int first = Integer.parseInt(parts.group(2));
            int last = parts.group(3) == null ? first : Integer.parseInt(parts.group(3));
            if (first > 0 && first <= last) {
                return new LineRange(
                        parts.group(1) == null ? null : new NamePattern(parts.group(1)),
                        first,
                        last);
            }
        }
        throw new Failure(
                Status.USAGE,
                "--line is a line N, lines N-M, or both of a file, as in main.c:10-20, not '" + text
                        + "'.");
    }

    private static long address(CommandLine line) throws Failure {
        String text = line.getOptionValue("page");
        try {
            return Long.parseLong(text.startsWith("0x") ? text.substring(2) : text, 16);
        } catch (NumberFormatException e) {
            throw new Failure(
                    Status.USAGE,
                    "--page is an address in hexadecimal, for instance 0x555555559000, not '" + text
                            + "'.");
        }
    }

    /** Refuses a selection of kinds that a command which counts accesses has no rows for. */
    public static void checkAccesses(Selection selection) throws Failure {
        if (!selection.hasAny("LSYWG")) {
            throw new Failure(
                    Status.USAGE,
                    "--kind leaves no accesses and no bulk transfers, and nothing else is counted"
                            + " here. madt report --by site counts allocations, --by call calls;"
                            + " madt print --kind shows them.");
        }
    }

    /**
     * Says how much of the traces is in the selection, and where it is nothing, which name may have
     * been meant.
     */
    public static void tell(
            Selection selection, List<SelectedView> views, List<Path> files, Messages messages) {
        long seen = views.stream().mapToLong(SelectedView::seen).sum();
        long given = views.stream().mapToLong(SelectedView::given).sum();
        if (given == 0) {
            tellNothing(selection, files.get(0), messages);
        } else if (!selection.isEverything()) {
            messages.say("the selection has " + Numbers.grouped(given) + " of "
                    + Numbers.grouped(seen) + " events.");
        }
    }

    /**
     * Says that nothing is selected, and which name may have been meant; or that there is nothing
     * to select from.
     */
    public static void tellNothing(Selection selection, Path file, Messages messages) {
        if (selection.isEverything()) {
            messages.say(file + " has no accesses to show.");
            return;
        }
        messages.say("nothing of " + file + " is in the selection."
                + meant("symbol", selection.symbol()) + meant("region", selection.region())
                + meant("site", selection.site()) + meant("type", selection.type())
                + meant("function", selection.function()) + meant("file", selection.file())
                + meant("thread", selection.thread().name())
                + (selection.lines() == null
                        ? ""
                        : meant("file", selection.lines().file())));
    }

    private static String meant(String what, NamePattern pattern) {
        if (pattern == null || pattern.hasMatched()) {
            return "";
        }
        return " There is no such " + what + "."
                + Suggestion.sentence(pattern.text(), pattern.names());
    }
}
