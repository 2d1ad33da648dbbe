package dev.madt.resolver.line;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.RecordTemplate;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Accesses a second as lines into nothing: a variable, two heap blocks and a place that has no
 * name, in records of four.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class LinesBenchmark {
    private static final int RECORDS = 10_007;
    private static final int ACCESSES = 4;
    private static final int KINDS = 16;
    private static final int BLOCK_BYTES = 4_096;

    @Param({"SYMBOLIC", "RAW"})
    private LineOptions lines;

    private final RecordTemplate[] kinds = new RecordTemplate[KINDS];
    private final long[] words = new long[RECORDS * ACCESSES];
    private LineWriter writer;
    private long number;

    @Setup
    public void prepare() {
        writer = new LineWriter(OutputStream.nullOutputStream(), lines);
        LineScene scene = new LineScene(writer);
        scene.malloc(LineScene.HEAP, BLOCK_BYTES, LineScene.MAIN + 40);
        scene.malloc(LineScene.HEAP + 2 * BLOCK_BYTES, BLOCK_BYTES, LineScene.GROW + 12);
        for (int kind = 0; kind < KINDS; kind++) {
            AccessSite[] sites = new AccessSite[ACCESSES];
            for (int i = 0; i < ACCESSES; i++) {
                sites[i] = scene.site(
                        LineScene.MAIN + 16L * kind % 200 + 4 * i,
                        i == 0 ? AccessKind.STORE : AccessKind.LOAD);
            }
            kinds[kind] = new RecordTemplate(16 + kind, sites);
        }
        for (int i = 0; i < words.length; i += ACCESSES) {
            words[i] = LineScene.TABLE + i % 40;
            words[i + 1] = LineScene.HEAP + i * 2L % BLOCK_BYTES;
            words[i + 2] = LineScene.HEAP + 2 * BLOCK_BYTES + i * 977L % BLOCK_BYTES;
            words[i + 3] = LineScene.LIBC_BSS + i % 4_096;
        }
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS * ACCESSES)
    public long run() {
        for (int record = 0; record < RECORDS; record++) {
            writer.record(number, 1, kinds[record % KINDS], words, record * ACCESSES);
            number += ACCESSES;
        }
        return number;
    }
}
