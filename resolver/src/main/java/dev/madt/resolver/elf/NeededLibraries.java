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
    /** {@code DT_FLAGS_1}, {@code DF_1_PIE}. */
    private static final long FLAGS = 0x6ffffffbL;

    private static final long PROGRAM = 0x08000000;

    private NeededLibraries() {}

    /** Returns whether the linker has noted that the module is a program, at any address. */
    public static boolean isProgram(ElfImage image) throws IOException {
        ElfSection section = image.section(DYNAMIC);
        if (section == null || !section.inFile()) {
            return false;
        }
        ByteBuffer entries = image.data(section);
        while (entries.remaining() >= ENTRY_BYTES) {
            long tag = entries.getLong();
            long value = entries.getLong();
            if (tag == END || tag == FLAGS) {
                return tag == FLAGS && (value & PROGRAM) != 0;
            }
        }
        return false;
    }

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
