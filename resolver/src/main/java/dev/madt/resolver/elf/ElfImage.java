package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.fornwall.jelf.ElfException;
import net.fornwall.jelf.ElfFile;

/**
 * An ELF file under the reader: 64-bit, little-endian, x86-64, and every table that is named here
 * lies inside the file. The checks come before jelf sees a table, because jelf allocates what a
 * header claims. Methods may throw unchecked exceptions on malformed contents;
 * {@code ElfModule#open} turns them into an IOException.
 *
 * <p>The header and the segments are read through jelf, sections and symbols in place. jelf has no
 * way to a section's header but {@code getSection}, which makes all that the section's type stands
 * for, each symbol among it. With the 500,000 symbols in a file of 180 MB, all section headers took
 * 370 to 1,040 ms and 89 MB by jelf, and 0 to 55 ms and no memory here; symbols with their names
 * 1.2 to 1.7 s and 480 MB, and 0.6 to 0.9 s and 100 MB here. What is damaged in one section would
 * also keep jelf from another one's header.
 */
public final class ElfImage {
    private static final int HEADER_SIZE = 64;
    private static final int SEGMENT_SIZE = 56;
    private static final int SECTION_SIZE = 64;
    private static final int SYMBOL_SIZE = 24;
    private static final int RELOCATION_SIZE = 24;
    private static final int X86_64 = 62;

    private final Path file;
    private final ElfFile elf;
    private final ByteBuffer bytes;
    private final List<ElfSegment> segments;
    private final List<ElfSection> sections;
    /** Holds what is wrong with the first section of debug information that is damaged; or null. */
    private String debugDamage;

    private ElfImage(Path file, MappedByteBuffer mapped) throws IOException {
        this.file = file;
        this.bytes = mapped.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        checkHeader();
        this.elf = ElfFile.from(mapped);
        this.segments = readSegments();
        this.sections = readSections();
    }

