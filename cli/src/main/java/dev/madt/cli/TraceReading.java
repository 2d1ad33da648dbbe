package dev.madt.cli;

import dev.madt.tracker.EventConsumer;
import dev.madt.tracker.TraceDecoder;
import dev.madt.tracker.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Reads a trace from its beginning to its end for a command, with progress on a terminal. */
final class TraceReading {
    private TraceReading() {}

    /** Adds the options of every command that reads a trace. */
    static Options addTo(Options options) {
        return options
                .addOption(Option.builder().longOpt("strict").desc("status 3 if the trace is incomplete").get())
                .addOption(Option.builder().longOpt("no-progress").desc("no progress on the terminal").get());
    }

    /**
     * Gives everything to the consumer.
     *
     * @return the exit status if all else goes well
     */
    static int read(Path file, EventConsumer consumer, CommandLine line, Talk talk) throws IOException {
        boolean shown = !line.hasOption("no-progress") && Terminal.standardError();
        try (Progress in = new Progress(Files.newInputStream(file), Files.size(file), shown, talk);
                TraceReader reader = new TraceReader(in, file.toString())) {
            TraceDecoder decoder = new TraceDecoder(consumer);
            decoder.end(reader.read(decoder));
            in.done();
            return TraceArgument.status(reader, line, talk);
        }
    }
}
