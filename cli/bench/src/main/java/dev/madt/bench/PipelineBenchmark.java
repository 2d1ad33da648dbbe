package dev.madt.bench;

import com.github.luben.zstd.ZstdCompressCtx;
import dev.madt.console.Failure;
import dev.madt.console.Status;
import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.RecordReader;
import dev.madt.trace.file.TraceWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures what comes behind the buffer, program by program: a recording's bytes per access and
 * peak memory, and then, with its words put into chunks again, accesses per second of processor
 * time of one core for taking, refilling and encoding chunks up to packed frames, and for decoding
 * them. Beside them stands {@code zstd -1} of the same words. The fastest round counts.
 */
public final class PipelineBenchmark {
    private static final double GOAL = 250e6;
    private static final double DECODE_GOAL = 150e6;
    private static final double BYTES_GOAL = 1.5;
    private static final List<String> PROGRAMS = List.of(
            "engine_stream",
            "engine_bodies",
            "engine_chase",
            "engine_trees",
            "engine_words",
            "engine_sort");
    /**
     * More than any program needs for the accesses that are asked for: the recording ends, and the
     * program soon after.
     */
    private static final String REPETITIONS = "40";

    /**
     * Says what is kept of an access while its words are gathered: two words at most, and as much
     * again twice over when their array grows.
     */
    private static final int MEMORY_PER_ACCESS = 64;

    private final long accesses;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    public PipelineBenchmark(int accesses, int rounds) {
        this.accesses = accesses;
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        long most = Runtime.getRuntime().maxMemory() / MEMORY_PER_ACCESS;
        if (accesses > most) {
            throw new Failure(
                    Status.USAGE,
                    String.format(
                            Locale.ROOT,
                            "bench pipeline keeps what it records in memory, which suffices for %,d"
                                    + " accesses, not for %,d. Ask for fewer; 'madt bench reading'"
                                    + " takes any number.",
                            most,
                            accesses));
        }
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        try {
            out.printf(
                    Locale.ROOT,
                    """
                    Recordings of up to %,d accesses, engine splice; million accesses per second \
                    of processor time, best of %d rounds.
                    Goals: collect+encode %.0f, decode %.0f, %.1f bytes an access.

                    """,
                    accesses,
                    rounds,
                    GOAL / 1e6,
                    DECODE_GOAL / 1e6,
                    BYTES_GOAL);
            out.printf(
                    Locale.ROOT,
                    "%-14s %12s %9s | %12s %8s %8s %8s | %10s %8s%n",
                    "",
                    "accesses",
                    "peak MiB",
                    "bytes/access",
                    "encode",
                    "collect",
                    "decode",
                    "zstd -1: B",
                    "M/s");
            for (String program : PROGRAMS) {
                measure(out, program, trace);
            }
        } finally {
            Files.deleteIfExists(trace);
            Files.delete(folder);
        }
    }

    private void measure(PrintStream out, String name, Path trace)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, name);
        MeasuredProcess recording = MeasuredProcess.run(List.of(
                home.resolve("madt").toString(),
                "run",
                "-q",
                "-f",
                "--engine",
                "splice",
                "--start",
                "marker",
                "--max-events",
                Long.toString(accesses),
                "-o",
                trace.toString(),
                "--",
                program.file().toString(),
                REPETITIONS));
        RecordedWords recorded = RecordedWords.read(trace);
        Figures best = new Figures();
        for (int i = 0; i < rounds; i++) {
            round(recorded, best);
        }
        double zstd = best.zstd / (double) recorded.accesses();
        out.printf(
                Locale.ROOT,
                "%-14s %,12d %9d | %12.3f %8.0f %8.0f %8.0f | %10.2f %8.0f%n",
                name.substring("engine_".length()),
                recorded.accesses(),
                recording.peakKib() >> 10,
                best.bytes / (double) recorded.accesses(),
                million(recorded, best.encode),
                million(recorded, best.collect),
                million(recorded, best.decode),
                zstd,
                million(recorded, best.zstdTime));
    }

    private static double million(RecordedWords recorded, long nanoseconds) {
        return 1e3 * recorded.accesses() / Math.max(1, nanoseconds);
    }

    /** The least of each so far. */
    private static final class Figures {
        private long collect = Long.MAX_VALUE;
        private long encode = Long.MAX_VALUE;
        private long decode = Long.MAX_VALUE;
        private long zstdTime = Long.MAX_VALUE;
        private long bytes;
        private long zstd;
    }

    private static void round(RecordedWords recorded, Figures best) throws IOException {
        List<Frame> frames = new ArrayList<>();
        collect(recorded, best, frames);
        long begin = now();
        RecordReader reader = new RecordReader();
        for (Frame frame : frames) {
            reader.begin(frame);
            while (reader.next()) {}
        }
        best.decode = Math.min(best.decode, now() - begin);
        compress(recorded, best);
    }

    private static void collect(RecordedWords recorded, Figures best, List<Frame> frames)
            throws IOException {
        EventsFrame events = recorded.newFrame();
        long encoded = 0;
        long written = 0;
        try (TraceWriter writer = new TraceWriter(OutputStream.nullOutputStream(), "nowhere")) {
            for (RecordedWords.Chunks chunks : recorded.chunks()) {
                long begin = now();
                for (int i = 0; i < chunks.count(); i++) {
                    var span = chunks.buffer().take(i);
                    while (!span.isEmpty()) {
                        events.records(span, Long.MAX_VALUE);
                        if (events.isFull()) {
                            frames.add(events.build(1, 1));
                        }
                    }
                    span.close();
                }
                encoded += now() - begin;
            }
            long begin = now();
            frames.add(events.build(1, 1));
            for (Frame frame : frames) {
                writer.frame(frame);
            }
            written = now() - begin;
            best.bytes = writer.size();
        }
        best.encode = Math.min(best.encode, encoded);
        best.collect = Math.min(best.collect, encoded + written);
    }

    private static void compress(RecordedWords recorded, Figures best) {
        long time = 0;
        long size = 0;
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(1)) {
            int piece = 1 << 17;
            byte[] bytes = new byte[Long.BYTES * piece];
            for (int at = 0; at < recorded.length(); at += piece) {
                int words = Math.min(piece, recorded.length() - at);
                ByteBuffer.wrap(bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .asLongBuffer()
                        .put(recorded.words(), at, words);
                long begin = now();
                size += zstd.compress(
                                words == piece ? bytes : Arrays.copyOf(bytes, Long.BYTES * words))
                        .length;
                time += now() - begin;
            }
        }
        best.zstd = size;
        best.zstdTime = Math.min(best.zstdTime, time);
    }

    private static long now() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
