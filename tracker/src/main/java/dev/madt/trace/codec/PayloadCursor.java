package dev.madt.trace.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the payload of a frame from front to back; whatever would reach over its end is a
 * TraceFormatException with the position.
 */
public final class PayloadCursor {
    private final FrameType type;
    private final ByteBuffer bytes;

    /** @throws IllegalArgumentException if the frame is of another type: a fault of the caller */
    public PayloadCursor(Frame frame, FrameType type) {
        if (frame.type() != type) {
            throw new IllegalArgumentException(
                    frame.type() + " frame where " + type + " is decoded");
        }
        this.type = type;
        this.bytes = frame.payload().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }

    public boolean atEnd() {
        return !bytes.hasRemaining();
    }

    public int remaining() {
        return bytes.remaining();
    }

    int position() {
        return bytes.position();
    }

    int u8() throws TraceFormatException {
        need(1);
        return bytes.get() & 0xff;
    }

    int u16() throws TraceFormatException {
        need(2);
        return bytes.getShort() & 0xffff;
    }

    int u32() throws TraceFormatException {
        need(4);
        return bytes.getInt();
    }

    public long u64() throws TraceFormatException {
        need(8);
        return bytes.getLong();
    }

    /** A word after {@link #need}, which the caller has called for several at once. */
    long word() {
        return bytes.getLong();
    }

    /**
     * A string; what is no UTF-8 in it becomes U+FFFD, and control characters, which no name in a
     * trace has, {@code \\xNN}.
     */
    String string() throws TraceFormatException {
        return PrintableText.harmless(bytes());
    }

    /** A string of several lines, otherwise as {@link #string}. */
    String lines() throws TraceFormatException {
        return PrintableText.harmlessLines(new String(bytes(), StandardCharsets.UTF_8));
    }

    private byte[] bytes() throws TraceFormatException {
        int length = u32();
        if (length < 0) {
            throw malformed("string of " + Integer.toUnsignedString(length) + " bytes");
        }
        need(length);
        byte[] utf8 = new byte[length];
        bytes.get(utf8);
        return utf8;
    }

    void need(int count) throws TraceFormatException {
        if (bytes.remaining() < count) {
            throw malformed(count + " bytes expected, " + bytes.remaining() + " are left");
        }
    }

    public TraceFormatException malformed(String cause) {
        return new TraceFormatException(
                type.tag() + " frame, byte " + bytes.position() + " of its payload: " + cause);
    }
}
