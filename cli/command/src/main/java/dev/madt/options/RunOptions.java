package dev.madt.options;

import dev.madt.collector.RecordedKinds;
import dev.madt.collector.Recording;
import dev.madt.console.Failure;
import dev.madt.console.KeptExtent;
import dev.madt.console.Numbers;
import dev.madt.console.OutputName;
import dev.madt.console.Status;
import dev.madt.locks.LockFunctions;
import dev.madt.modules.CallBounds;
import dev.madt.modules.ChosenFunctions;
import dev.madt.modules.ChosenPrograms;
import dev.madt.modules.Instruments;
import dev.madt.modules.NamedAllocators;
import dev.madt.modules.Scope;
import dev.madt.session.Engine;
import dev.madt.session.RunningProcess;
import dev.madt.session.StartPoint;
import dev.madt.session.Trigger;
import dev.madt.session.Windows;
import dev.madt.trace.layout.SharedLayout;
import dev.madt.view.report.ReportForm;
import dev.madt.view.text.LineForm;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The options of {@code madt run}, and the recording that they describe. */
public final class RunOptions {
    public static final String QUARANTINE = "quarantine";
    /** Leaves the closing look out. */
    public static final String NO_LOOK = "no-hottest";
    /** Says how many callers of an allocation are recorded, if no option says so. */
    private static final String CHAIN = "20";

    private static final String STANDARD = "-";

    /** Options that a process that runs already cannot have, and why. */
    private static final Map<String, String> NOT_ATTACHED = new TreeMap<>(Map.of(
            "tls",
            "what its threads have stored is known from their begin on.",
            QUARANTINE,
            "blocks are kept back from a program's begin on.",
            ChosenPrograms.OPTION,
            "the process is the one that is recorded."));

    private RunOptions() {}

    /** Returns all of them. */
    public static Options options() {
        Options options = new Options();
        options.addOption(option(
                "o",
                "output",
                "FILE",
                "write the trace to FILE, DIR/ or - (default: " + OutputName.DEFAULT + ")"));
        options.addOption(option(
                null, "text", "FILE", "write lines to FILE as they come; without -o, no trace"));
        LineForm.addTo(options);
        options.addOption(option(
                null, "report", "KEY", "print a report in the end, as madt report --by KEY does"));
        ReportForm.addTo(options);
        options.addOption(flag("no-trace", "keep no trace (with --report or --text)"));
        addKinds(options);
        options.addOption(option(
                null, "engine", "NAME", "splice (default) patches code; trap: page faults, 20 µs"));
        options.addOption(option(
                null,
                "start",
                "WHEN",
                "begin at main (default), load, marker, func:GLOB, return:GLOB, after:10s,"
                        + " signal:USR1, read:BYTES, ctl"));
        options.addOption(option(
                null, "stop", "WHEN", "end at one of these, from marker on; return:GLOB>40ms"));
        options.addOption(option(null, "for", "TIME", "end so long after it began: 200ms, 10s"));
        options.addOption(option(
                null, "windows", "N", "begin and end up to N times (0: any number; default 1)"));
        options.addOption(option(
                null, "max-events", "N", "stop recording after N accesses; the program goes on"));
        options.addOption(option(
                null,
                "max-size",
                "SIZE",
                "stop recording a process at a trace of SIZE bytes (500M)"));
        options.addOption(option(
                null, "last", "SIZE|TIME", "keep the newest events only, as in 64M or 200ms"));
        options.addOption(
                option(null, "only", "GLOB", "record only this region or module: [heap], 'libz*'"));
        options.addOption(option(null, "exclude", "GLOB", "leave out this region or module"));
        options.addOption(flag("heap", "record the heap; can be combined with --data and --lib"));
        options.addOption(flag("data", "record the program's own global data"));
        options.addOption(flag("lib", "record the libraries' global data"));
        options.addOption(flag("stack", "record stacks, too (not with --engine trap)"));
        options.addOption(flag("tls", "record thread-local storage, too"));
        options.addOption(option(
                null, QUARANTINE, "SIZE", "keep back freed blocks of SIZE bytes in all (20M)"));
        options.addOption(
                option(null, "chain", "N", "record so many callers of an allocation (default 20)"));
        options.addOption(option(
                null,
                NamedAllocators.OPTION,
                "FORM|NAME",
                "other allocators: python, @FILE, list, 'f(1)=ret,g(0)'"));
        options.addOption(Option.builder()
                .longOpt(Instruments.OPTION)
                .numberOfArgs(2)
                .argName("PLACE ACTION")
                .desc("put an instrument there: count, log, hist, sum, stack …")
                .get());
        options.addOption(option(
                null,
                Instruments.CONDITION,
                "EXPR",
                "only hits of the --at before where it holds"));
        options.addOption(
                option(null, Instruments.EVERY, "N", "only each N-th of these hits of a thread"));
        options.addOption(option(
                null, Instruments.FROM, "WHEN", "begin it at hits:N, func:GLOB, after:TIME …"));
        options.addOption(
                option(null, Instruments.UNTIL, "WHEN", "end it then; also return:GLOB, ctl"));
        options.addOption(option(
                null, Instruments.FILE, "FILE", "more instruments, PLACE ACTION in each line"));
        options.addOption(option(
                null,
                ChosenPrograms.OPTION,
                "GLOB",
                "record only programs whose name, path or file matches"));
        options.addOption(flag("no-follow", "record the first process only"));
        options.addOption(
                flag("lossy", "drop and count events instead of waiting for a slow disk"));
        options.addOption("f", "force", false, "overwrite a file that exists");
        options.addOption(flag(NO_LOOK, "do not look in the end for what is hot or wrong"));
        options.addOption("q", "quiet", false, "print errors only");
        options.addOption(
                option(null, "log", "FILE", "write messages to FILE instead of standard error"));
        options.addOption(
                "v", "verbose", false, "print more messages; -vv: stack traces of errors, too");
        return options;
    }

