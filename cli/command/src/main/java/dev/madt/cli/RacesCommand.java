package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.manual.HelpSection;
import dev.madt.view.report.ReportForm;
import dev.madt.view.sharing.RaceReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt races}: accesses of threads that nothing orders. */
final class RacesCommand extends TableCommand {
    @Override
    public String name() {
        return "races";
    }

    @Override
    public String summary() {
        return "accesses of two threads that nothing orders";
    }

    @Override
    public Options options() {
        return addTo(new Options(), "times");
    }

    @Override
    public List<HelpSection> sections() {
        return sectionsBehind();
    }

    @Override
    public List<String> notes() {
        return List.of(
                "Where calls were recorded, too (madt run --record accesses,locks,calls), the",
                "functions that led to the two accesses stand below each row.");
    }

    @Override
    public List<String> examples() {
        return List.of("madt races prog.madt", "madt races --format json prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        ReportForm form = ReportForm.ofColumns(line, RaceReport.HEADINGS);
        boolean readable = form.format().equals("text");
        RaceReport report = new RaceReport();
        return show(
                line,
                messages,
                new Told(
                        report::addTo,
                        file -> demand(report, file),
                        report::needsAnother,
                        (file, coloured) -> readable && report.races() == 0
                                ? ""
                                : text(report.table(top(form)), form, file, coloured),
                        report::sentences));
    }

    /** Without locks everything that is shared would look like a race. */
    private static void demand(RaceReport report, Path file) throws Failure {
        String lacks = report.isOfAccesses() ? report.isOfLocks() ? null : "locks" : "accesses";
        if (lacks != null) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no " + lacks + ", which tell of races. Record both: madt run"
                            + " --record accesses,locks -- PROG");
        }
    }
}
