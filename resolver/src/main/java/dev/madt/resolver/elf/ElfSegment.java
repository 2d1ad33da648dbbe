package dev.madt.resolver.elf;

/** A program header (System V ABI, chapter 5); addresses are ELF virtual addresses, sizes bytes. */
public record ElfSegment(
        int type,
        int flags,
        long offset,
        long address,
        long fileSize,
        long memorySize,
        long alignment) {
    static final int LOAD = 1;
    public static final int INTERPRETER = 3;
    static final int NOTE = 4;
    static final int STORAGE = 7;
    static final int RELRO = 0x6474e552;
    static final int EXECUTE = 1;
    static final int WRITE = 2;
    static final int READ = 4;

    public boolean loaded() {
        return type == LOAD;
    }

    /** Returns whether it is what each thread's storage begins with: PT_TLS. */
    public boolean threadLocal() {
        return type == STORAGE;
    }

    public boolean executable() {
        return (flags & EXECUTE) != 0;
    }

    public boolean writable() {
        return (flags & WRITE) != 0;
    }

    /** Protection in the numbers of MAPS frames and of mmap: 1 read, 2 write, 4 execute. */
    public int protection() {
        return (flags & READ) >> 2 | flags & WRITE | (flags & EXECUTE) << 2;
    }

    /** One past the last byte in memory. */
    public long end() {
        return address + memorySize;
    }

    boolean contains(long virtual) {
        return Long.compareUnsigned(virtual - address, memorySize) < 0;
    }
}
