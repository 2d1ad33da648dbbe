package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.view.NamePattern;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.calls.CallCounter;
import dev.madt.view.calls.CallFunction;
import dev.madt.view.calls.CallProfile;
import dev.madt.view.calls.CallTree;
import dev.madt.view.calls.CallTreeText;
import dev.madt.view.report.ReportForm;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/** {@code madt report --by call --tree [FUNC]}: who called whom, and what that cost. */
final class CallTreeReport implements ReportPart {
    private static final int MOST_FUNCTIONS = 5;
    private static final List<String> OTHERS = List.of("function", "sort", "columns", "top");

    private final CallProfile profile = new CallProfile();
    private final ReportForm form;
    private final double least;
    /** Null: everything is shown. */
    private final NamePattern function;

    private final Selection selection;
    private final Demangler names;
    private boolean cut;
    private int further;

    /** @param by the value of {@code --by} */
    CallTreeReport(String by, Selection selection, Demangler names, CommandLine line)
            throws Failure {
        if (!by.equals(CallReport.CALL)) {
            throw new Failure(Status.USAGE, "--tree goes with --by call.");
        }
        CallReport.refuseOthers(line, "--tree");
        for (String other : OTHERS) {
            if (line.hasOption(other)) {
                throw new Failure(Status.USAGE, "--" + other + " does not go with --tree.");
            }
        }
        this.form = ReportForm.ofColumns(line, List.of());
        this.least = Choice.percent(line, "min", 1);
        this.function = line.getOptionValue("tree").isEmpty()
                ? null
                : SelectionOptions.pattern(line, "tree");
        this.selection = selection;
        this.names = names;
    }

    @Override
    public void addTo(Reading reading) {
        reading.add(new CallCounter(profile, names, selection.thread(), false));
    }

    @Override
    public boolean needsAccesses() {
        return false;
    }

    @Override
    public void check(TraceReadings readings, Messages messages) throws Failure {
        CallReport.check(profile, readings.first(), false);
        CallReport.tellCut(profile, messages);
    }

    @Override
    public String render(List<String> traces, boolean coloured) throws Failure {
        CallTree tree = new CallTree(profile);
        CallTreeText text = new CallTreeText(tree, least);
        if (function == null) {
            text.whole();
        } else {
            List<CallFunction> called = tree.functions(function::matches);
            if (called.isEmpty()) {
                throw new Failure(
                        Status.FAILED,
                        "no function '" + function.text() + "' was called."
                                + Suggestion.sentence(function.text(), function.names()));
            }
            further = Math.max(0, called.size() - MOST_FUNCTIONS);
            called.stream().limit(MOST_FUNCTIONS).forEach(text::of);
        }
        String rendered =
                switch (form.format()) {
                    case "csv" -> text.csv();
                    case "json" -> text.json(traces);
                    default -> text.text(coloured, form.width());
                };
        cut = text.isCut();
        return rendered;
    }

    @Override
    public void tell(Messages messages) {
        if (further > 0) {
            messages.say(further + " more functions are called so: name one.");
        }
        if (cut) {
            messages.say("small branches are left out: --min 0 shows all of them, --wide deep ones,"
                    + " and --format csv the deepest.");
        }
    }
}
