package dev.madt.testprogs;

import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.file.TraceReader;
import java.io.IOException;
import java.nio.file.Path;

/** Feeds trace files to consumers. */
public final class TraceFile {
    private TraceFile() {}

    public static <C extends EventConsumer> C read(Path trace, C consumer) throws IOException {
        try (TraceReader reader = new TraceReader(trace);
                TraceDecoder decoder = new TraceDecoder(consumer)) {
            decoder.end(reader.read(decoder));
        }
        return consumer;
    }

    /** The invariants over a trace, which must all hold and which must be complete. */
    public static TraceInvariants check(Path trace) throws IOException {
        TraceInvariants invariants = read(trace, new TraceInvariants());
        if (!invariants.violations().isEmpty()) {
            throw new AssertionError(trace + ": " + String.join("; ", invariants.violations()));
        }
        if (!invariants.complete()) {
            throw new AssertionError(trace + " is not complete");
        }
        return invariants;
    }
}
