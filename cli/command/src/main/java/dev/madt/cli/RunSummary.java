package dev.madt.cli;

import dev.madt.collector.Losses;
import dev.madt.collector.Recording;
import dev.madt.collector.TraceOutputs;
import dev.madt.collector.TraceResult;
import dev.madt.collector.TraceResults;
import dev.madt.console.BrokenPipe;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Numbers;
import dev.madt.console.OutputName;
import dev.madt.console.Reason;
import dev.madt.info.InstrumentLook;
import dev.madt.modules.ChosenPrograms;
import dev.madt.modules.UnrecordedCode;
import dev.madt.natives.Libc;
import dev.madt.natives.SessionSpaceException;
import dev.madt.session.CommandText;
import dev.madt.session.Engine;
import dev.madt.session.MemoryLimit;
import dev.madt.session.ProcessStatus;
import dev.madt.session.ProgramFile;
import dev.madt.session.SessionDirectory;
import dev.madt.session.StartPoint;
import dev.madt.session.TargetProcess;
import dev.madt.session.Windows;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.layout.SharedLayout;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.collections.api.map.primitive.ObjectIntMap;

/** Says what {@code madt run} has to say when the target has ended. */
final class RunSummary {
    /** Nanoseconds of waiting for MadT that are worth a word. */
    private static final long LONG_PAUSE = 100_000_000;

    private static final int MOST_PARTS = 3;
    /** Stands behind the names of files that are gone, as the kernel has them. */
    private static final String DELETED = " (deleted)";

    private final Messages messages;
    private final Recording recording;
    private final String program;
    private final RunCommand.Further further;
    private final FirstLook look;
    /** Says whether lines need a process's name. */
    private boolean several;

    private boolean ended;
    /** Counts the processes of which the same is to be said of code. */
    private final Map<String, Integer> code = new LinkedHashMap<>();

    /**
     * @param further who goes on with the traces; null: the user, who is told what to type
     * @param look null if nobody is to look into the traces
     */
    RunSummary(
            Messages messages,
            Recording recording,
            Path program,
            RunCommand.Further further,
            FirstLook look) {
        this.messages = messages;
        this.recording = recording;
        this.program = program.getFileName().toString();
        this.further = further;
        this.look = look;
    }

    /**
     * Says how each trace came out, what is missing in it, what it shows at first sight, and what
     * to type next.
     */
    void tell(TraceOutputs outputs, TargetProcess target, SessionDirectory session) {
        several = outputs.results().all().size() > 1;
        for (TraceResult result : outputs.results().all()) {
            tell(result, target);
        }
        tellEnd(target);
        code.forEach((text, processes) -> messages.say(
                (processes > 1 ? "each of " + processes + " processes: " : "") + text));
        tellFurther(outputs.results());
        outputs.results().pipelines().forEach(messages::say);
        if (outputs.results().windows() == 0
                && outputs.results().all().stream().anyMatch(trace -> trace.failure() == null)) {
            noWindow();
        }
        if (outputs.linesAreLost()) {
            messages.error("the lines are lost: " + recording.text()
                    + " was removed or replaced while it was written.");
        }
        if (outputs.lostSwitches() > 0) {
            messages.say("the system lost "
                    + Numbers.counted(outputs.lostSwitches(), "context switch", "context switches")
                    + ": some times without a processor are too long or missing.");
        }
        tellPassed(outputs.processes().passed(), session);
        tellUntraced(outputs.processes().untraced());
        if (outputs.results().isEmpty()
                && !outputs.opened()
                && outputs.processes().passed().isEmpty()) {
            messages.error(program + " ended before recording could begin; nothing was recorded.");
        }
        outputs.processes()
                .unrecorded()
                .forEach((reason, programs) -> messages.say("not recorded: "
                        + Numbers.counted(programs.sum(), "program", "programs") + " ("
                        + mostOften(programs) + "): " + reason + "."));
        if (session.failures() > 0) {
            messages.error(Numbers.counted(session.failures(), "process", "processes")
                    + " ran untraced: " + cause(session.lastErrno()));
        }
        if (!outputs.results().isEmpty()) {
            recording.scope().unmatched(outputs.regionNames()).forEach(messages::error);
        }
        if (look != null) {
            look.tell(outputs.results().all());
        }
        Optional<Path> firstHit = Optional.empty();
        if (look != null && !recording.instruments().areNone()) {
            firstHit = new InstrumentLook(messages, TraceReading::read)
                    .tell(
                            outputs.results().all().stream()
                                    .filter(TraceResult::isReadable)
                                    .toList(),
                            FirstLook.SMALL);
        }
        if (further == null) {
            hint(outputs, look != null && look.isDefective(), firstHit);
        }
    }

