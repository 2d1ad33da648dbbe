package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.HeldUp;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Throttled;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceReader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A program that stores as fast as it can ({@code flood}), and a named pipe in the place of the
 * disk, which takes so many bytes a second.
 */
@Isolated("fills the processors")
class SlowDiskIT {
    private static final long COUNT = Tier.SOAK ? 300_000_007 : 3_000_017;
    /** More than all that stands between the program and the disk has room for. */
    private static final long HELD_UP = 100_000_007;

    private static final long PER_SECOND = Tier.SOAK ? 16 << 20 : 4 << 20;

    @TempDir
    Path directory;

    /** The program's stores, in their order, of which some may be missing. */
    private static final class Stores implements EventConsumer {
        private final Map<String, String> meta = new HashMap<>();
        private long table;
        private long next;
        private long kept;

        @Override
        public void meta(Map<String, String> values) {
            meta.putAll(values);
        }

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.Symbol it) {
                symbol(it.code(), it.address(), it.size(), it.name());
            }
        }

        private void symbol(boolean code, long address, long size, String name) {
            table = !code && name.equals("table") ? address : table;
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            while (next < COUNT && place(next) != address) {
                next++;
            }
            assertTrue(store && next < COUNT, () -> "no store of the program: access " + number);
            next++;
            kept++;
        }

        private long place(long number) {
            long mixed = (number + 1) * 0x9e3779b97f4a7c15L;
            return table + ((mixed ^ mixed >>> 29) * 0xbf58476d1ce4e5b9L >>> 41) * Long.BYTES;
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
        public void ring(TraceEvent event) {}
    }

    private Process start(List<String> options, String... arguments) throws Exception {
        MadtRun.command(directory, List.of("mkfifo", disk().toString())).expect(0);
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-f",
                "-o",
                disk().toString(),
                "--only",
                ".bss"));
        command.addAll(options);
        command.addAll(List.of("--", MadtRun.program("flood").toString()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(errors().toFile()).start();
    }

    /**
     * Takes the trace of a program that was started; the bytes of the pipe go through {@code disk}.
     */
    private Stores record(Process launcher, UnaryOperator<InputStream> disk) throws Exception {
        long begun = System.nanoTime();
        Stores stores = new Stores();
        try (InputStream bytes = disk.apply(Files.newInputStream(disk()));
                TraceReader reader = new TraceReader(bytes, "disk")) {
            assertTrue(reader.read(new TraceDecoder(stores)), reader.incompleteness());
            assertEquals(stores.kept, reader.index().accesses());
            System.out.printf(
                    "slow disk: %,d of %,d accesses in %,d ms%n",
                    stores.kept, COUNT, (System.nanoTime() - begun) / 1_000_000);
        }
        assertTrue(launcher.waitFor(10, TimeUnit.MINUTES));
        assertEquals(7, launcher.exitValue(), Files.readString(errors()));
        return stores;
    }

    private Path disk() {
        return directory.resolve("disk");
    }

    private Path errors() {
        return directory.resolve("errors");
    }

    @Test
    void shouldLoseNothing() throws Exception {
        Stores stores = record(
                start(List.of(), Long.toString(COUNT)), bytes -> new Throttled(bytes, PER_SECOND));
        assertEquals(COUNT, stores.kept);
        assertEquals("0", stores.meta.get("access_errors"));
    }

    /** The disk takes the first MiB, and then nothing before the program has ended. */
    @Test
    void shouldCountWhatItDropsAndWhatItKeeps() throws Exception {
        Process launcher = start(List.of("--lossy"), Long.toString(COUNT));
        Stores stores = record(
                launcher,
                bytes -> new HeldUp(bytes, 1 << 20, () -> flood(launcher).isEmpty()));
        long lost = Long.parseLong(stores.meta.get("access_errors"));
        assertTrue(
                lost > 0 && stores.kept > 100_000, () -> stores.kept + " kept, " + lost + " lost");
        assertEquals(COUNT, stores.kept + lost);
        assertTrue(Files.readString(errors()).contains("because the disk was too slow (--lossy)."));
    }

    /** A shell that is told to start a program while the disk takes nothing at all. */
    @Test
    void shouldLetOthersBeginAndEndWhileTheDiskStandsStill() throws Exception {
        Process launcher = start(List.of(), Long.toString(HELD_UP), "read line; /bin/echo begun");
        try (InputStream bytes = Files.newInputStream(disk());
                BufferedReader said = launcher.inputReader()) {
            try {
                awaitStandstill(launcher);
                launcher.outputWriter().append("go\n").close();
                assertEquals(
                        "begun",
                        CompletableFuture.supplyAsync(() -> line(said)).get(10, TimeUnit.MINUTES));
            } catch (TimeoutException e) {
                launcher.descendants().forEach(ProcessHandle::destroyForcibly);
                launcher.destroyForcibly();
                throw e;
            }
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        assertTrue(launcher.waitFor(10, TimeUnit.MINUTES));
        assertEquals(7, launcher.exitValue(), Files.readString(errors()));
    }

    private static String line(BufferedReader from) {
        try {
            return from.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until the program has begun, and has had no processor for a second. */
    private static void awaitStandstill(Process launcher) throws InterruptedException {
        Duration before = Duration.ZERO;
        Duration now = Duration.ZERO;
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
        while (now.isZero() || now.compareTo(before) > 0) {
            assertTrue(
                    System.nanoTime() < deadline && launcher.isAlive(),
                    "the program does not wait for the disk");
            before = now;
            Thread.sleep(1_000);
            now = flood(launcher)
                    .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                    .orElse(Duration.ZERO);
        }
    }

    private static Optional<ProcessHandle> flood(Process launcher) {
        return launcher.descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/flood"))
                .findFirst();
    }
}
