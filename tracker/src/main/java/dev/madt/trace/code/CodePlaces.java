package dev.madt.trace.code;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * All proven instructions of one module, as the analyser tells them ({@code madtcode_places}): what
 * they are to functions and blocks, and whether a patch can take them away. By address, which is an
 * ELF virtual address.
 */
public final class CodePlaces {
    /** {@code MADTCODE_BEGINS_BLOCK}. */
    public static final int BEGINS_BLOCK = 1;
    /** {@code MADTCODE_ENDS_BLOCK}. */
    public static final int ENDS_BLOCK = 2;
    /** {@code MADTCODE_RETURNS}. */
    public static final int RETURNS = 4;
    /** {@code MADTCODE_GOES_ON}. */
    public static final int GOES_ON = 8;

    private static final long MAGIC = 0x4543414c5054444dL;
    private static final int HEAD_BYTES = 16;
    private static final int COUNT_AT = 8;
    private static final int PLACE_BYTES = 8;
    private static final int LENGTH_AT = 4;
    private static final int ROLES_AT = 5;
    private static final int HINDRANCE_AT = 6;
    /** {@code enum madtcode_hindrance}. */
    private static final String[] HINDRANCES = {
        null,
        "its bytes are read as data",
        "it is part of a restartable sequence",
        "it is an endbr64, which stays where it is",
        "it does what it does only where it stands"
    };

    /** {@code MADTCODE_LANDS}. */
    private static final int LANDS = 3;

    private final ByteBuffer bytes;
    private final int count;

    private CodePlaces(ByteBuffer bytes, int count) {
        this.bytes = bytes;
        this.count = count;
    }

    /** Reads a file of places. */
    public static CodePlaces open(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        int count = isSound(bytes) ? bytes.getInt(COUNT_AT) : -1;
        if (count < 0) {
            throw new IOException(file + " holds no places of instructions");
        }
        return new CodePlaces(bytes, count);
    }

    /** Returns whether a file holds places, whole. */
    public static boolean isSound(Path file) {
        try {
            open(file);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isSound(ByteBuffer bytes) {
        return bytes.capacity() >= HEAD_BYTES
                && bytes.getLong(0) == MAGIC
                && HEAD_BYTES + (long) bytes.getInt(COUNT_AT) * PLACE_BYTES == bytes.capacity();
    }

    /** Returns the number of instructions. */
    public int count() {
        return count;
    }

    public long address(int row) {
        return bytes.getInt(HEAD_BYTES + row * PLACE_BYTES) & 0xffffffffL;
    }

    /** Returns the address behind it. */
    public long end(int row) {
        return address(row) + bytes.get(HEAD_BYTES + row * PLACE_BYTES + LENGTH_AT);
    }

    /** Returns whether it has one of these roles. */
    public boolean is(int row, int roles) {
        return (bytes.get(HEAD_BYTES + row * PLACE_BYTES + ROLES_AT) & roles) != 0;
    }

    /** Returns why no instrument can stand there; null: one can. */
    public String hindrance(int row) {
        return HINDRANCES[bytes.get(HEAD_BYTES + row * PLACE_BYTES + HINDRANCE_AT)];
    }

    /** Returns whether it is an endbr64. */
    public boolean lands(int row) {
        return bytes.get(HEAD_BYTES + row * PLACE_BYTES + HINDRANCE_AT) == LANDS;
    }

    /** Returns the row of the first instruction at or above an address. */
    public int from(long address) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (address(middle) < address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
