package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.file.TraceEnds;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.report.ReportText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/** A table of {@code madt report} that counts accesses. */
final class AccessReport implements ReportPart {
    private final List<ReportKey> keys;
    private final ReportForm form;
    private final boolean leaks;
    private final Report report;
    private String none = "";

    /**
     * @param word what {@code --by} says
     * @param types what members are known by; null: they are not shown
     * @param files the traces, which are counted together
     */
    AccessReport(
            String word, Selection selection, MemberTypes types, List<Path> files, CommandLine line)
            throws Failure, IOException {
        boolean several = files.size() > 1;
        this.form = ReportForm.of(line, "by", word);
        this.leaks = line.hasOption("leaks");
        this.keys = leaks ? List.of(ReportKey.SITE) : form.keys();
        if (!isBySite()) {
            SelectionOptions.checkAccesses(selection);
        }
        checkJoinable(several, line);
        report = new Report(keys, line.hasOption("patterns"), types, areOfCalls(files));
        if (selection.selectsAccesses()) {
            report.partial();
        }
        if (several) {
            report.joined();
        }
    }

    /** Returns whether one of the traces has calls, as far as can be told before it is read. */
    private static boolean areOfCalls(List<Path> files) throws IOException {
        for (Path file : files) {
            TraceEnds ends = Files.isRegularFile(file) ? TraceEnds.read(file) : null;
            if (ends != null && ends.meta().containsKey("calls")) {
                return true;
            }
        }
        return false;
    }

    private boolean isBySite() {
        return keys.contains(ReportKey.SITE);
    }

    /** Rejects what each process numbers or places by itself, and so cannot be told together. */
    private void checkJoinable(boolean several, CommandLine line) throws Failure {
        if (several
                && (!keys.stream().allMatch(ReportKey::joinsProcesses)
                        || line.hasOption("patterns")
                        || line.hasOption("fields"))) {
            throw new Failure(
                    Status.USAGE,
                    "--by block, --by page, --fields and --patterns take one trace at a time.");
        }
    }

    @Override
    public void addTo(Reading reading) {
        reading.add(report);
    }

    /** Sites have their allocations all the same. */
    @Override
    public boolean needsAccesses() {
        return !isBySite();
    }

    @Override
    public void check(TraceReadings readings, Messages messages) throws Failure {
        if (keys.contains(ReportKey.LINE)) {
            readings.checkSources();
        }
        if (keys.contains(ReportKey.PATH) && !report.isOfCalls()) {
            throw CallReport.withoutCalls(readings.first(), "madt trace --record accesses,calls");
        }
        if (isBySite()) {
            none = readings.lackHeap()
                    ? "No allocation was recorded."
                    : readings.haveGoBlocks()
                            ? "No other block is alive at the end."
                            : "No block is alive at the end.";
            readings.tellLack(messages);
            if (leaks && readings.haveGoBlocks()) {
                messages.say(
                        readings.first() + ": Go's blocks are left out, since its collector does"
                                + " not tell when it ends them");
            }
        }
    }

    @Override
    public String render(List<String> traces, boolean coloured) {
        return leaks
                ? ReportText.leaks(report, none, form, traces, coloured)
                : ReportText.render(report, form, traces, coloured);
    }

    @Override
    public void tell(Messages messages) {
        // all is in the table
    }
}
