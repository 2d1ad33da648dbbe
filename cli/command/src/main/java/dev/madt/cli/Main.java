package dev.madt.cli;

import dev.madt.console.BrokenPipe;
import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.console.Version;
import dev.madt.manual.Command;
import dev.madt.manual.CommandPage;
import dev.madt.manual.Manual;
import dev.madt.manual.ManualPage;
import dev.madt.manual.Shell;
import dev.madt.natives.NativeFiles;
import dev.madt.session.MemoryLimit;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * Finds the command, gives it its options and turns whatever happens into an exit status and a
 * sentence.
 */
public final class Main {
    private static final List<Command> OF_USERS = List.of(
            new RunCommand(),
            new TraceCommand(),
            new PrintCommand(),
            new InfoCommand(),
            new ReportCommand(),
            new PointsCommand(),
            new LocksCommand(),
            new SharingCommand(),
            new RacesCommand(),
            new ReuseCommand(),
            new CacheCommand(),
            new DefectsCommand(),
            new DiffCommand(),
            new SqlCommand(),
            new ConvertCommand(),
            new HeatmapCommand(),
            new FlameCommand(),
            new TimelineCommand(),
            new ViewCommand(),
            new DumpCommand(),
            new CheckCommand(),
            new FunctionsCommand(),
            new EventsCommand(),
            new CfgCommand(),
            new CtlCommand(),
            new TopCommand(),
            new DoctorCommand());

    static final List<Command> COMMANDS = commands();

    private Main() {}

    private static List<Command> commands() {
        if (!BenchCommand.isThere()) {
            return OF_USERS;
        }
        List<Command> commands = new ArrayList<>(OF_USERS);
        commands.add(new BenchCommand());
        return commands;
    }

    public static void main(String[] arguments) {
        PrintStream errors = new PrintStream(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(arguments, new Messages(errors), errors));
    }

    /**
     * Runs one command in this JVM; what it has to say goes to the two last, its result to a file
     * or to standard output.
     *
     * @return the exit status
     */
    public static int run(String[] arguments, Messages messages, PrintStream errors) {
        if (arguments.length == 0) {
            errors.print(Manual.overview(COMMANDS));
            return Status.USAGE;
        }
        String first = arguments[0];
        switch (first) {
            case "-h", "--help" -> System.out.print(Manual.overview(COMMANDS));
            case "-V", "--version" -> System.out.println("madt " + Version.TEXT);
            case "--include-dir" -> System.out.println(NativeFiles.include());
            default -> {
                String[] rest = Arrays.copyOfRange(arguments, 1, arguments.length);
                return first.equals("help")
                        ? help(rest, messages)
                        : dispatch(first, rest, messages);
            }
        }
        return Status.DONE;
    }

    private static int help(String[] topics, Messages messages) {
        if (topics.length == 0) {
            System.out.print(Manual.overview(COMMANDS));
            return Status.DONE;
        }
        if (!topics[0].equals("--man") && !topics[0].equals("--completion")) {
            return dispatch(topics[0], new String[] {"--help"}, messages);
        }
        try {
            System.out.print(topics[0].equals("--man") ? manualPage(topics) : completion(topics));
            return Status.DONE;
        } catch (Failure e) {
            messages.error(e.getMessage());
            return e.status();
        } catch (IOException e) {
            messages.error(Reason.of(e));
            return Status.FAILED;
        }
    }

    /** The page of all commands, or that of one. */
    private static String manualPage(String[] topics) throws Failure, IOException {
        return topics.length == 1 ? ManualPage.of(COMMANDS) : CommandPage.of(command(topics[1]));
    }

    private static String completion(String[] topics) throws Failure, IOException {
        Shell shell = topics.length == 1 ? null : Shell.of(topics[1]);
        if (shell == null) {
            throw new Failure(
                    Status.USAGE,
                    "--completion is followed by the name of a shell: "
                            + String.join(", ", Shell.words()) + ".");
        }
        return shell.completion(COMMANDS);
    }

    private static int dispatch(String name, String[] arguments, Messages messages) {
        try {
            return execute(command(name).meant(arguments), arguments, messages);
        } catch (Failure e) {
            messages.error(e.getMessage());
            return e.status();
        }
    }

