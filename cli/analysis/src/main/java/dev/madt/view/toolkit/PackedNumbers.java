package dev.madt.view.toolkit;

import java.io.ByteArrayOutputStream;
import java.util.Base64;

/**
 * Numbers for the program of a page: 7 bits a byte, the low ones first (LEB128), in base64. {@code
 * packed} in {@code page.js} reads them.
 */
public final class PackedNumbers {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Adds a number, which is not negative. */
    public PackedNumbers add(long value) {
        long rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes.write((int) (rest & 0x7f | 0x80));
        }
        bytes.write((int) rest);
        return this;
    }

    /** Returns all numbers as text that needs no quoting. */
    public String text() {
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
