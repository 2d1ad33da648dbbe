package dev.madt.trace.codec;

import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RunSpan;
import java.nio.LongBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Accesses a second into a frame of events, and out of one; without zstd. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class FrameBenchmark {
    private static final int RUNS = 30_011;
    private static final int ACCESSES = RUNS * SweptRuns.ACCESSES;

    private final RunReader reader = new RunReader();
    private EventsFrame events;
    private long[] words;
    private LongBuffer memory;
    private Frame full;

    @Setup
    public void prepare() throws MalformedBufferException {
        words = SweptRuns.words(RUNS);
        memory = LongBuffer.allocate(words.length);
        events = SweptRuns.frame();
        full = encode();
    }

    @Benchmark
    @OperationsPerInvocation(ACCESSES)
    public Frame encode() throws MalformedBufferException {
        memory.put(0, words); // the span leaves ones there
        RunSpan span = new RunSpan("buffer 0", memory, 0, words.length, 0);
        events.runs(span, Long.MAX_VALUE);
        if (!span.isEmpty()) {
            throw new IllegalStateException("a frame holds less than " + RUNS + " runs");
        }
        return events.build(1, 1);
    }

    @Benchmark
    @OperationsPerInvocation(ACCESSES)
    public long decode() throws TraceFormatException {
        reader.begin(full);
        long sum = 0;
        while (reader.next()) {
            long[] run = reader.words();
            for (int i = 0; i < reader.length(); i++) {
                sum += run[i];
            }
        }
        return sum;
    }
}
