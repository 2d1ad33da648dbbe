package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.view.Selection;
import dev.madt.view.cache.CacheGeometry;
import dev.madt.view.cache.CacheHierarchy;
import dev.madt.view.locality.CacheReport;
import dev.madt.view.locality.LineStream;
import dev.madt.view.locality.LocalityKey;
import dev.madt.view.report.ReportForm;
import dev.madt.view.text.LineKinds;
import dev.madt.view.toolkit.Chart;
import dev.madt.view.toolkit.ChartPage;
import dev.madt.view.toolkit.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt cache}: what caches of some form would miss. */
final class CacheCommand extends TableCommand {
    static final String TRANSFERS = "expand-blocks";

    static final List<String> PICTURES = List.of("svg", "html");
    static final List<String> FORMATS = List.of("text", "csv", "json", "svg", "html");
    private static final List<String> LEVELS = List.of("l1", "l2", "l3");

    /** Makes a table of so many rows at most (0: all), for people or for programs. */
    interface Tables {
        Table table(int top, boolean fine);
    }

    /**
     * Holds what is read, and told of it.
     *
     * @param ofAccesses whether there were accesses
     */
    record Told(
            TraceReadings.Analyses analyses,
            BooleanSupplier ofAccesses,
            Tables tables,
            Function<String, Chart> chart,
            Supplier<List<String>> sentences) {
        /** Holds an analysis of caches. */
        Told(
                LineStream<?> analysis,
                Tables tables,
                Function<String, Chart> chart,
                Supplier<List<String>> sentences) {
            this(
                    (reading, types) -> reading.add(analysis),
                    analysis::isOfAccesses,
                    tables,
                    chart,
                    sentences);
        }
    }

    @Override
    public String name() {
        return "cache";
    }

    @Override
    public String summary() {
        return "simulate caches: misses by variable, function, line …";
    }

    @Override
    public Options options() {
        Options options = SelectionOptions.addTo(new Options());
        options.addOption(
                level("l1", "simulate this cache next to the processor (default: this machine's)"));
        options.addOption(level("l2", "and this one behind it"));
        options.addOption(level("l3", "and this one behind that"));
        options.addOption(SelectionOptions.option(
                "like",
                "TOOL",
                "count as madt (default), cachegrind (a modify is one load) or drcachesim (each"
                        + " line by itself)"));
        return addTo(options, "L1_misses");
    }

    private static Option level(String name, String text) {
        return SelectionOptions.option(name, "SIZE,WAYS,LINE", text);
    }

    /** Adds the options that commands about caches have. */
    static Options addTo(Options options, String column) {
        return TableCommand.addTo(options, column)
                .addOption(SelectionOptions.option(
                        "by",
                        "KEY",
                        "rows by " + String.join(", ", LocalityKey.words()) + " (default: symbol)"))
                .addOption(LocksCommand.flag(
                        TRANSFERS, "count bulk transfers, as accesses of 8 bytes"))
                .addOption(SelectionOptions.option(
                        "format", "FORMAT", "text (default), csv, json, svg or html"));
    }

    /** Returns what rows are to be by. */
    static LocalityKey key(CommandLine line) throws Failure {
        return LocalityKey.of(Choice.of(line, "by", LocalityKey.words(), "symbol"));
    }

    @Override
    public List<HelpSection> sections() {
        return sectionsBehind(
                HelpSection.of("What is counted", "by", "l1", "l2", "l3", "like", TRANSFERS));
    }

    static List<HelpSection> sectionsBehind(HelpSection own) {
        List<HelpSection> all =
                new ArrayList<>(List.of(own, SelectionOptions.section("Which accesses")));
        all.addAll(TableCommand.sectionsBehind());
        return all;
    }

    @Override
    public Map<String, List<String>> words() {
        return words(Map.of("like", CacheReport.Like.words()));
    }

    static Map<String, List<String>> words(Map<String, List<String>> own) {
        Map<String, List<String>> words = new HashMap<>(own);
        words.put("by", LocalityKey.words());
        words.put("format", FORMATS);
        words.put("kind", LineKinds.words());
        words.put("color", Terminal.WHEN);
        return words;
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt cache prog.madt",
                "madt cache --l1 32K,8,64 --l2 1M,16,64 --by line prog.madt",
                "madt cache --format html -o misses.html prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        CacheReport.Form form = new CacheReport.Form(
                key(line),
                levels(line),
                CacheReport.Like.of(Choice.of(line, "like", CacheReport.Like.words(), "madt")),
                line.hasOption(TRANSFERS));
        CacheReport report = new CacheReport(form);
        return show(
                this,
                line,
                messages,
                CacheReport.headings(form),
                new Told(
                        report,
                        (top, fine) -> report.table(top),
                        report::chart,
                        report::sentences));
    }

    /** Reads a trace, and shows a table or a picture. */
    static int show(
            Command command, CommandLine line, Messages messages, List<String> headings, Told told)
            throws Failure, IOException {
        String word = format(line);
        boolean drawn = PICTURES.contains(word);
        ReportForm form = drawn ? null : ReportForm.ofColumns(line, headings);
        Path trace = TraceArgument.of(command, line, messages);
        Selection selection = SelectionOptions.of(line);
        return show(
                trace,
                selection,
                line,
                messages,
                new TableCommand.Told(
                        told.analyses,
                        file -> demand(told.ofAccesses, selection, file),
                        (file, coloured) -> drawn
                                ? picture(told.chart.apply(file.getFileName().toString()), word)
                                : text(
                                        told.tables.table(top(form), !word.equals("text")),
                                        form,
                                        file,
                                        coloured),
                        told.sentences));
    }

    /** Returns in which form something is shown. */
    static String format(CommandLine line) throws Failure {
        return Choice.format(line, FORMATS);
    }

    static String picture(Chart chart, String format) {
        try {
            return format.equals("svg") ? chart.svg() : ChartPage.of(chart);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void demand(BooleanSupplier ofAccesses, Selection selection, Path file)
            throws Failure {
        if (selection.isEverything() && !ofAccesses.getAsBoolean()) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no accesses. Record them: madt run --record accesses -- PROG");
        }
    }

    private static List<CacheGeometry> levels(CommandLine line) throws Failure {
        List<CacheGeometry> levels = new ArrayList<>();
        boolean gap = false;
        for (String option : LEVELS) {
            String text = line.getOptionValue(option);
            gap |= text == null;
            if (text != null && gap) {
                throw new Failure(
                        Status.USAGE,
                        "--" + option + " needs the caches in front of it, from --l1 on.");
            }
            if (text != null) {
                levels.add(ConvertCommand.geometry(line, option, null));
            }
        }
        return levels.isEmpty() ? CacheHierarchy.dataLevels() : levels;
    }
}
