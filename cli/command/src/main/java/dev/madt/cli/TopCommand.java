package dev.madt.cli;

import dev.madt.collector.Recording;
import dev.madt.console.Choice;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.manual.Command;
import dev.madt.manual.HelpSection;
import dev.madt.manual.Manual;
import dev.madt.natives.Libc;
import dev.madt.natives.Signals;
import dev.madt.options.RunOptions;
import dev.madt.session.CommandText;
import dev.madt.session.RunningRecordings;
import dev.madt.session.RunningRecordings.Running;
import dev.madt.top.TopScreen;
import dev.madt.top.TopTail;
import dev.madt.top.TopText;
import dev.madt.top.TopView;
import dev.madt.view.top.TopKind;
import dev.madt.view.top.TopProcesses;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt top}: what is hot in a program at the moment. */
final class TopCommand implements Command {
    /** Options of {@code madt run} that this command has, too. */
    private static final List<String> RECORDING = List.of(
            "force",
            "engine",
            "start",
            "stop",
            "for",
            "windows",
            "only",
            "exclude",
            "heap",
            "data",
            "lib",
            "stack",
            "tls",
            "only-program",
            "no-follow");

    private static final List<String> WORDS = List.of("data", "functions", "sites", "threads");
    private static final String EVERY = "every";
    private static final String PROGRAM_OUTPUT = "program-output";
    private static final long SECOND = 1_000_000_000;
    /** Bytes of a trace that are worth a word while they have not been counted. */
    private static final long BEHIND = 1 << 20;

    private static final long SHORTEST = SECOND / 10;
    private static final int USUAL_ROWS = 20;
    private static final String NOWHERE = "/dev/null";

    @Override
    public String name() {
        return "top";
    }

    @Override
    public String arguments() {
        return "[options] PID | [--] PROG ARGS…";
    }

    @Override
    public String summary() {
        return "show what is hot in a program while it runs";
    }

    @Override
    public Options options() {
        Options options = Terminal.addTo(new Options());
        Options run = RunOptions.options();
        RECORDING.forEach(name -> options.addOption(run.getOption(name)));
        return options.addOption(option(
                        "by",
                        "KIND",
                        "begin with " + String.join(", ", WORDS) + " (default: data)"))
                .addOption(option(EVERY, "SECONDS", "count anew so often (default: 1)"))
                .addOption(option("rows", "N", "rows of tables without a terminal (default: 20)"))
                .addOption(option(
                        "output",
                        "FILE",
                        "keep a trace, too: FILE or DIR/ (default: no trace is kept)"))
                .addOption(option(
                        PROGRAM_OUTPUT,
                        "FILE",
                        "write what PROG prints to FILE (default on a terminal: nowhere)"));
    }

    private static Option option(String name, String argument, String text) {
        return Option.builder(name.equals("output") ? "o" : null)
                .longOpt(name)
                .hasArg()
                .argName(argument)
                .desc(text)
                .get();
    }

    @Override
    public List<HelpSection> sections() {
        return List.of(
                HelpSection.of("What is shown", "by", EVERY, "rows", "color"),
                HelpSection.of(
                        "What is recorded of PROG",
                        "stack",
                        "tls",
                        "only",
                        "exclude",
                        "heap",
                        "data",
                        "lib",
                        "only-program",
                        "no-follow",
                        "start",
                        "stop",
                        "for",
                        "windows",
                        "engine"),
                HelpSection.of("Where it goes", PROGRAM_OUTPUT, "output", "force"));
    }

    @Override
    public List<String> notes() {
        return List.of(
                "PROG  a program that is recorded, and no trace of it kept",
                "PID   a process that runs already: it is recorded until you quit, and goes on",
                "      without madt. Where madt run records it, or PID is that of this madt,",
                "      its trace is read while it grows",
                "Keys: 1 data, 2 functions, 3 access sites, 4 threads, Tab the next of them,",
                "      s sort, space freeze, r count from now on, q quit (PROG gets SIGTERM)",
                "Without a terminal a table is printed each second, and one in the end.");
    }

    @Override
    public Operands operands() {
        return Operands.PROGRAM;
    }

    @Override
    public boolean stopsAtArgument() {
        return true;
    }

