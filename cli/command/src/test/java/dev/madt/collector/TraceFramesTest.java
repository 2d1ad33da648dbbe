package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.cli.Main;
import dev.madt.cli.RunCommand;
import dev.madt.modules.ModuleTable;
import dev.madt.modules.RegionMap;
import dev.madt.options.RunOptions;
import dev.madt.session.Engine;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RegionKind;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceReader;
import dev.madt.trace.file.TraceWriter;
import dev.madt.trace.layout.SharedLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class TraceFramesTest {
    private static final int PID = 77;
    private static final long HEAP = 0x600000;

    private final Disk disk = new Disk();
    private final WriteQueue queue = new WriteQueue(WriteQueue.MOST_WAITING);
    private TraceSink file;
    private long epoch;

    /** Keeps what is written, but takes nothing more while it stands still, or when it is full. */
    private static final class Disk extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private volatile CountDownLatch still = new CountDownLatch(0);
        private volatile boolean full;
        private volatile Error broken;

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int start, int count) throws IOException {
            try {
                still.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            if (full) {
                throw new IOException("no space left on device");
            }
            if (broken != null) {
                throw broken;
            }
            bytes.write(from, start, count);
        }
    }

    /** Holds what comes out, one word for each. */
    private static final class Words implements EventConsumer {
        private final List<String> all = new ArrayList<>();

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.Region it) {
                mapsAdd(it.kind(), it.protection(), it.start(), it.end(), it.origin(), it.label());
            } else if (definition instanceof Definition.Symbol it) {
                symbol(it.code(), it.address(), it.size(), it.name());
            }
        }

        private void mapsAdd(
                RegionKind kind, int protection, long start, long end, long origin, String label) {
            all.add(label);
        }

        private void symbol(boolean code, long address, long size, String name) {
            all.add(name);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            throw new AssertionError("no accesses were made");
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
            all.add("W" + length);
        }

        @Override
        public void ring(TraceEvent event) {
            all.add("M" + event.word(1));
        }
    }

    @AfterEach
    void letTheWriterEnd() {
        disk.still.countDown();
        queue.close();
    }

    private TraceFrames frames(String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(options));
        words.add("program");
        Recording asked = RunOptions.of(Main.parse(new RunCommand(), words.toArray(String[]::new)));
        ModuleTable modules = new ModuleTable(null, null);
        TraceScope scope = new TraceScope(
                Engine.SPLICE, false, modules, new RegionMap(), new ThreadMemory(), null);
        file = new TraceSink(null, new TraceWriter(disk, "disk"), queue, null, null, null, null);
        return new TraceFrames(PID, asked, file, modules, scope);
    }

    private void fill(TraceFrames frames, long length) {
        frames.events()
                .record(SharedLayout.TEMPLATE_STORE, epoch, new long[] {HEAP, HEAP, length}, 0, 3);
    }

    private void allocate(TraceFrames frames, long size) {
        frames.events()
                .event(TraceEvent.of(
                        RingEventType.MALLOC, PID, epoch++, HEAP, size, 0, 0, "", HEAP));
    }

    private List<String> written() throws IOException {
        file.close();
        Words words = new Words();
        try (TraceReader reader =
                new TraceReader(new ByteArrayInputStream(disk.bytes.toByteArray()), "disk")) {
            assertTrue(reader.read(new TraceDecoder(words)), reader.incompleteness());
        }
        return words.all;
    }

    @Test
    void shouldPutDefinitionsInFrontOfEventsThatCameEarlier() throws Exception {
        TraceFrames frames = frames();
        allocate(frames, 5);
        fill(frames, 3);
        frames.symbols().add(false, HEAP, 8, "symbol");
        frames.maps().add(RegionKind.HEAP, 3, HEAP, HEAP + 4096, HEAP, "[heap]");
        frames.flush();
        fill(frames, 7);
        frames.flushEvents();
        assertEquals(List.of("[heap]", "symbol", "M5", "W3", "W7"), written());
        assertEquals(2, frames.blocks());
    }

    @Test
    void shouldCountWhatIsStillToBeFlushed() throws Exception {
        TraceFrames frames = frames();
        fill(frames, 1);
        frames.flush();
        fill(frames, 2);
        assertEquals(2, frames.blocks());
        frames.flush();
        assertEquals(2, frames.blocks());
    }

    /** Makes frames of a bulk transfer each until the disk is behind; returns how many. */
    private int fallBehind(TraceFrames frames) {
        disk.still = new CountDownLatch(1);
        int made = 0;
        while (!file.isBehind()) {
            fill(frames, ++made);
            frames.flush();
        }
        return made;
    }

    @Test
    void shouldDropBlocksButNoRingEventOfALossyTrace() throws Exception {
        TraceFrames frames = frames("--lossy");
        int kept = fallBehind(frames);
        allocate(frames, 101);
        fill(frames, 1_001);
        fill(frames, 1_002);
        assertTrue(file.isBehind());
        assertFalse(frames.isBehind());
        frames.flush();
        assertEquals(2, frames.lostBlocks());
        disk.still.countDown();
        file.await();
        allocate(frames, 102);
        fill(frames, 1_003);
        frames.flush();

        List<String> expected = IntStream.rangeClosed(1, kept)
                .mapToObj(length -> "W" + length)
                .collect(Collectors.toList());
        expected.addAll(List.of("M101", "M102", "W1003"));
        assertEquals(expected, written());
        assertEquals(kept + 1, frames.blocks());
        assertEquals(2, frames.lostBlocks());
        assertEquals(0, frames.lostAccesses());
    }

    @Test
    void shouldWaitForTheDiskWhereNothingMayBeLost() throws Exception {
        TraceFrames frames = frames();
        int made = fallBehind(frames);
        assertTrue(frames.isBehind());
        fill(frames, ++made);
        frames.flush();
        disk.still.countDown();
        assertEquals(made, written().size());
        assertFalse(frames.isBehind());
        assertEquals(0, frames.lostBlocks());
    }

    @Test
    void shouldGoOnWithoutTheDiskWhenItFails() throws Exception {
        TraceFrames frames = frames();
        assertNull(frames.failure());
        disk.full = true;
        for (int i = 0; i < 2; i++) {
            fill(frames, 1);
            frames.flush();
            file.await();
        }
        assertTrue(
                frames.failure().getMessage().contains("no space left on device"),
                frames.failure().toString());
        IOException first = frames.failure();
        fill(frames, 2);
        frames.flush();
        assertEquals(first, frames.failure());
        assertEquals(3, frames.blocks());
    }

    /** Such an error once ended the writer's thread alone, and nobody was told. */
    @Test
    void shouldGoOnWithoutTheDiskWhenMadTItselfFails() throws Exception {
        TraceFrames frames = frames();
        disk.broken = new UnsatisfiedLinkError("no library");
        for (int i = 0; i < 2; i++) {
            fill(frames, 1);
            frames.flush();
            file.await();
        }
        assertTrue(
                frames.failure().getMessage().contains("no library"),
                frames.failure().toString());
    }
}