    /** Says why processes could not set themselves up: they make no files but in shared memory. */
    private static String cause(int error) {
        Path place = SessionDirectory.place();
        return error == Libc.ENOSPC
                ? place + " was full. " + SessionSpaceException.remedy(place)
                : Libc.errorText(error) + ".";
    }

    /** Says what {@code --only-program} left out, and which of its patterns meant nothing. */
    private void tellPassed(ObjectIntMap<String> passed, SessionDirectory session) {
        if (!passed.isEmpty()) {
            messages.say("passed by: " + Numbers.counted(passed.sum(), "program", "programs") + " ("
                    + mostOften(passed) + ") ran unrecorded, by --" + ChosenPrograms.OPTION + ".");
        }
        for (String pattern : recording.programs().unmatched(session.matchedPrograms())) {
            messages.error(pattern + " names no program of this run.");
        }
    }

    /** Says what libmadt.so cannot be loaded into, and what may not take part. */
    private void tellUntraced(ObjectIntMap<String> untraced) {
        if (!untraced.isEmpty()) {
            messages.say("not recorded: " + Numbers.counted(untraced.sum(), "program", "programs")
                    + " (" + mostOften(untraced) + ")" + whyUntraced(untraced)
                    + " ran untraced.");
        }
    }

    private static String whyUntraced(ObjectIntMap<String> programs) {
        for (String program : programs.keySet()) {
            if (ProgramFile.isOf32Bits(program)) {
                return ", a 32-bit program,";
            }
            String loader = ProgramFile.foreignLoaderOf(program);
            if (loader != null) {
                return ", whose loader is not that of the GNU C library (" + loader + "),";
            }
        }
        return "";
    }

    private static String mostOften(ObjectIntMap<String> passed) {
        String names = passed
                .keyValuesView()
                .toSortedList((a, b) -> Integer.compare(b.getTwo(), a.getTwo()))
                .stream()
                .limit(MOST_PARTS)
                .map(pair -> Numbers.grouped(pair.getTwo()) + " × " + pair.getOne())
                .collect(Collectors.joining(", "));
        return passed.size() > MOST_PARTS ? names + " and others" : names;
    }

    private void tellFurther(TraceResults results) {
        if (results.further() > 0) {
            boolean traces = recording.output() != null;
            messages.say("and "
                    + Numbers.counted(
                            results.further(),
                            traces ? "more trace" : "more process",
                            traces ? "more traces" : "more processes")
                    + ": "
                    + (recording.kinds().accesses()
                            ? Numbers.counted(results.furtherAccesses(), "access", "accesses")
                            : Numbers.counted(results.furtherCalls(), "call", "calls"))
                    + (results.further() == 1 ? " in it" : " in them") + ", complete."
                    + (traces && keepsTraces()
                            ? " madt info of the first trace lists all processes."
                            : ""));
        }
    }

    private void tell(TraceResult result, TargetProcess target) {
        if (result.failure() instanceof BrokenPipe) {
            return;
        }
        if (result.failure() != null) {
            failed(result);
        } else {
            finished(result, target);
            checkIsThere(result);
        }
        if (result.linesFailure() != null && !(result.linesFailure() instanceof BrokenPipe)) {
            messages.error("the lines are incomplete: " + Reason.root(result.linesFailure()) + ".");
        }
        if (result.paused() >= LONG_PAUSE) {
            messages.say("its threads waited " + Windows.span(result.paused())
                    + " for MadT, added up over all threads, which the times of calls leave out.");
        }
        if (result.lacksSources()) {
            messages.say(
                    "source lines and types are incomplete: the debug information of the program's"
                            + " modules needs more memory than there is.");
        }
        if (result.lacksBlocks()) {
            messages.say(
                    "children of fork begin without the blocks of this process, which are too many"
                            + " to be kept for them: MadT keeps as many as fit into half"
                            + " of its memory,"
                            + " and MADT_MEMORY=SIZE gives it more.");
        }
        lost(result.losses());
        unpatched(result);
        unknown(result);
        fixed(result);
    }

