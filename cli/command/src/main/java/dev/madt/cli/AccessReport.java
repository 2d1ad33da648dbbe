package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.report.Report;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import dev.madt.view.report.ReportText;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;

/** A table of {@code madt report} that counts accesses. */
final class AccessReport implements ReportPart {
    private final List<ReportKey> keys;
    private final ReportForm form;
    private final boolean leaks;
    private final Report report;

    /**
     * @param word what {@code --by} says
     * @param types what members are known by; null: they are not shown
     * @param several whether several traces are counted together
     */
    AccessReport(
            String word, Selection selection, MemberTypes types, boolean several, CommandLine line)
            throws Failure {
        this.form = ReportForm.of(line, "by", word);
        this.leaks = line.hasOption("leaks");
        this.keys = leaks ? List.of(ReportKey.SITE) : form.keys();
        checkMembers(line);
        if (!isBySite()) {
            SelectionOptions.checkAccesses(selection);
        }
        checkJoinable(several, line);
        report = new Report(keys, line.hasOption("patterns"), types);
        if (selection.selectsAccesses()) {
            report.partial();
        }
        if (several) {
            report.joined();
        }
    }

    private boolean isBySite() {
        return keys.contains(ReportKey.SITE);
    }

    private void checkMembers(CommandLine line) throws Failure {
        if (line.hasOption("fields") && (keys.size() > 1 || !keys.get(0).hasMembers())) {
            throw new Failure(
                    Status.USAGE,
                    "--fields goes with --by symbol and --by block, not with --by "
                            + keys.stream().map(ReportKey::word).collect(Collectors.joining(","))
                            + ".");
        }
    }

    /** What each process numbers or places by itself cannot be told together. */
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
    }

    @Override
    public String render(List<String> traces, boolean coloured) {
        return leaks
                ? ReportText.leaks(report, form, traces, coloured)
                : ReportText.render(report, form, traces, coloured);
    }

    @Override
    public void tell(Messages messages) {
        // all is in the table
    }
}