    private static void addKinds(Options options) {
        options.addOption(
                option("p", "pid", "PID", "record a process that runs already; again for others"));
        options.addOption(option(
                null, "name", "GLOB", "record all your processes of this name that run already"));
        options.addOption(
                option(null, "record", "KINDS", "accesses (default), calls, locks, or several"));
        options.addOption(option(
                null,
                LockFunctions.OPTION,
                "GET=FREE[:N]",
                "functions that take and release argument N, or list"));
        options.addOption(option(
                null, "time", "CLOCK", "clock that says when calls are: tsc (default) or none"));
    }

    private static Option flag(String name, String text) {
        return Option.builder().longOpt(name).desc(text).get();
    }

    private static Option option(String letter, String name, String argument, String text) {
        return Option.builder(letter)
                .longOpt(name)
                .hasArg()
                .argName(argument)
                .desc(text)
                .get();
    }

    /** Checks and completes the parsed options. */
    public static Recording of(CommandLine line) throws Failure {
        return of(line, RecordedKinds.ACCESSES);
    }

    /** @param kinds what is recorded if no option says so */
    public static Recording of(CommandLine line, String kinds) throws Failure {
        RunningProcess running = running(line);
        String text = line.getOptionValue("text");
        String output = line.getOptionValue("output");
        ReportForm report = report(line);
        if (output == null && text == null && !line.hasOption("no-trace")) {
            output = variable("MADT_OUTPUT", OutputName.DEFAULT);
        }
        Engine engine = Engine.of(line.getOptionValue("engine", Engine.SPLICE.word()));
        Instruments instruments = instruments(line, engine);
        boolean alone = !instruments.areNone()
                && !line.hasOption("record")
                && kinds.equals(RecordedKinds.ACCESSES);
        RecordedKinds recorded = alone ? RecordedKinds.NOTHING : kinds(line, kinds, engine);
        return new Recording(
                output,
                text,
                report,
                LineForm.of(line, Status.RUN_FAILED),
                engine,
                recorded,
                windows(line, recorded),
                new ChosenFunctions(
                        line.getOptionValues("calls"),
                        line.getOptionValues("no-calls"),
                        args(line, recorded)),
                locks(line, recorded),
                NamedAllocators.of(
                        line.getOptionValues(NamedAllocators.OPTION),
                        attaches(line),
                        Status.RUN_FAILED),
                instruments,
                new CallBounds(line.getOptionValue("below"), depth(line.getOptionValue("depth"))),
                callRate(line.getOptionValue("rate-limit"), recorded),
                count(line.getOptionValue("max-events")),
                size(line.getOptionValue("max-size")),
                last(line),
                Scope.of(
                        line.getOptionValues("only"),
                        line.getOptionValues("exclude"),
                        line.hasOption("heap"),
                        line.hasOption("data"),
                        line.hasOption("lib"),
                        line.hasOption("stack"),
                        line.hasOption("tls")),
                stack(line, engine),
                threadStorage(line, engine),
                quarantine(line.getOptionValue(QUARANTINE)),
                chain(line.getOptionValue("chain", CHAIN)),
                !line.hasOption("no-follow"),
                line.hasOption("lossy"),
                line.hasOption("force"),
                ChosenPrograms.of(line.getOptionValues(ChosenPrograms.OPTION)),
                running == null ? List.copyOf(line.getArgList()) : running.command(),
                running,
                null,
                null);
    }

