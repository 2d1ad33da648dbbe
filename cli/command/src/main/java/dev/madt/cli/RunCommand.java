package dev.madt.cli;

import dev.madt.collector.Collector;
import dev.madt.collector.ModuleService;
import dev.madt.collector.RecordedKinds;
import dev.madt.collector.Recording;
import dev.madt.collector.TraceOutputs;
import dev.madt.collector.TraceResult;
import dev.madt.collector.TraceResults;
import dev.madt.console.BrokenPipe;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.locks.LockFunctions;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.modules.AllocatorPresets;
import dev.madt.modules.CodeMapCache;
import dev.madt.modules.FunctionRanges;
import dev.madt.modules.Instruments;
import dev.madt.modules.MapSnapshot;
import dev.madt.modules.ModuleFiles;
import dev.madt.modules.NamedAllocators;
import dev.madt.modules.Points;
import dev.madt.natives.CodeAnalyser;
import dev.madt.natives.NativeFiles;
import dev.madt.natives.SessionSpaceException;
import dev.madt.options.RunOptions;
import dev.madt.session.Attachment;
import dev.madt.session.Caller;
import dev.madt.session.Engine;
import dev.madt.session.Environment;
import dev.madt.session.MemoryLimit;
import dev.madt.session.ProgramFile;
import dev.madt.session.RunningProcess;
import dev.madt.session.SessionDirectory;
import dev.madt.session.SeveralProcesses;
import dev.madt.session.SignalRelay;
import dev.madt.session.Spawner;
import dev.madt.session.StartPoint;
import dev.madt.session.TargetProcess;
import dev.madt.view.report.ReportForm;
import dev.madt.view.report.ReportKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt run}: starts a program with libmadt.so in it and collects what that records. */
public final class RunCommand implements Command {
    /** Prints the allocators that have names. */
    private static final String LIST = "list";

    /** From then on it is told that modules are still read: at a terminal, and elsewhere. */
    private static final long LONG_MILLIS = 1_500;

    private static final long LONG_UNSEEN_MILLIS = 10_000;

    /** Says how long a program that was started may look for functions that are nowhere. */
    private static final long AWAITED_MILLIS = 2_000;

    /** A command that goes on with the traces of a recording. */
    interface Further {
        /** Returns whether they are the user's too. */
        boolean keepsTraces();

        /** The program has ended. */
        void take(TraceResults results);
    }

    @Override
    public String name() {
        return "run";
    }

    @Override
    public String arguments() {
        return "[options] [--] PROG ARGS… | -p PID";
    }

    @Override
    public String summary() {
        return "run a program and record its memory accesses";
    }

    @Override
    public Options options() {
        return RunOptions.options();
    }

    @Override
    public int usageStatus() {
        return Status.RUN_FAILED;
    }

    @Override
    public int failureStatus() {
        return Status.RUN_FAILED;
    }

