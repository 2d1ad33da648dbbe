package dev.madt.tracker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Checks a code map file, so that {@link CodeMap} can read it without looking: sizes, checksum, order and indices.
 */
final class CodeMapCheck {
    private static final int BUILD_ID_ROOM = 32;
    private static final int LONGEST_INSTRUCTION = 15;
    private static final int MOST_ELEMENTS = 64;

    private final Path file;
    private final ByteBuffer bytes;
    private final long entries;
    private final long operands;

    CodeMapCheck(Path file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
        this.entries = bytes.getInt(SharedLayout.Codemap.ENTRIES) & 0xffffffffL;
        this.operands = bytes.getInt(SharedLayout.Codemap.OPERANDS) & 0xffffffffL;
    }

    void run() throws IOException {
        head();
        checksum();
        long before = -1;
        for (int entry = 0; entry < entries; entry++) {
            int at = SharedLayout.Codemap.BYTES + entry * SharedLayout.CodeEntry.BYTES;
            long offset = bytes.getInt(at + SharedLayout.CodeEntry.OFFSET) & 0xffffffffL;
            require(offset > before, at, "entry " + entry + " is not above the one before it");
            before = offset;
            entry(entry, at);
        }
        for (int operand = 0; operand < operands; operand++) {
            operand(operand, operandAt(operand));
        }
    }

    private void head() throws IOException {
        require(bytes.getLong(SharedLayout.Codemap.MAGIC) == SharedLayout.CODEMAP_MAGIC,
                SharedLayout.Codemap.MAGIC, "not a code map");
        int version = bytes.getInt(SharedLayout.Codemap.VERSION);
        require(version == SharedLayout.CODEMAP_VERSION, SharedLayout.Codemap.VERSION,
                "code map version " + version + ", this madt knows " + SharedLayout.CODEMAP_VERSION);
        int header = bytes.getInt(SharedLayout.Codemap.HEADER_SIZE);
        require(header == SharedLayout.Codemap.BYTES, SharedLayout.Codemap.HEADER_SIZE, "header of " + header + " bytes");
        long size = bytes.getLong(SharedLayout.Codemap.FILE_SIZE);
        require(size == bytes.capacity(), SharedLayout.Codemap.FILE_SIZE,
                "size " + size + " noted, the file has " + bytes.capacity());
        long expected = SharedLayout.Codemap.BYTES
                + entries * SharedLayout.CodeEntry.BYTES + operands * SharedLayout.CodeOperand.BYTES;
        require(size == expected, SharedLayout.Codemap.ENTRIES,
                entries + " entries and " + operands + " operands need " + expected + " bytes, the file has " + size);
        int id = bytes.getInt(SharedLayout.Codemap.BUILD_ID_LENGTH);
        require(id >= 0 && id <= BUILD_ID_ROOM, SharedLayout.Codemap.BUILD_ID_LENGTH, "build-id of " + id + " bytes");
    }

    private void checksum() throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(SharedLayout.Codemap.BYTES, bytes.capacity() - SharedLayout.Codemap.BYTES));
        require((int) crc.getValue() == bytes.getInt(SharedLayout.Codemap.CHECKSUM), SharedLayout.Codemap.CHECKSUM,
                "wrong checksum");
    }

    private void entry(int entry, int at) throws IOException {
        int length = bytes.get(at + SharedLayout.CodeEntry.LENGTH) & 0xff;
        require(length >= 1 && length <= LONGEST_INSTRUCTION, at + SharedLayout.CodeEntry.LENGTH,
                "instruction of " + length + " bytes");
        long first = bytes.getInt(at + SharedLayout.CodeEntry.FIRST_OPERAND) & 0xffffffffL;
        int count = bytes.get(at + SharedLayout.CodeEntry.OPERANDS) & 0xff;
        require(count == 0 || first + count <= operands, at + SharedLayout.CodeEntry.FIRST_OPERAND,
                "entry " + entry + " has operands " + first + " to " + (first + count) + " of " + operands);
        int words = 0;
        for (int i = 0; i < count; i++) {
            words += bytes.get(operandAt(first + i) + SharedLayout.CodeOperand.ELEMENTS) & 0xff;
        }
        require(words == (bytes.get(at + SharedLayout.CodeEntry.WORDS) & 0xff), at + SharedLayout.CodeEntry.WORDS,
                "entry " + entry + " has other words than its operands have elements, " + words);
    }

    private void operand(int operand, int at) throws IOException {
        int access = bytes.get(at + SharedLayout.CodeOperand.ACCESS) & 0xff;
        require(access >= AccessKind.LOAD.code() && access <= AccessKind.MODIFY.code(), at,
                "operand " + operand + " has access kind " + access);
        int elements = bytes.get(at + SharedLayout.CodeOperand.ELEMENTS) & 0xff;
        require(elements >= 1 && elements <= MOST_ELEMENTS, at + SharedLayout.CodeOperand.ELEMENTS,
                "operand " + operand + " has " + elements + " elements");
    }

    private int operandAt(long operand) {
        return (int) (SharedLayout.Codemap.BYTES
                + entries * SharedLayout.CodeEntry.BYTES + operand * SharedLayout.CodeOperand.BYTES);
    }

    private void require(boolean holds, long offset, String cause) throws IOException {
        if (!holds) {
            throw new IOException(file + ", byte " + offset + ": " + cause + "; remove the file, it is made anew");
        }
    }
}
