package dev.madt.cli;

import dev.madt.console.Failure;
import dev.madt.console.Messages;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.info.TraceInfo;
import dev.madt.manual.Command;
import dev.madt.trace.event.ConsumerPair;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import dev.madt.traces.ProcessTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt info}: what is in a trace and whether it is complete. */
final class InfoCommand implements Command {
    /** A trace of so many events is read whole: that takes no time. */
    private static final long SHORT = 500_000;

    @Override
    public String name() {
        return "info";
    }

    @Override
    public String arguments() {
        return "[options] [TRACE]";
    }

    @Override
    public String summary() {
        return "show what is in a trace, and whether it is complete";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder()
                        .longOpt("all")
                        .desc("show all processes of the run as a tree, from its first" + " trace")
                        .get())
                .addOption(Option.builder()
                        .longOpt("verify")
                        .desc("read a long trace whole: check every frame, count how"
                                + " accesses are named")
                        .get())
                .addOption(Option.builder()
                        .longOpt("strict")
                        .desc("end with status 3 if the trace is incomplete")
                        .get());
    }

    @Override
    public List<String> examples() {
        return List.of(
                "madt info prog.madt", "madt info --all prog.madt", "madt info --verify prog.madt");
    }

    @Override
    public int run(CommandLine line, Messages messages) throws Failure, IOException {
        Path file = TraceArgument.of(this, line, messages);
        if (line.hasOption("all")) {
            try (ResultStream out = new ResultStream()) {
                out.write(ProcessTree.of(file).getBytes(StandardCharsets.UTF_8));
            }
            return Status.DONE;
        }
        try (TraceReader reader = new TraceReader(file);
                ResultStream out = new ResultStream()) {
            TraceEnds ends = line.hasOption("verify") || !Files.isRegularFile(file)
                    ? null
                    : TraceEnds.read(file);
            if (ends != null && TraceInfo.suffice(ends) && ends.index().events() > SHORT) {
                new TraceInfo(ends).write(out, file, null);
                return line.hasOption("strict")
                        ? TraceArgument.strict(ends, messages)
                        : Status.DONE;
            }
            return readAll(file, reader, out, line, messages);
        }
    }

    /** Counts all that is in the trace; what the recorder has counted must agree. */
    private static int readAll(
            Path file, TraceReader reader, ResultStream out, CommandLine line, Messages messages)
            throws IOException {
        TraceInfo info = new TraceInfo();
        TraceReading.read(
                reader, new ConsumerPair(info, new ConsumerPair(info.shares(), info.calls())));
        info.write(out, file, reader.incompleteness());
        List<String> differences =
                reader.index() == null ? List.of() : info.differences(reader.index());
        for (String difference : differences) {
            messages.error(file + ": " + difference + ". Please report it with the trace.");
        }
        if (!differences.isEmpty()) {
            return Status.FAILED;
        }
        return reader.isDamaged() || line.hasOption("strict")
                ? TraceArgument.status(reader, line, messages)
                : Status.DONE;
    }
}