    /** The process that runs already, or null: a program is to be started. */
    private static RunningProcess running(CommandLine line) throws Failure {
        if (!attaches(line)) {
            if (line.getArgList().isEmpty()) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "no program given. Usage: madt run [options] [--] PROG ARGS…, or madt run"
                                + " -p PID");
            }
            return null;
        }
        if (!line.getArgList().isEmpty()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "-p records a process that runs already, and starts no program: leave '"
                            + line.getArgList().get(0) + "' out.");
        }
        for (Map.Entry<String, String> other : NOT_ATTACHED.entrySet()) {
            if (line.hasOption(other.getKey())) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "-p and --" + other.getKey() + " do not go together: " + other.getValue());
            }
        }
        if (line.getOptionValue("engine", "").equals(Engine.TRAP.word())) {
            throw new Failure(
                    Status.RUN_FAILED, "a process that runs already needs --engine splice.");
        }
        return processes(line).get(0);
    }

    /** Returns whether a process is recorded that runs already. */
    public static boolean attaches(CommandLine line) {
        return line.hasOption("pid") || line.hasOption("name");
    }

    /** Returns the processes that run already and are to be recorded; each once. */
    public static List<RunningProcess> processes(CommandLine line) throws Failure {
        Map<Integer, RunningProcess> all = new LinkedHashMap<>();
        for (String pid : values(line, "pid")) {
            RunningProcess process = RunningProcess.of(pid, Status.RUN_FAILED);
            all.put(process.pid(), process);
        }
        for (String name : values(line, "name")) {
            List<RunningProcess> named =
                    RunningProcess.named(Scope.pattern(name), Status.RUN_FAILED);
            if (named.isEmpty()) {
                throw new Failure(
                        Status.RUN_FAILED, "no process of yours is called '" + name + "'.");
            }
            named.forEach(process -> all.put(process.pid(), process));
        }
        return List.copyOf(all.values());
    }

    private static String[] values(CommandLine line, String option) {
        String[] values = line.getOptionValues(option);
        return values == null ? new String[0] : values;
    }

    /** Returns which calls are recorded. */
    public static Options callOptions() {
        Options options = new Options();
        options.addOption(option(
                null, "calls", "GLOB", "calls of these functions only: foo, 'ns::*', 'lib*:*'"));
        options.addOption(option(null, "no-calls", "GLOB", "leave out calls of these functions"));
        options.addOption(
                option(null, "args", "GLOB", "arguments and results of these functions, too"));
        options.addOption(
                option(null, "below", "GLOB", "calls and accesses within these functions only"));
        options.addOption(
                option(null, "depth", "N", "only N recorded functions within each other"));
        options.addOption(option(
                null,
                "rate-limit",
                "RATE",
                "leave out what is called more than RATE times a second"));
        return options;
    }

    private static Instruments instruments(CommandLine line, Engine engine) throws Failure {
        List<String[]> asked = new ArrayList<>();
        for (Option option : line.getOptions()) {
            String name = option.getLongOpt();
            List<String> values = option.getValuesList();
            if (Instruments.FILE.equals(name)) {
                asked.add(Instruments.option(null, values.get(0)));
            } else if (Instruments.OPTION.equals(name)) {
                if (values.size() < 2) {
                    throw new Failure(
                            Status.RUN_FAILED,
                            "--at takes a place and an action: --at '" + values.get(0)
                                    + "' count.");
                }
                asked.add(Instruments.option(values.get(0), values.get(1)));
            } else if (Instruments.follows(name)) {
                String[] before = asked.isEmpty() ? null : asked.get(asked.size() - 1);
                if (before == null || before[0] == null) {
                    throw new Failure(
                            Status.RUN_FAILED,
                            "--" + name + " stands behind the --at that it is about.");
                }
                Instruments.follow(before, name, values.get(0));
            }
        }
        if (!asked.isEmpty() && engine == Engine.TRAP) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--at does not go with --engine trap, which sees accesses alone. Use --engine"
                            + " splice.");
        }
        return Instruments.of(asked, Status.RUN_FAILED);
    }

    private static String[] args(CommandLine line, RecordedKinds kinds) throws Failure {
        if (line.hasOption("args") && !kinds.calls()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--args says more of calls, which are not recorded: use madt trace, or --record"
                            + " accesses,calls.");
        }
        if (line.hasOption("args") && line.hasOption("rate-limit")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--args and --rate-limit do not go together: how often functions are called is"
                            + " read from words that arguments look like.");
        }
        return line.getOptionValues("args");
    }

    /** Returns the functions that are looked for; null where locks are not recorded. */
    private static LockFunctions locks(CommandLine line, RecordedKinds kinds) throws Failure {
        String[] pairs = line.getOptionValues(LockFunctions.OPTION);
        if (pairs != null && !kinds.locks()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--lock names functions of locks, which are not recorded. Add --record locks,"
                            + " or accesses,locks.");
        }
        return kinds.locks() ? LockFunctions.of(pairs, Status.RUN_FAILED) : null;
    }

    private static long callRate(String text, RecordedKinds kinds) throws Failure {
        if (text == null) {
            return 0;
        }
        if (kinds.accesses()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--rate-limit goes with calls alone: without the patches of a function its"
                            + " accesses would not be recorded either.");
        }
        if (!text.matches("[1-9][0-9]{0,11}")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--rate-limit is a number of calls in a second from 1, not '" + text + "'.");
        }
        return Long.parseLong(text);
    }

    private static int depth(String text) throws Failure {
        if (text == null) {
            return 0;
        }
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new Failure(Status.RUN_FAILED, "--depth is a number from 1, not '" + text + "'.");
        }
        return Integer.parseInt(text);
    }

    private static Windows windows(CommandLine line, RecordedKinds kinds) throws Failure {
        boolean attached = attaches(line);
        boolean asked = line.hasOption("start") || attached;
        String start = asked
                ? line.getOptionValue("start", StartPoint.LOAD.word())
                : variable("MADT_START", "main");
        if (attached && (start.equals("main") || start.equals("marker"))) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--start " + start + " does not go with -p: "
                            + (start.equals("main")
                                    ? "main began before."
                                    : "the process has no MadT_start() of MadT's.")
                            + " Without --start the recording begins at once.");
        }
        String stop = line.getOptionValue("stop");
        Trigger closes = stop == null ? null : Trigger.of(stop, "--stop", true, Status.RUN_FAILED);
        if (closes != null && closes.isSlowCall() && !kinds.times()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--stop " + stop + " needs calls with their times: use madt trace, or --record"
                            + " accesses,calls, without --time none.");
        }
        return Windows.of(
                Trigger.of(start, asked ? "--start" : "MADT_START", false, Status.RUN_FAILED),
                closes,
                line.getOptionValue("for"),
                line.getOptionValue("windows"),
                Status.RUN_FAILED);
    }

    private static RecordedKinds kinds(CommandLine line, String otherwise, Engine engine)
            throws Failure {
        RecordedKinds kinds = RecordedKinds.of(
                line.getOptionValue("record", otherwise), line.getOptionValue("time"));
        if (kinds.locks() && engine == Engine.TRAP) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "locks are not recorded with --engine trap, which sees accesses alone. Use"
                            + " --engine splice.");
        }
        if (kinds.locks() && line.hasOption("rate-limit")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--record locks and --rate-limit do not go together: a lock that is left out"
                            + " would look as if it was never released.");
        }
        if (kinds.calls() && engine == Engine.TRAP) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "calls are not recorded with --engine trap, which sees accesses alone.");
        }
        return kinds;
    }

    private static boolean stack(CommandLine line, Engine engine) throws Failure {
        if (line.hasOption("stack") && engine == Engine.TRAP) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--stack does not go with --engine trap: it closes the pages that it records,"
                            + " and the kernel writes to stacks at any time.");
        }
        return line.hasOption("stack");
    }

    private static boolean threadStorage(CommandLine line, Engine engine) throws Failure {
        boolean asked = line.hasOption("tls");
        if (asked && engine == Engine.TRAP) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--tls does not go with --engine trap: thread-local storage shares its pages"
                            + " with what the C library and the kernel use at any time. Use"
                            + " --engine splice.");
        }
        return asked;
    }

    /** The report that is asked for, or null; refuses what does not go together. */
    private static ReportForm report(CommandLine line) throws Failure {
        boolean asked = line.hasOption("report");
        if (line.hasOption("no-trace") && line.hasOption("output")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--no-trace and -o do not go together: -o names the trace file.");
        }
        if (line.hasOption("no-trace") && !asked && !line.hasOption("text")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--no-trace leaves nothing to do. Add --report KEY or --text FILE.");
        }
        if (!asked
                && (line.hasOption("top") || line.hasOption("format") || line.hasOption("wide"))) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--top, --wide and --format are about a report. Add --report KEY.");
        }
        if (asked
                && (STANDARD.equals(line.getOptionValue("text"))
                        || STANDARD.equals(line.getOptionValue("output")))) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "the report goes to standard output, nothing else can. Name a file instead of"
                            + " -.");
        }
        try {
            return asked ? ReportForm.of(line, "report") : null;
        } catch (Failure e) {
            throw new Failure(Status.RUN_FAILED, e.getMessage());
        }
    }

    /** Returns how much is kept; refuses what needs all events. */
    private static KeptExtent last(CommandLine line) throws Failure {
        if (!line.hasOption("last")) {
            return null;
        }
        for (String other : List.of("max-events", "max-size", "text", "report", "no-trace")) {
            if (line.hasOption(other)) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "--last and --" + other + " do not go together: --last forgets all events"
                                + " but the newest.");
            }
        }
        return KeptExtent.of(line.getOptionValue("last"));
    }

    private static String variable(String name, String otherwise) {
        String value = System.getenv(name);
        return value == null || value.isEmpty() ? otherwise : value;
    }

    private static long size(String text) throws Failure {
        if (text == null) {
            return 0;
        }
        long size = Numbers.bytes(text);
        if (size <= 0) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--max-size is a number of bytes from 1, as in 500M, not '" + text + "'.");
        }
        return size;
    }

    private static long quarantine(String text) throws Failure {
        long size = text == null || text.equals("0") ? 0 : Numbers.bytes(text);
        if (size < 0 || text != null && size == 0 && !text.equals("0")) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--quarantine is a number of bytes, as in 20M, not '" + text + "'.");
        }
        return size;
    }

    private static int chain(String text) throws Failure {
        if (!text.matches("0*[1-9][0-9]?") || Integer.parseInt(text) > SharedLayout.CHAIN_CALLS) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--chain is a number of callers from 1 to " + SharedLayout.CHAIN_CALLS
                            + ", not '" + text + "'.");
        }
        return Integer.parseInt(text);
    }

    private static long count(String text) throws Failure {
        if (text == null) {
            return 0;
        }
        try {
            long value = Long.parseLong(text.replace("_", "").replace(",", ""));
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // told below
        }
        throw new Failure(
                Status.RUN_FAILED, "--max-events is a number from 1, not '" + text + "'.");
    }
}
