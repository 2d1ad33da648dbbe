package dev.madt.collector;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.OutputName;
import dev.madt.console.Reason;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.modules.Instruments;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.natives.ContextSwitches;
import dev.madt.session.Engine;
import dev.madt.session.ProcessStatus;
import dev.madt.session.RecordingClock;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.ProcessesFrame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.NamedFile;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.file.TraceWriter;
import dev.madt.view.text.LineDetailOptions;
import dev.madt.view.text.LineOutput;
import dev.madt.view.top.TopProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The trace files and lines of a run: opens them for each process, finishes them, and keeps what
 * the summary needs.
 */
public final class TraceOutputs {
    private static final String UNKNOWN = "unknown";

    private final Recording recording;
    private final WriteQueue queue;
    private final Path program;
    private final TraceFiles files;
    private final LineOutput text;
    /** Null if the lines go to standard output. */
    private final NamedFile textFile;

    private final RunReports reports;
    private final ProcessList processes = new ProcessList();
    private final Set<String> regionNames = new HashSet<>();
    private final EndedTraces endedTraces;
    private EndedTraces.Ended firstEnded;
    private final RecordingClock clock = new RecordingClock();
    private final TraceMeta meta;

    /** Null if no times are recorded. */
    private OffCpuTimes absences;

    private boolean first = true;
    private TraceSink early;
    private boolean textFailed;
    private boolean textLost;

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
        this.meta = new TraceMeta(recording, clock);
        this.endedTraces = new EndedTraces(clock);
        if (recording.takesStandardOutput() && "-".equals(recording.text())) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "the trace and the lines cannot both go to standard output.");
        }
        this.text = recording.text() == null
                ? null
                : LineOutput.open(recording.text(), recording.lines(), recording.overwrite());
        this.textFile = textFile(recording.text());
        this.reports = recording.report() == null ? null : new RunReports(recording.report());
        this.files = new TraceFiles(recording);
        this.early = files.areKnown(program) ? sink(files.first(program)) : null;
    }

    private static NamedFile textFile(String name) throws Failure {
        try {
            return name == null || name.equals("-") ? null : NamedFile.of(Path.of(name));
        } catch (IOException e) {
            throw new Failure(Status.RUN_FAILED, Reason.unwritable(Path.of(name), e), e);
        }
    }

    private TraceSink sink(TraceFiles.Opened file) {
        RunReports.Counted counted = reports == null ? null : reports.make();
        TopProcesses.Counted top =
                recording.top() == null ? null : recording.top().begin(LineDetailOptions.growing());
        return new TraceSink(
                file.file(), file.writer(), queue, newLines(counted), counted, top, file.refusal());
    }

    /** Returns what prints and counts the events of one more process, or null. */
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

    /** Returns whether somebody counts the processes while they go on. */
    boolean areCounted() {
        return recording.top() != null;
    }

    /** Returns whether the disk is behind, so that nothing should be written or closed for now. */
    boolean isBehind() {
        return queue.isFull() || endedTraces.areMany();
    }

    /** Waits until the disk has caught up, but not longer than so many milliseconds. */
    void awaitRoom(long millis) throws IOException {
        endedTraces.awaitFew(millis);
        queue.awaitRoom(millis);
    }

    /** The first target has been started: when it has no processor is to be known from now on. */
    void followSwitches(int pid) {
        if (recording.kinds().times()) {
            absences = new OffCpuTimes(clock, ContextSwitches.open(pid));
        }
    }

    /**
     * Returns what patterns may call the regions of all processes; empty if no pattern is given.
     */
    public Set<String> regionNames() {
        return regionNames;
    }

    /**
     * Begins the trace of a process that takes part; what waits for the disk does not hold it up.
     *
     * @param ofFirst whether it is the first process, or has its memory from its parent
     */
    ProcessTrace open(int pid, int parent, ModuleTable modules, boolean ofFirst) {
        TraceSink file = early;
        Path running = programOf(pid);
        if (file == null) {
            file = sink(files.make(pid, programName(running), first));
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
        RegionMap space = new RegionMap(
                recording.scope(),
                programName(running),
                regionNames,
                recording.engine() == Engine.SPLICE);
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
        trace.meta(meta.beginning(pid, parent, running, absences, ofFirst).build(pid, 0));
        return trace;
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

    /** Takes away the file that was made for a process which does not begin. */
    public void discard() throws IOException {
        if (early == null || OutputName.STANDARD.equals(early.file())) {
            return;
        }
        Path place = early.place();
        if (place != null && Files.isRegularFile(place)) {
            Files.delete(place);
        }
    }

    /** Returns whether the trace of a process has been begun. */
    public boolean opened() {
        return !first;
    }

    /** Returns whether a process that should take part runs and does not yet. */
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
        trace.meta(meta.closing(recorder, ended, losses, completeness, absences)
                .build(recorder.pid(), 0));
        EndedTraces.Ended process = new EndedTraces.Ended(
                recorder.serial(), recorder.pid(), trace, ended, losses, completeness);
        if (absences != null && !ended.equals(ProcessList.EXEC)) {
            absences.remove(recorder.pid());
        }
        if (recorder.serial() == 0) {
            firstEnded = process;
        } else {
            endedTraces.end(process);
        }
    }

    /** Returns how it records. */
    Engine engine() {
        return recording.engine();
    }

    /** Returns the instruments of the recording. */
    Instruments instruments() {
        return recording.instruments();
    }

    /** Writes what the instruments of a process have counted, which is at its end. */
    void tellInstruments(ProcessRecorder recorder) {
        Instruments instruments = recording.instruments();
        if (instruments.areNone()) {
            return;
        }
        try {
            instruments.lackRoom(recorder.threadsUncounted());
            recorder.trace()
                    .tellInstruments(recorder.pid(), recorder.lastTicket(), counts(recorder));
        } catch (IOException e) {
            recorder.trace().fail(e);
        }
    }

    private long[] counts(ProcessRecorder recorder) throws IOException {
        return recorder.counts(
                recording.instruments().room(), recording.instruments().used());
    }

    /**
     * Writes a trace of what is known by now of a process that goes on.
     *
     * @return the file
     */
    Path dump(ProcessRecorder recorder) throws IOException {
        ProcessTrace trace = recorder.trace();
        TraceSink sink = trace.sink();
        Path now = sink.place();
        if (now == null || !Files.isRegularFile(now)) {
            throw new IOException("this recording writes no trace file, or it has been removed");
        }
        List<TraceEvent> rest = new ArrayList<>(recorder.openCalls());
        if (!recording.instruments().areNone()) {
            rest.addAll(
                    trace.countedSoFar(recorder.pid(), recorder.lastTicket(), counts(recorder)));
        }
        trace.frames().flush();
        sink.await();
        Losses losses = Losses.of(recorder);
        String completeness = Completeness.of(trace, losses, ProcessList.RUNNING, "the dump");
        Path file = dumpOf(now);
        try (TraceReader written = new TraceReader(now);
                TraceWriter dump = new TraceWriter(file, false, files.features())) {
            written.read(dump);
            trace.frames().copyKept(dump);
            TraceFrames.writeRest(rest, recorder.pid(), dump);
            dump.frame(meta.closing(recorder, ProcessList.RUNNING, losses, completeness, absences)
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
            String reasons = processes.reasons();
            if (!reasons.isEmpty()) {
                firstEnded
                        .trace()
                        .meta(new MetaFrame()
                                .add("unrecorded_programs", reasons)
                                .build(firstEnded.pid(), 0));
            }
            endedTraces.end(firstEnded);
            firstEnded = null;
        }
        endedTraces.awaitClosed();
        queue.close();
        if (text != null) {
            textLost = textFile != null && textFile.place() == null;
            text.close();
        }
    }

    /**
     * Returns whether nobody can read the lines, since their file was removed while they were
     * written.
     */
    public boolean linesAreLost() {
        return textLost;
    }

    /** Returns how many records of context switches the kernel had no room for. */
    public long lostSwitches() {
        return absences == null ? 0 : absences.lost();
    }

    /** Writes the reports, if there are any; all processes have ended. */
    public void report(Messages messages) throws IOException {
        if (reports != null) {
            reports.write(new ResultStream(), messages);
        }
    }

    /** Returns how the traces came out that have been closed. */
    public TraceResults results() {
        return endedTraces.results();
    }

    RecordingClock clock() {
        return clock;
    }
}