    /**
     * Maps the file and checks its tables.
     *
     * @throws IOException if it cannot be read, is no such ELF file or is malformed
     */
    public static ElfImage open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < HEADER_SIZE || size > Integer.MAX_VALUE) {
                throw new IOException(
                        file + ": " + size + " bytes are not an ELF file that can be read here");
            }
            return new ElfImage(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, size));
        }
    }

    public Path file() {
        return file;
    }

    /** ET_EXEC (2), ET_DYN (3) or another type. */
    public int type() {
        return elf.e_type & 0xffff;
    }

    public List<ElfSegment> segments() {
        return segments;
    }

    /** All sections but the null one; empty where the headers were stripped. */
    public List<ElfSection> sections() {
        return sections;
    }

    /** The first section with this name, or null. */
    public ElfSection section(String name) {
        for (ElfSection section : sections) {
            if (section.name().equals(name)) {
                return section;
            }
        }
        return null;
    }

    /** The bytes of the string table that a symbol table names. */
    ByteBuffer strings(ElfSection table) throws IOException {
        return data(sections.get(checkedLink(table) - 1));
    }

    /** The bytes of a section, little-endian; empty if it has none in the file. */
    public ByteBuffer data(ElfSection section) {
        return section.inFile() ? slice(section.offset(), section.size()) : ByteBuffer.allocate(0);
    }

    /** The bytes of a segment in the file. */
    public ByteBuffer data(ElfSegment segment) throws IOException {
        checkInside("segment at offset", segment.offset(), segment.fileSize());
        return slice(segment.offset(), segment.fileSize());
    }

    /** Returns what is wrong with a file whose reading ended so. */
    public static IOException malformed(Path file, RuntimeException e) {
        String cause = e instanceof ElfException && e.getMessage() != null
                ? e.getMessage()
                : "a size, an offset or an index in it is not possible";
        return new IOException(file + ": malformed ELF file: " + cause, e);
    }

    public IOException malformed(String cause) {
        return new IOException(file + ": malformed ELF file: " + cause);
    }

    /** The NUL-terminated UTF-8 string at an offset of a string table. */
    public static String string(ByteBuffer strings, int offset) {
        int end = offset;
        while (strings.get(end) != 0) {
            end++;
        }
        byte[] text = new byte[end - offset];
        strings.get(offset, text);
        return new String(text, StandardCharsets.UTF_8);
    }

    private ByteBuffer slice(long offset, long size) {
        return bytes.slice((int) offset, (int) size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void checkHeader() throws IOException {
        if (bytes.getInt(0) != 0x464c457f) {
            throw new IOException(file + ": not an ELF file");
        }
        if (bytes.get(4) != 2 || bytes.get(5) != 1 || (bytes.getShort(18) & 0xffff) != X86_64) {
            throw new IOException(file + ": not an x86-64 ELF file of 64 bits");
        }
    }

    private List<ElfSegment> readSegments() throws IOException {
        int count = elf.e_phnum & 0xffff;
        if (count > 0 && elf.e_phentsize != SEGMENT_SIZE) {
            throw malformed("program headers of " + elf.e_phentsize + " bytes");
        }
        checkInside("program headers at offset", elf.e_phoff, (long) count * SEGMENT_SIZE);
        List<ElfSegment> read = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            net.fornwall.jelf.ElfSegment header = elf.getProgramHeader(i);
            ElfSegment segment = new ElfSegment(
                    header.p_type,
                    header.p_flags,
                    header.p_offset,
                    header.p_vaddr,
                    header.p_filesz,
                    header.p_memsz,
                    header.p_align);
            if (segment.loaded()) {
                checkExtent(segment);
            }
            read.add(segment);
        }
        return List.copyOf(read);
    }

    private void checkExtent(ElfSegment segment) throws IOException {
        boolean sane = segment.address() >= 0
                && segment.memorySize() >= segment.fileSize()
                && segment.fileSize() >= 0
                && segment.end() >= segment.address()
                && segment.end() < 1L << 47;
        if (!sane) {
            throw malformed(String.format(
                    "segment at address 0x%x with 0x%x bytes",
                    segment.address(), segment.memorySize()));
        }
    }

    private List<ElfSection> readSections() throws IOException {
        int count = elf.e_shoff == 0 ? 0 : elf.e_shnum & 0xffff;
        if (count == 0) {
            return List.of();
        }
        if (elf.e_shentsize != SECTION_SIZE) {
            throw malformed("section headers of " + elf.e_shentsize + " bytes");
        }
        checkInside("section headers at offset", elf.e_shoff, (long) count * SECTION_SIZE);
        ByteBuffer names = sectionNames(count);
        List<ElfSection> read = new ArrayList<>(count);
        for (int i = 1; i < count; i++) {
            ElfSection section = readSection(i, names);
            read.add(section.debug() ? soundDebug(section, count) : checked(section, count));
        }
        return List.copyOf(read);
    }

    /** Code is recorded and named whatever its debug information is: that is only not there. */
    private ElfSection soundDebug(ElfSection section, int count) {
        try {
            return checked(section, count);
        } catch (IOException e) {
            debugDamage = debugDamage == null ? e.getMessage() : debugDamage;
            return section.absent();
        }
    }

    /**
     * Makes sure that no section of debug information is damaged.
     *
     * @throws IOException that says what is wrong
     */
    public void checkDebug() throws IOException {
        if (debugDamage != null) {
            throw new IOException(debugDamage);
        }
    }

    private ByteBuffer sectionNames(int count) throws IOException {
        int index = elf.e_shstrndx & 0xffff;
        if (index == 0 || index >= count) {
            throw malformed("section names in section " + index + " of " + count);
        }
        int at = (int) elf.e_shoff + index * SECTION_SIZE;
        checkInside("section names at offset", bytes.getLong(at + 24), bytes.getLong(at + 32));
        return slice(bytes.getLong(at + 24), bytes.getLong(at + 32));
    }

    private ElfSection readSection(int index, ByteBuffer names) {
        int at = (int) elf.e_shoff + index * SECTION_SIZE;
        return new ElfSection(
                index,
                string(names, bytes.getInt(at)),
                bytes.getInt(at + 4),
                bytes.getLong(at + 8),
                bytes.getLong(at + 16),
                bytes.getLong(at + 24),
                bytes.getLong(at + 32),
                bytes.getInt(at + 40),
                bytes.getLong(at + 56));
    }

    private ElfSection checked(ElfSection section, int count) throws IOException {
        if (section.inFile()) {
            checkInside(
                    "section " + section.name() + " at offset", section.offset(), section.size());
        }
        long entry =
                switch (section.type()) {
                    case ElfSection.SYMBOLS, ElfSection.DYNAMIC_SYMBOLS -> SYMBOL_SIZE;
                    case ElfSection.RELOCATIONS -> RELOCATION_SIZE;
                    default -> section.entrySize();
                };
        if (section.entrySize() != entry
                || entry > 0 && isTable(section) && section.size() % entry != 0) {
            throw malformed("section " + section.name() + " has entries of " + section.entrySize()
                    + " bytes in " + section.size());
        }
        if (section.link() < 0 || section.link() >= count) {
            throw malformed("section " + section.name() + " refers to section " + section.link()
                    + " of " + count);
        }
        return section;
    }

    private static boolean isTable(ElfSection section) {
        return section.type() == ElfSection.SYMBOLS
                || section.type() == ElfSection.DYNAMIC_SYMBOLS
                || section.type() == ElfSection.RELOCATIONS;
    }

    private int checkedLink(ElfSection table) throws IOException {
        if (table.link() == 0) {
            throw malformed("section " + table.name() + " names no string table");
        }
        return table.link();
    }

    private void checkInside(String what, long offset, long size) throws IOException {
        if (offset < 0 || size < 0 || offset > bytes.limit() - size) {
            throw malformed(String.format(
                    "%s 0x%x with 0x%x bytes lies outside the file of 0x%x bytes",
                    what, offset, size, bytes.limit()));
        }
    }
}
