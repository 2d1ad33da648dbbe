package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Talk;
import dev.madt.console.Terminal;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.session.CommandText;
import dev.madt.view.NamePattern;
import dev.madt.view.ViewFeed;
import dev.madt.view.calls.CallCounter;
import dev.madt.view.calls.CallProfile;
import dev.madt.view.calls.CallTable;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportText;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;

/** {@code madt report --by call} and {@code --by path}: what calls cost. */
final class CallReport {
    static final String CALL = "call";
    static final String PATH = "path";
    /** Words of {@code --by}. */
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

    private CallReport() {}

    /** Whether the options ask for such a report. */
    static boolean isAskedFor(CommandLine line) {
        return WORDS.contains(line.getOptionValue("by", ""));
    }

    static int run(List<Path> files, CommandLine line, Talk talk) throws Failure, IOException {
        boolean paths = PATH.equals(line.getOptionValue("by"));
        refuseOthers(line, "--by " + line.getOptionValue("by"));
        ReportForm form = ReportForm.ofColumns(line, CallTable.columns(paths));
        boolean coloured =
                Terminal.coloured(line) && line.getOptionValue("output", "-").equals("-");
        NamePattern function = SelectionOptions.pattern(line, "function");
        try (ResultFile result = ResultFile.open(line)) {
            CallProfile profile = new CallProfile();
            int status = read(profile, files, false, line, talk);
            CallTable table = new CallTable(profile, paths);
            String text = ReportText.render(
                    table.table(
                            name -> function == null || function.matches(name),
                            form.order() == null ? form.top() : 0),
                    form,
                    files.stream().map(Path::toString).toList(),
                    coloured);
            result.out().write(text.getBytes(StandardCharsets.UTF_8));
            result.finish(talk);
            tellOpen(profile.neverLeft(), talk);
            return status;
        }
    }

    /** Whether traces that were read hold calls, and none of them anything of accesses. */
    static boolean haveOnlyCalls(List<ViewFeed> feeds) {
        return feeds.stream().allMatch(ViewFeed::hasOnlyCalls);
    }

    /**
     * Says that a command shows nothing of such a trace, and which do.
     *
     * @return the exit status
     */
    static int tellOnlyCalls(Command command, Path file, CommandLine line, Talk talk) {
        talk.error(file + " has calls and no accesses, which 'madt " + command.name()
                + "' needs. Record both: madt trace --record accesses,calls -- PROG");
        String traces =
                (line.hasOption("all") ? " --all " : " ") + CommandText.of(line.getArgList());
        talk.say("next: madt report --by call" + traces + "     madt flame" + traces);
        return Status.FAILED;
    }

    /** Says in what threads were when their process was killed, or a dump of it written. */
    static void tellOpen(List<String> neverLeft, Talk talk) {
        neverLeft.stream().limit(MOST_OPEN).forEach(chain -> talk.say(chain + "."));
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
     */
    static int read(
            CallProfile profile, List<Path> files, boolean earlier, CommandLine line, Talk talk)
            throws Failure, IOException {
        Demangler names = LineDetailOptions.names(line, true);
        long thread = SelectionOptions.of(line).thread();
        int status = Status.DONE;
        for (Path file : files) {
            CallCounter counter = new CallCounter(profile, names, thread, earlier);
            status = Math.max(status, TraceReading.read(file, counter, line, talk));
        }
        if (!profile.isOfCalls(earlier)) {
            throw new Failure(
                    Status.FAILED, files.get(0) + " has no calls. Record them: madt trace -- PROG");
        }
        if (profile.isCut()) {
            talk.say("there are more paths than are told apart: the rest is (more paths).");
        }
        return status;
    }
}
