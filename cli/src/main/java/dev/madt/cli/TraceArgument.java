package dev.madt.cli;

import dev.madt.tracker.TraceReader;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;

/** The one trace that a command reads. */
final class TraceArgument {
    private TraceArgument() {}

    static Path of(Command command, CommandLine line) throws Failure {
        int count = line.getArgList().size();
        if (count != 1) {
            String what = count == 0 ? "no trace given" : "one trace at a time, not " + count;
            throw new Failure(Status.USAGE, what + ". Usage: madt " + command.name() + " " + command.arguments());
        }
        return Path.of(line.getArgList().get(0));
    }

    /** Says when the trace is incomplete; the exit status that follows. */
    static int status(TraceReader reader, CommandLine line, Talk talk) {
        if (reader.incompleteness() == null) {
            return Status.DONE;
        }
        talk.error("the trace is incomplete: " + reader.incompleteness() + ".");
        return line.hasOption("strict") ? Status.INCOMPLETE : Status.DONE;
    }
}