    @Override
    public Map<String, List<String>> words() {
        return Map.of("by", WORDS, "color", Terminal.WHEN);
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
    public List<String> examples() {
        return List.of(
                "madt top -- redis-server --port 7777",
                "madt top --by functions 4242",
                "madt top --every 5 -- ./prog | tee hot.txt");
    }

    /** Says what is shown, and how. */
    private static final class Show {
        private final TopProcesses all = new TopProcesses();
        private final TopView view;
        private final long period;
        private final boolean coloured;
        private final int rows;

        private Show(CommandLine line, String title) throws Failure {
            String word = Choice.of(line, "by", WORDS, WORDS.get(0));
            view = new TopView(title, TopKind.values()[WORDS.indexOf(word)], System.nanoTime());
            period = period(line.getOptionValue(EVERY, "1"));
            coloured = Terminal.coloured(line);
            rows = (int) Choice.number(line, "rows", 1, USUAL_ROWS);
        }

        private Closeable begin(Runnable quit) throws IOException {
            return Terminal.standardOutput()
                    ? new TopScreen(
                            view,
                            all::sums,
                            period,
                            new TopScreen.Look(coloured, Terminal.hasBlocks()),
                            quit)
                    : new TopText(view, all::sums, period, Terminal.width(), rows, output());
        }

        /** The last table. */
        private void end() {
            view.end(all.sums());
            output().print(view.text(Terminal.width(), rows, coloured, Terminal.hasBlocks()));
        }

        private static PrintStream output() {
            return new PrintStream(System.out, true, StandardCharsets.UTF_8);
        }
    }

    private static long period(String text) throws Failure {
        if (text.matches("\\d{1,5}(\\.\\d{1,3})?")) {
            long period = Math.round(Double.parseDouble(text) * SECOND);
            if (period >= SHORTEST) {
                return period;
            }
        }
        throw new Failure(
                Status.RUN_FAILED, "--every is a number of seconds from 0.1, not '" + text + "'.");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        List<String> words = line.getArgList();
        if (words.isEmpty()) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "no program and no process given. Usage: madt top " + arguments());
        }
        try {
            return words.size() == 1 && words.get(0).matches("[0-9]{1,9}")
                    ? watch(Integer.parseInt(words.get(0)), line, messages)
                    : record(
                            withoutPeriod(line), CommandText.of(words), new Stop(), line, messages);
        } catch (Failure e) {
            throw e.status() == Status.USAGE ? new Failure(usageStatus(), e.getMessage()) : e;
        }
    }

    // ---------------------------------------------------------------- a program

    /** The option of this name is another one where something is recorded. */
    private static CommandLine withoutPeriod(CommandLine line) {
        CommandLine.Builder others = CommandLine.builder();
        line.getArgList().forEach(others::addArg);
        for (Option option : line.getOptions()) {
            if (!EVERY.equals(option.getLongOpt())) {
                others.addOption(option);
            }
        }
        return others.get();
    }

    /**
     * Records what the options of madt run say, and shows it meanwhile.
     *
     * @param quit what the key q does
     */
    private static int record(
            CommandLine run, String title, Runnable quit, CommandLine line, Messages messages)
            throws Failure, IOException {
        Show show = new Show(line, title);
        boolean onScreen = Terminal.standardOutput();
        String written = line.getOptionValue(PROGRAM_OUTPUT, onScreen ? NOWHERE : null);
        Recording recording = RunOptions.of(run)
                .counted(
                        show.all,
                        line.getOptionValue("output"),
                        written == null ? null : Path.of(written).toAbsolutePath());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Messages later = onScreen
                ? new Messages(new PrintStream(said, true, StandardCharsets.UTF_8))
                : messages;
        later.verbosity(Manual.verbosity(line));
        try {
            int status;
            Closeable shown = show.begin(quit);
            try {
                status = RunCommand.record(recording, run, later);
            } finally {
                shown.close();
            }
            show.end();
            return status;
        } finally {
            System.err.write(said.toByteArray());
            System.err.flush();
        }
    }

    /**
     * Asks the program to end, and ends it when asked again; if it has not begun, as soon as it
     * has.
     */
    private static final class Stop implements Runnable {
        private static final long WAIT_MILLIS = 50;

        private boolean asked;

        @Override
        public void run() {
            boolean again = asked;
            asked = true;
            Thread thread = new Thread(() -> end(again), "quit");
            thread.setDaemon(true);
            thread.start();
        }

        private static void end(boolean atOnce) {
            try {
                while (ProcessHandle.current().children().findAny().isEmpty()) {
                    Thread.sleep(WAIT_MILLIS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            ProcessHandle.current().children().forEach(child -> {
                if (atOnce) {
                    child.destroyForcibly();
                } else {
                    child.destroy();
                }
            });
        }
    }

    // ---------------------------------------------------------------- a process

    private static int watch(int pid, CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        if (line.hasOption(PROGRAM_OUTPUT)) {
            throw new Failure(
                    Status.RUN_FAILED,
                    "--" + PROGRAM_OUTPUT + " is about a program that madt top starts, and process "
                            + pid + " runs already.");
        }
        for (Running one : RunningRecordings.all()) {
            if (one.has(pid)) {
                return follow(one, pid, line, messages);
            }
        }
        return record(attaching(pid, line), "process " + pid, TopCommand::leave, line, messages);
    }

    /** Returns the options of this command as those of a madt run that attaches to the process. */
    private static CommandLine attaching(int pid, CommandLine line) throws Failure {
        List<String> words = new ArrayList<>(List.of("--pid", Integer.toString(pid)));
        for (Option option : line.getOptions()) {
            if (RECORDING.contains(option.getLongOpt())) {
                words.add("--" + option.getLongOpt());
                words.addAll(option.getValuesList());
            }
        }
        return Main.parse(new RunCommand(), words.toArray(String[]::new));
    }

    /** Ends the recording of a process that goes on, as a signal to this one does. */
    private static void leave() {
        Libc.kill((int) ProcessHandle.current().pid(), Signals.TERM);
    }

    // ---------------------------------------------------------------- a recording

    private static int follow(Running running, int pid, CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        for (String option : RECORDING) {
            if (line.hasOption(option)) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "--" + option + " says how to record, and process " + pid
                                + " is recorded already.");
            }
        }
        Show show = new Show(line, "process " + pid);
        TopTail tail = new TopTail(
                running.directory(), pid == running.launcher() ? 0 : pid, show.all, messages);
        if (!tail.look()) {
            throw new Failure(
                    Status.FAILED, "the recording of process " + pid + " has no trace by now.");
        }
        CountDownLatch quit = new CountDownLatch(1);
        Closeable shown = show.begin(quit::countDown);
        try {
            long step = Math.min(show.period, SECOND) / 2;
            while (!quit.await(step, TimeUnit.NANOSECONDS) && tail.look()) {
                long left = tail.left();
                show.view.remark(left < BEHIND ? "" : (left >> 20) + " MiB still to be counted");
            }
            if (quit.getCount() > 0) {
                tail.join();
            }
        } finally {
            shown.close();
        }
        show.end();
        return Status.DONE;
    }
}
