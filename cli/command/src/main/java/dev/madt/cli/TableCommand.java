package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.file.TraceEnds;
import dev.madt.view.Selection;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.toolkit.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** Shows tables of what a trace tells: what those commands have in common. */
abstract class TableCommand implements Command {
    /** Refuses a trace that does not hold what is asked for. */
    interface Demand {
        void check(Path file) throws Failure;
    }

    /** Says what is shown of a trace that has been read; empty: nothing. */
    interface Shown {
        String text(Path file, boolean coloured);
    }

    /**
     * Holds what is read, and told of it.
     *
     * @param again whether the trace is to be read once more, for what only all of it tells
     * @param sentences to know about what is shown
     */
    record Told(
            TraceReadings.Analyses analyses,
            Demand demand,
            BooleanSupplier again,
            Shown shown,
            Supplier<List<String>> sentences) {
        Told(
                TraceReadings.Analyses analyses,
                Demand demand,
                Shown shown,
                Supplier<List<String>> sentences) {
            this(analyses, demand, () -> false, shown, sentences);
        }
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    /**
     * Adds the options that all of them have.
     *
     * @param column that one may sort by
     */
    static Options addTo(Options options, String column) {
        ReportForm.addTo(options);
        options.addOption(SelectionOptions.option("columns", "LIST", "these columns"));
        options.addOption(SelectionOptions.option(
                "sort",
                "COLUMN",
                "sort by a column such as " + column + "; COLUMN:asc: least first"));
        Terminal.addTo(options);
        ResultFile.addTo(options);
        LineDetailOptions.addNames(options, true);
        return TraceReading.addTo(options);
    }

    /** Returns the sections of help, with a command's own options first. */
    static List<HelpSection> sectionsBehind(String... own) {
        return List.of(
                HelpSection.of("What is shown", own)
                        .and(
                                "top",
                                "sort",
                                "columns",
                                "wide",
                                "format",
                                "color",
                                "demangle",
                                "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("format", ReportForm.FORMATS, "color", Terminal.WHEN);
    }

    /** Returns how many rows are asked for; a table that is to be sorted needs all of them: 0. */
    static int top(ReportForm form) {
        return form.order() == null ? form.top() : 0;
    }

    static String text(Table table, ReportForm form, Path file, boolean coloured) {
        return ReportText.render(table, form, List.of(file.toString()), coloured);
    }

    /**
     * Reads the trace, and writes what is told of it.
     *
     * @return the exit status
     */
    int show(CommandLine line, Messages messages, Told told) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        return show(file, Selection.ALL, line, messages, told);
    }

    /** As above, of a part of a trace. */
    static int show(Path file, Selection selection, CommandLine line, Messages messages, Told told)
            throws Failure, IOException {
        Demangler names = TraceReadings.names(line, true, List.of(file), selection);
        boolean coloured = ResultFile.coloured(line);
        try (ResultFile result = ResultFile.open(line)) {
            TraceReadings readings = new TraceReadings(file, selection, names);
            int status = readings.read(told.analyses(), line, messages);
            told.demand().check(file);
            if (told.again().getAsBoolean()) { // what there is to say of the trace has been said
                readings.read(told.analyses(), line, Messages.silent());
            }
            readings.tellSelected(messages);
            result.out().write(told.shown().text(file, coloured).getBytes(StandardCharsets.UTF_8));
            result.finish(messages);
            told.sentences().get().forEach(messages::say);
            tellOthers(file, messages);
            return status;
        }
    }

    /** Says of the first trace of several that it is not all of its run. */
    private static void tellOthers(Path file, Messages messages) throws IOException {
        TraceEnds ends = Files.isRegularFile(file) ? TraceEnds.read(file) : null;
        long traces = ends == null
                ? 0
                : ends.processes().stream()
                        .filter(one -> !one.trace().isEmpty())
                        .count();
        if (traces > 1) {
            messages.say(file + " is 1 of " + traces + " traces of its run: madt info " + file
                    + " lists the others.");
        }
    }
}
