package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Numbers;
import dev.madt.console.Reason;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.console.Talk;
import dev.madt.console.Version;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.modules.TrapSites;
import dev.madt.modules.UnrecordedCode;
import dev.madt.natives.ContextSwitches;
import dev.madt.natives.TimeStamps;
import dev.madt.session.CommandText;
import dev.madt.session.Engine;
import dev.madt.session.MemoryLimit;
import dev.madt.session.ProcessStatus;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.PrintableText;
import dev.madt.trace.codec.ProcessesFrame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.RingEvent;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.file.TraceWriter;
import dev.madt.trace.layout.TraceLayout;
import dev.madt.view.text.LineOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.collections.impl.set.mutable.primitive.LongHashSet;

/**
 * The trace files and lines of a run: opens them for each process, finishes them, and keeps what
 * the summary needs.
 */
public final class TraceOutputs {
    private static final String UNKNOWN = "unknown";
    /** Files that wait to be closed, with what was known of their processes. */
    private static final int MOST_CLOSING = 16;
    /** Places of traps that a trace tells. */
    private static final int MOST_TRAP_PLACES = 100;

    private final Recording recording;
    private final WriteQueue queue;
    private final Path program;
    private final OutputName name;
    private final LineOutput text;
    private final RunReports reports;
    private final TraceResults results = new TraceResults();
    private final ProcessList processes = new ProcessList();
    private final Set<String> regionNames = new HashSet<>();
    private Ended firstEnded;
    private final Deque<Ended> closing = new ArrayDeque<>();
    /**
     * Hashes of the names that traces have: thousands of them cost little so, and two that are
     * equal cost one a {@code .2}.
     */
    private final LongHashSet taken = new LongHashSet();

    private final String host = host();
    private final RecordingClock clock = new RecordingClock();

    /** Null if no times are recorded. */
    private AwayTimes absences;

    private boolean first = true;
    private TraceSink early;
    private boolean textFailed;

