package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Status;
import dev.madt.manual.Command;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.session.CommandText;
import dev.madt.view.NamePattern;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.ThreadChoice;
import dev.madt.view.calls.CallCounter;
import dev.madt.view.calls.CallProfile;
import dev.madt.view.calls.CallTable;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/** {@code madt report --by call} and {@code --by path}: what calls cost. */
final class CallReport implements ReportPart {
    static final String CALL = "call";
    static final String PATH = "path";
    /** Words of {@code --by} that are no keys of every trace. */
    static final List<String> WORDS = List.of(CALL, PATH);

    private static final int MOST_OPEN = 5;

    /** Options that say something of accesses alone. */
    private static final List<String> OTHERS = List.of(
            "symbol",
            "region",
            "site",
            "type",
            "file",
            "line",
            "kind",
            "from",
            "until",
            "window",
            "leaks",
            "fields",
            "patterns");

    private final boolean paths;
    private final CallProfile profile = new CallProfile();
    private final ReportForm form;
    private final Selection selection;
    private final Demangler names;
    private Path first;

    /** @param word {@link #CALL} or {@link #PATH} */
    CallReport(String word, Selection selection, Demangler names, CommandLine line) throws Failure {
        paths = PATH.equals(word);
        refuseOthers(line, "--by " + word);
        form = ReportForm.ofColumns(line, CallTable.columns(paths));
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
        first = readings.first();
        check(profile, first, false);
        tellCut(profile, messages);
    }

    static void check(CallProfile profile, Path file, boolean earlier) throws Failure {
        if (!profile.isOfCalls(earlier)) {
            throw withoutCalls(file, "madt trace");
        }
    }

    /** @param command that records them */
    static Failure withoutCalls(Path file, String command) {
        return new Failure(
                Status.FAILED, file + " has no calls. Record them: " + command + " -- PROG");
    }

    /**
     * Returns whether a table is one of calls: paths are, unless what is selected of accesses makes
     * it one of those.
     */
    static boolean isOf(String word, CommandLine line) {
        return CALL.equals(word) || PATH.equals(word) && OTHERS.stream().noneMatch(line::hasOption);
    }

    @Override
    public String render(List<String> traces, boolean coloured) {
        NamePattern function = selection.function();
        return ReportText.render(
                new CallTable(profile, paths)
                        .table(
                                name -> function == null || function.matches(name),
                                form.order() == null ? form.top() : 0),
                form,
                traces,
                coloured);
    }

    @Override
    public void tell(Messages messages) {
        if (matchesNone(selection.function()) || matchesNone(selection.thread().name())) {
            SelectionOptions.tellNothing(selection, first, messages);
        }
        tellOpen(profile.neverLeft(), messages);
    }

    private static boolean matchesNone(NamePattern pattern) {
        return pattern != null && !pattern.hasMatched();
    }

    static void tellCut(CallProfile profile, Messages messages) {
        if (profile.isCut()) {
            messages.say("there are more paths than are told apart: the rest is (more paths).");
        }
    }

    /**
     * Says that a command shows nothing of such a trace, and which do.
     *
     * @return the exit status
     */
    static int tellOnlyCalls(Command command, Path file, CommandLine line, Messages messages) {
        messages.error(file + " has calls and no accesses, which 'madt " + command.name()
                + "' needs. Record both: madt trace --record accesses,calls -- PROG");
        String traces =
                (line.hasOption("all") ? " --all " : " ") + CommandText.of(line.getArgList());
        messages.say("next: madt report --by call" + traces + "     madt flame" + traces);
        return Status.FAILED;
    }

    /** Says in what threads were when their process was killed, or a dump of it written. */
    static void tellOpen(List<String> neverLeft, Messages messages) {
        neverLeft.stream().limit(MOST_OPEN).forEach(chain -> messages.say(chain + "."));
    }

    static void refuseOthers(CommandLine line, String what) throws Failure {
        for (String option : OTHERS) {
            if (line.hasOption(option)) {
                throw new Failure(Status.USAGE, "--" + option + " does not go with " + what + ".");
            }
        }
    }

    /**
     * Reads the calls of traces; says what the profile does not show.
     *
     * @param earlier whether these are the traces to compare with
     * @param names of functions
     */
    static int read(
            CallProfile profile,
            List<Path> files,
            boolean earlier,
            Demangler names,
            CommandLine line,
            Messages messages)
            throws Failure, IOException {
        ThreadChoice thread = SelectionOptions.of(line).thread();
        int status = Status.DONE;
        for (Path file : files) {
            CallCounter counter = new CallCounter(profile, names, thread, earlier);
            status = Math.max(status, TraceReading.read(file, counter, line, messages));
        }
        check(profile, files.get(0), earlier);
        tellCut(profile, messages);
        return status;
    }
}
