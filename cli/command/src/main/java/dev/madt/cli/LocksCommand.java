package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.session.CommandText;
import dev.madt.view.Selection;
import dev.madt.view.locks.LockReport;
import dev.madt.view.report.ReportForm;
import dev.madt.view.sharing.LockedData;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt locks}: what threads did with locks. */
final class LocksCommand extends TableCommand {
    private static final String DATA = "data";
    private static final String ONE_TABLE =
            "--data, --waits, --order and --histogram are a table each: one of them.";

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public String summary() {
        return "locks: how often, how long, who waited for whom";
    }

    @Override
    public Options options() {
        Options options = new Options();
        options.addOption(SelectionOptions.option(
                "by", "KEY", "lock (default), or class: the same member of all of a type"));
        options.addOption(SelectionOptions.option(
                "histogram", "OF", "how many had which depth, length or wait; also svg, html"));
        options.addOption(flag(DATA, "which data threads touched while they held which lock"));
        options.addOption(flag("waits", "which threads waited for which, and where"));
        options.addOption(
                flag("order", "which locks were asked for while which were held; circles"));
        return addTo(options, "held");
    }

    static Option flag(String name, String text) {
        return Option.builder().longOpt(name).desc(text).get();
    }

    @Override
    public List<HelpSection> sections() {
        return sectionsBehind("by", DATA, "waits", "order", "histogram");
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "by",
                LockReport.KEYS,
                "histogram",
                LockReport.measures(),
                "format",
                CacheCommand.FORMATS,
                "color",
                Terminal.WHEN);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt locks server.madt",
                "madt locks --waits --by class server.madt",
                "madt locks --data --by class server.madt",
                "madt locks --histogram length --format svg -o held.svg server.madt");
    }

    private static LockReport.Part part(CommandLine line) throws Failure {
        List<LockReport.Part> asked = new ArrayList<>();
        if (line.hasOption("waits")) {
            asked.add(LockReport.Part.WAITS);
        }
        if (line.hasOption("order")) {
            asked.add(LockReport.Part.ORDER);
        }
        if (line.hasOption("histogram")) {
            asked.add(LockReport.Part.HISTOGRAM);
        }
        if (asked.size() > 1) {
            throw new Failure(Status.USAGE, ONE_TABLE);
        }
        return asked.isEmpty() ? LockReport.Part.ROWS : asked.get(0);
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        if (line.hasOption(DATA)) {
            return data(line, messages);
        }
        LockReport.Part part = part(line);
        String format = CacheCommand.format(line);
        boolean drawn = CacheCommand.PICTURES.contains(format);
        if (drawn && part != LockReport.Part.HISTOGRAM) {
            throw new Failure(Status.USAGE, "--format " + format + " goes with --histogram.");
        }
        LockReport report = new LockReport(
                part,
                Choice.of(line, "by", LockReport.KEYS, LockReport.KEYS.get(0)),
                part == LockReport.Part.HISTOGRAM
                        ? Choice.of(line, "histogram", LockReport.measures(), null)
                        : null);
        ReportForm form = drawn ? null : ReportForm.ofColumns(line, LockReport.headings(part));
        boolean readable = drawn || form.format().equals("text");
        Path trace = TraceArgument.of(this, line, messages);
        int status = show(
                trace,
                Selection.ALL,
                line,
                messages,
                new Told(
                        report::addTo,
                        file -> demand(report, file),
                        (file, coloured) -> drawn
                                ? CacheCommand.picture(
                                        report.chart(file.getFileName().toString()), format)
                                : readable && report.hasNoOrder()
                                        ? ""
                                        : text(
                                                report.table(top(form), !readable),
                                                form,
                                                file,
                                                coloured),
                        report::sentences));
        if (part == LockReport.Part.ROWS && readable && !line.hasOption("columns")) {
            hint(report.next(), trace, messages);
        }
        return status;
    }

    /** Says what to type next. */
    private static void hint(List<String> commands, Path trace, Messages messages) {
        if (!commands.isEmpty()) {
            String name = ' ' + CommandText.file(trace);
            messages.say("next: " + String.join(name + "     ", commands) + name);
        }
    }

    private int data(CommandLine line, Messages messages) throws Failure, IOException {
        if (line.hasOption("waits") || line.hasOption("order") || line.hasOption("histogram")) {
            throw new Failure(Status.USAGE, ONE_TABLE);
        }
        String key = Choice.of(line, "by", LockReport.KEYS, LockReport.KEYS.get(0));
        ReportForm form = ReportForm.ofColumns(line, LockedData.HEADINGS);
        LockedData report = new LockedData(!key.equals(LockReport.KEYS.get(0)));
        return show(
                line,
                messages,
                new Told(
                        report::addTo,
                        file -> demand(report, file),
                        (file, coloured) -> text(report.table(top(form)), form, file, coloured),
                        report::sentences));
    }

    private static void demand(LockedData report, Path file) throws Failure {
        if (!report.isOfLocks() || !report.isOfAccesses()) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no " + (report.isOfLocks() ? "accesses" : "locks")
                            + ". Record both: madt run --record accesses,locks -- PROG");
        }
    }

    private static void demand(LockReport report, Path file) throws Failure {
        if (!report.isOfLocks()) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no locks. Record them: madt run --record locks -- PROG");
        }
    }
}
