package dev.madt.trace.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.codec.EventsFrame;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.codec.KeptFrames;
import dev.madt.trace.codec.MetaFrame;
import dev.madt.trace.codec.RecordingConsumer;
import dev.madt.trace.codec.SampleTrace;
import dev.madt.trace.codec.TemplatesFrame;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.codec.TraceFormatException;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.TraceLayout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
    @TempDir
    private Path directory;

    static TraceReader reader(byte[] bytes) throws IOException {
        return new TraceReader(new ByteArrayInputStream(bytes), "t.madt");
    }

    /** Offsets of the frames and of the end, found by walking the heads. */
    static List<Integer> boundaries(byte[] bytes) {
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> offsets = new ArrayList<>(List.of(16));
        while (offsets.get(offsets.size() - 1) < bytes.length) {
            int at = offsets.get(offsets.size() - 1);
            offsets.add(at + 28 + fields.getInt(at + 16));
        }
        return offsets;
    }

    @Test
    void shouldGiveBackEveryFrame() throws Exception {
        Path file = directory.resolve("t.madt");
        Files.write(file, SampleTrace.file());
        KeptFrames kept = new KeptFrames();
        RecordingConsumer consumer = new RecordingConsumer();
        TraceDecoder decoder = new TraceDecoder(consumer);
        try (TraceReader reader = new TraceReader(file)) {
            assertTrue(reader.read(kept));
            assertNull(reader.incompleteness());
        }
        try (TraceReader reader = new TraceReader(file)) {
            decoder.end(reader.read(decoder));
        }
        assertEquals(SampleTrace.frames(), kept.frames());
        assertEquals(SampleTrace.calls(), consumer.calls());
        assertEquals(List.of(true), consumer.ends());
    }

    @Test
    void shouldIndexEveryEventsFrame() throws Exception {
        byte[] bytes = SampleTrace.file();
        List<Integer> offsets = boundaries(bytes);
        try (TraceReader reader = reader(bytes)) {
            reader.read(new KeptFrames());
            assertEquals(
                    new TraceIndex(
                            8,
                            2,
                            2,
                            9,
                            new long[] {offsets.get(4), offsets.get(5), offsets.get(7)},
                            new long[] {0, 4, 7}),
                    reader.index());
        }
    }

    @Test
    void shouldWriteTheTotalsThatItIsGiven() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.totals(1_204_311, 13, 14);
        }
        try (TraceReader reader = reader(out.toByteArray())) {
            assertTrue(reader.read(new KeptFrames()));
            assertEquals(
                    new TraceIndex(1_204_311, 13, 14, 0, new long[0], new long[0]), reader.index());
        }
    }

    @Test
    void shouldThinOutAnIndexThatWouldNotFit() throws Exception {
        long[] offsets = new long[1_003];
        long[] firsts = new long[1_003];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = 16 + 100L * i;
            firsts[i] = 7L * i;
        }
        Frame frame = new TraceIndex(1, 2, 3, 4, offsets, firsts).build(1, 32 + 16 * 300);
        TraceIndex index = TraceIndex.decode(frame);

        assertEquals(251, index.offsets().length);
        assertEquals(16 + 100L * 4 * 250, index.offsets()[250]);
        assertEquals(7L * 4 * 250, index.firsts()[250]);
    }

    @Test
    void shouldLeaveAnAbandonedFileWithoutIndex() throws Exception {
        Path file = directory.resolve("t.madt");
        TraceWriter writer = new TraceWriter(file, false);
        for (Frame frame : SampleTrace.frames()) {
            writer.frame(frame);
        }
        writer.abandon();
        writer.close();
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = new TraceReader(file)) {
            assertFalse(reader.read(kept));
            assertTrue(reader.incompleteness().endsWith(": the file ends without an index"));
        }
        assertEquals(SampleTrace.frames(), kept.frames());
    }

    @Test
    void shouldGiveTheWholeFramesOfAFileCutAtAnyByte() throws Exception {
        byte[] bytes = SampleTrace.file();
        List<Integer> offsets = boundaries(bytes);
        List<Frame> frames = SampleTrace.frames();
        for (int length = 16; length < bytes.length; length++) {
            KeptFrames kept = new KeptFrames();
            int cut = length;
            int whole = (int)
                    offsets.stream().skip(1).filter(offset -> offset <= cut).count();
            try (TraceReader reader = reader(Arrays.copyOf(bytes, length))) {
                assertFalse(reader.read(kept), "cut at " + length);
                String cause = offsets.contains(length)
                        ? "the file ends without an index"
                        : "the frame is cut off: ";
                assertTrue(
                        reader.incompleteness()
                                .startsWith("t.madt, byte " + offsets.get(whole) + ": " + cause),
                        reader.incompleteness());
                assertNull(reader.index());
            }
            assertEquals(frames.subList(0, whole), kept.frames(), "cut at " + length);
        }
        assertTrue(bytes.length > 500, "cuts: " + bytes.length);
    }

    /**
     * A trace of many frames of random loads; {@code accesses} takes how many there are up to each
     * frame's end.
     */
    private static byte[] longTrace(List<Long> accesses) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Random random = new Random(7);
        AccessSite[] sites = {SampleTrace.LOAD, SampleTrace.LOAD, SampleTrace.LOAD};
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            EventsFrame events = new EventsFrame().define(16, sites);
            writer.frame(new MetaFrame().add("program", "p").build(1, 0));
            accesses.add(0L);
            writer.frame(new TemplatesFrame().add(16, sites).build(1, 0));
            accesses.add(0L);
            for (int frame = 0; frame < 40; frame++) {
                for (int record = random.nextInt(900); record >= 0; record--) {
                    events.record(
                            16,
                            frame,
                            new long[] {random.nextInt(), random.nextInt(99), 8L * record},
                            0,
                            3);
                }
                writer.frame(events.build(1, 1));
                accesses.add(writer.accesses());
            }
        }
        return out.toByteArray();
    }

    @Test
    void shouldGiveTheEventsOfAllWholeFramesWhereverAFileIsCut() throws Exception {
        List<Long> accesses = new ArrayList<>();
        byte[] bytes = longTrace(accesses);
        List<Integer> offsets = boundaries(bytes);
        Random random = new Random(8);
        for (int i = 0; i < 1_000; i++) {
            int cut = offsets.get(1) + random.nextInt(bytes.length - offsets.get(1));
            int whole = (int)
                    offsets.stream().skip(1).filter(offset -> offset <= cut).count();
            long[] last = {-1};
            TraceDecoder decoder = new TraceDecoder(new RecordingConsumer() {
                @Override
                public void access(
                        long number, int thread, AccessSite site, boolean store, long address) {
                    assertEquals(++last[0], number);
                }
            });
            try (TraceReader reader = reader(Arrays.copyOf(bytes, cut))) {
                assertFalse(reader.read(decoder), "cut at " + cut);
                assertTrue(
                        reader.incompleteness()
                                .startsWith("t.madt, byte " + offsets.get(whole) + ": "),
                        reader.incompleteness());
            }
            assertEquals(accesses.get(whole - 1), decoder.accesses(), "cut at " + cut);
            assertEquals(decoder.accesses(), last[0] + 1);
        }
    }

    @Test
    void shouldRefuseAFileCutInItsHeader() {
        assertRefused(
                new byte[0],
                "t.madt, byte 0: the file is empty: its recording never began. Record again");
        byte[] header = "MADTRACE\2\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);
        for (int length = 1; length <= header.length; length++) {
            assertRefused(
                    Arrays.copyOf(header, length),
                    "t.madt, byte " + length + ": the file ends inside its header. Record again");
        }
    }

    @Test
    void shouldRefuseForeignFilesAndOtherVersions() throws Exception {
        assertRefused(
                "\177ELF\2\1\1".getBytes(StandardCharsets.ISO_8859_1),
                "t.madt, byte 0: not a MadT trace, it begins with 7f 45 4c 46 02 01 01. "
                        + "'madt run -o FILE -- PROGRAM' makes a trace");
        byte[] bytes = SampleTrace.file();
        for (int version : new int[] {2, TraceLayout.VERSION - 1, TraceLayout.VERSION + 1}) {
            bytes[8] = (byte) version;
            assertRefused(
                    bytes,
                    "t.madt, byte 8: trace version " + version
                            + ", this madt reads version " + TraceLayout.VERSION + ". "
                            + "Read it with the madt that made it, or record again");
        }
        bytes[8] = TraceLayout.VERSION;
        bytes[12] = 4;
        assertRefused(
                bytes,
                "t.madt, byte 8: trace version " + TraceLayout.VERSION
                        + " with features 0x4, this madt reads version " + TraceLayout.VERSION
                        + ". "
                        + "Read it with the madt that made it, or record again");
    }

    @Test
    void shouldReadNewerFeaturesAndFlagsThatMayBeIgnored() throws Exception {
        byte[] bytes = SampleTrace.file();
        bytes[15] = 7;
        int second = boundaries(bytes).get(1);
        setFlags(bytes, second, 0x8001_0000);
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = reader(bytes)) {
            assertTrue(reader.read(kept), reader.incompleteness());
        }
        assertEquals(SampleTrace.frames(), kept.frames());
    }

    @Test
    void shouldStopAtAFlagThatItWouldHaveToKnow() throws Exception {
        byte[] bytes = SampleTrace.file();
        int second = boundaries(bytes).get(1);
        setFlags(bytes, second, 0x4000);
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = reader(bytes)) {
            assertFalse(reader.read(kept));
            assertTrue(
                    reader.incompleteness().startsWith("t.madt, byte " + second + ": "),
                    reader.incompleteness());
        }
        assertEquals(1, kept.frames().size());
    }

    /** Sets more flags of the frame at an offset, with the checksum that belongs to them. */
    private static void setFlags(byte[] bytes, int frame, int flags) {
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        fields.putInt(frame + 20, fields.getInt(frame + 20) | flags);
        seal(bytes, frame);
    }

    private static void seal(byte[] bytes, int frame) {
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        CRC32C crc = new CRC32C();
        crc.update(bytes, frame, 24);
        crc.update(bytes, frame + 28, fields.getInt(frame + 16));
        fields.putInt(frame + 24, (int) crc.getValue());
    }

    private static void assertRefused(byte[] bytes, String message) {
        assertEquals(
                message,
                assertThrows(TraceFormatException.class, () -> reader(bytes)).getMessage());
    }

    @Test
    void shouldNeverCallADamagedFileComplete() throws Exception {
        byte[] bytes = SampleTrace.file();
        List<Frame> frames = SampleTrace.frames();
        int tried = 0;
        Random random = new Random(1);
        for (int at = 0; at < bytes.length; at++) {
            if (at >= 10 && at < 16 && (at & ~1) != 12) {
                continue; // reserved, and features that a reader need not know
            }
            byte[] damaged = bytes.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            KeptFrames kept = new KeptFrames();
            try (TraceReader reader = reader(damaged)) {
                assertFalse(reader.read(kept), "damaged at " + at);
                assertTrue(
                        reader.incompleteness().startsWith("t.madt, byte "),
                        reader.incompleteness());
                assertEquals(frames.subList(0, kept.frames().size()), kept.frames());
            } catch (TraceFormatException e) {
                assertTrue(at < boundaries(bytes).get(1), "refused for " + at);
            }
            tried++;
        }
        assertTrue(tried > 500, "tried: " + tried);
    }

    @Test
    void shouldRefuseAFileWhoseFirstFrameIsDamaged() throws Exception {
        byte[] bytes = SampleTrace.file();
        bytes[16 + 28 + 3] ^= 1;
        try (TraceReader reader = reader(bytes)) {
            String message = assertThrows(
                            TraceFormatException.class, () -> reader.read(new KeptFrames()))
                    .getMessage();
            assertTrue(
                    message.startsWith("t.madt, byte 16: the frame is damaged: its checksum is "),
                    message);
            assertTrue(
                    message.endsWith(". It is the first, nothing can be read; record again"),
                    message);
        }
    }

    @Test
    void shouldNotBelieveImpossibleLengths() throws Exception {
        byte[] bytes = SampleTrace.file();
        int second = boundaries(bytes).get(1);
        for (int length : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, (16 << 20) + 1}) {
            ByteBuffer.wrap(bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putInt(second + 12, length)
                    .putInt(second + 16, length);
            try (TraceReader reader = reader(bytes)) {
                assertFalse(reader.read(new KeptFrames()));
                assertTrue(
                        reader.incompleteness()
                                .startsWith("t.madt, byte " + second
                                        + ": the frame's head is damaged: lengths "),
                        reader.incompleteness());
            }
        }
    }

    @Test
    void shouldReportBytesBehindTheIndex() throws Exception {
        byte[] bytes = SampleTrace.file();
        try (TraceReader reader = reader(Arrays.copyOf(bytes, bytes.length + 1))) {
            assertFalse(reader.read(new KeptFrames()));
            assertTrue(reader.incompleteness().endsWith("there is something behind the index"));
        }
    }

    @Test
    void shouldPassOverFramesOfUnknownType() throws Exception {
        byte[] bytes = SampleTrace.file();
        int second = boundaries(bytes).get(1);
        System.arraycopy("LATR".getBytes(StandardCharsets.US_ASCII), 0, bytes, second, 4);
        seal(bytes, second);
        List<Frame> expected = new ArrayList<>(SampleTrace.frames());
        expected.remove(1);
        KeptFrames kept = new KeptFrames();
        try (TraceReader reader = reader(bytes)) {
            assertTrue(reader.read(kept));
        }
        assertEquals(expected, kept.frames());
    }

    @Test
    void shouldPlaceMalformedPayloads() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (TraceWriter writer = new TraceWriter(out, "memory")) {
            writer.frame(new MetaFrame().add("a", "b").build(1, 1));
            writer.frame(new Frame(FrameType.MAPS, 1, 1, ByteBuffer.wrap(new byte[7])));
        }
        byte[] bytes = out.toByteArray();
        try (TraceReader reader = reader(bytes)) {
            assertEquals(
                    "t.madt, frame at byte " + boundaries(bytes).get(1)
                            + ": MAPS frame, byte 4 of its payload: 8 bytes expected, 3 are left",
                    assertThrows(
                                    TraceFormatException.class,
                                    () -> reader.read(new TraceDecoder(new RecordingConsumer())))
                            .getMessage());
        }
    }
}
