package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultFile;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.resolver.demangle.Demangler;
import dev.madt.trace.file.TraceReader;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.calls.CallMeasure;
import dev.madt.view.calls.CallProfile;
import dev.madt.view.calls.FlameFormat;
import dev.madt.view.chains.ChainCounts;
import dev.madt.view.chains.InstrumentStacks;
import dev.madt.view.chains.StackCount;
import dev.madt.view.text.LineDetailOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt flame}: what each chain of calls costs, as a flame graph. */
final class FlameCommand implements Command {
    @Override
    public String name() {
        return "flame";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE] -o FILE.html|svg|folded";
    }

    @Override
    public String summary() {
        return "draw what each chain of calls costs, as a flame graph";
    }

    @Override
    public Options options() {
        return TraceReading.addTo(ResultFile.addTo(LineDetailOptions.addNames(new Options(), true)))
                .addOption(Option.builder()
                        .longOpt("by")
                        .hasArg()
                        .argName("WHAT")
                        .desc("boxes are as wide as their time (default), the part of it on the"
                                + " processor (on-cpu) or off it (off-cpu), calls, accesses or"
                                + " bytes; time if the trace has it, else calls. Of the calls"
                                + " that led to allocations: blocks, peak, lifetime and, where"
                                + " calls are not recorded, bytes and accesses. Of the calls"
                                + " that led to hits of madt run --at PLACE stack: PLACE")
                        .get())
                .addOption(Option.builder()
                        .longOpt("diff")
                        .hasArg()
                        .argName("TRACE")
                        .desc("compare with this earlier trace: what counts more now is red,"
                                + " what counts less is blue")
                        .get())
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("count all processes of the run, from its first trace")
                        .get())
                .addOption(Option.builder()
                        .longOpt("thread")
                        .hasArg()
                        .argName("TID")
                        .desc("only this thread, by its number or name")
                        .get());
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is drawn", "by", "diff", "all", "thread", "demangle", "no-demangle"),
                HelpSection.of("Where it goes", "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of("Without -o, folded lines go to standard output.");
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("by", CallMeasure.words());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt flame -o calls.html calls.madt",
                "madt flame --by accesses -o accesses.svg both.madt",
                "madt flame --by label -o why.html points.madt",
                "madt flame --by calls --diff before.madt -o grown.html after.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        String word = line.getOptionValue("by");
        Path file = TraceArgument.of(this, line, messages);
        FlameFormat format = format(line);
        if (word != null && !CallMeasure.words().contains(word)) {
            return hits(word, file, format, line, messages);
        }
        if (isOfBlocks(word, file)) {
            return blocks(word, file, format, line, messages);
        }
        try (ResultFile result = ResultFile.open(line)) {
            String before = line.getOptionValue("diff");
            CallProfile profile = profile(format, before != null);
            List<Path> files = TraceArgument.processes(List.of(file), line, messages);
            List<Path> earlier = before == null
                    ? List.of()
                    : TraceArgument.processes(List.of(Path.of(before)), line, messages);
            List<Path> all = Stream.concat(files.stream(), earlier.stream()).toList();
            Demangler names = TraceReadings.names(line, true, all, Selection.ALL);
            int status = CallReport.read(profile, files, false, names, line, messages);
            if (before != null) {
                status = Math.max(
                        status, CallReport.read(profile, earlier, true, names, line, messages));
            }
            CallMeasure measure = word == null
                    ? profile.has(CallMeasure.TIME) ? CallMeasure.TIME : CallMeasure.CALLS
                    : CallMeasure.values()[CallMeasure.words().indexOf(word)];
            if (!profile.has(measure)) {
                String which = before == null ? "" + file : "one of " + file + " and " + before;
                throw new Failure(Status.FAILED, which + missing(profile, measure));
            }
            format.write(profile, measure, title(file, before), result.out());
            result.finish(messages);
            return status;
        }
    }

    /** Returns whether a graph is to be of the calls that led to allocations. */
    private static boolean isOfBlocks(String word, Path file) throws IOException {
        if (word == null || !Files.isRegularFile(file)) {
            return false;
        }
        CallMeasure measure = CallMeasure.values()[CallMeasure.words().indexOf(word)];
        try (TraceReader reader = new TraceReader(file)) {
            return measure.isOfBlocks()
                    || !reader.hasCalls()
                            && (measure == CallMeasure.BYTES || measure == CallMeasure.ACCESSES);
        }
    }

    /** Draws the calls that led to the hits of an instrument. */
    private int hits(
            String place, Path file, FlameFormat format, CommandLine line, Messages messages)
            throws Failure, IOException {
        refuseOthers("place", line);
        try (ResultFile result = ResultFile.open(line)) {
            Demangler names = TraceReadings.names(line, true, List.of(file), Selection.ALL);
            InstrumentStacks stacks = new InstrumentStacks();
            Reading reading = new Reading(Selection.ALL).add(stacks);
            int status = TraceReading.read(file, reading.consumer(names, null), line, messages);
            List<StackCount> counts = stacks.of(place);
            if (counts.isEmpty()) {
                throw unknown(place, file, stacks.places());
            }
            CallProfile profile = CallProfile.ofStacks(counts);
            CallReport.tellCut(profile, messages);
            format.write(
                    profile,
                    profile.has(CallMeasure.SUM) ? CallMeasure.SUM : CallMeasure.HITS,
                    counts.get(0).action().text() + " at " + place + " in " + title(file, null),
                    result.out());
            result.finish(messages);
            return status;
        }
    }

    private static Failure unknown(String word, Path file, List<String> places) {
        List<String> known = new ArrayList<>(CallMeasure.words());
        known.addAll(places);
        return new Failure(
                Status.USAGE,
                "--by is " + String.join(", ", CallMeasure.words())
                        + ", or a place with a stack in " + file
                        + (places.isEmpty()
                                ? ", which has none"
                                : ": '" + String.join("', '", places) + "'")
                        + ", not '" + word + "'." + Suggestion.sentence(word, known)
                        + (places.isEmpty()
                                ? " Record some: madt run --at '" + word + "' stack -- PROG"
                                : ""));
    }

    private static void refuseOthers(String what, CommandLine line) throws Failure {
        if (line.hasOption("diff") || line.hasOption("all") || line.hasOption("thread")) {
            throw new Failure(
                    Status.USAGE,
                    "--by " + what + " takes one trace, without --diff, --all and --thread.");
        }
    }

    private int blocks(
            String word, Path file, FlameFormat format, CommandLine line, Messages messages)
            throws Failure, IOException {
        refuseOthers(word + " of allocations", line);
        try (ResultFile result = ResultFile.open(line)) {
            Demangler names = TraceReadings.names(line, true, List.of(file), Selection.ALL);
            ChainCounts counts = new ChainCounts();
            Reading reading = new Reading(Selection.ALL).add(counts);
            int status = TraceReading.read(file, reading.consumer(names, null), line, messages);
            if (!reading.hasHeap()) {
                throw new Failure(
                        Status.FAILED, file + TraceReadings.withoutHeap(reading.isOfGo()));
            }
            if (!counts.isKnown()) {
                throw new Failure(
                        Status.FAILED,
                        file + " has no chains of calls of its allocations. Record them: madt run"
                                + " -- PROG");
            }
            CallProfile profile = CallProfile.ofBlocks(counts);
            CallReport.tellCut(profile, messages);
            format.write(
                    profile,
                    CallMeasure.values()[CallMeasure.words().indexOf(word)],
                    title(file, null),
                    result.out());
            result.finish(messages);
            return status;
        }
    }

    /** A page has the paths of each thread. */
    private static CallProfile profile(FlameFormat format, boolean compared) {
        if (compared) {
            return CallProfile.compared();
        }
        return format == FlameFormat.HTML ? CallProfile.ofThreads() : new CallProfile();
    }

    /** Says what a trace lacks to be counted so, and how to have it. */
    private static String missing(CallProfile profile, CallMeasure measure) {
        if (measure.isTime() && profile.isTimed()) {
            return " does not say when threads had no processor: the system did not permit it"
                    + " (perf_event_paranoid)";
        }
        return " has no " + measure.word() + " with its calls. Record them: madt trace "
                + (measure.isTime() ? "" : "--record accesses,calls ") + "-- PROG";
    }

    private static String title(Path file, String before) {
        return file.getFileName()
                + (before == null ? "" : " after " + Path.of(before).getFileName());
    }

    private static FlameFormat format(CommandLine line) throws Failure {
        String name = line.getOptionValue("output", "-");
        FlameFormat format = name.equals("-") ? FlameFormat.FOLDED : FlameFormat.ofFile(name);
        if (format == null) {
            throw new Failure(
                    Status.USAGE,
                    "'" + name + "' does not say what to draw: end its name in ."
                            + String.join(", .", FlameFormat.words()) + ".");
        }
        return format;
    }
}