    /** The processes that end first have their traces written long before the summary. */
    private void checkIsThere(TraceResult result) {
        Path file = result.file();
        if (file != null && !OutputName.STANDARD.equals(file) && Files.notExists(file)) {
            messages.error(file + " has been removed since then: nothing of it is saved.");
        }
    }

    /** Once for all processes of which the same is to be said, as of the children of fork. */
    private void tellOfCode(String text) {
        code.merge(text, 1, Integer::sum);
    }

    /**
     * Code of this process that engine splice could not patch at all. What plans leave out is in
     * {@code madt info}.
     */
    private void unpatched(TraceResult result) {
        List<UnrecordedCode.Part> parts = result.unpatched();
        long bytes = parts.stream().mapToLong(UnrecordedCode.Part::bytes).sum();
        if (bytes > 0) {
            tellOfCode(Numbers.counted(bytes, "executable byte", "executable bytes") + " ("
                    + result.unpatchedShare()
                    + ") could not be patched, their " + missing() + ": "
                    + parts.stream()
                            .limit(MOST_PARTS)
                            .map(part -> part.label() + " " + part.extent())
                            .collect(Collectors.joining(", "))
                    + (parts.size() > MOST_PARTS ? " and others." : ".")
                    + (parts.stream().allMatch(part -> part.name().endsWith(DELETED))
                            ? " Their files were deleted or replaced while the program ran: start"
                                    + " it anew."
                            : trap(result).map(trap -> " They need " + trap).orElse("")));
        }
    }

    /**
     * Code of modules in use that nothing shows to be functions, where it is a considerable part.
     */
    private void unknown(TraceResult result) {
        List<UnrecordedCode.Unknown> parts = result.unknown();
        if (!parts.isEmpty()) {
            tellOfCode("code in no known function is not recorded, its " + missing() + ": "
                    + parts.stream()
                            .limit(MOST_PARTS)
                            .map(UnrecordedCode.Unknown::text)
                            .collect(Collectors.joining(", "))
                    + (parts.size() > MOST_PARTS ? " and others." : ".")
                    + " It needs unwind tables (-fasynchronous-unwind-tables)"
                    + trap(result).map(trap -> ", symbols or " + trap).orElse(" or symbols."));
        }
    }

    /** Returns what is missing of code that is not recorded. */
    private String missing() {
        String kinds = recording.kinds().text();
        return kinds.isEmpty() ? "instruments tell nothing" : kinds + " are missing";
    }

    /**
     * Returns what records accesses of all code, but nothing else; it cannot be had of a process
     * that runs already, and does not go with a static program.
     */
    private Optional<String> trap(TraceResult result) {
        if (!recording.isOfAccessesAlone()) {
            return Optional.empty();
        }
        try {
            if (ProgramFile.isStatic(Path.of(result.program()))) {
                return Optional.empty();
            }
        } catch (Failure | InvalidPathException e) {
            messages.trace(e); // then nobody knows
        }
        return Optional.of((recording.running() == null
                        ? "--engine trap"
                        : "madt run --engine trap from the program's start")
                + ", which is far slower.");
    }

    private void fixed(TraceResult result) {
        List<UnrecordedCode.Fixed> parts = result.fixed();
        long all = parts.stream().mapToLong(UnrecordedCode.Fixed::instructions).sum();
        if (all > 0 && recording.kinds().accesses()) {
            tellOfCode(Numbers.counted(all, "instruction", "instructions")
                    + " may not be patched (restartable sequences, code that shares bytes);"
                    + " accesses are missing where " + (all == 1 ? "it runs: " : "they run: ")
                    + parts.stream()
                            .limit(MOST_PARTS)
                            .map(part -> part.name() + " " + Numbers.grouped(part.instructions()))
                            .collect(Collectors.joining(", "))
                    + (parts.size() > MOST_PARTS ? " and others." : "."));
        }
    }

    private void failed(TraceResult result) {
        Path file = result.file();
        boolean memory = result.failure() instanceof MemoryLimit;
        String what = memory
                ? "the recording is incomplete"
                : file == null ? "cannot write the lines" : "cannot write " + shown(file);
        String why = memory ? result.failure().getMessage() : Reason.root(result.failure());
        messages.error(what + ": " + why + ". The program went on; "
                + Numbers.counted(result.saved(), "access is", "accesses are")
                + (memory && file != null ? " saved in " + file + "." : " saved.")
                + advice(why));
    }

