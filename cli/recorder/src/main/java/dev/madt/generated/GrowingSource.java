package dev.madt.generated;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A file to which a program adds what it makes. It is read up to its end, each part once; what
 * stands at the end and is not whole yet is read again.
 */
abstract class GrowingSource {
    private static final int PART_BYTES = 1 << 16;

    private final FileChannel file;
    private final FunctionsByAddress functions;
    private long read;

    /** @param functions gets what the file says */
    GrowingSource(Path file, FunctionsByAddress functions) throws IOException {
        this.file = FileChannel.open(file);
        this.functions = functions;
    }

    final FunctionsByAddress functions() {
        return functions;
    }

    /** Reads what has been added. */
    final void follow() throws IOException {
        int room = PART_BYTES;
        while (read < file.size()) {
            ByteBuffer bytes = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
            while (bytes.hasRemaining() && file.read(bytes, read + bytes.position()) > 0) {
                continue;
            }
            bytes.flip();
            int taken = take(bytes);
            read += taken;
            if (taken == 0 && read + bytes.limit() >= file.size()) {
                return; // the rest is still to come
            }
            room = taken == 0 ? 2 * room : PART_BYTES;
        }
    }

    /** Takes what is whole at the begin of these bytes; returns how many that are. */
    abstract int take(ByteBuffer bytes) throws IOException;
}
