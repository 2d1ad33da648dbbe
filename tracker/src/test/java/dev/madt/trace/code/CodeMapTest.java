package dev.madt.trace.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodeMapTest {
    private static final int CALL = SharedLayout.CODE_CALL;
    private static final int GAP = SharedLayout.CODE_GAP;
    private static final int[][] ENTRIES = {
        // offset, length, flags, operands, words, first operand, target
        {0x1000, 4, 0, 1, 1, 0, 0},
        {0x1004, 7, 0, 2, 5, 1, 0},
        {0x100b, 5, CALL | SharedLayout.CODE_CALL_DIRECT, 0, 0, 0, 0x1100},
        {0x100e, 2, CALL, 0, 0, 0, 0},
        {0x1020, 3, CALL | GAP, 1, 1, 3, 0},
        {0x1021, 2, CALL, 0, 0, 0, 0},
        {0xf0001000, 1, 0, 1, 1, 3, 0},
    };
    private static final int[][] OPERANDS = {
        // access, flags, size, elements, number
        {1, 0, 8, 1, 1},
        {1, SharedLayout.OPERAND_STACK, 16, 1, 2},
        {3, 0, 4, 4, 0},
        {2, 0, 300, 1, 3},
    };

    @TempDir
    private Path directory;

    private static ByteBuffer image() {
        int size = SharedLayout.Codemap.BYTES
                + ENTRIES.length * SharedLayout.CodeEntry.BYTES
                + OPERANDS.length * SharedLayout.CodeOperand.BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(SharedLayout.Codemap.MAGIC, SharedLayout.CODEMAP_MAGIC);
        bytes.putInt(SharedLayout.Codemap.VERSION, SharedLayout.CODEMAP_VERSION);
        bytes.putInt(SharedLayout.Codemap.HEADER_SIZE, SharedLayout.Codemap.BYTES);
        bytes.putLong(SharedLayout.Codemap.FILE_SIZE, size);
        bytes.putLong(SharedLayout.Codemap.TEXT_BYTES, 5_003);
        bytes.putLong(SharedLayout.Codemap.GAP_BYTES, 307);
        bytes.putLong(SharedLayout.Codemap.BAD_BYTES, 13);
        bytes.putInt(SharedLayout.Codemap.ENTRIES, ENTRIES.length);
        bytes.putInt(SharedLayout.Codemap.OPERANDS, OPERANDS.length);
        bytes.putInt(SharedLayout.Codemap.INSTRUCTIONS, 1_009);
        bytes.putInt(SharedLayout.Codemap.BUILD_ID_LENGTH, 3);
        bytes.put(SharedLayout.Codemap.BUILD_ID, new byte[] {1, -2, 3});
        bytes.position(SharedLayout.Codemap.BYTES);
        for (int[] e : ENTRIES) {
            bytes.putInt(e[0])
                    .put((byte) e[1])
                    .put((byte) e[2])
                    .put((byte) e[3])
                    .put((byte) e[4])
                    .putInt(e[5])
                    .putInt(e[6]);
        }
        for (int[] o : OPERANDS) {
            int at = bytes.position();
            bytes.put(at + SharedLayout.CodeOperand.ACCESS, (byte) o[0]);
            bytes.put(at + SharedLayout.CodeOperand.FLAGS, (byte) o[1]);
            bytes.putShort(at + SharedLayout.CodeOperand.SIZE, (short) o[2]);
            bytes.put(at + SharedLayout.CodeOperand.ELEMENTS, (byte) o[3]);
            bytes.put(at + SharedLayout.CodeOperand.NUMBER, (byte) o[4]);
            bytes.position(at + SharedLayout.CodeOperand.BYTES);
        }
        return sealed(bytes);
    }

    private static ByteBuffer sealed(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(
                bytes.array(),
                SharedLayout.Codemap.BYTES,
                bytes.capacity() - SharedLayout.Codemap.BYTES);
        return bytes.putInt(SharedLayout.Codemap.CHECKSUM, (int) crc.getValue());
    }

    private Path file(byte[] bytes) throws IOException {
        return Files.write(directory.resolve("t.map"), bytes);
    }

    private CodeMap map() throws IOException {
        return CodeMap.open(file(image().array()));
    }

    @Test
    void shouldReadHeaderAndEntries() throws Exception {
        CodeMap map = map();

        assertEquals(7, map.entries());
        assertEquals(5_003, map.textBytes());
        assertEquals(307, map.gapBytes());
        assertEquals(13, map.badBytes());
        assertEquals(1_009, map.instructions());
        assertArrayEquals(new byte[] {1, -2, 3}, map.buildId());
        for (int i = 0; i < ENTRIES.length; i++) {
            assertEquals(ENTRIES[i][0] & 0xffffffffL, map.offset(i));
            assertEquals(ENTRIES[i][1], map.length(i));
            assertEquals(ENTRIES[i][2], map.flags(i));
            assertEquals(ENTRIES[i][4], map.words(i));
            assertEquals(ENTRIES[i][6], map.target(i));
            assertEquals(i, map.find(map.offset(i)));
        }
    }

    @Test
    void shouldFindNothingBetweenEntries() throws Exception {
        CodeMap map = map();

        for (long offset :
                new long[] {-1, 0, 0xfff, 0x1001, 0x1022, 0xf0001001L, 0xffffffffL, 0x1_0000_1000L
                }) {
            assertEquals(-1, map.find(offset), Long.toHexString(offset));
        }
    }

    @Test
    void shouldFindTheCallThatEndsAtAReturnAddress() throws Exception {
        CodeMap map = map();

        assertEquals(2, map.findEndingAt(0x1010), "the longer of two that end there");
        assertEquals(5, map.findEndingAt(0x1023), "the one that is not in a gap");
        assertEquals(-1, map.findEndingAt(0x1004), "no call");
        assertEquals(-1, map.findEndingAt(0x100f));
        assertEquals(-1, map.findEndingAt(3));
        assertEquals(-1, map.findEndingAt(0xf0001001L));
    }

    @Test
    void shouldGiveASiteForEachElement() throws Exception {
        CodeMap map = map();
        AccessSite load = new AccessSite(0x5555_0000_1004L, 7, AccessKind.LOAD, 16, 2, true);
        AccessSite modify = new AccessSite(0x5555_0000_1004L, 7, AccessKind.MODIFY, 4, 0, false);

        assertArrayEquals(
                new AccessSite[] {load, modify, modify, modify, modify},
                map.sites(1, 0x5555_0000_0000L));
        assertArrayEquals(
                new AccessSite[] {new AccessSite(0xf000_1000L, 1, AccessKind.STORE, 300, 3, false)},
                map.sites(6, 0));
        assertEquals(0, map.sites(2, 0).length);
    }

    @Test
    void shouldRefuseAFileCutAnywhere() throws Exception {
        byte[] whole = image().array();
        for (int length = 0; length < whole.length; length++) {
            Path cut = file(Arrays.copyOf(whole, length));
            assertTrue(assertThrows(IOException.class, () -> CodeMap.open(cut))
                    .getMessage()
                    .startsWith(cut + ", byte "));
        }
    }

    @Test
    void shouldRefuseADamagedHead() throws Exception {
        assertRefused(0, "not a code map");
        assertRefused(SharedLayout.Codemap.VERSION, "code map version ");
        assertRefused(SharedLayout.Codemap.HEADER_SIZE, "header of ");
        assertRefused(SharedLayout.Codemap.FILE_SIZE, "size ");
        assertRefused(SharedLayout.Codemap.ENTRIES, "");
        assertRefused(SharedLayout.Codemap.ENTRIES + 3, "");
        assertRefused(SharedLayout.Codemap.OPERANDS, "");
        assertRefused(SharedLayout.Codemap.BUILD_ID_LENGTH + 3, "build-id of ");
    }

    /** Changes a byte and makes the checksum right again. */
    private void assertRefused(int offset, String cause) throws IOException {
        ByteBuffer bytes = image();
        bytes.put(offset, (byte) (bytes.get(offset) ^ 0x54));
        Path damaged = file(sealed(bytes).array());
        String message =
                assertThrows(IOException.class, () -> CodeMap.open(damaged)).getMessage();
        assertTrue(
                message.startsWith(damaged + ", byte ") && message.contains(": " + cause), message);
    }
}