    /** Returns what helps against a cause, as a sentence behind another one; perhaps nothing. */
    static String advice(String cause) {
        return cause.endsWith("(ulimit -f)")
                ? " To limit the program alone: madt run -- sh -c 'ulimit -f N; exec PROG'"
                : "";
    }

    /** Returns what users call where a trace goes. */
    private static String shown(Path file) {
        return OutputName.STANDARD.equals(file) ? "standard output" : String.valueOf(file);
    }

    private boolean keepsTraces() {
        return further == null || further.keepsTraces();
    }

    private void finished(TraceResult result, TargetProcess target) {
        boolean killed = result.pid() == target.pid() && result.ended().startsWith("signal ");
        String accesses = Numbers.counted(result.accesses(), "access", "accesses");
        Path file = keepsTraces() ? result.file() : null;
        String shown = shown(file);
        String wrote =
                file != null ? "wrote " + shown + ": " : several ? process(result) + ": " : "";
        if (killed) {
            String capital = file != null ? "Wrote " + shown + ": " : "Recorded ";
            messages.say(executed(result) + " was killed by "
                    + result.ended().substring("signal ".length())
                    + ". " + capital + (recording.kinds().accesses() ? accesses + ", " : "")
                    + further(result) + completeness(result) + ".");
            return;
        }
        String detail = " (" + Numbers.grouped(result.loads()) + " L, "
                + Numbers.grouped(result.stores()) + " S), "
                + Numbers.counted(result.blocks(), "bulk transfer", "bulk transfers") + ", ";
        messages.say(wrote
                + (recording.kinds().accesses() ? accesses + detail : "")
                + further(result)
                + completeness(result));
    }

    /** Returns what ran in the end: the program, or one that it has become by exec. */
    private String executed(TraceResult result) {
        return result.serial() == 0 ? program : "" + Path.of(result.program()).getFileName();
    }

    /** Says what the trace holds besides accesses. */
    private String further(TraceResult result) {
        return (recording.kinds().calls() ? calls(result) + ", " : "")
                + (recording.kinds().locks()
                        ? Numbers.counted(
                                        result.acquisitions(),
                                        "lock acquisition",
                                        "lock acquisitions")
                                + ", "
                        : "");
    }

    private String completeness(TraceResult result) {
        return result.completeness()
                + (result.windows() > 1
                        ? ", in " + Numbers.grouped(result.windows()) + " windows ("
                                + recording.windows().text() + ")"
                        : "");
    }

    private static String calls(TraceResult result) {
        return Numbers.counted(result.enters(), "call", "calls") + " ("
                + Numbers.grouped(result.enters()) + " B, " + Numbers.grouped(result.leaves())
                + " X)";
    }

    private void noWindow() {
        Windows windows = recording.windows();
        if (windows.start().point() == StartPoint.MARKER) {
            messages.say("no marker was seen: the program never called MadT_start().");
        } else if (windows.start().point() == StartPoint.MAIN) {
            messages.say("nothing was recorded: main was never reached. --start load records from"
                    + " the program's begin.");
        } else if (!windows.isWhole()) {
            messages.say("nothing was recorded: " + windows.start().text() + " never came.");
        }
    }

