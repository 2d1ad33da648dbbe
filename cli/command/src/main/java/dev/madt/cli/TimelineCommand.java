package dev.madt.cli;

import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.options.SelectionOptions;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.trace.event.EventConsumer;
import dev.madt.view.NamePattern;
import dev.madt.view.Selection;
import dev.madt.view.ThreadChoice;
import dev.madt.view.locks.LockFollower;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.timeline.Drawing;
import dev.madt.view.timeline.TimelineFormat;
import dev.madt.view.timeline.TimelineSelection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt timeline}: when each function ran, in which thread, within which other. */
final class TimelineCommand implements Command {
    private static final String TIME = "([0-9]{1,12}(?:\\.[0-9]{1,9})?)(ns|us|µs|ms|s)";

    @Override
    public String name() {
        return "timeline";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE…] -o FILE.html|svg|txt|json|pftrace";
    }

    @Override
    public String summary() {
        return "draw when each call ran, and within which other";
    }

    @Override
    public Options options() {
        return TraceReading.addTo(ResultFile.addTo(LineDetailOptions.addNames(new Options(), true)))
                .addOption(
                        SelectionOptions.option("function", "NAME", "only calls of this function"))
                .addOption(SelectionOptions.option(
                        "thread", "TID", "only this thread, by its number or name"))
                .addOption(SelectionOptions.option(
                        "from",
                        "WHEN",
                        "begin at event number WHEN, or at a time since the recording"
                                + " began, such as 1.25ms (ns, us, ms, s)"))
                .addOption(SelectionOptions.option("until", "WHEN", "end there"))
                .addOption(SelectionOptions.option(
                        "window", "N", "only window number N of the recording"))
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("draw all processes of the run, from its first trace")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is drawn",
                        "function",
                        "thread",
                        "from",
                        "until",
                        "window",
                        "all",
                        "demangle",
                        "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "html is a page for a browser, json for Chrome's viewer, pftrace for Perfetto.",
                "Without -o, a picture in characters goes to standard output.",
                "A call is drawn whole if a part of it lies in what is selected.");
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt timeline -o calls.html calls.madt",
                "madt timeline --all -o run.pftrace calls.madt",
                "madt timeline --from 20ms --until 30ms calls.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        TimelineSelection selection = selection(line);
        List<Path> files = TraceArgument.several(this, line, messages);
        TimelineFormat format = format(line);
        Demangler names = TraceReadings.names(
                line, true, files, Selection.ALL.ofFunction(selection.function()));
        try (ResultFile result = ResultFile.open(line)) {
            String title = files.get(0).getFileName()
                    + (files.size() > 1 ? " and " + (files.size() - 1) + " more" : "");
            Drawing drawing = new Drawing(format, selection, title, result.out());
            int status = Status.DONE;
            for (Path file : files) {
                EventConsumer reader = TraceReadings.mayHave(file, LockFollower.KEY)
                        ? drawing.readerOfLocks(names, new MemberTypes())
                        : drawing.reader(names);
                status = Math.max(status, TraceReading.read(file, reader, line, messages));
            }
            if (drawing.isEmpty()) {
                throw new Failure(
                        Status.FAILED,
                        files.get(0) + " has no calls. Record them: madt trace -- PROG");
            }
            if (!drawing.profile().isTimed() && isOfTimes(selection)) {
                throw new Failure(
                        Status.FAILED,
                        files.get(0) + " has no times: --from and --until are event numbers.");
            }
            drawing.finish();
            result.finish(messages);
            tell(drawing, selection.function(), messages);
            return status;
        }
    }

    private static void tell(Drawing drawing, NamePattern function, Messages messages) {
        if (function != null && !function.hasMatched()) {
            messages.say("there is no such function."
                    + Suggestion.sentence(function.text(), function.names()));
        }
        if (!drawing.profile().isTimed()) {
            messages.say("the trace has no times: positions are event numbers.");
        }
        if (drawing.remark() != null) {
            messages.say(drawing.remark());
        }
    }

    private static boolean isOfTimes(TimelineSelection selection) {
        return selection.after() > 0 || selection.before() >= 0;
    }

    private static TimelineSelection selection(CommandLine line) throws Failure {
        boolean fromTime = line.getOptionValue("from", "").matches(TIME);
        boolean untilTime = line.getOptionValue("until", "").matches(TIME);
        long from = fromTime ? nanos(line, "from") : Choice.number(line, "from", 0, 0);
        long until = untilTime ? nanos(line, "until") : Choice.number(line, "until", 0, -1);
        if (fromTime == untilTime && until >= 0 && until < from) {
            throw new Failure(
                    Status.USAGE,
                    "--until " + line.getOptionValue("until") + " comes before --from "
                            + line.getOptionValue("from") + ".");
        }
        return new TimelineSelection(
                SelectionOptions.pattern(line, "function"),
                ThreadChoice.of(line.getOptionValue("thread")),
                fromTime ? 0 : from,
                untilTime ? -1 : until,
                fromTime ? from : 0,
                untilTime ? until : -1,
                Choice.number(line, "window", 1, -1));
    }

    private static long nanos(CommandLine line, String option) {
        Matcher time = Pattern.compile(TIME).matcher(line.getOptionValue(option));
        if (!time.matches()) {
            throw new IllegalArgumentException(option);
        }
        double unit =
                switch (time.group(2)) {
                    case "s" -> 1e9;
                    case "ms" -> 1e6;
                    case "ns" -> 1;
                    default -> 1e3;
                };
        return Math.round(Double.parseDouble(time.group(1)) * unit);
    }

    private static TimelineFormat format(CommandLine line) throws Failure {
        String name = line.getOptionValue("output", "-");
        TimelineFormat format = name.equals("-") ? TimelineFormat.TXT : TimelineFormat.ofFile(name);
        if (format == null) {
            throw new Failure(
                    Status.USAGE,
                    "'" + name + "' does not say what to draw: end its name in ."
                            + String.join(", .", TimelineFormat.words()) + ".");
        }
        return format;
    }
}
