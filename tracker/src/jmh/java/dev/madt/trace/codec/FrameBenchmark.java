package dev.madt.trace.codec;

import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
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
    private static final int RECORDS = 30_011;
    private static final int ACCESSES = RECORDS * SweptRecords.ACCESSES;

    private final RecordReader reader = new RecordReader();
    private EventsFrame events;
    private long[] words;
    private LongBuffer memory;
    private Frame full;

    @Setup
    public void prepare() throws MalformedBufferException {
        words = SweptRecords.words(RECORDS);
        memory = LongBuffer.allocate(words.length);
        events = SweptRecords.frame();
        full = encode();
    }

    @Benchmark
    @OperationsPerInvocation(ACCESSES)
    public Frame encode() throws MalformedBufferException {
        memory.put(0, words); // the span leaves ones there
        RecordSpan span = new RecordSpan("buffer 0", memory, 0, words.length, 0);
        events.records(span, Long.MAX_VALUE);
        if (!span.isEmpty()) {
            throw new IllegalStateException("a frame holds less than " + RECORDS + " records");
        }
        return events.build(1, 1);
    }

    @Benchmark
    @OperationsPerInvocation(ACCESSES)
    public long decode() throws TraceFormatException {
        reader.begin(full);
        long sum = 0;
        while (reader.next()) {
            long[] record = reader.words();
            for (int i = 0; i < reader.length(); i++) {
                sum += record[i];
            }
        }
        return sum;
    }
}
