package dev.madt.session;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.Reason;
import dev.madt.console.Status;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.CommandLine;

/**
 * Records several processes that run already, each by a madt of its own, at the same time. They end
 * when the last one has; a signal that ends this one ends them.
 */
public final class SeveralProcesses {
    private static final String TOGETHER = "madt.together";

    private final CommandLine line;
    private final List<RunningProcess> processes;
    private final List<Process> recorders = new ArrayList<>();

    /** @param processes more than one */
    public SeveralProcesses(CommandLine line, List<RunningProcess> processes) {
        this.line = line;
        this.processes = processes;
    }

    /**
     * Returns what the recordings of one such command have in common, and no others have; null if
     * this process records by itself.
     */
    public static String together() {
        return System.getProperty(TOGETHER);
    }

    /** Returns the highest status of all. */
    public int record(Messages messages) throws Failure, IOException {
        for (String option : List.of("output", "log", "text")) {
            String value = line.getOptionValue(option, "%p");
            if (!value.contains("%p") && !value.endsWith("/")) {
                throw new Failure(
                        Status.RUN_FAILED,
                        "several processes cannot all write to " + value
                                + ": let its name contain %p, or be a folder's with a / at its"
                                + " end.");
            }
        }
        messages.quiet(line.hasOption("quiet"));
        messages.say("recording " + processes.size() + " processes: " + found());
        try (SignalRelay relay = new SignalRelay()) {
            relay.install(Caller.ignoredSignals());
            relay.handOver(this::end);
            String together = ProcessHandle.current().pid() + " " + Instant.now();
            for (RunningProcess process : processes) {
                begin(process, together, messages);
            }
            return await();
        }
    }

    private String found() {
        return processes.stream()
                .map(process -> process.pid() + " " + process.program().getFileName())
                .collect(Collectors.joining(", "));
    }

    private synchronized void begin(RunningProcess process, String together, Messages messages)
            throws IOException {
        List<String> command = Caller.launcher();
        command.add(1, "-D" + TOGETHER + "=" + together);
        command.addAll(words(Caller.words(), process.pid()));
        try {
            recorders.add(new ProcessBuilder(command).inheritIO().start());
        } catch (IOException e) {
            messages.error("cannot record process " + process.pid() + ": " + Reason.of(e));
        }
    }

    private synchronized void end() {
        recorders.forEach(Process::destroy);
    }

    private int await() {
        int status = recorders.size() < processes.size() ? Status.RUN_FAILED : 0;
        for (Process recorder : List.copyOf(recorders)) {
            boolean ended = false;
            while (!ended) {
                try {
                    status = Math.max(status, recorder.waitFor());
                    ended = true;
                } catch (InterruptedException e) {
                    continue; // whoever interrupts is told by the recorders' end
                }
            }
        }
        return status;
    }

    /** Returns the words of a command, with this process in the place of all that choose some. */
    static List<String> words(List<String> words, int pid) {
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.matches("-p|--pid|--name")) {
                i++; // and its value
            } else if (!word.matches("-p\\d+|--(pid|name)=.*")) {
                kept.add(word);
            }
        }
        kept.addAll(1, List.of("-p", Integer.toString(pid)));
        return kept;
    }
}
