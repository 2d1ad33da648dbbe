package dev.madt.cli;

import dev.madt.tracker.TraceDecoder;
import dev.madt.tracker.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt print}: the lines of a trace. */
final class PrintCommand implements Command {
    @Override
    public String name() {
        return "print";
    }

    @Override
    public String arguments() {
        return "[options] TRACE";
    }

    @Override
    public String summary() {
        return "print a trace line by line";
    }

    @Override
    public Options options() {
        Options options = new Options();
        LineForm.addTo(options);
        return options.addOption(Option.builder().longOpt("strict").desc("status 3 if the trace is incomplete").get());
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        Path file = TraceArgument.of(this, line);
        LineForm form = LineForm.of(line, Status.USAGE);
        try (TraceReader reader = new TraceReader(file);
                LineOutput output = new LineOutput(new ResultStream(), form)) {
            TraceDecoder decoder = new TraceDecoder(output.newConsumer());
            decoder.end(reader.read(decoder));
            output.flush();
            return TraceArgument.status(reader, line, talk);
        }
    }
}
