package dev.madt.trace.buffer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChunkBufferTest {
    private static final int FIRST = SharedLayout.CHUNK_HEADER_WORDS;
    private static final long NONE = SharedLayout.WORD_NONE;

    private final FakeBuffer fake = new FakeBuffer(3);
    private final List<String> records = new ArrayList<>();
    private ChunkBuffer buffer;

    /** Templates 16 to 19 have 0 to 3 words, template 20 a whole chunk of them. */
    private static int words(int template) {
        return template == 20
                ? SharedLayout.CHUNK_WORDS
                : template >= 16 && template < 20 ? template - 16 : -1;
    }

    @BeforeEach
    void openBuffer() throws IOException {
        buffer = new ChunkBuffer(fake.bytes(), ChunkBufferTest::words);
    }

    private int scan(int chunk) throws IOException {
        return note(chunk, buffer.scan(chunk, false));
    }

    private int note(int chunk, RecordSpan span) throws IOException {
        int noted = 0;
        while (span != null && !span.isEmpty()) {
            int count = words(span.template());
            span.check(count);
            long[] words = new long[count];
            span.copy(count, words);
            records.add(buffer.owner(chunk) + ":" + span.epoch() + ":" + span.template()
                    + Arrays.toString(words));
            span.skip(count);
            noted++;
        }
        return noted;
    }

    @Test
    void shouldGoOnWhereItStopped() throws Exception {
        fake.claim(1, 42, 100);
        int next = fake.record(1, FIRST, 18, 100, 7, 8);
        assertEquals(1, scan(1));
        assertEquals(0, scan(1));
        next = fake.record(1, next, 16, 101);
        fake.record(1, next, 17, 102, 9);
        assertEquals(2, scan(1));
        assertEquals(List.of("42:100:18[7, 8]", "42:101:16[]", "42:102:17[9]"), records);
    }

    @Test
    void shouldLeaveARecordWithoutHeaderAlone() throws Exception {
        fake.claim(0, 42, 100);
        fake.word(0, FIRST + 1, 7);
        fake.word(0, FIRST + 2, 8);

        assertEquals(0, scan(0));

        fake.word(0, FIRST, SharedLayout.recordHeader(18, 100));
        assertEquals(1, scan(0));
    }

    @Test
    void shouldPassOnWordsThatWereNotWritten() throws Exception {
        fake.claim(0, 42, 100);
        fake.record(0, FIRST, 19, 100, 7, NONE, 9);
        scan(0);
        assertEquals(List.of("42:100:19[7, -1, 9]"), records);
    }

    @Test
    void shouldLookIntoLiveChunksOnly() throws Exception {
        assertEquals(0, scan(0));
        fake.claim(0, 42, 100);
        fake.record(0, FIRST, 17, 100, 7);
        fake.filled(0, SharedLayout.CHUNK_RAW);
        assertEquals(0, scan(0));
        fake.filled(0, SharedLayout.CHUNK_CLEAN);
        assertEquals(0, scan(0));
        fake.filled(0, SharedLayout.CHUNK_LIVE);
        assertEquals(1, scan(0));
    }

    /** Checks that what stands in a chunk that its thread has given away is over. */
    @Test
    void shouldSayInWhichSystemCallAThreadIs() {
        assertEquals(0, buffer.callBegun(0));
        fake.claim(0, 42, 100);
        assertEquals(0, buffer.callBegun(0));
        fake.call(0, 123_456, 202);
        assertEquals(123_456, buffer.callBegun(0));
        assertEquals(202, buffer.callNumber(0));
        fake.publish(0, 1);
        assertEquals(0, buffer.callBegun(0));
    }

    @Test
    void shouldMakeEpochsWhole() throws Exception {
        fake.claim(0, 42, 0x5_ffff_fffeL);
        int next = fake.record(0, FIRST, 16, 0xffff_fffeL);
        next = fake.record(0, next, 16, 0x0000_0003L);
        next = fake.record(0, next, 16, 0x0000_0002L);
        next = fake.record(0, next, 16, 0x7000_0000L);
        fake.record(0, next, 16, 0xe000_0000L);
        scan(0);
        assertEquals(
                List.of(
                        "42:" + 0x5_ffff_fffeL + ":16[]",
                        "42:" + 0x6_0000_0003L + ":16[]",
                        "42:" + 0x6_0000_0002L + ":16[]",
                        "42:" + 0x6_7000_0000L + ":16[]",
                        "42:" + 0x6_e000_0000L + ":16[]"),
                records);
    }

    @Test
    void shouldTakeAChunkFullToItsLastWord() throws Exception {
        fake.claim(2, 42, 0);
        int word = FIRST;
        int count = 0;
        while (word < SharedLayout.CHUNK_WORDS) {
            word = fake.record(2, word, 19, count++, 1, 2, 3);
        }
        fake.publish(2, 77);

        assertEquals(SharedLayout.CHUNK_WORDS, word);
        assertEquals(count, note(2, buffer.take(2)));
        assertEquals(0, scan(2));
        assertEquals(77, buffer.ticket(2));
        assertEquals(42, buffer.thread(2));
    }

    @Test
    void shouldTakeTheRestOfAChunkThatHasBeenScanned() throws Exception {
        fake.claim(1, 42, 0x1_0000_0000L);
        int next = fake.record(1, FIRST, 18, 5, 7, 8);
        scan(1);
        next = fake.record(1, next, 17, 6, NONE);
        fake.record(1, next, 17, 4, 9);
        fake.publish(1, 3);
        assertEquals(2, note(1, buffer.take(1)));
        assertEquals(
                List.of(
                        "42:" + 0x1_0000_0005L + ":18[7, 8]",
                        "42:" + 0x1_0000_0006L + ":17[-1]",
                        "42:" + 0x1_0000_0004L + ":17[9]"),
                records);
    }

    private void claimHeaderFirst() throws MalformedBufferException {
        buffer = new ChunkBuffer(fake.bytes(), ChunkBufferTest::words, true);
        fake.claim(1, 42, 1);
    }

    @Test
    void shouldLeaveTheOpenRecordOfABusyChunkUntilAnotherFollows() throws Exception {
        claimHeaderFirst();
        assertEquals(EventOrder.NEVER, buffer.openEpoch(1));
        int next = fake.record(1, FIRST, 18, 3, 7, NONE);
        assertEquals(0, scan(1));
        assertEquals(3, buffer.openEpoch(1));
        buffer.settle(1);
        assertEquals(0, scan(1)); // a word is missing
        fake.record(1, next, 17, 4, 8);
        assertEquals(1, scan(1));
        assertEquals(4, buffer.openEpoch(1));
        assertEquals(1, note(1, buffer.scan(1, true)));
        assertEquals(EventOrder.NEVER, buffer.openEpoch(1));
        assertEquals(List.of("42:3:18[7, -1]", "42:4:17[8]"), records);
    }

    @Test
    void shouldTakeAnOpenRecordThatItsThreadIsPast() throws Exception {
        claimHeaderFirst();
        int next = fake.record(1, FIRST, 17, 1, 7);
        assertEquals(0, scan(1));
        assertFalse(buffer.isSettled(1));
        buffer.settle(1);
        assertTrue(buffer.isSettled(1));
        assertEquals(1, scan(1));
        fake.record(1, next, 17, 1, 8);
        assertEquals(0, scan(1)); // settled was the one in front
        fake.publish(1, 3);
        assertEquals(1, scan(1));
        assertEquals(List.of("42:1:17[7]", "42:1:17[8]"), records);
    }

    @Test
    void shouldNotTakeWhatItsThreadHasTakenBack() throws Exception {
        claimHeaderFirst();
        int next = fake.record(1, FIRST, 18, 1, 7, 8);
        assertEquals(0, scan(1));
        fake.record(1, FIRST, 18, 1, NONE, NONE);
        fake.record(1, next, 17, 1, 7);
        fake.publish(1, 3);
        scan(1);
        assertEquals(List.of("42:1:18[-1, -1]", "42:1:17[7]"), records);
    }

    @Test
    void shouldLeaveHalfAHeaderAloneWhereHeadersComeFirst() throws Exception {
        claimHeaderFirst();
        int next = fake.record(1, FIRST, 17, 1, 7);
        scan(1);
        buffer.settle(1);
        for (long half : new long[] {1, 0xffff_ffff_0000_0001L}) {
            fake.word(1, next, half);
            scan(1);
            assertEquals(List.of("42:1:17[7]"), records);
        }
        fake.record(1, next, 17, 1, 8);
        scan(1);
        buffer.settle(1);
        scan(1);
        assertEquals(List.of("42:1:17[7]", "42:1:17[8]"), records);
    }

    @Test
    void shouldRefillAndFreeAReadyChunk() throws Exception {
        fake.claim(1, 42, 100);
        fake.record(1, FIRST, 18, 100, 7, 8);
        assertThrows(IllegalStateException.class, () -> buffer.recycle(1));
        fake.publish(1, 3);
        scan(1);

        buffer.recycle(1);

        assertFreeAndClean(1);
        fake.claim(1, 43, 200);
        fake.record(1, FIRST, 17, 200, 1);
        assertEquals(1, scan(1));
        assertEquals("43:200:17[1]", records.get(1));
    }

    private void assertFreeAndClean(int chunk) {
        assertEquals(SharedLayout.FREE, buffer.state(chunk));
        assertEquals(SharedLayout.CHUNK_CLEAN, fake.filled(chunk));
        for (int word = FIRST; word < SharedLayout.CHUNK_WORDS; word++) {
            assertEquals(NONE, fake.word(chunk, word));
        }
    }

    @Test
    void shouldFreeATakenChunkWhenItsSpanIsClosed() throws Exception {
        fake.claim(1, 42, 100);
        int next = fake.record(1, FIRST, 18, 100, 7, 8);
        RecordSpan begun = buffer.scan(1, false);
        next = fake.record(1, next, 17, 100, 9);
        next = fake.record(1, next, 17, 100, 10);
        fake.word(1, next + 5, 11);
        fake.publish(1, 3);
        RecordSpan rest = buffer.take(1);
        assertTrue(buffer.isLent(1));
        assertThrows(IllegalStateException.class, () -> buffer.take(1));
        assertEquals(1, note(1, begun));
        assertFalse(begun.close());
        assertEquals(SharedLayout.READY, buffer.state(1));
        fake.word(1, FIRST + 1, 12); // late
        rest.skip(1);

        assertTrue(rest.close());

        assertFalse(buffer.isLent(1));
        assertFreeAndClean(1);
    }

    @Test
    void shouldNameWhatIsMalformed() throws Exception {
        fake.claim(1, 42, 100);
        int bad = fake.record(1, FIRST, 17, 100, 5);
        long at = SharedLayout.PAGE + SharedLayout.CHUNK_STRIDE + bad * 8;

        assertMalformed(bad, 0x1234, "buffer 5, byte " + at + ": 0x1234 is no record header");
        assertMalformed(
                bad,
                0xffff_ffff_0000_0000L,
                "buffer 5, byte " + at + ": 0xffffffff00000000 is no record header");
        assertMalformed(
                bad,
                SharedLayout.recordHeader(99, 0),
                "buffer 5, byte " + at + ": unknown template 99");
        assertMalformed(
                bad,
                SharedLayout.recordHeader(20, 0),
                "buffer 5, byte " + at
                        + ": the record of template 20 of 16384 words"
                        + " reaches over the end of its chunk");
        assertEquals(List.of("42:100:17[5]"), records);
    }

    private void assertMalformed(int word, long value, String message) throws IOException {
        fake.record(1, FIRST, 17, 100, 5);
        fake.word(1, word, value);
        buffer = new ChunkBuffer(fake.bytes(), ChunkBufferTest::words);
        records.clear();
        assertEquals(
                message,
                assertThrows(MalformedBufferException.class, () -> scan(1)).getMessage());
    }

    @Test
    void shouldThrowNothingElseForGarbage() throws Exception {
        Random random = new Random(5);
        int malformed = 0;
        for (int round = 0; round < 307; round++) {
            fake.claim(0, 1, 0);
            fake.publish(0, 0);
            for (int word = FIRST; word < FIRST + 20; word++) {
                fake.word(
                        0,
                        word,
                        random.nextBoolean()
                                ? SharedLayout.recordHeader(random.nextInt(24), 1)
                                : random.nextLong());
            }
            try {
                note(0, round % 2 == 0 ? buffer.scan(0, false) : buffer.take(0));
            } catch (MalformedBufferException e) {
                malformed++;
            }
            buffer.recycle(0);
        }
        assertTrue(malformed > 100, "malformed: " + malformed);
    }

    @Test
    void shouldRefuseWhatIsNoBufferFile() {
        assertRefused(
                "buffer, byte 0: not a buffer file", ByteBuffer.allocateDirect(SharedLayout.PAGE));
        fake.bytes().putInt(SharedLayout.Buffer.CHUNKS, 4);
        assertRefused(
                "buffer 5, byte 12: 4 chunks in 409600 bytes; at most 252 are possible",
                fake.bytes());
        fake.bytes().putInt(SharedLayout.Buffer.CHUNKS, -1);
        assertRefused(
                "buffer 5, byte 12: -1 chunks in 409600 bytes; at most 252 are possible",
                fake.bytes());
        fake.bytes().putInt(SharedLayout.Buffer.CHUNK_WORDS, 4096);
        assertRefused(
                "buffer 5, byte 16: words in a chunk 4096, this madt knows 16384", fake.bytes());
        fake.bytes().putInt(SharedLayout.Buffer.VERSION, 99);
        assertRefused(
                "buffer 5, byte 8: layout version 99, this madt knows "
                        + SharedLayout.LAYOUT_VERSION,
                fake.bytes());
    }

    private static void assertRefused(String message, ByteBuffer bytes) {
        assertEquals(
                message,
                assertThrows(
                                MalformedBufferException.class,
                                () -> new ChunkBuffer(bytes, ChunkBufferTest::words))
                        .getMessage());
    }
}
