package dev.madt.testprogs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds what the oracle needs of an ELF program: where its segments lie. All addresses are those of
 * the file. The data range reaches over RELRO, .data, .bss and .rodata: every byte of the file's
 * memory that is not executable.
 */
public final class ProgramFile {
    private static final int PT_LOAD = 1;
    private static final int PF_X = 1;

    private final Path path;
    private final AddressRanges code = new AddressRanges();
    private final long first;
    private final long last;
    private final long firstCode;
    private final ByteBuffer elf;
    private final List<long[]> loads = new ArrayList<>();

    public ProgramFile(Path path) throws IOException {
        this.path = path;
        elf = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        int headers = (int) elf.getLong(32);
        int size = elf.getShort(54);
        long low = Long.MAX_VALUE;
        long high = 0;
        long executable = 0;
        for (int i = 0; i < elf.getShort(56); i++) {
            int header = headers + i * size;
            if (elf.getInt(header) != PT_LOAD) {
                continue;
            }
            long start = elf.getLong(header + 16);
            long end = start + elf.getLong(header + 40);
            loads.add(
                    new long[] {start, start + elf.getLong(header + 32), elf.getLong(header + 8)});
            low = Math.min(low, start);
            high = Math.max(high, end);
            if ((elf.getInt(header + 4) & PF_X) != 0) {
                code.add(start, end);
                executable = start;
            }
        }
        first = low;
        last = high;
        firstCode = executable;
    }

    public Path path() {
        return path;
    }

    public boolean isCode(long address) {
        return code.contains(address);
    }

    /** Returns whether the address belongs to the program's own data. */
    public boolean isData(long address) {
        return address >= first && address < last && !code.contains(address);
    }

    /**
     * The bytes at an address of the file; fewer where the segment ends, none outside of segments.
     */
    public byte[] bytes(long address, int count) {
        for (long[] load : loads) {
            if (address >= load[0] && address < load[1]) {
                byte[] bytes = new byte[(int) Math.min(count, load[1] - address)];
                elf.get((int) (address - load[0] + load[2]), bytes);
                return bytes;
            }
        }
        return new byte[0];
    }

    /** Address of the first byte in memory. */
    public long first() {
        return first;
    }

    /** Address behind the last byte in memory. */
    public long last() {
        return last;
    }

    /** Start of the executable segment, rounded down to its page. */
    long codePage() {
        return firstCode & -4096L;
    }
}
