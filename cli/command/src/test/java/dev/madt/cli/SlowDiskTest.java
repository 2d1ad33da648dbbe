package dev.madt.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target that stores as fast as it can, and a pipe that takes the trace slowly. */
class SlowDiskTest {
    private static final long ADDRESS = 0x600000000000L;
    private static final int EVENT_EVERY = 100_003;

    @TempDir
    Path folder;

    /** Gives so many bytes a second. */
    private static final class Throttled extends FilterInputStream {
        private final long perSecond;
        private final long begun = System.nanoTime();
        private long given;

        Throttled(InputStream in, long perSecond) {
            super(in);
            this.perSecond = perSecond;
        }

        @Override
        public int read() throws IOException {
            return super.read();
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
            int got = super.read(to, from, Math.min(length, 1 << 16));
            given += Math.max(got, 0);
            long due = begun + given * 1_000_000_000L / perSecond;
            LockSupport.parkNanos(due - System.nanoTime());
            return got;
        }
    }

    /** Gives so many bytes, and the others once there is a reason to. */
    private static final class Held extends FilterInputStream {
        private final Callable<?> reason;
        private long first;

        Held(InputStream in, long first, Callable<?> reason) {
            super(in);
            this.first = first;
            this.reason = reason;
        }

        @Override
        public int read(byte[] to, int from, int length) throws IOException {
            if (first == 0) {
                first = -1;
                await();
            }
            int got = super.read(to, from, first < 0 ? length : (int) Math.min(length, first));
            first -= first < 0 ? 0 : Math.max(got, 0);
            return got;
        }

        private void await() throws IOException {
            try {
                reason.call();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
    }

    /** The stores of the target in their order, of which some may be missing. */
    private static final class Flood implements EventConsumer {
        private final Map<String, String> meta = new HashMap<>();
        private long next;
        private long kept;
        private long events;

        @Override
        public void meta(Map<String, String> values) {
            meta.putAll(values);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            while (scattered(next) != address) {
                next++;
            }
            next++;
            kept++;
        }

        /** Address of a store, as the target makes it. */
        private static long scattered(long number) {
            long mixed = (number + 1) * 0x9e3779b97f4a7c15L;
            return ADDRESS + ((mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L >>> 34);
        }

        @Override
        public void block(
                long number,
                int thread,
                BlockKind kind,
                long to,
                long from,
                long length,
                long code) {
            throw new AssertionError("no bulk transfers were made");
        }

        @Override
        public void ring(TraceEvent event) {
            events += event.type() == RingEventType.MALLOC ? 1 : 0;
        }
    }

    private Process start(String scenario, long count, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("run", "--engine", "trap", "-o", "-"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(
                "--",
                NativeProgram.program("fake_target").toString(),
                scenario,
                Long.toString(count)));
        return new ProcessBuilder(MadtProcess.command(arguments.toArray(String[]::new)))
                .redirectError(errors().toFile())
                .start();
    }

    private Path errors() {
        return folder.resolve("errors");
    }

    private Flood read(Process process, InputStream trace) throws Exception {
        Flood flood = new Flood();
        try (TraceReader reader = new TraceReader(trace, "pipe")) {
            assertTrue(reader.read(new TraceDecoder(flood)), reader.incompleteness());
            assertEquals(flood.kept, reader.index().accesses());
        }
        assertTrue(process.waitFor(10, TimeUnit.MINUTES));
        assertEquals(7, process.exitValue(), Files.readString(errors()));
        return flood;
    }

    @Test
    void shouldLoseNothingWhenTheDiskIsSlow() throws Exception {
        long count = 3_000_001;
        Process process = start("flood", count);
        Flood flood = read(process, new Throttled(process.getInputStream(), 6L << 20));
        assertEquals(count, flood.kept);
        assertEquals(count, flood.next);
        assertEquals("0", flood.meta.get("access_errors"));
    }

    /**
     * The disk takes nothing during most of the first half of the stores, which are more than wait
     * anywhere, and then all.
     */
    @Test
    void shouldCountExactlyWhatItDrops() throws Exception {
        long count = 6_000_007;
        Process process = start("floods", count, "--lossy");
        Flood flood = read(process, new Held(process.getInputStream(), 1 << 20, () -> {
            while (process.isAlive() && !Files.readString(errors()).contains("flooded")) {
                Thread.sleep(10);
            }
            process.getOutputStream().close();
            return null;
        }));
        long lost = Long.parseLong(flood.meta.get("access_errors"));
        assertTrue(lost > 0, "nothing was lost");
        assertTrue(flood.kept > 100_000, "kept: " + flood.kept);
        assertEquals(count, flood.kept + lost);
        assertEquals((count + EVENT_EVERY - 1) / EVENT_EVERY, flood.events, "allocation events");
        assertTrue(Files.readString(errors()).contains("because the disk was too slow (--lossy)."));
    }
}
