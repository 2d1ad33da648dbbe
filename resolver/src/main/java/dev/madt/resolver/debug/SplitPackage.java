package dev.madt.resolver.debug;

import dev.madt.resolver.elf.ElfImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * A package of what was split off from units, as dwp(1) makes it: of each section all units' parts,
 * and indexes that say where a unit's lie (DWARF 5, section 7.3.5).
 */
final class SplitPackage {
    private static final int VERSION = 5;
    private static final int HEADER = 16;
    private static final int SIGNATURE = 8;
    private static final int NUMBER = 4;
    private static final int MOST_COLUMNS = 8;

    private final DebugSections sections;

    SplitPackage(DebugSections sections) {
        this.sections = sections;
    }

    /**
     * Returns the part with a unit of this signature; null if there is none.
     *
     * @throws IOException if the package is malformed
     */
    DebugSections unit(long signature) throws IOException {
        return find(".debug_cu_index", signature);
    }

    /**
     * Returns the part with a type's unit of this signature; null if there is none.
     *
     * @throws IOException if the package is malformed
     */
    DebugSections type(long signature) throws IOException {
        return find(".debug_tu_index", signature);
    }

    private DebugSections find(String name, long signature) throws IOException {
        ByteBuffer index = sections.get(name);
        if (index.limit() == 0) {
            return null;
        }
        try {
            Map<String, ByteBuffer> parts = parts(index, signature);
            return parts == null ? null : sections.with(parts);
        } catch (RuntimeException e) {
            throw ElfImage.malformed(sections.file(), e);
        }
    }

    private Map<String, ByteBuffer> parts(ByteBuffer index, long signature) throws IOException {
        int columns = index.getInt(4);
        int units = index.getInt(8);
        int slots = index.getInt(12);
        if (index.getShort(0) != VERSION || columns < 0 || columns > MOST_COLUMNS) {
            throw new IOException(sections.file() + ": an index of version " + index.getShort(0)
                    + " with " + columns + " columns is not read");
        }
        int row = row(index, signature, slots);
        if (row == 0) {
            return null;
        }
        int table = HEADER + slots * (SIGNATURE + NUMBER);
        Map<String, ByteBuffer> parts = new HashMap<>();
        for (int column = 0; column < columns; column++) {
            int at = table + NUMBER * column;
            String section = section(index.getInt(at));
            if (section != null) {
                int from = index.getInt(at + NUMBER * columns * row);
                int size = index.getInt(at + NUMBER * columns * (row + units));
                ByteBuffer part = sections.get(section).slice(from, size);
                parts.put(section, part.order(ByteOrder.LITTLE_ENDIAN));
            }
        }
        return parts;
    }

    /** Returns the row of a unit, from 1 on; 0: it has none. */
    private static int row(ByteBuffer index, long signature, int slots) {
        int slot = (int) signature & slots - 1;
        int step = (int) (signature >>> Integer.SIZE) & slots - 1 | 1;
        for (int tried = 0; tried < slots; tried++) {
            int row = index.getInt(HEADER + slots * SIGNATURE + slot * NUMBER);
            if (row == 0 || index.getLong(HEADER + slot * SIGNATURE) == signature) {
                return row;
            }
            slot = slot + step & slots - 1;
        }
        return 0;
    }

    /** Returns the section of a DW_SECT code; null if nobody reads it. */
    private static String section(int code) {
        return switch (code) {
            case 1 -> ".debug_info.dwo";
            case 3 -> ".debug_abbrev.dwo";
            case 5 -> ".debug_loclists.dwo";
            case 6 -> ".debug_str_offsets.dwo";
            case 8 -> ".debug_rnglists.dwo";
            default -> null;
        };
    }
}
