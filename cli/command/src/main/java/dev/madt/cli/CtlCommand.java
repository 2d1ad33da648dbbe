package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.guard.InstrumentControl;
import dev.madt.manual.Command;
import dev.madt.modules.Instruments;
import dev.madt.session.ControlBox;
import dev.madt.session.RunningRecordings;
import dev.madt.session.RunningRecordings.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt ctl}: speaks to a recording of this user while it runs. */
final class CtlCommand implements Command {
    private static final List<String> WORDS =
            List.of("status", "start", "stop", "dump", "at", "enable", "disable", "detach");
    /** The word for instruments. */
    private static final String AT = "at";
    /** Words behind which something else is said. */
    private static final List<String> NAMING = List.of("enable", "disable");

    @Override
    public String name() {
        return "ctl";
    }

    @Override
    public String arguments() {
        return "[PID] [status|start|stop|dump|at [PLACE ACTION]|enable N|…]";
    }

    @Override
    public String summary() {
        return "ask a recording that runs, start, stop, dump or end it";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(option(Instruments.CONDITION, "EXPR", "at: only hits where it holds"))
                .addOption(option(
                        Instruments.EVERY, "N", "at: only each N-th of these hits of a thread"))
                .addOption(option(
                        Instruments.FROM, "WHEN", "at: begin at hits:N, func:GLOB, after:TIME …"))
                .addOption(
                        option(Instruments.UNTIL, "WHEN", "at: end then; also return:GLOB, ctl"));
    }

    private static Option option(String name, String value, String what) {
        return Option.builder().longOpt(name).hasArg().argName(value).desc(what).get();
    }

    @Override
    public List<String> notes() {
        return List.of(
                "PID     a process that is recorded, or the madt that records it; it can be",
                "        left out while only one recording of yours runs",
                "status  which processes are recorded, and how much of them (default)",
                "start   open a window of recording, as --start does; stop closes it",
                "dump    write what there is so far to a trace; the recording goes on",
                "at      list the instruments, with their numbers; with a place and actions, as",
                "        madt run --at has them: put one more there, while the program runs",
                "enable  switch on the instruments of a number or a place, or all; disable: off",
                "detach  end the recording of a process that ran before (madt run -p)",
                "Recordings of other users cannot be reached.");
    }

    @Override
    public Operands operands() {
        return Operands.oneOf(WORDS);
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt ctl status",
                "madt ctl 4242 start",
                "madt ctl 4242 dump",
                "madt ctl disable 'lib*:*'",
                "madt ctl 4242 at compress 'count; hist arg1' --if 'arg1 > 0'");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(line.getArgList());
        boolean named = !arguments.isEmpty() && arguments.get(0).matches("[0-9]{1,9}");
        int pid = named ? Integer.parseInt(arguments.remove(0)) : 0;
        String word = arguments.isEmpty() ? WORDS.get(0) : arguments.remove(0);
        boolean names = NAMING.contains(word) && arguments.size() == 1;
        boolean adds = word.equals(AT) && arguments.size() == 2;
        demandOptions(line, adds);
        if (!adds && !names && WORDS.contains(word) && !arguments.isEmpty()) {
            throw new Failure(Status.USAGE, tooMuch(word, arguments));
        }
        if (!names && !WORDS.contains(word)) {
            throw new Failure(
                    Status.USAGE,
                    "ctl takes a process and one of " + String.join(", ", WORDS) + ", not '"
                            + String.join(" ", line.getArgList()) + "'."
                            + Suggestion.sentence(word, WORDS));
        }
        List<Running> running = RunningRecordings.all();
        if (adds) {
            String[] option = Instruments.option(arguments.get(0), arguments.get(1));
            for (Option one : line.getOptions()) {
                Instruments.follow(option, one.getLongOpt(), one.getValue());
            }
            System.out.print(ask(
                    named ? find(running, pid) : onlyOne(running),
                    InstrumentControl.ADD + String.join(InstrumentControl.BETWEEN, option)));
            return Status.DONE;
        }
        if (names) {
            String which = arguments.get(0);
            System.out.print(
                    ask(named ? find(running, pid) : onlyOne(running), word + " " + which));
            return Status.DONE;
        }
        if (!named && word.equals("status")) {
            for (Running one : running) {
                ControlBox.Answer answer = new ControlBox(one.directory()).ask(word);
                if (answer == null) { // others can be told of all the same
                    messages.say(silence(one));
                } else {
                    System.out.print(answer.text());
                }
            }
            if (running.isEmpty()) {
                messages.say("no recording of yours runs.");
            }
            return Status.DONE;
        }
        System.out.print(ask(named ? find(running, pid) : onlyOne(running), word));
        return Status.DONE;
    }

    /** Refuses options of an instrument where there is none. */
    private static void demandOptions(CommandLine line, boolean adds) throws Failure {
        if (!adds && line.getOptions().length > 0) {
            throw new Failure(
                    Status.USAGE,
                    "--" + line.getOptions()[0].getLongOpt()
                            + " is about an instrument: madt ctl at PLACE ACTION --"
                            + line.getOptions()[0].getLongOpt() + " …");
        }
    }

    private static String tooMuch(String word, List<String> behind) {
        return "ctl " + word
                + (NAMING.contains(word)
                        ? " takes one number or place"
                        : word.equals(AT)
                                ? " takes a place and an action, or nothing"
                                : " takes nothing more")
                + ", not '" + String.join(" ", behind) + "'."
                + (word.equals(AT) ? " Say: madt ctl at '" + behind.get(0) + "' count." : "");
    }

    private static String ask(Running running, String word)
            throws Failure, IOException, InterruptedException {
        ControlBox.Answer answer = new ControlBox(running.directory()).ask(word);
        if (answer == null) {
            throw new Failure(Status.FAILED, silence(running));
        }
        if (!answer.done()) {
            throw new Failure(Status.FAILED, answer.text());
        }
        return answer.text();
    }

    private static String silence(Running running) {
        return "the recording of process " + running.launcher()
                + " does not answer: it has ended, or is stopped.";
    }

    private static Running find(List<Running> running, int pid) throws Failure, IOException {
        for (Running one : running) {
            if (one.has(pid)) {
                return one;
            }
        }
        Path process = Path.of("/proc", Integer.toString(pid));
        if (!Files.exists(process)) {
            throw new Failure(Status.FAILED, "there is no process " + pid + "." + known(running));
        }
        if (!RunningRecordings.isOwn(process)) {
            throw new Failure(
                    Status.FAILED,
                    "process " + pid + " belongs to another user, who alone can control its"
                            + " recording.");
        }
        throw new Failure(Status.FAILED, "process " + pid + " is not recorded." + known(running));
    }

    private static Running onlyOne(List<Running> running) throws Failure {
        if (running.size() != 1) {
            throw new Failure(
                    Status.FAILED,
                    (running.isEmpty() ? "" : "Which one? Name a process.") + known(running));
        }
        return running.get(0);
    }

    private static String known(List<Running> running) {
        if (running.isEmpty()) {
            return " No recording of yours runs.";
        }
        List<String> names = new ArrayList<>();
        for (Running one : running) {
            names.add("madt " + one.launcher() + " (" + RunningRecordings.commandLine(one)
                    + ") records "
                    + (one.targets().isEmpty()
                            ? "no process so far"
                            : one.targets().toString()));
        }
        return " Recordings of yours that run: " + String.join("; ", names) + ".";
    }
}
