package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.file.TraceEnds;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.Selection;
import dev.madt.view.defects.DefectKind;
import dev.madt.view.defects.DefectView;
import dev.madt.view.locks.LockFollower;
import dev.madt.view.overview.Overview;
import dev.madt.view.overview.OverviewPage;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportKey;
import dev.madt.view.sharing.ThreadTables;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineKinds;
import dev.madt.view.toolkit.ProcessDrawing;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt view}: everything about a trace on one page for a browser. */
final class ViewCommand implements Command {
    private static final String EXTENSION = ".madt";
    /**
     * Events of the largest trace that is searched for all kinds of defects anyway, which takes
     * longer than all the rest; larger ones only if something looks wrong.
     */
    private static final long MOST_SEARCHED = 5_000_000;

    /** Events of the largest trace whose page has members: they take half as long again. */
    private static final long MOST_WITH_MEMBERS = 50_000_000;

    @Override
    public String name() {
        return "view";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE] [-o FILE.html]";
    }

    @Override
    public String summary() {
        return "write one page for a browser: what is hot, who, when";
    }

    @Override
    public Options options() {
        return SelectionOptions.addTo(TraceReading.addTo(
                        ResultFile.addTo(LineDetailOptions.addNames(new Options(), true))))
                .addOption(
                        TraceArgument.all("show all processes of the run, from its first trace"));
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                SelectionOptions.section("Which accesses", "all"),
                HelpSection.of("How names look", "demangle", "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Without -o, the page goes to the current directory, under the trace's name",
                "with .html in the place of .madt.",
                "Traces of more than 5 million events are searched for all kinds of defects",
                "only if they have accesses to freed memory or beside blocks, or wrong frees.");
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("kind", LineKinds.words());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt view prog.madt",
                "madt view -o prog.html prog.madt",
                "madt view --all -o build.html make.madt",
                "madt view --thread 4711 -o thread.html prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        List<Path> files = TraceArgument.several(this, line, messages);
        if (files.size() > 1 && !line.hasOption("all")) {
            return TraceArgument.refuse(this, files.size());
        }
        try (ResultFile result = ResultFile.open(line, page(files.get(0)))) {
            return new ProcessDrawing(name(), messages)
                    .write(
                            files,
                            result,
                            false,
                            (file, out, remarks) -> view(file, out, line, messages, remarks));
        }
    }

    /**
     * Returns the exit status, below 0 where there is nothing to show.
     *
     * @param remarks is given what is to be said when the page has been written
     */
    private int view(
            Path file,
            OutputStream out,
            CommandLine line,
            Messages messages,
            List<Runnable> remarks)
            throws Failure, IOException {
        Selection selection = SelectionOptions.of(line);
        Demangler names = TraceReadings.names(line, true, List.of(file), selection);
        Overview overview = new Overview();
        DefectView defects = new DefectView(EnumSet.allOf(DefectKind.class), selection);
        TraceReadings readings = new TraceReadings(file, selection, names);
        TraceEnds ends = TraceReadings.ends(file);
        boolean atOnce = hasAtMost(MOST_SEARCHED, ends);
        boolean withMembers = hasAtMost(MOST_WITH_MEMBERS, ends);
        Report types = new Report(ReportKey.TYPE, false);
        List<Report> members = new ArrayList<>();
        ThreadTables threads =
                new ThreadTables(TraceReadings.mayHave(ends, LockFollower.KEY), atOnce);
        boolean several = mayHaveThreads(ends);
        int status = readings.read(
                (reading, known) -> {
                    reading.add(overview);
                    reading.add(types);
                    if (withMembers) {
                        members.add(new Report(ReportKey.TYPE, false, known));
                        reading.add(members.get(0));
                    }
                    if (atOnce) {
                        reading.addUnselected(defects);
                    }
                    if (several) {
                        threads.addTo(reading, known);
                    }
                },
                line,
                messages);
        if (readings.haveOnlyCalls()) {
            return -CallReport.tellOnlyCalls(this, file, line, messages);
        }
        overview.types(types.table(0), withMembers ? members.get(0).table(0) : null);
        if (several && overview.hasThreads()) {
            overview.together(threads.tables(), threads.sentences());
        }
        boolean later = !atOnce && (overview.events() <= MOST_SEARCHED || overview.isSuspicious());
        if (later) {
            new TraceReadings(file, Selection.ALL, names)
                    .read((reading, known) -> reading.add(defects), line, Messages.silent());
        }
        if (atOnce || later) {
            overview.defects(defects.found().sorted(), defects.limits().text());
        }
        OverviewPage.write(overview, file.getFileName().toString(), out);
        remarks.add(() -> readings.tellSelected(messages));
        return status;
    }

    /** Returns whether a trace may tell of several threads. */
    private static boolean mayHaveThreads(TraceEnds ends) {
        String names = ends == null ? null : ends.meta().get(ThreadNames.KEY);
        return names == null || names.lines().skip(1).findAny().isPresent();
    }

    /** Returns whether a trace is known to have at most so many events. */
    private static boolean hasAtMost(long events, TraceEnds ends) {
        return ends != null && ends.index().numbered() <= events;
    }

    /** Returns what the page is called unless {@code -o} says so. */
    private static String page(Path trace) {
        String name = trace.getFileName().toString();
        return (name.endsWith(EXTENSION)
                        ? name.substring(0, name.length() - EXTENSION.length())
                        : name)
                + ".html";
    }
}
