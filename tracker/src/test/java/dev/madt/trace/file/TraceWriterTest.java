package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.KeptFrames;
import dev.madt.trace.codec.SampleTrace;
import dev.madt.trace.codec.TraceFormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what the writer does with the disk; {@link TraceFileTest} has what it writes. */
class TraceWriterTest {
    @TempDir
    private Path directory;

    @Test
    void shouldPackLargeFramesAndRefuseLargerOnes() throws Exception {
        Path file = directory.resolve("large.madt");
        byte[] large = new byte[16 << 20];
        Frame frame = new Frame(FrameType.MAPS, 1, 1, ByteBuffer.wrap(large));
        try (TraceWriter writer = new TraceWriter(file, false)) {
            writer.frame(frame);
            Frame larger = new Frame(FrameType.MAPS, 1, 1, ByteBuffer.allocate(large.length + 1));
            assertThrows(TraceFormatException.class, () -> writer.frame(larger));
            assertEquals(Files.size(file), writer.size());
        }
        assertTrue(Files.size(file) < 10_000, "size: " + Files.size(file));
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = new TraceReader(file)) {
            assertTrue(reader.read(kept));
        }
        assertEquals(ByteBuffer.wrap(large), kept.frames().get(0).payload());
    }

    /** Of two at once, the second would have its frames between those of the first. */
    @Test
    void shouldRefuseAFileThatIsBeingWritten() throws Exception {
        Path file = directory.resolve("same.madt");
        Frame frame = new Frame(FrameType.MAPS, 1, 1, ByteBuffer.wrap(new byte[9]));
        try (TraceWriter writer = new TraceWriter(file, false)) {
            writer.frame(frame);
            FileSystemException refused =
                    assertThrows(FileSystemException.class, () -> new TraceWriter(file, true));
            assertEquals("another recording is being written there", refused.getReason());
            assertEquals(Files.size(file), writer.size());
        }
        new TraceWriter(file, true).close();
    }

    @Test
    void shouldStoreWhatDoesNotGetSmaller() throws Exception {
        byte[] noise = new byte[100_003];
        new Random(2).nextBytes(noise);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(new Frame(FrameType.MAPS, 1, 1, ByteBuffer.wrap(noise)));
            assertEquals(16 + 28 + noise.length, writer.size());
        }
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = TraceFileTest.reader(out.toByteArray())) {
            assertTrue(reader.read(kept));
        }
        assertEquals(ByteBuffer.wrap(noise), kept.frames().get(0).payload());
    }

    @Test
    void shouldOverwriteOnlyWhenTold() throws Exception {
        Path file = directory.resolve("t.madt");
        Files.writeString(file, "precious".repeat(100));
        assertThrows(FileAlreadyExistsException.class, () -> new TraceWriter(file, false));
        assertEquals(800, Files.size(file));
        new TraceWriter(file, true).close();
        try (TraceReader reader = new TraceReader(file)) {
            assertTrue(reader.read(new KeptFrames()));
        }
    }

    @Test
    void shouldSayThatTheDiskIsFull() {
        Path full = Path.of("/dev/full");
        Assumptions.assumeTrue(Files.exists(full), "no /dev/full");

        String message = assertThrows(IOException.class, () -> new TraceWriter(full, true))
                .getMessage();

        assertEquals("cannot write /dev/full: No space left on device", message);
    }

    @Test
    void shouldLeaveAReadableFileOnAFullDisk() throws Exception {
        byte[] bytes = SampleTrace.file();
        List<Frame> frames = SampleTrace.frames();
        int fourth = TraceFileTest.boundaries(bytes).get(4);
        ByteArrayOutputStream disk = new ByteArrayOutputStream();
        TraceWriter writer = new TraceWriter(limited(disk, fourth + 11), "t.madt");
        for (Frame frame : frames.subList(0, 4)) {
            writer.frame(frame);
        }
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    "cannot write t.madt: no space",
                    assertThrows(IOException.class, () -> writer.frame(frames.get(4)))
                            .getMessage());
        }
        writer.close();

        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = TraceFileTest.reader(disk.toByteArray())) {
            assertFalse(reader.read(kept));
            assertEquals(
                    "t.madt, byte " + fourth
                            + ": the frame is cut off: 11 of 28 bytes of its head are there",
                    reader.incompleteness());
        }
        assertEquals(frames.subList(0, 4), kept.frames());
        assertEquals(0, writer.accesses());
    }

    /** A stream on which only so many bytes find room. */
    private static OutputStream limited(ByteArrayOutputStream disk, int room) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                if (disk.size() == room) {
                    throw new IOException("no space");
                }
                disk.write(value);
            }
        };
    }
}
