package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.manual.HelpSection;
import dev.madt.view.report.ReportForm;
import dev.madt.view.sharing.SharingReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt sharing}: what threads have in common. */
final class SharingCommand extends TableCommand {
    private static final String LINES = "lines";
    private static final String LOCKS = "locks";
    /** Lines in a text, each of which has three lines of its own. */
    private static final int USUAL_ROWS = 20;

    @Override
    public String name() {
        return "sharing";
    }

    @Override
    public String summary() {
        return "what threads share; lines that hold data of several";
    }

    @Override
    public Options options() {
        Options options = new Options();
        options.addOption(Option.builder()
                .longOpt(LINES)
                .desc("lines of 64 bytes that move, and what to keep apart: " + USUAL_ROWS
                        + " of them in a text without --top")
                .get());
        options.addOption(Option.builder()
                .longOpt(LOCKS)
                .desc("what locks are made of, too")
                .get());
        return addTo(options, "accesses");
    }

    @Override
    public List<HelpSection> sections() {
        return sectionsBehind(LINES, LOCKS);
    }

    @Override
    public List<String> examples() {
        return List.of("madt sharing prog.madt", "madt sharing --lines --top 10 prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        boolean lines = line.hasOption(LINES);
        boolean locks = line.hasOption(LOCKS);
        ReportForm all = ReportForm.ofColumns(line, SharingReport.headings(lines));
        ReportForm form = lines ? all.usually(USUAL_ROWS) : all;
        SharingReport report = new SharingReport();
        return show(
                line,
                messages,
                new Told(
                        report::addTo,
                        file -> demand(report, file),
                        (file, coloured) ->
                                text(report.table(lines, locks, top(form)), form, file, coloured),
                        () -> report.sentences(lines || locks)));
    }

    private static void demand(SharingReport report, Path file) throws Failure {
        if (!report.isOfAccesses()) {
            throw new Failure(
                    Status.FAILED,
                    file + " has no accesses. Record them: madt run --record accesses,locks --"
                            + " PROG");
        }
    }
}
