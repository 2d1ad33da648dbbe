package dev.madt.resolver.elf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The names of the functions of a Go program, which it has for its own use, also where it is
 * stripped: {@code .gopclntab} (runtime/symtab.go, of Go 1.18 and later).
 *
 * <pre>
 *   header  0: magic  8: count  24: begin of the text  32: names  64: table …
 *   table   count * | begin, from the text's u32 | description, from the table u32 |, last end
 *   description     | begin u32 | name, from the names u32 | …
 * </pre>
 */
public final class GoFunctions {
    private static final List<String> SECTIONS = List.of(".gopclntab", ".data.rel.ro.gopclntab");
    private static final int MAGIC_1_18 = 0xfffffff0;
    private static final int MAGIC_1_20 = 0xfffffff1;
    private static final int HEADER = 72;
    private static final int COUNT = 8;
    private static final int TEXT = 24;
    private static final int NAMES = 32;
    private static final int TABLE = 64;
    private static final int ROW = 8;

    /**
     * A function.
     *
     * @param start ELF virtual address
     * @param size bytes, up to the next one
     * @param name with its package: {@code main.handle}
     */
    public record Function(long start, long size, String name) {}

    private GoFunctions() {}

    /**
     * Returns whether a module is a Go program of 1.18 or later, whose functions take their
     * arguments in registers.
     */
    public static boolean areIn(ElfImage module) {
        for (String name : SECTIONS) {
            ElfSection section = module.section(name);
            if (section != null && section.size() >= HEADER) {
                return isKnown(
                        module.data(section).order(ByteOrder.LITTLE_ENDIAN).getInt(0));
            }
        }
        return false;
    }

    private static boolean isKnown(int magic) {
        return magic == MAGIC_1_18 || magic == MAGIC_1_20;
    }

    /** Returns the functions of a module; none where it is no Go program, or a damaged one. */
    public static List<Function> of(ElfImage module) {
        for (String name : SECTIONS) {
            ElfSection section = module.section(name);
            if (section != null && section.size() >= HEADER) {
                try {
                    return read(module.data(section).order(ByteOrder.LITTLE_ENDIAN), text(module));
                } catch (IndexOutOfBoundsException | ArithmeticException e) {
                    return List.of();
                }
            }
        }
        return List.of();
    }

    private static long text(ElfImage module) {
        ElfSection text = module.section(".text");
        return text == null ? 0 : text.address();
    }

    private static List<Function> read(ByteBuffer bytes, long textSection) {
        List<Function> functions = new ArrayList<>();
        if (!isKnown(bytes.getInt(0))) {
            return functions;
        }
        long text = bytes.getLong(TEXT) == 0 ? textSection : bytes.getLong(TEXT);
        int names = Math.toIntExact(bytes.getLong(NAMES));
        int table = Math.toIntExact(bytes.getLong(TABLE));
        int count = Math.toIntExact(bytes.getLong(COUNT));
        for (int i = 0; i < count; i++) {
            int row = Math.addExact(table, Math.multiplyExact(i, ROW));
            long start = Integer.toUnsignedLong(bytes.getInt(row));
            long end = Integer.toUnsignedLong(bytes.getInt(row + ROW));
            int description = Math.addExact(table, bytes.getInt(row + Integer.BYTES));
            int name = Math.addExact(names, bytes.getInt(description + Integer.BYTES));
            if (end > start) {
                functions.add(
                        new Function(text + start, end - start, ElfImage.string(bytes, name)));
            }
        }
        return functions;
    }
}
