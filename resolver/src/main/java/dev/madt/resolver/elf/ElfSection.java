package dev.madt.resolver.elf;

/**
 * A section header (System V ABI, chapter 4).
 *
 * @param index number in the section header table
 * @param address ELF virtual address, 0 if the section is not loaded
 * @param offset file offset in bytes
 * @param entrySize bytes of one entry of a table, else 0
 */
public record ElfSection(
        int index,
        String name,
        int type,
        long flags,
        long address,
        long offset,
        long size,
        int link,
        long entrySize) {
    static final int SYMBOLS = 2;
    static final int RELOCATIONS = 4;
    static final int NO_BITS = 8;
    static final int DYNAMIC_SYMBOLS = 11;
    static final long ALLOCATED = 2;
    static final long EXECUTABLE = 4;
    public static final long COMPRESSED = 0x800;
    static final long THREAD_LOCAL = 0x400;

    /**
     * Returns whether the section occupies addresses of the process; the zeros of thread-local
     * storage do not.
     */
    public boolean allocated() {
        return (flags & ALLOCATED) != 0 && !(type == NO_BITS && (flags & THREAD_LOCAL) != 0);
    }

    /** Returns whether it holds debug information: nothing that is loaded, or that names code. */
    boolean debug() {
        return (flags & ALLOCATED) == 0
                && (name.startsWith(".debug_") || name.startsWith(".zdebug_"));
    }

    /** A section of its number that is empty and has no name. */
    ElfSection absent() {
        return new ElfSection(index, "", 0, 0, 0, 0, 0, 0, 0);
    }

    boolean executable() {
        return (flags & EXECUTABLE) != 0;
    }

    boolean inFile() {
        return type != NO_BITS && type != 0;
    }

    /** One past the last byte in memory. */
    public long end() {
        return address + size;
    }

    boolean contains(long virtual) {
        return allocated() && Long.compareUnsigned(virtual - address, size) < 0;
    }
}