    @Override
    public boolean stopsAtArgument() {
        return true;
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of(
                        "What is recorded",
                        "pid",
                        "name",
                        "record",
                        LockFunctions.OPTION,
                        "time",
                        "stack",
                        "tls",
                        "only",
                        "exclude",
                        "heap",
                        "data",
                        "lib",
                        RunOptions.QUARANTINE,
                        "chain",
                        NamedAllocators.OPTION,
                        Instruments.OPTION,
                        Instruments.CONDITION,
                        Instruments.EVERY,
                        Instruments.FROM,
                        Instruments.UNTIL,
                        Instruments.FILE,
                        "only-program",
                        "no-follow"),
                HelpSection.of(
                        "When",
                        "start",
                        "stop",
                        "for",
                        "windows",
                        "max-events",
                        "max-size",
                        "last"),
                HelpSection.of(
                        "Where it goes, and how",
                        "output",
                        "force",
                        "report",
                        "top",
                        "wide",
                        "format",
                        "text",
                        "symbolic",
                        "raw",
                        "both",
                        "no-trace",
                        "engine",
                        "lossy",
                        RunOptions.NO_LOOK,
                        "quiet",
                        "verbose",
                        "log",
                        "help"));
    }

    @Override
    public String hint(String option) {
        return List.of("--attach", "--attach-pid").contains(option)
                ? "madt run -p PID records a process that runs already."
                : "";
    }

    @Override
    public Operands operands() {
        return Operands.PROGRAM;
    }

    @Override
    public List<String> statuses() {
        return List.of(
                "N        the program's own status",
                "128 + N  the program was ended by signal N",
                "125      madt itself failed",
                "126      the program cannot be traced or executed",
                "127      the program was not found");
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of(
                "record",
                RecordedKinds.words(),
                "time",
                RecordedKinds.CLOCKS,
                "engine",
                Engine.words(),
                "start",
                StartPoint.words(false),
                "stop",
                StartPoint.words(true),
                "report",
                ReportKey.words(),
                "format",
                ReportForm.FORMATS);
    }

    @Override
    public List<String> examples() {
        return List.of("madt run --only '[heap]' --stack -o heap.madt -- ./prog input");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        if (List.of(values(line, NamedAllocators.OPTION)).contains(LIST)) {
            System.out.print(AllocatorPresets.read(Status.RUN_FAILED).text());
            return 0;
        }
        if (List.of(values(line, LockFunctions.OPTION)).contains(LIST)) {
            System.out.print(LockFunctions.text(Status.RUN_FAILED));
            return 0;
        }
        return record(line, RecordedKinds.ACCESSES, messages);
    }

    /** Records what the options describe, of one process or of several that run already. */
    static int record(CommandLine line, String kinds, Messages messages)
            throws Failure, IOException {
        List<RunningProcess> processes = RunOptions.processes(line);
        return processes.size() > 1
                ? new SeveralProcesses(line, processes).record(messages)
                : record(RunOptions.of(line, kinds), line, messages);
    }

    private static String[] values(CommandLine line, String option) {
        String[] values = line.getOptionValues(option);
        return values == null ? new String[0] : values;
    }

    /** Records what the options of this command describe. */
    static int record(Recording recording, CommandLine line, Messages messages)
            throws Failure, IOException {
        return record(recording, line, null, messages);
    }

    /**
     * The same, for a command that goes on with the traces.
     *
     * @param further null: the user goes on with them
     */
    static int record(Recording recording, CommandLine line, Further further, Messages messages)
            throws Failure, IOException {
        List<byte[]> environment = Caller.environment();
        messages.quiet(line.hasOption("quiet"));
        if (line.hasOption("log")) {
            messages.to(Path.of(line.getOptionValue("log")));
        }
        Path program = program(recording, environment);
        Path shim = library("libmadt.so");
        Path analyser = library("libmadtcode.so");
        library("libmadtencode.so");
        try (SignalRelay relay = new SignalRelay();
                SessionDirectory session = makeSession(shim, recording);
                CodeMapCache cache =
                        new CodeMapCache(loadAnalyser(analyser), session.path(), messages)) {
            relay.install(Caller.ignoredSignals());
            ModuleFiles files = new ModuleFiles(
                    cache,
                    session.path(),
                    recording.functions(),
                    recording.locks() == null ? FunctionRanges.Source.NONE : recording.locks(),
                    recording.allocators(),
                    recording.instruments(),
                    messages::say);
            MapSnapshot snapshot = new MapSnapshot(shim, session.path(), cache.directory());
            Points points = new Points(recording.windows());
            try (ModuleService service = new ModuleService(
                    files, snapshot, points, session.doorbell(), recording, messages)) {
                if (recording.programs().include(program)) {
                    service.foresee(program, recording.running());
                    demandPlaces(recording, service);
                }
                TraceOutputs outputs = new TraceOutputs(recording, program);
                Collector collector = new Collector(session, service, outputs, messages);
                RunSummary summary = new RunSummary(
                        messages, recording, program, further, look(line, recording, messages));
                int status;
                try {
                    status = record(
                            recording, program, session, service, collector, relay, outputs,
                            summary, messages);
                } catch (Failure e) {
                    outputs.discard();
                    throw e;
                } finally {
                    relay.passOver(); // the session's memory is about to go
                }
                if (further != null) {
                    further.take(outputs.results());
                }
                files.keepLines();
                points.unmatched().forEach(messages::error);
                recording.functions().unmatched().forEach(messages::error);
                recording.allocators().unmatched().forEach(messages::error);
                if (recording.locks() != null) {
                    recording.locks().unmatched().forEach(messages::error);
                }
                recording.instruments().unmatched().forEach(messages::error);
                return status;
            }
        }
    }

    /** The file that is executed. */
    private static Path program(Recording recording, List<byte[]> environment) throws Failure {
        if (recording.running() != null) {
            return recording.running().program();
        }
        Path program = ProgramFile.find(
                recording.program().get(0), Environment.value(environment, "PATH"));
        ProgramFile.checkTraceable(program);
        if (ProgramFile.isStatic(program)
                && (recording.engine() == Engine.TRAP || recording.tls())) {
            throw new Failure(
                    Status.CANNOT_EXECUTE,
                    "cannot trace " + program + " so: it is statically linked, which goes with"
                            + " --engine splice alone, and without --tls.");
        }
        return program;
    }

    /**
     * Refuses instruments for which there are no places, and allocators that lack an argument,
     * before anything is written or run.
     */
    private static void demandPlaces(Recording recording, ModuleService service)
            throws Failure, IOException {
        boolean instruments = !recording.instruments().areNone();
        if (!recording.programs().areAll()
                || !instruments && recording.allocators().areNone()) {
            return;
        }
        service.awaitForeseen();
        recording.allocators().demandArguments(Status.RUN_FAILED);
        if (instruments) {
            recording.instruments().demandFound(Status.RUN_FAILED);
        }
    }

    /** A program with a loader that would end it gets the caller's environment. */
    private static List<byte[]> forTarget(
            List<byte[]> environment, Path program, SessionDirectory session, Messages messages)
            throws Failure, IOException {
        String loader = ProgramFile.foreignLoader(program);
        if (loader == null) {
            return Environment.forTarget(environment, session.path(), Spawner.leftToTheShim());
        }
        messages.error(program + " runs untraced: its loader " + loader
                + " is not that of the GNU C library, for which libmadt.so is made.");
        return environment;
    }

    /** Null if nobody is to look into the traces in the end. */
    private static FirstLook look(CommandLine line, Recording recording, Messages messages) {
        boolean looks = !line.hasOption(RunOptions.NO_LOOK) && !line.hasOption("quiet");
        return looks && recording.report() == null && recording.top() == null
                ? new FirstLook(
                        messages,
                        SeveralProcesses.together() == null,
                        recording.allocators().areNone() && !RunOptions.attaches(line))
                : null;
    }

    private static int record(
            Recording recording,
            Path program,
            SessionDirectory session,
            ModuleService service,
            Collector collector,
            SignalRelay relay,
            TraceOutputs outputs,
            RunSummary summary,
            Messages messages)
            throws Failure, IOException {
        AtomicBoolean over = new AtomicBoolean();
        if (recording.running() == null) {
            service.awaitForeseen(
                    Terminal.standardError() ? LONG_MILLIS : LONG_UNSEEN_MILLIS,
                    () -> messages.say("reading " + program.getFileName()
                            + " and its libraries and planning what is patched in them, once."
                            + " It begins then."));
            relay.demandNone(program.getFileName().toString());
        } else {
            relay.handOver(() -> over.set(true));
            service.awaitForeseen(
                    LONG_MILLIS,
                    () -> messages.say("reading the modules of process "
                            + recording.running().pid()
                            + " and planning what is patched in them, once."
                            + " It runs on meanwhile."));
        }
        messages.detail("started at " + System.nanoTime() + " ns of the monotonic clock");
        Attachment attachment = null;
        TargetProcess target;
        if (recording.running() == null) {
            target = start(recording, program, session, collector, relay, messages);
            tellMissing(target, service, messages);
        } else {
            target = TargetProcess.follow(recording.running().pid(), session.doorbell());
            attachment = attach(session, service, collector, relay, target, messages);
            if (over.get()) {
                attachment.cancel();
            }
            attachment.begin(recording.windows().wholeTime());
        }
        IOException limit = null;
        try {
            collector.run(target);
            outputs.finish();
        } catch (OutOfMemoryError e) {
            session.disown();
            limit = new MemoryLimit(e);
            messages.trace(e);
        } catch (BrokenPipe e) {
            messages.detail("nobody reads the lines any more");
        } catch (IOException
                | RuntimeException
                | Error e) { // whatever it is: the program must not wait for this process
            session.disown();
            messages.error("recording failed: "
                    + (e instanceof IOException io ? Reason.of(io) : e.toString())
                    + ". The program goes on untraced.");
            messages.trace(e);
        }
        if (attachment != null) {
            attachment.end();
        }
        target.join();
        if (attachment != null && attachment.failure() != null) {
            for (TraceResult result : outputs.results().all()) {
                if (result.isReadable()) {
                    Files.delete(result.file()); // nothing is in it
                }
            }
            throw attachment.failure();
        }
        if (limit != null) {
            abandon(collector, target, outputs, limit, messages);
        }
        report(outputs, messages);
        summary.tell(outputs, target, session);
        return target.exitStatus();
    }

    private static TargetProcess start(
            Recording recording,
            Path program,
            SessionDirectory session,
            Collector collector,
            SignalRelay relay,
            Messages messages)
            throws Failure, IOException {
        boolean alone = ProgramFile.isStatic(program);
        List<byte[]> environment = Caller.environment();
        List<byte[]> arguments = Caller.arguments(recording.program());
        int pid = Spawner.spawn(
                alone ? library("madt-inject") : program,
                alone
                        ? Attachment.executes(library("libmadt.so"), session, program, arguments)
                        : arguments,
                alone ? environment : forTarget(environment, program, session, messages),
                !recording.takesStandardOutput(),
                recording.programOutput());
        TargetProcess target = TargetProcess.watch(
                pid, session.doorbell(), () -> relay.handOver(collector::leave));
        relay.forwardTo(pid);
        return target;
    }

    /** Says of a program that goes on what it awaits that is nowhere, once it has begun. */
    private static void tellMissing(
            TargetProcess target, ModuleService service, Messages messages) {
        Thread thread = new Thread(
                () -> {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(AWAITED_MILLIS));
                    if (!target.ended()) {
                        service.missing().forEach(messages::say);
                    }
                },
                "missing");
        thread.setDaemon(true);
        thread.start();
    }

    /** Prepares to attach; whatever ends the recording has the process leave it. */
    private static Attachment attach(
            SessionDirectory session,
            ModuleService service,
            Collector collector,
            SignalRelay relay,
            TargetProcess target,
            Messages messages)
            throws Failure, IOException {
        Attachment attachment = new Attachment(
                session,
                library("madt-inject"),
                library("libmadt.so"),
                target,
                service,
                Status.RUN_FAILED,
                messages);
        service.ranBefore();
        collector.adoptRunning(target);
        relay.handOver(attachment::end);
        collector.whenOver(attachment::end);
        return attachment;
    }

    /** Makes readable what was recorded until the memory was used up. */
    private static void abandon(
            Collector collector,
            TargetProcess target,
            TraceOutputs outputs,
            IOException limit,
            Messages messages) {
        try {
            collector.abandon(target, limit);
            outputs.finish();
        } catch (IOException | OutOfMemoryError e) {
            messages.error(
                    "recording failed: " + limit.getMessage() + ". The program went on untraced.");
            messages.trace(e);
        }
    }

    /** The program has ended by now: nothing that goes wrong here changes how. */
    private static void report(TraceOutputs outputs, Messages messages) {
        try {
            outputs.report(messages);
        } catch (BrokenPipe e) {
            messages.detail("nobody reads the report any more");
        } catch (IOException e) {
            messages.error(Reason.of(e) + ". The report is incomplete.");
        }
    }

    private static SessionDirectory makeSession(Path shim, Recording recording) throws Failure {
        Path place = SessionDirectory.place();
        try {
            return SessionDirectory.create(place, shim, recording.settings());
        } catch (IOException e) {
            throw new Failure(
                    Status.RUN_FAILED,
                    e instanceof SessionSpaceException
                            ? e.getMessage()
                            : "cannot make the session directory in " + place + ": "
                                    + Reason.root(e) + "." + RunSummary.advice(Reason.root(e)),
                    e);
        }
    }

    private static CodeAnalyser loadAnalyser(Path file) throws Failure {
        try {
            return new CodeAnalyser(file);
        } catch (LinkageError e) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "cannot load "
                            + file
                            + ": "
                            + e.getMessage()
                            + (NativeFiles.packaged()
                                    ? ". Install MadT again"
                                    : ". If libZydis is missing: sudo apt-get install -y"
                                            + " libzydis-dev"),
                    e);
        }
    }

    /** A native library of the build. */
    private static Path library(String name) throws Failure {
        Path file = NativeFiles.find(name);
        if (!Files.isReadable(file)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    file + " is not there. "
                            + (NativeFiles.packaged()
                                    ? "Install MadT again."
                                    : "Build it with: mvn package"));
        }
        return file;
    }
}
