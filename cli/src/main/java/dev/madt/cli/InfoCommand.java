package dev.madt.cli;

import dev.madt.tracker.TraceDecoder;
import dev.madt.tracker.TraceReader;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** {@code madt info}: what is in a trace and whether it is complete. */
final class InfoCommand implements Command {
    @Override
    public String name() {
        return "info";
    }

    @Override
    public String arguments() {
        return "[options] TRACE";
    }

    @Override
    public String summary() {
        return "what is in a trace and whether it is complete";
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Option.builder().longOpt("strict").desc("status 3 if the trace is incomplete").get());
    }

    @Override
    public int run(CommandLine line, Talk talk) throws Failure, IOException {
        Path file = TraceArgument.of(this, line);
        try (TraceReader reader = new TraceReader(file); ResultStream out = new ResultStream()) {
            TraceInfo info = new TraceInfo();
            TraceDecoder decoder = new TraceDecoder(new Both(info, info.shares()));
            decoder.end(reader.read(decoder));
            info.write(out, file, reader.incompleteness());
            return reader.incompleteness() != null && line.hasOption("strict") ? Status.INCOMPLETE : Status.DONE;
        }
    }
}
