package dev.madt.resolver;

import dev.madt.resolver.dwarf.UnwindRanges;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSection;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.resolver.elf.SymbolIndex;
import dev.madt.resolver.elf.SymbolTables;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Functions that no symbol table lists, from the unwind table of the module: {@code func@0x1234},
 * the number being the address in the file. A file without section headers leads there by
 * PT_GNU_EH_FRAME.
 */
final class UnwindFunctions {
    private static final int HEADER_SEGMENT = 0x6474e550;
    private static final int RELATIVE_INT = 0x1b;

    private final ElfImage image;

    UnwindFunctions(ElfImage image) {
        this.image = image;
    }

    /** Adds a function for each range in which none is listed. */
    void addTo(SymbolTables tables, SymbolIndex listed) throws IOException {
        ElfSection section = image.section(".eh_frame");
        if (section != null) {
            add(new UnwindRanges(image.data(section), section.address()), tables, listed);
        } else if (image.sections().isEmpty()) {
            addBySegment(tables, listed);
        }
    }

    private static void add(UnwindRanges ranges, SymbolTables tables, SymbolIndex listed) {
        ranges.each((start, end) -> {
            if (!listed.touches(start, end)) {
                tables.addFunction(start, end - start, "func@0x" + Long.toHexString(start));
            }
        });
    }

    private void addBySegment(SymbolTables tables, SymbolIndex listed) throws IOException {
        for (ElfSegment header : image.segments()) {
            if (header.type() == HEADER_SEGMENT && header.fileSize() >= 8) {
                ByteBuffer bytes = image.data(header);
                if (bytes.get(1) == RELATIVE_INT) {
                    addAt(header.address() + 4 + bytes.getInt(4), tables, listed);
                }
            }
        }
    }

    private void addAt(long address, SymbolTables tables, SymbolIndex listed) throws IOException {
        for (ElfSegment segment : image.segments()) {
            long offset = address - segment.address();
            if (segment.loaded() && offset >= 0 && offset < segment.fileSize()) {
                ByteBuffer bytes = image.data(segment);
                ByteBuffer table = bytes.slice((int) offset, bytes.limit() - (int) offset)
                        .order(bytes.order());
                add(new UnwindRanges(table, address), tables, listed);
            }
        }
    }
}
