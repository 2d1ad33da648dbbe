package dev.madt.trace.code;

import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Checks that a file is a whole code map of this version. Its contents are not looked at here:
 * {@code madtcode_check} does that for a map out of the cache, order and indices included, so that
 * a start does not pay for it twice.
 */
final class CodeMapCheck {
    private static final int BUILD_ID_ROOM = 32;

    private final Path file;
    private final ByteBuffer bytes;

    CodeMapCheck(Path file, ByteBuffer bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    void check() throws IOException {
        require(
                bytes.getLong(SharedLayout.Codemap.MAGIC) == SharedLayout.CODEMAP_MAGIC,
                SharedLayout.Codemap.MAGIC,
                "not a code map");
        int version = bytes.getInt(SharedLayout.Codemap.VERSION);
        require(
                version == SharedLayout.CODEMAP_VERSION,
                SharedLayout.Codemap.VERSION,
                "code map version " + version + ", this madt knows "
                        + SharedLayout.CODEMAP_VERSION);
        int header = bytes.getInt(SharedLayout.Codemap.HEADER_SIZE);
        require(
                header == SharedLayout.Codemap.BYTES,
                SharedLayout.Codemap.HEADER_SIZE,
                "header of " + header + " bytes");
        int id = bytes.getInt(SharedLayout.Codemap.BUILD_ID_LENGTH);
        require(
                id >= 0 && id <= BUILD_ID_ROOM,
                SharedLayout.Codemap.BUILD_ID_LENGTH,
                "build-id of " + id + " bytes");
        size();
    }

    private void size() throws IOException {
        long size = bytes.getLong(SharedLayout.Codemap.FILE_SIZE);
        require(
                size == bytes.capacity(),
                SharedLayout.Codemap.FILE_SIZE,
                "size " + size + " noted, the file has " + bytes.capacity());
        long entries = bytes.getInt(SharedLayout.Codemap.ENTRIES) & 0xffffffffL;
        long operands = bytes.getInt(SharedLayout.Codemap.OPERANDS) & 0xffffffffL;
        long functions = bytes.getInt(SharedLayout.Codemap.FUNCTIONS) & 0xffffffffL;
        long expected = SharedLayout.Codemap.BYTES
                + entries * SharedLayout.CodeEntry.BYTES
                + operands * SharedLayout.CodeOperand.BYTES
                + functions * SharedLayout.CodeFunction.BYTES;
        require(
                size == expected,
                SharedLayout.Codemap.ENTRIES,
                entries + " entries, " + operands + " operands and " + functions
                        + " functions need " + expected + " bytes, the file has " + size);
    }

    private void require(boolean holds, long offset, String cause) throws IOException {
        if (!holds) {
            throw new IOException(file + ", byte " + offset + ": " + cause
                    + "; remove the file, it is made anew");
        }
    }
}