    private void lost(Losses losses) {
        if (losses.damage() != null) {
            messages.error("the recording stopped early, the shared memory is damaged: "
                    + losses.damage() + ". The program went on, and nothing more was recorded.");
        } else if (losses.left() == SharedLayout.LEFT_SPACE) {
            messages.error(
                    "there was no shared memory for more of what the program did, which then ran"
                            + " untraced: nobody knows how many accesses are missing. Free"
                            + " some space in "
                            + SessionDirectory.place() + ", or mount it larger.");
        } else if (losses.left() == SharedLayout.LEFT_THREADS) {
            messages.error("more than "
                    + Numbers.grouped(
                            (long) SharedLayout.BUFFERS_MAX * SharedLayout.FIRST_BUFFER_CHUNKS)
                    + " threads ran at a time. The process then ran untraced: nobody knows how"
                    + " many accesses are missing.");
        } else if (losses.accesses() > 0 || losses.events() > 0) {
            messages.error("lost: " + Numbers.counted(losses.accesses(), "access", "accesses")
                    + " and "
                    + Numbers.counted(losses.events(), "event", "events") + ", because the "
                    + (recording.lossy() ? "disk was too slow (--lossy)." : "buffer was full."));
        }
        if (losses.unseen() > 0) {
            messages.say("several threads: " + Numbers.counted(losses.unseen(), "time", "times")
                    + " a page was open to all of them; what the others accessed there meanwhile is"
                    + " not in the trace, and nobody knows how much it is. Engine splice opens no"
                    + " pages.");
        }
        if (losses.unmapped() > 0 && recording.engine() == Engine.TRAP) {
            messages.say(Numbers.counted(losses.unmapped(), "module has", "modules have")
                    + " no code map: accesses by their code are recorded without size.");
        }
        if (losses.abandoned() > 0) {
            messages.detail(
                    losses.abandoned() + " events were half written when the program was killed");
        }
    }

    /** Says how a process ended that ran already: no shell tells whoever recorded it. */
    private void tellEnd(TargetProcess target) {
        ended = recording.running() != null && !TargetProcess.DETACHED.equals(target.ending());
        if (ended) {
            messages.say("process " + target.pid() + " has ended"
                    + (target.ending() == null ? "" : ": " + target.ending()) + ".");
        }
    }

    /** Returns whether a part of a process was recorded, in which no thread of it can have run. */
    private boolean isIdle(TraceResult trace) {
        boolean part =
                !recording.windows().isWhole() || TargetProcess.DETACHED.equals(trace.ended());
        return part && !recording.kinds().locks() && recording.instruments().areNone();
    }

    /** A name for a page that is drawn of a trace, as a shell takes it. */
    private static String page(Path trace) {
        return CommandText.file(Path.of(trace.toString().replaceFirst("\\.madt$", "") + ".html"));
    }

    /**
     * Says what to type next, of the trace that holds most: of several, that is seldom the first.
     */
    private void hint(TraceOutputs outputs, boolean defectsAreTold, Optional<Path> firstHit) {
        List<TraceResult> traces =
                outputs.results().all().stream().filter(TraceResult::isReadable).toList();
        traces.stream().max(Comparator.comparingLong(TraceResults::size)).ifPresent(largest -> {
            boolean empty = TraceResults.size(largest) == 0 && largest.blocks() == 0;
            if (empty && !recording.scope().isEverything()) {
                messages.say("the trace has no accesses: --only and --exclude leave no memory that"
                        + " the program accessed.");
                return;
            }
            if (empty && ended) {
                return;
            }
            if (empty && isIdle(largest)) {
                messages.say("nothing to record happened meanwhile: threads that wait in the kernel"
                        + " make no accesses and no calls. Record for longer, or while they work.");
                return;
            }
            String hit = firstHit.map(CommandText::file).orElse(name(largest));
            String name = TraceResults.size(largest) == 0 ? hit : name(largest);
            boolean mayTell = recording.kinds().accesses() && !defectsAreTold;
            String defects = mayTell && ProcessStatus.isCrash(traces.get(0).ended())
                    ? "madt defects " + name(traces.get(0)) + "     "
                    : "";
            messages.say("next: " + defects
                    + (recording.kinds().locks() ? "madt locks " + name + "     " : "")
                    + (recording.instruments().areNone() ? "" : "madt points " + hit + "     ")
                    + (largest.enters() > 0
                            ? "madt report --by call " + name + "     " + timeline(traces, largest)
                                    + "     madt print --tree " + name + " | less"
                            : recording.kinds().accesses()
                                    ? "madt report " + name + "     madt view " + name
                                            + "     madt print " + name + " | less"
                                    : "madt print " + name + " | less"));
        });
    }

    /** One of all processes, if there are several. */
    private static String timeline(List<TraceResult> traces, TraceResult largest) {
        TraceResult first = traces.size() > 1 ? traces.get(0) : largest;
        return "madt timeline " + (traces.size() > 1 ? "--all " : "") + "-o " + page(first.file())
                + " " + name(first);
    }

    private static String process(TraceResult result) {
        return PrintableText.of(
                Path.of(result.program()).getFileName() + ", process " + result.pid());
    }

    private static String name(TraceResult result) {
        return CommandText.file(result.file());
    }
}
