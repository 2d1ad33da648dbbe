package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Operands;
import dev.madt.console.Status;
import dev.madt.console.Suggestion;
import dev.madt.manual.Command;
import dev.madt.session.ControlBox;
import dev.madt.session.RunningRecordings;
import dev.madt.session.RunningRecordings.Running;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Options;

/** {@code madt ctl}: speaks to a recording of this user while it runs. */
final class CtlCommand implements Command {
    private static final List<String> WORDS =
            List.of("status", "start", "stop", "dump", "at", "enable", "disable", "detach");
    /** Words behind which something else is said. */
    private static final List<String> NAMING = List.of("enable", "disable");

    @Override
    public String name() {
        return "ctl";
    }

    @Override
    public String arguments() {
        return "[PID] [status|start|stop|dump|at|enable N|disable N]";
    }

    @Override
    public String summary() {
        return "ask a recording that runs, start, stop, dump or end it";
    }

    @Override
    public Options options() {
        return new Options();
    }

    @Override
    public List<String> notes() {
        return List.of(
                "PID     a process that is recorded, or the madt that records it; it can be",
                "        left out while only one recording of yours runs",
                "status  which processes are recorded, and how much of them (default)",
                "start   open a window of recording, as --start does; stop closes it",
                "dump    write what there is so far to a trace; the recording goes on",
                "at      list the instruments, with their numbers",
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
                "madt ctl disable 'lib*:*'");
    }

    @Override
    public int run(CommandLine line, Messages messages)
            throws Failure, IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(line.getArgList());
        boolean named = !arguments.isEmpty() && arguments.get(0).matches("[0-9]{1,9}");
        int pid = named ? Integer.parseInt(arguments.remove(0)) : 0;
        String word = arguments.isEmpty() ? WORDS.get(0) : arguments.remove(0);
        boolean names = NAMING.contains(word) && arguments.size() == 1;
        if (!names && WORDS.contains(word) && !arguments.isEmpty()) {
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

    private static String tooMuch(String word, List<String> behind) {
        return "ctl " + word
                + (NAMING.contains(word) ? " takes one number or place" : " takes nothing more")
                + ", not '" + String.join(" ", behind) + "'."
                + (word.equals("at")
                        ? " It lists instruments; enable and disable switch them."
                        : "");
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
