package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.view.Reading;
import dev.madt.view.chains.ChainCounts;
import dev.madt.view.chains.ChainTree;
import dev.madt.view.report.ReportForm;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;

/** {@code madt report --chains}: allocation sites as trees of the calls that led to them. */
final class ChainReport implements ReportPart {
    private static final List<String> OTHERS = List.of("columns", "fields", "patterns", "tree");

    private final ChainCounts counts = new ChainCounts();
    private final ReportForm form;
    private final ChainTree.Order order;
    private final double least;
    private boolean cut;

    ChainReport(CommandLine line) throws Failure {
        for (String other : OTHERS) {
            if (line.hasOption(other)) {
                throw new Failure(Status.USAGE, "--" + other + " does not go with --chains.");
            }
        }
        List<String> words =
                Stream.of(ChainTree.Order.values()).map(ChainTree.Order::word).toList();
        String usual = line.hasOption("leaks") ? "alive" : "accesses";
        order = ChainTree.Order.values()[words.indexOf(Choice.of(line, "sort", words, usual))];
        form = ReportForm.ofColumns(line, words);
        least = Choice.percent(line, "min", 1);
    }

    @Override
    public void addTo(Reading reading) {
        reading.add(counts);
    }

    /** Sites have their allocations all the same. */
    @Override
    public boolean needsAccesses() {
        return false;
    }

    @Override
    public void check(TraceReadings readings, Messages messages) throws Failure {
        if (!counts.isKnown() && !counts.all().isEmpty()) {
            throw new Failure(
                    Status.FAILED,
                    readings.first() + " has no chains of calls. Record them: madt run -- PROG");
        }
        readings.tellLack(messages);
    }

    @Override
    public String render(List<String> traces, boolean coloured) {
        ChainTree tree = new ChainTree(counts, order, least, form.top());
        String rendered =
                switch (form.format()) {
                    case "csv" -> tree.csv();
                    case "json" -> tree.json(traces);
                    default -> tree.text(coloured, form.width());
                };
        cut = tree.isCut();
        return rendered;
    }

    @Override
    public void tell(Messages messages) {
        if (cut) {
            messages.say("small branches are left out: --min 0 shows all of them.");
        }
    }
}
