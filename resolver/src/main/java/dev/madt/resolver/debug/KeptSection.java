package dev.madt.resolver.debug;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A section that was unpacked, as a file.
 *
 * <pre>
 * the bytes of the section | "MADTSECT" | CRC32C of the bytes u32 | 0 u32
 * </pre>
 */
public final class KeptSection {
    private static final long MAGIC = 0x54434553_5444414dL;
    private static final int TAIL = 16;
    private static final int PART = 1 << 16;

    private KeptSection() {}

    /** Writes up to {@code most} bytes of a stream, and the tail. */
    static void write(InputStream in, long most, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            CRC32C sum = new CRC32C();
            byte[] part = new byte[PART];
            long total = 0;
            for (int n = in.read(part); n >= 0 && total < most; n = in.read(part)) {
                int kept = (int) Math.min(n, most - total);
                sum.update(part, 0, kept);
                put(channel, ByteBuffer.wrap(part, 0, kept));
                total += kept;
            }
            put(
                    channel,
                    ByteBuffer.allocate(TAIL)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(MAGIC)
                            .putInt((int) sum.getValue())
                            .putInt(0)
                            .flip());
        }
    }

    private static void put(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Returns whether a file is whole. */
    public static boolean isSound(Path file) {
        try {
            ByteBuffer all = map(file);
            int size = all.limit() - TAIL;
            CRC32C sum = new CRC32C();
            sum.update(all.slice(0, size));
            return all.getLong(size) == MAGIC
                    && all.getInt(size + 8) == (int) sum.getValue()
                    && all.getInt(size + 12) == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** The bytes of the section in a file that is whole. */
    static ByteBuffer open(Path file) throws IOException {
        ByteBuffer all = map(file);
        return all.slice(0, all.limit() - TAIL);
    }

    private static ByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < TAIL || size > Integer.MAX_VALUE) {
                throw new IOException(file + ": " + size + " bytes are no kept section");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }
}
