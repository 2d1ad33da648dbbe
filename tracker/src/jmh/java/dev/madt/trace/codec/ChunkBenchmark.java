package dev.madt.trace.codec;

import dev.madt.trace.buffer.ChunkBuffer;
import dev.madt.trace.buffer.MalformedBufferException;
import dev.madt.trace.buffer.RecordSpan;
import dev.madt.trace.layout.SharedLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Accesses a second out of the shared buffer: full chunks are taken, filled with ones and given
 * back unread. Records of four accesses.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ChunkBenchmark {
    private static final int CHUNKS = 63;
    private static final int ACCESSES = CHUNKS
            * ((SharedLayout.CHUNK_WORDS - SharedLayout.CHUNK_HEADER_WORDS)
                    / (1 + SweptRecords.ACCESSES)
                    * SweptRecords.ACCESSES);

    private ByteBuffer memory;
    private ChunkBuffer buffer;

    @Setup
    public void prepare() throws MalformedBufferException {
        memory = ByteBuffer.allocateDirect((int) SharedLayout.bufferSize(CHUNKS))
                .order(ByteOrder.LITTLE_ENDIAN);
        memory.putLong(SharedLayout.Buffer.MAGIC, SharedLayout.BUFFER_MAGIC);
        memory.putInt(SharedLayout.Buffer.VERSION, SharedLayout.LAYOUT_VERSION);
        memory.putInt(SharedLayout.Buffer.CHUNKS, CHUNKS);
        memory.putInt(SharedLayout.Buffer.CHUNK_WORDS, SharedLayout.CHUNK_WORDS);
        buffer = new ChunkBuffer(memory, template -> SweptRecords.ACCESSES);
    }

    @Benchmark
    @OperationsPerInvocation(ACCESSES)
    public long take() {
        long taken = 0;
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            publish(chunk);
            RecordSpan span = buffer.take(chunk);
            taken += span.size();
            span.close();
        }
        return taken;
    }

    private void publish(int chunk) {
        memory.putInt(
                SharedLayout.PAGE + chunk * SharedLayout.CHUNK_STRIDE + SharedLayout.Chunk.FILLED,
                SharedLayout.CHUNK_LIVE);
        memory.putInt(
                SharedLayout.Buffer.CHUNK
                        + chunk * SharedLayout.ChunkState.BYTES
                        + SharedLayout.ChunkState.STATE,
                SharedLayout.READY);
    }
}
