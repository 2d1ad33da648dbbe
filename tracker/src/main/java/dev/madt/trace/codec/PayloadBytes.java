package dev.madt.trace.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The payload of a frame while it is put together: little-endian integers and strings, appended.
 */
public final class PayloadBytes {
    private static final int FIRST_ROOM = 256;

    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_ROOM).order(ByteOrder.LITTLE_ENDIAN);

    public int size() {
        return bytes.position();
    }

    PayloadBytes u8(int value) {
        room(1).put((byte) checked(value, 0xff));
        return this;
    }

    PayloadBytes u16(int value) {
        room(2).putShort((short) checked(value, 0xffff));
        return this;
    }

    /** All 32 bits are allowed, also those of a negative number. */
    PayloadBytes u32(int value) {
        room(4).putInt(value);
        return this;
    }

    public PayloadBytes u64(long value) {
        room(8).putLong(value);
        return this;
    }

    PayloadBytes u64s(long[] values, int from, int count) {
        ByteBuffer to = room(8 * count);
        for (int i = from; i < from + count; i++) {
            to.putLong(values[i]);
        }
        return this;
    }

    PayloadBytes add(PayloadBytes others) {
        room(others.size()).put(others.bytes.array(), 0, others.size());
        return this;
    }

    PayloadBytes string(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        u32(utf8.length);
        room(utf8.length).put(utf8);
        return this;
    }

    PayloadBytes bytes(ByteBuffer others) {
        room(others.remaining()).put(others);
        return this;
    }

    /** Everything appended. */
    byte[] copy() {
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /** The frame of everything appended; this object is empty afterwards. */
    public Frame frame(FrameType type, int pid, int tid) {
        byte[] payload = copy();
        bytes.clear();
        return new Frame(type, pid, tid, ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN));
    }

    private ByteBuffer room(int more) {
        if (bytes.remaining() < more) {
            int capacity = Math.max(2 * bytes.capacity(), bytes.position() + more);
            bytes = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(bytes.flip());
        }
        return bytes;
    }

    private static int checked(int value, int most) {
        if (value < 0 || value > most) {
            throw new IllegalArgumentException(value + " does not fit, the most is " + most);
        }
        return value;
    }
}