    /**
     * Checks that the outputs can be written, and makes those whose names are known.
     *
     * @param program the file that is run
     */
    public TraceOutputs(Recording recording, Path program) throws Failure {
        this.recording = recording;
        this.queue = new WriteQueue(
                recording.maxSize() > 0
                        ? 1
                        : WriteQueue.MOST_WAITING); // to know the size after each frame
        this.program = program;
        this.name = recording.output() == null ? null : new OutputName(recording.output());
        if ("-".equals(recording.output()) && "-".equals(recording.text())) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "the trace and the lines cannot both go to standard output.");
        }
        this.text = recording.text() == null
                ? null
                : LineOutput.open(recording.text(), recording.lines(), recording.overwrite());
        this.reports = recording.report() == null ? null : new RunReports(recording.report());
        if (name != null) {
            checkTrace();
        }
    }

    private void checkTrace() throws Failure {
        Path file = name.of(0, programName(program), true).toAbsolutePath();
        Path folder = file.getParent();
        if (recording.output().endsWith("/")) {
            makeFolder(folder, recording.output());
        }
        if (!Files.isDirectory(folder)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + file + ": there is no directory " + folder
                            + ". Make it with: mkdir -p " + folder);
        }
        if (!Files.isWritable(folder)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot write " + file + ": " + folder
                            + " is not writable. Choose another place with -o FILE.");
        }
        if (!name.dependsOnPid() && recording.programs().include(program)) {
            early = make(unused(name.of(0, programName(program), true)));
            if (early.failure() != null) {
                throw new Failure(
                        Status.RUN_FAILED,
                        Reason.unwritable(early.file(), early.failure()),
                        early.failure());
            }
        }
    }

    private static void makeFolder(Path folder, String name) throws Failure {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot make the folder " + name + ": " + Reason.root(e) + ".",
                    e);
        }
    }

    private TraceSink make(Path file) {
        int version = version();
        try {
            TraceWriter writer = file.equals(OutputName.STANDARD)
                    ? new TraceWriter(new ResultStream(), "standard output", version)
                    : new TraceWriter(file, recording.overwrite(), version);
            return traceFile(file, writer, null);
        } catch (IOException e) {
            return traceFile(file, null, e);
        }
    }

    private int version() {
        if (recording.functions().haveValues()) {
            return TraceLayout.ARGUMENTS_VERSION;
        }
        return recording.kinds().calls() ? TraceLayout.CALLS_VERSION : TraceLayout.VERSION;
    }

    /**
     * A process that replaces its image by exec has a trace for each: the later ones get .2, .3 …
     * appended.
     */
    private Path unused(Path file) {
        Path free = file;
        for (int i = 2; !taken.add(hash(free)); i++) {
            free = file.resolveSibling(file.getFileName() + "." + i);
        }
        return free;
    }

    private static long hash(Path file) {
        long hash = 0;
        String name = file.toString();
        for (int i = 0; i < name.length(); i++) {
            hash = hash * 0x9e3779b97f4a7c15L + name.charAt(i);
        }
        return hash;
    }

    private TraceSink traceFile(Path file, TraceWriter writer, IOException refusal) {
        RunReports.Counted counted = reports == null ? null : reports.make();
        return new TraceSink(file, writer, queue, newLines(counted), counted, refusal);
    }

    /** What prints and counts the events of one more process, or null. */
    private TraceDecoder newLines(RunReports.Counted counted) {
        if (text == null && counted == null) {
            return null;
        }
        if (counted == null) {
            return new TraceDecoder(text.newConsumer());
        }
        return new TraceDecoder(
                text == null
                        ? counted.consumer()
                        : new ConsumerPair(text.newConsumer(), counted.consumer()));
    }

    /** Whether the disk is behind, so that nothing should be written or closed for now. */
    boolean isBehind() {
        return queue.isFull() || closing.size() > MOST_CLOSING;
    }

    /** Waits until the disk has caught up, but not longer than so many milliseconds. */
    void awaitRoom(long millis) throws IOException {
        if (closing.size() > MOST_CLOSING) {
            closing.element().trace().sink().awaitClosed(millis);
            addClosed();
        }
        queue.awaitRoom(millis);
    }

    /** The first target has been started: when it has no processor is to be known from now on. */
    void followSwitches(int pid) {
        if (recording.kinds().times()) {
            absences = new AwayTimes(clock, ContextSwitches.open(pid));
        }
    }

    /** What patterns may call the regions of all processes; empty if no pattern is given. */
    public Set<String> regionNames() {
        return regionNames;
    }

    /**
     * Begins the trace of a process that takes part; what waits for the disk does not hold it up.
     */
    ProcessTrace open(int pid, int parent, ModuleTable modules) {
        TraceSink file = early;
        Path running = programOf(pid);
        if (file == null && name == null) {
            file = traceFile(null, null, null);
        } else if (file == null) {
            file = make(unused(name.of(pid, programName(running), first)));
        }
        early = null;
        first = false;
        if (reports != null) {
            reports.begin(file.counted(), programName(running), pid);
        }
        processes.takesPart(
                pid,
                parent,
                running.toString(),
                file.file() == null ? "" : file.file().getFileName().toString());
        RegionMap space = new RegionMap(recording.scope(), programName(running), regionNames);
        ProcessTrace trace = new ProcessTrace(
                pid,
                running.toString(),
                recording,
                file,
                space,
                modules,
                processes,
                clock,
                absences);
        if (absences != null) {
            absences.add(pid);
        }
        trace.meta(beginning(pid, parent, running).build(pid, 0));
        return trace;
    }

    private MetaFrame beginning(int pid, int parent, Path running) {
        MetaFrame meta = new MetaFrame();
        meta.add("command", CommandText.of(pid, recording.program()));
        meta.add("program", PrintableText.of(running.toString()));
        meta.add("engine", recording.engine().word())
                .add("start", recording.windows().text());
        if (recording.stack()) {
            meta.add("stack", "recorded");
        }
        if (recording.kinds().calls()) {
            meta.add("calls", "recorded");
            if (recording.bounds().areAny()) {
                meta.add("calls_within", recording.bounds().text());
            }
        }
        if (recording.kinds().times()) {
            meta.add("clock_start", Long.toString(clock.start()))
                    .add("clock_hz", Long.toString(clock.hertz()));
        }
        if (absences != null) {
            meta.add("switches", absences.isKnown() ? "recorded" : "unknown");
        }
        meta.add("host", host);
        meta.add("begin", now())
                .add("pid", Integer.toString(pid))
                .add("parent", Integer.toString(parent));
        return meta.add("version", Version.TEXT);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String host() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname"), StandardCharsets.UTF_8)
                    .strip();
        } catch (IOException e) {
            return "unknown";
        }
    }

    private Path programOf(int pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/exe"));
        } catch (IOException e) {
            return program;
        }
    }

    private static String programName(Path program) {
        return program.getFileName().toString();
    }

    /** Whether the trace of a process has been begun. */
    public boolean opened() {
        return !first;
    }

    /** Whether a process that should take part runs and does not yet. */
    boolean expectsProcess() {
        return recording.follow() && processes.expected().stream().anyMatch(ProcessStatus::runs);
    }

    /** The processes of the run. */
    public ProcessList processes() {
        return processes;
    }

    /**
     * Finishes the trace of a process; its recorder is drained. The first one stays open until
     * {@link #finish}: it tells of all processes.
     *
     * @param ending how it ended, or null to take what its events say
     */
    void close(ProcessRecorder recorder, String ending) {
        ProcessTrace trace = recorder.trace();
        trace.frames().release();
        Losses losses = Losses.of(recorder);
        String ended = ended(recorder, ending);
        boolean running = ended.equals(UNKNOWN) && ProcessStatus.runs(recorder.pid());
        String completeness =
                Completeness.of(trace, losses, ended, running ? "the end of the recording" : null);
        trace.meta(closing(recorder, ended, losses, completeness).build(recorder.pid(), 0));
        Ended process =
                new Ended(recorder.serial(), recorder.pid(), trace, ended, losses, completeness);
        if (absences != null && !ended.equals(ProcessList.EXEC)) {
            absences.remove(recorder.pid());
        }
        if (recorder.serial() == 0) {
            firstEnded = process;
        } else {
            end(process);
            addClosed();
        }
    }

    /**
     * Writes a trace of what is known by now of a process that goes on.
     *
     * @return the file
     */
    Path dump(ProcessRecorder recorder) throws IOException {
        ProcessTrace trace = recorder.trace();
        TraceSink sink = trace.sink();
        if (!sink.saves() || sink.file().equals(OutputName.STANDARD)) {
            throw new IOException("this recording writes no trace file");
        }
        List<RingEvent> open = recorder.openCalls();
        trace.frames().flush();
        sink.await();
        Losses losses = Losses.of(recorder);
        String completeness = Completeness.of(trace, losses, ProcessList.RUNNING, "the dump");
        Path file = dumpOf(sink.file());
        try (TraceReader written = new TraceReader(sink.file());
                TraceWriter dump = new TraceWriter(file, false, version())) {
            written.read(dump);
            trace.frames().copyKept(dump);
            TraceFrames.writeOpen(open, recorder.pid(), dump);
            dump.frame(closing(recorder, ProcessList.RUNNING, losses, completeness)
                    .build(recorder.pid(), 0));
        }
        return file;
    }

    /** A name that no file has: {@code prog.4242.dump1.madt}. */
    private static Path dumpOf(Path file) {
        String name = file.getFileName().toString();
        String base = name.endsWith(".madt") ? name.substring(0, name.length() - 5) : name;
        int number = 1;
        while (Files.exists(file.resolveSibling(base + ".dump" + number + ".madt"))) {
            number++;
        }
        return file.resolveSibling(base + ".dump" + number + ".madt");
    }

    /** What the end of a trace says. */
    private MetaFrame closing(
            ProcessRecorder recorder, String ended, Losses losses, String completeness) {
        ProcessTrace trace = recorder.trace();
        MetaFrame meta = new MetaFrame().add("ended", ended).add("end", now());
        meta.add("started", Integer.toString(trace.windows().count()));
        if (!recording.windows().isWhole()) {
            meta.add("windows", trace.windows().text(clock));
        }
        if (!recording.functions().areAll() || recording.functions().haveValues()) {
            meta.add("calls_of", recording.functions().text());
        }
        if (trace.calming() != null) {
            meta.add("calm", Long.toString(recording.calm()))
                    .add("calmed", trace.calming().text());
        }
        if (recording.kinds().times()) {
            meta.add("ended_at", Long.toString(clock.since(TimeStamps.now().ticks())))
                    .add("pauses", Long.toString(trace.pauses()))
                    .add("paused", Long.toString(clock.nanos(trace.pausedTicks())));
        }
        if (absences != null) {
            meta.add("switches_lost", Long.toString(absences.lost()));
        }
        Losses.COUNTERS.forEach(
                (key, offset) -> meta.add(key, Long.toString(recorder.counter(offset))));
        meta.add("ring_errors", Long.toString(losses.events()))
                .add("access_errors", Long.toString(losses.accesses()));
        meta.add("completeness", completeness);
        if (recording.engine() == Engine.SPLICE) {
            unrecorded(trace.unrecorded(), meta);
            meta.add("trap_places", trapPlaces(recorder.trapSites()));
        }
        trace.frames().tell(meta);
        return meta;
    }

    private static void unrecorded(UnrecordedCode code, MetaFrame meta) {
        long bytes = code.parts().stream().mapToLong(UnrecordedCode.Part::bytes).sum();
        meta.add(
                "unrecorded_share",
                code.share(bytes) + " of " + Numbers.grouped(code.executable()));
        meta.add(
                "unrecorded",
                code.parts().stream()
                        .map(UnrecordedCode.Part::text)
                        .collect(Collectors.joining("\n")));
    }

    private static String trapPlaces(TrapSites sites) {
        return sites.places().stream()
                .limit(MOST_TRAP_PLACES)
                .map(TrapSites.Place::text)
                .collect(Collectors.joining("\n"));
    }

    private String ended(ProcessRecorder recorder, String ending) {
        if (ProcessList.EXEC.equals(ending)
                || ending == null && recorder.trace().endedByExec()) {
            return ProcessList.EXEC; // the list has the next image already
        }
        int pid = recorder.pid();
        if (ending != null) {
            processes.end(pid, ending);
            return ending;
        }
        String said = processes.ending(pid);
        return said.equals(ProcessList.RUNNING) ? UNKNOWN : said;
    }

    /** A process whose trace is complete and open. */
    private record Ended(
            int serial,
            int pid,
            ProcessTrace trace,
            String how,
            Losses losses,
            String completeness) {}

    /** Ends the lines of a process, and has its file closed. */
    private void end(Ended process) {
        TraceSink file = process.trace().sink();
        try {
            file.endLines(process.losses().none());
            if (file.counted() != null) {
                file.counted().end();
            }
        } catch (IOException e) {
            process.trace().fail(e);
        }
        try {
            file.closeSoon(process.losses().damage() == null
                    && !(process.trace().failure() instanceof MemoryLimit));
        } catch (IOException e) {
            process.trace().fail(e);
        }
        closing.add(process);
    }

    /** Adds the results of those that are closed, in the order in which they ended. */
    private void addClosed() {
        while (!closing.isEmpty() && closing.element().trace().sink().isClosed()) {
            results.add(result(closing.remove()));
        }
    }

    /** Waits until all are closed, and adds their results. */
    private void awaitClosed() {
        while (!closing.isEmpty()) {
            ProcessTrace trace = closing.element().trace();
            try {
                if (!trace.sink().isClosed()) {
                    trace.sink().await();
                }
            } catch (IOException e) {
                trace.fail(e);
            }
            results.add(result(closing.remove()));
        }
    }

    private TraceResult result(Ended process) {
        IOException failure = process.trace().failure();
        IOException late = process.trace().sink().writeFailure();
        return TraceResult.of(
                process.serial(),
                process.pid(),
                process.trace(),
                clock.nanos(process.trace().pausedTicks()),
                process.how(),
                failure == null ? late : failure,
                process.losses(),
                process.completeness());
    }

    /** Lets lines out: all when nothing else is to be done. */
    void flushText(boolean idle) {
        if (text == null || !idle || textFailed) {
            return;
        }
        try {
            text.flush();
        } catch (IOException e) {
            textFailed = true; // the next line fails in the same way, and is where it is told
        }
    }

    /** Closes what is still open, the text last. */
    public void finish() throws IOException {
        if (early != null) {
            early.close();
        }
        if (firstEnded != null) {
            ProcessesFrame list = new ProcessesFrame();
            processes.entries().forEach(list::add);
            firstEnded.trace().meta(list.build(firstEnded.pid(), 0));
            end(firstEnded);
            firstEnded = null;
        }
        awaitClosed();
        queue.close();
        if (text != null) {
            text.close();
        }
    }

    /** Writes the reports, if there are any; all processes have ended. */
    public void report(Talk talk) throws IOException {
        if (reports != null) {
            reports.write(new ResultStream(), talk);
        }
    }

    /** How the traces came out that have been closed. */
    public TraceResults results() {
        return results;
    }

    RecordingClock clock() {
        return clock;
    }
}
