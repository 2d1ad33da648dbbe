package dev.madt.resolver.dwarf;

import dev.madt.trace.codec.PrintableText;
import java.nio.ByteBuffer;

/**
 * Integers and strings of a section, little-endian, from a position that moves (DWARF 5, section
 * 7). Reading over the end of the buffer throws an IndexOutOfBoundsException; no other exception
 * occurs, and each call ends after at most the rest of the buffer.
 */
final class SectionReader {
    /** A longer name is cut: no compiler makes it. */
    private static final int LONGEST_TEXT = 1 << 16;

    private final ByteBuffer bytes;
    private int at;

    SectionReader(ByteBuffer bytes, long from) {
        this.bytes = bytes;
        seek(from);
    }

    int position() {
        return at;
    }

    boolean hasMore() {
        return at < bytes.limit();
    }

    void seek(long position) {
        if (position < 0 || position > bytes.limit()) {
            throw new IndexOutOfBoundsException("0x" + Long.toHexString(position) + " of 0x"
                    + Integer.toHexString(bytes.limit()));
        }
        at = (int) position;
    }

    void skip(long count) {
        seek(at + checked(count));
    }

    private static long checked(long count) {
        if (count < 0) {
            throw new IndexOutOfBoundsException("a length of " + Long.toUnsignedString(count));
        }
        return Math.min(count, Integer.MAX_VALUE);
    }

    int u8() {
        return bytes.get(at++) & 0xff;
    }

    int u16() {
        int value = bytes.getShort(at) & 0xffff;
        at += 2;
        return value;
    }

    int u24() {
        return u16() | u8() << 16;
    }

    long u32() {
        long value = bytes.getInt(at) & 0xffffffffL;
        at += 4;
        return value;
    }

    long u64() {
        long value = bytes.getLong(at);
        at += 8;
        return value;
    }

    /** An offset of 4 bytes, or of 8 in the 64-bit format. */
    long offset(boolean wide) {
        return wide ? u64() : u32();
    }

    /** Unsigned LEB128; bits beyond the 64th are lost. */
    long uleb() {
        long value = 0;
        int shift = 0;
        while (true) {
            byte part = bytes.get(at++);
            if (shift < 64) {
                value |= (part & 0x7fL) << shift;
            }
            if (part >= 0) {
                return value;
            }
            shift += 7;
        }
    }

    /** Signed LEB128; bits beyond the 64th are lost. */
    long sleb() {
        long value = 0;
        int shift = 0;
        byte part;
        do {
            part = bytes.get(at++);
            if (shift < 64) {
                value |= (part & 0x7fL) << shift;
            }
            shift += 7;
        } while (part < 0);
        return shift < 64 && (part & 0x40) != 0 ? value | -1L << shift : value;
    }

    void skipLeb() {
        while (bytes.get(at++) < 0) {}
    }

    void skipString() {
        while (bytes.get(at++) != 0) {}
    }

    /** A NUL-terminated string, as a {@link PrintableText}. */
    String string() {
        int start = at;
        skipString();
        byte[] text = new byte[Math.min(at - 1 - start, LONGEST_TEXT)];
        bytes.get(start, text);
        return PrintableText.of(text, 0, text.length);
    }
}
