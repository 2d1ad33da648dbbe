package dev.madt.cli;

import dev.madt.console.Messages;
import dev.madt.console.OldGarbage;
import dev.madt.console.Progress;
import dev.madt.console.Status;
import dev.madt.console.Terminal;
import dev.madt.trace.codec.FrameSink;
import dev.madt.trace.codec.TracePart;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.FirstMeta;
import dev.madt.trace.file.ReadAhead;
import dev.madt.trace.file.TraceEnds;
import dev.madt.trace.file.TraceReader;
import dev.madt.tracker.ThreadNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** Reads a trace from its beginning to its end for a command, with progress on a terminal. */
final class TraceReading {
    /** MiB that readings may use, whatever they need. */
    private static final int SMALL_HEAP = 24;

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private TraceReading() {}

    /** Adds the options of every command that reads a trace. */
    static Options addTo(Options options) {
        return options.addOption(Option.builder()
                        .longOpt("strict")
                        .desc("end with status 3 if the trace is incomplete")
                        .get())
                .addOption(Option.builder()
                        .longOpt("no-progress")
                        .desc("show no progress on the terminal")
                        .get());
    }

    /**
     * Gives everything to the consumer.
     *
     * @return the exit status if all else goes well
     */
    static int read(Path file, EventConsumer consumer, CommandLine line, Messages messages)
            throws IOException {
        return read(file, consumer, 0, () -> false, line, messages);
    }

    /**
     * Gives the consumer what comes from an access number on, and perhaps some of what comes
     * before; reading stops soon after {@code enough} says so. Other threads read and decode, this
     * one is the consumer's.
     *
     * @return the exit status if all else goes well
     */
    static int read(
            Path file,
            EventConsumer consumer,
            long from,
            BooleanSupplier enough,
            CommandLine line,
            Messages messages)
            throws IOException {
        return read(file, consumer, from, site -> true, enough, line, messages);
    }

    /**
     * As above.
     *
     * @param wanted of records none of whose sites is wanted, only the number of accesses is told
     */
    static int read(
            Path file,
            EventConsumer consumer,
            long from,
            Predicate<AccessSite> wanted,
            BooleanSupplier enough,
            CommandLine line,
            Messages messages)
            throws IOException {
        try (Progress in = open(file, line, messages);
                TraceReader reader = new TraceReader(in, file.toString());
                Ending ending = new Ending(consumer);
                ReadAhead parts = new ReadAhead(reader, PROCESSORS, from, wanted)) {
            OldGarbage garbage = new OldGarbage(SMALL_HEAP);
            FirstMeta first = new FirstMeta(consumer, namesAtEnd(file));
            for (TracePart part = parts.next(); part != null; part = parts.next()) {
                if (enough.getAsBoolean()) {
                    return Status.DONE;
                }
                part.give(first.isTold() ? consumer : first);
                parts.release(part);
                garbage.look();
            }
            ending.tell(parts.complete());
            in.done();
            return TraceArgument.status(reader, line, messages);
        }
    }

    /**
     * Returns what threads are called, which a trace says at its end; nothing if the file is not
     * complete, or can be read only once.
     */
    private static Map<String, String> namesAtEnd(Path file) throws IOException {
        TraceEnds ends = Files.isRegularFile(file) ? TraceEnds.read(file) : null;
        String names = ends == null ? null : ends.meta().get(ThreadNames.KEY);
        return names == null ? Map.of() : Map.of(ThreadNames.KEY, names);
    }

    /** Gives everything to the consumer but the end. */
    static void read(TraceReader reader, EventConsumer consumer) throws IOException {
        read(reader, consumer, () -> false);
    }

    /** As above, until {@code enough} says so. */
    static void read(TraceReader reader, EventConsumer consumer, BooleanSupplier enough)
            throws IOException {
        try (ReadAhead parts = new ReadAhead(reader, PROCESSORS, 0)) {
            for (TracePart part = parts.next();
                    part != null && !enough.getAsBoolean();
                    part = parts.next()) {
                part.give(consumer);
                parts.release(part);
            }
        }
    }

    private static Progress open(Path file, CommandLine line, Messages messages)
            throws IOException {
        boolean shown = !line.hasOption("no-progress") && Terminal.standardError();
        return new Progress(Files.newInputStream(file), Files.size(file), shown, messages);
    }

    /** Gives the frames to the sink, and at the end says whether the trace is complete. */
    static int read(
            Path file, FrameSink sink, CommandLine line, Messages messages, Consumer<Boolean> end)
            throws IOException {
        try (Progress in = open(file, line, messages);
                TraceReader reader = new TraceReader(in, file.toString())) {
            end.accept(reader.read(sink));
            in.done();
            return TraceArgument.status(reader, line, messages);
        }
    }

    /**
     * Tells a consumer once how the trace ends; that it is cut off, unless somebody says otherwise.
     */
    private static final class Ending implements AutoCloseable {
        private final EventConsumer consumer;
        private boolean told;

        private Ending(EventConsumer consumer) {
            this.consumer = consumer;
        }

        private void tell(boolean complete) {
            told = true;
            consumer.end(complete);
        }

        @Override
        public void close() {
            if (!told) {
                tell(false);
            }
        }
    }
}
