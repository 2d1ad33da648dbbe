package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The libraries that a module asks the loader for: DT_NEEDED of its dynamic section (System V ABI,
 * chapter 5).
 */
public final class NeededLibraries {
    private static final String DYNAMIC = ".dynamic";
    private static final int ENTRY_BYTES = 16;
    private static final long END = 0;
    private static final long NEEDED = 1;

    private NeededLibraries() {}

    /** Their names in the file's order; none where the section headers were stripped. */
    public static List<String> of(ElfImage image) throws IOException {
        ElfSection section = image.section(DYNAMIC);
        List<String> names = new ArrayList<>();
        if (section == null || !section.inFile()) {
            return names;
        }
        ByteBuffer entries = image.data(section);
        ByteBuffer strings = image.strings(section);
        while (entries.remaining() >= ENTRY_BYTES) {
            long tag = entries.getLong();
            long value = entries.getLong();
            if (tag == END) {
                break;
            } else if (tag == NEEDED) {
                names.add(ElfImage.string(strings, Math.toIntExact(value)));
            }
        }
        return names;
    }
}
