package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.Selection;
import dev.madt.view.ThreadChoice;
import dev.madt.view.heatmap.Heat;
import dev.madt.view.heatmap.HeatFormat;
import dev.madt.view.heatmap.HeatSelection;
import dev.madt.view.heatmap.HeatView;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.toolkit.ProcessDrawing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/**
 * {@code madt heatmap}: where in the address space, or where and when, a program accessed memory.
 */
final class HeatmapCommand implements Command {
    private static final List<String> VIEWS = List.of("time", "space");
    private static final List<String> ORDERS = List.of("heat", "address");
    private static final List<String> KINDS = List.of("load", "store", "all");
    private static final List<String> PAGES = List.of("64B", "4K", "2M");
    private static final Map<String, Integer> PAGE_BITS = Map.of("64B", 6, "4K", 12, "2M", 21);

    @Override
    public String name() {
        return "heatmap";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE] -o FILE.png|svg|html|txt";
    }

    @Override
    public String summary() {
        return "draw how often each page was accessed";
    }

    @Override
    public Options options() {
        return SelectionOptions.addBesides(TraceReading.addTo(
                        ResultFile.addTo(LineDetailOptions.addNames(new Options(), true))))
                .addOption(SelectionOptions.option(
                        "view",
                        "VIEW",
                        "time (default): time runs from left to right, each page is a row;"
                                + " space: each page is a cell"))
                .addOption(SelectionOptions.option(
                        "order",
                        "ORDER",
                        "heat (default): begin with the region of the hottest page;"
                                + " address: sort by address"))
                .addOption(SelectionOptions.option(
                        "kind", "KIND", "count load, store or all (default)"))
                .addOption(TraceArgument.all("draw all processes of the run, in html or txt"))
                .addOption(SelectionOptions.option(
                        "page", "SIZE", "size of a page: 64B, 4K (default) or 2M"));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                SelectionOptions.section("Which accesses", "all"),
                HelpSection.of(
                        "How they are drawn", "view", "order", "page", "demangle", "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("view", VIEWS, "order", ORDERS, "kind", KINDS, "page", PAGES);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt heatmap -o pages.html prog.madt",
                "madt heatmap --view space --kind store -o pages.png prog.madt",
                "madt heatmap prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, messages);
        if (files.size() > 1 && !line.hasOption("all")) {
            return TraceArgument.refuse(this, files.size());
        }
        HeatFormat format = format(line);
        if (files.size() > 1 && format != HeatFormat.HTML && format != HeatFormat.TXT) {
            throw new Failure(
                    Status.USAGE,
                    "--all draws several processes in one .html or .txt, not in ." + format.word()
                            + ".");
        }
        try (ResultFile result = ResultFile.open(line)) {
            return new ProcessDrawing(name(), messages)
                    .write(
                            files,
                            result,
                            format == HeatFormat.TXT,
                            (file, out, remarks) ->
                                    draw(file, format, out, line, messages, remarks));
        }
    }

    /**
     * Returns the exit status, below 0 where there is nothing to draw.
     *
     * @param remarks is given what is to be said when the picture has been written
     */
    private int draw(
            Path file,
            HeatFormat format,
            OutputStream out,
            CommandLine line,
            Messages messages,
            List<Runnable> remarks)
            throws Failure, IOException {
        HeatView view = new HeatView(
                Choice.of(line, "view", VIEWS, "time").equals("time"),
                Choice.of(line, "order", ORDERS, "heat").equals("address"));
        int bits = PAGE_BITS.get(Choice.of(line, "page", PAGES, "4K"));
        HeatSelection selection = selection(line);
        Selection besides = SelectionOptions.besides(line);
        Demangler names =
                TraceReadings.names(line, true, List.of(file), besides.of(selection.symbol()));
        Heat heat = new Heat(bits, selection, format == HeatFormat.HTML);
        TraceReadings readings = new TraceReadings(file, besides, names);
        int status = readings.read((reading, types) -> reading.add(heat), line, messages);
        if (readings.haveOnlyCalls()) {
            return -CallReport.tellOnlyCalls(this, file, line, messages);
        }
        String remark = format.write(heat, view, out);
        remarks.add(() -> {
            if (heat.pageCount() == 0) {
                SelectionOptions.tellNothing(besides.of(selection.symbol()), file, messages);
            } else {
                readings.tellSelected(messages);
            }
        });
        if (remark != null) {
            remarks.add(() -> messages.say(remark));
        }
        return status;
    }

    private static HeatSelection selection(CommandLine line) throws Failure {
        String kind = Choice.of(line, "kind", KINDS, "all");
        return new HeatSelection(
                !kind.equals("store"),
                !kind.equals("load"),
                SelectionOptions.pattern(line, "symbol"),
                ThreadChoice.of(line.getOptionValue("thread")));
    }

    private static HeatFormat format(CommandLine line) throws Failure {
        String name = line.getOptionValue("output", "-");
        HeatFormat format = name.equals("-") ? HeatFormat.TXT : HeatFormat.ofFile(name);
        if (format == null) {
            throw new Failure(
                    Status.USAGE,
                    "'" + name + "' does not say what to draw: end its name in ."
                            + String.join(", .", HeatFormat.words()) + ".");
        }
        return format;
    }
}
