package dev.madt.cli;

import dev.madt.tracker.EventConsumer;
import dev.madt.tracker.Frame;
import dev.madt.tracker.FrameSink;
import dev.madt.tracker.TraceDecoder;
import dev.madt.tracker.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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
        return read(file, consumer, () -> false, line, talk);
    }

    /** As above, but stops between two frames when {@code enough} says so. */
    static int read(Path file, EventConsumer consumer, BooleanSupplier enough, CommandLine line, Talk talk)
            throws IOException {
        try (TraceDecoder decoder = new TraceDecoder(consumer)) {
            return read(file, new Until(decoder, enough), line, talk, decoder::end);
        }
    }

    /** Gives the frames to the sink, and at the end says whether the trace is complete. */
    static int read(Path file, FrameSink sink, CommandLine line, Talk talk, Consumer<Boolean> end) throws IOException {
        boolean shown = !line.hasOption("no-progress") && Terminal.standardError();
        try (Progress in = new Progress(Files.newInputStream(file), Files.size(file), shown, talk);
                TraceReader reader = new TraceReader(in, file.toString())) {
            end.accept(reader.read(sink));
            in.done();
            return TraceArgument.status(reader, line, talk);
        } catch (Enough e) {
            end.accept(false);
            return Status.DONE;
        }
    }

    /** Thrown to stop reading: nothing is wrong. */
    private static final class Enough extends IOException {
        private static final long serialVersionUID = 1;
    }

    /** Passes frames on until there is enough. */
    private record Until(FrameSink sink, BooleanSupplier enough) implements FrameSink {
        @Override
        public void frame(Frame frame) throws IOException {
            if (enough.getAsBoolean()) {
                throw new Enough();
            }
            sink.frame(frame);
        }

        @Override
        public void close() throws IOException {
            sink.close();
        }
    }
}
