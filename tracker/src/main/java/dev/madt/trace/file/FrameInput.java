package dev.madt.trace.file;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.madt.trace.codec.Frame;
import dev.madt.trace.codec.FrameType;
import dev.madt.trace.layout.TraceLayout;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;

/**
 * Takes frame after frame from a stream, and believes nothing that is out of bounds or whose
 * checksum is wrong.
 */
final class FrameInput implements AutoCloseable {
    /** Says that what stands in the stream is no whole frame: it is cut off, or it is damaged. */
    static final class BadFrameException extends IOException {
        private final boolean cut;

        private BadFrameException(boolean cut, String cause) {
            super(cause);
            this.cut = cut;
        }

        boolean cut() {
            return cut;
        }
    }

    private static final Map<String, FrameType> TYPES = Arrays.stream(FrameType.values())
            .collect(Collectors.toUnmodifiableMap(FrameType::tag, type -> type));

    /** So many bytes of a payload are worth being used again. */
    private static final int REUSED = 1 << 14;

    private final InputStream in;
    private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();
    private final byte[] head = new byte[TraceLayout.HEAD_BYTES];
    private final ByteBuffer fields = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
    private byte[] stored = new byte[1 << 16];
    /** Payloads that nobody needs any more; whoever does not give one back makes no difference. */
    private final Queue<byte[]> used = new ConcurrentLinkedQueue<>();

    private long start;
    private long position;
    private long count;
    private long unknown;

    FrameInput(InputStream in) {
        this.in = in;
    }

    /** As many bytes as there are, up to {@code length}; moves the position. */
    int read(byte[] to, int length) throws IOException {
        int got = in.readNBytes(to, 0, length);
        position += got;
        return got;
    }

    boolean atEnd() throws IOException {
        return in.read() < 0;
    }

    /** Byte at which the last frame begins, the bad one too. */
    long start() {
        return start;
    }

    /** Whole frames so far, those of unknown type included. */
    long count() {
        return count;
    }

    /** Returns how many of these are of a type that is not known. */
    long unknown() {
        return unknown;
    }

    /** The next frame whose type is known, or null at the end of the stream. */
    Frame next() throws IOException {
        return next(offset -> true);
    }

    /**
     * As {@link #next()}, but EVTS frames are passed over, unchecked, if they begin at a byte that
     * is not wanted.
     */
    Frame next(LongPredicate wanted) throws IOException {
        while (true) {
            start = position;
            int got = read(head, head.length);
            if (got == 0) {
                return null;
            }
            whole("head", got, head.length);
            int raw = fields.getInt(TraceLayout.RAW_AT);
            int length = fields.getInt(TraceLayout.STORED_AT);
            boolean packed = packed(raw, length);
            FrameType type =
                    TYPES.get(new String(head, 0, TraceLayout.PID_AT, StandardCharsets.US_ASCII));
            if (type == FrameType.EVENTS && !wanted.test(start)) {
                pass(length);
                continue;
            }
            if (stored.length < length) {
                stored = new byte[length];
            }
            whole("payload", read(stored, length), length);
            checksum(length);
            byte[] payload = type == null ? null : payload(packed, raw, length);
            count++;
            unknown += type == null ? 1 : 0;
            if (type != null) {
                return new Frame(
                        type,
                        fields.getInt(TraceLayout.PID_AT),
                        fields.getInt(TraceLayout.TID_AT),
                        ByteBuffer.wrap(payload, 0, raw).order(ByteOrder.LITTLE_ENDIAN));
            }
        }
    }

    /** Takes back the memory of a frame's payload; any thread may give it. */
    void takeBack(byte[] payload) {
        if (payload.length >= REUSED) {
            used.add(payload);
        }
    }

    /** Memory for so many bytes, or more. */
    private byte[] memory(int bytes) {
        byte[] known = bytes < REUSED ? null : used.poll();
        return known != null && known.length >= bytes
                ? known
                : new byte[bytes < REUSED ? bytes : bytes + (bytes >> 2)];
    }

    private void pass(int length) throws IOException {
        try {
            in.skipNBytes(length);
        } catch (EOFException e) {
            throw new BadFrameException(true, "the frame is cut off");
        }
        position += length;
        count++;
    }

    private static void whole(String part, int got, int length) throws BadFrameException {
        if (got < length) {
            throw new BadFrameException(
                    true,
                    "the frame is cut off: " + got + " of " + length + " bytes of its " + part
                            + " are there");
        }
    }

    private boolean packed(int raw, int length) throws BadFrameException {
        int flags = fields.getInt(TraceLayout.FLAGS_AT) & TraceLayout.FLAGS_ESSENTIAL;
        boolean packed = flags == TraceLayout.FLAG_ZSTD;
        boolean possible = raw >= 0
                && raw <= TraceLayout.MOST_RAW
                && length >= 0
                && (packed ? length <= Zstd.compressBound(raw) : flags == 0 && length == raw);
        if (!possible) {
            throw new BadFrameException(
                    false,
                    "the frame's head is damaged: lengths " + Integer.toUnsignedString(raw)
                            + " and " + Integer.toUnsignedString(length) + ", flags 0x"
                            + Integer.toHexString(flags));
        }
        return packed;
    }

    private void checksum(int length) throws BadFrameException {
        CRC32C crc = new CRC32C();
        crc.update(head, 0, TraceLayout.CHECKSUM_AT);
        crc.update(stored, 0, length);
        int expected = fields.getInt(TraceLayout.CHECKSUM_AT);
        if ((int) crc.getValue() != expected) {
            throw new BadFrameException(
                    false,
                    String.format(
                            "the frame is damaged: its checksum is %08x, %08x is noted",
                            (int) crc.getValue(), expected));
        }
    }

    private byte[] payload(boolean packed, int raw, int length) throws BadFrameException {
        if (!packed) {
            byte[] payload = memory(length);
            System.arraycopy(stored, 0, payload, 0, length);
            return payload;
        }
        byte[] payload = memory(raw);
        try {
            int got = zstd.decompressByteArray(payload, 0, raw, stored, 0, length);
            if (got != raw) {
                throw new BadFrameException(
                        false, "the frame has " + got + " bytes of payload, " + raw + " are noted");
            }
        } catch (ZstdException e) {
            throw new BadFrameException(false, "the frame cannot be unpacked: " + e.getMessage());
        }
        return payload;
    }

    @Override
    public void close() {
        zstd.close();
    }
}
