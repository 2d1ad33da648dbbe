package dev.madt.view.timeline;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A message in the wire format of Protocol Buffers, field by field. */
final class ProtoBuffer {
    private static final int FIRST_ROOM = 256;
    private static final int LONGEST_VARINT = 10;
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;

    private byte[] bytes = new byte[FIRST_ROOM];
    private int size;

    ProtoBuffer clear() {
        size = 0;
        return this;
    }

    /** A field of the types uint32, uint64, int64, bool and enum. */
    ProtoBuffer number(int field, long value) {
        varint((long) field << 3 | VARINT);
        varint(value);
        return this;
    }

    ProtoBuffer text(int field, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return bytes(field, utf8, utf8.length);
    }

    ProtoBuffer message(int field, ProtoBuffer message) {
        return bytes(field, message.bytes, message.size);
    }

    private ProtoBuffer bytes(int field, byte[] from, int length) {
        varint((long) field << 3 | LENGTH_DELIMITED);
        varint(length);
        reserve(length);
        System.arraycopy(from, 0, bytes, size, length);
        size += length;
        return this;
    }

    private void varint(long value) {
        reserve(LONGEST_VARINT);
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            bytes[size++] = (byte) (rest | 0x80);
        }
        bytes[size++] = (byte) rest;
    }

    private void reserve(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, size);
    }
}
