package dev.madt.resolver.elf;

/**
 * A named range of a module.
 *
 * @param address ELF virtual address of its first byte
 * @param size bytes; where the symbol table gives none, up to the next symbol or the end of the
 *     section
 * @param name without version; PLT stubs end in {@code @plt}
 */
public record ElfSymbol(long address, long size, String name) {
    /** Ends the names of PLT stubs. */
    static final String STUB = "@plt";

    /** Returns whether a function of this name is a PLT stub. */
    public static boolean isStub(String name) {
        return name.endsWith(STUB);
    }

    /** One past the last byte. */
    public long end() {
        return address + size;
    }
}