    private static Command command(String name) throws Failure {
        List<String> names = new ArrayList<>();
        for (Command command : COMMANDS) {
            if (command.name().equals(name)) {
                return command;
            }
            names.add(command.name());
        }
        String what = name.startsWith("-") ? "an option of madt" : "a madt command";
        List<String> known =
                name.startsWith("-") ? List.of("--help", "--version", "--include-dir") : names;
        throw new Failure(
                Status.USAGE,
                "'" + name + "' is not " + what + "." + Suggestion.sentence(name, known)
                        + " See 'madt --help'.");
    }

    private static int execute(Command command, String[] arguments, Messages messages) {
        try {
            CommandLine line = parse(command, arguments);
            if (line.hasOption("help")) {
                System.out.print(Manual.of(command));
                return Status.DONE;
            }
            messages.verbosity(Manual.verbosity(line));
            return command.run(line, messages);
        } catch (Failure e) {
            messages.error(e.getMessage());
            messages.trace(e);
            return e.status();
        } catch (UncheckedIOException e) {
            return failed(command, e.getCause(), messages);
        } catch (IOException e) {
            return failed(command, e, messages);
        } catch (InterruptedException e) {
            return command.failureStatus();
        } catch (OutOfMemoryError e) {
            messages.error(MemoryLimit.sentence(e)
                    + ". Fewer rows, pages or blocks need less: another --by, a larger --page,"
                    + " a selection.");
            messages.trace(e);
            return command.failureStatus();
        } catch (UnsatisfiedLinkError e) { // its text names the library
            messages.error("a library cannot be loaded: "
                    + e.getMessage().replaceFirst("^(.+): \\1", "$1") + ". If this shell limits"
                    + " memory, raise that: ulimit -v unlimited");
            messages.trace(e);
            return command.failureStatus();
        } catch (RuntimeException e) {
            messages.error(
                    "internal error: " + e + ". With -vv there is a stack trace for a bug report.");
            messages.trace(e);
            return command.failureStatus();
        }
    }

    private static int failed(Command command, IOException error, Messages messages) {
        if (error instanceof BrokenPipe) {
            return Status.DONE;
        }
        messages.error(Reason.of(error));
        messages.trace(error);
        return command.failureStatus();
    }

    public static CommandLine parse(Command command, String[] arguments) throws Failure {
        try {
            DefaultParser parser =
                    DefaultParser.builder().setAllowPartialMatching(false).get();
            CommandLine line = parser.parse(
                    Manual.options(command), command.spelled(arguments), command.stopsAtArgument());
            rejectUnknown(command, line, arguments);
            return line;
        } catch (UnrecognizedOptionException e) {
            throw unknown(command, e.getOption());
        } catch (MissingArgumentException e) {
            throw new Failure(
                    command.usageStatus(),
                    "option '" + spelled(e.getOption()) + "' needs a value. See 'madt "
                            + command.name() + " --help'.");
        } catch (ParseException e) {
            throw new Failure(
                    command.usageStatus(),
                    e.getMessage() + ". See 'madt " + command.name() + " --help'.");
        }
    }

    /**
     * The parser takes an unknown option for the first argument when it stops there; it is one only
     * behind "--".
     */
    private static void rejectUnknown(Command command, CommandLine line, String[] arguments)
            throws Failure {
        List<String> rest = line.getArgList();
        if (!command.stopsAtArgument() || rest.isEmpty()) {
            return;
        }
        String first = rest.get(0);
        int index = arguments.length - rest.size();
        boolean ended = index > 0 && arguments[index - 1].equals("--");
        if (first.startsWith("-") && first.length() > 1 && !ended) {
            throw unknown(command, first);
        }
    }

    private static Failure unknown(Command command, String option) {
        String bare = option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
        String hint = command.hint(bare);
        if (!hint.isEmpty()) {
            return new Failure(
                    command.usageStatus(),
                    "'madt " + command.name() + "' has no option '" + bare + "': " + hint);
        }
        Collection<String> known = Manual.options(command).getOptions().stream()
                .filter(Option::hasLongOpt)
                .map(o -> "--" + o.getLongOpt())
                .toList();
        if (!bare.equals(option) && known.contains(bare)) {
            return new Failure(
                    command.usageStatus(),
                    "option '" + bare + "' takes no value, as in '" + option + "'. See 'madt "
                            + command.name() + " --help'.");
        }
        return new Failure(
                command.usageStatus(),
                "unknown option '" + bare + "' for 'madt " + command.name() + "'."
                        + Suggestion.sentence(bare, known) + " See 'madt " + command.name()
                        + " --help'.");
    }

    private static String spelled(Option option) {
        return option.hasLongOpt() ? "--" + option.getLongOpt() : "-" + option.getOpt();
    }
}
