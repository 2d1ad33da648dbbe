package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Reads the GNU build-id note (type 3, name "GNU") from note sections or, in a file without section
 * headers, from PT_NOTE segments.
 */
public final class BuildId {
    private static final int NOTE_SECTION = 7;
    private static final int GNU_BUILD_ID = 3;
    private static final int GNU = 0x00554e47;

    private BuildId() {}

    /** The id, or an empty array if the file has none. */
    public static byte[] of(ElfImage image) throws IOException {
        for (ElfSection section : image.sections()) {
            if (section.type() == NOTE_SECTION) {
                byte[] id = find(image.data(section), 4);
                if (id.length > 0) {
                    return id;
                }
            }
        }
        if (image.sections().isEmpty()) {
            for (ElfSegment segment : image.segments()) {
                if (segment.type() == ElfSegment.NOTE) {
                    byte[] id = find(image.data(segment), 4);
                    if (id.length > 0) {
                        return id;
                    }
                }
            }
        }
        return new byte[0];
    }

    /**
     * Returns which build of a module this is, as a word: its id, or else a sum of its code.
     *
     * @param id as {@link #of} gives it
     */
    public static String word(byte[] id, Path file) throws IOException {
        if (id.length > 0) {
            return HexFormat.of().formatHex(id);
        }
        ElfImage image = ElfImage.open(file);
        CRC32C sum = new CRC32C();
        for (ElfSegment segment : image.segments()) {
            if (segment.loaded() && segment.executable()) {
                sum.update(image.data(segment));
            }
        }
        return "code:" + Long.toHexString(sum.getValue());
    }

    private static byte[] find(ByteBuffer notes, int align) {
        ByteBuffer in = notes.order(ByteOrder.LITTLE_ENDIAN);
        long at = 0;
        while (at + 12 <= in.limit()) {
            int start = (int) at;
            long nameSize = in.getInt(start) & 0xffffffffL;
            long size = in.getInt(start + 4) & 0xffffffffL;
            long description = at + 12 + aligned(nameSize, align);
            if (description + size > in.limit()) {
                break;
            }
            if (in.getInt(start + 8) == GNU_BUILD_ID
                    && nameSize == 4
                    && in.getInt(start + 12) == GNU) {
                byte[] id = new byte[(int) size];
                in.get((int) description, id);
                return id;
            }
            at = description + aligned(size, align);
        }
        return new byte[0];
    }

    private static long aligned(long size, int align) {
        return size + align - 1 & -(long) align;
    }
}
