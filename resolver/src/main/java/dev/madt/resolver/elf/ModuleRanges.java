package dev.madt.resolver.elf;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Cuts a module's loaded segments, whole pages as the loader maps them, into code and named data.
 * Only program headers are used, so a file without section headers gives the same ranges. Inside
 * PT_GNU_RELRO is {@code .relro}; the rest of a writable segment is {@code .data} as far as the
 * file has bytes for it and {@code .bss} behind; a segment that is only read is {@code .rodata}.
 */
public final class ModuleRanges {
    private static final long PAGE = 4096;

    private final List<DataRange> data = new ArrayList<>();
    private final List<CodeRange> code = new ArrayList<>();
    private final List<ElfSegment> relro = new ArrayList<>();

    public ModuleRanges(List<ElfSegment> segments) {
        List<ElfSegment> loaded = new ArrayList<>();
        for (ElfSegment segment : segments) {
            if (segment.loaded() && segment.memorySize() > 0) {
                loaded.add(segment);
            } else if (segment.type() == ElfSegment.RELRO) {
                relro.add(segment);
            }
        }
        loaded.sort(Comparator.comparingLong(ElfSegment::address));
        for (int i = 0; i < loaded.size(); i++) {
            long start = pageOf(loaded.get(i).address());
            long end = pageOf(loaded.get(i).end() + PAGE - 1);
            long next =
                    i + 1 < loaded.size() ? pageOf(loaded.get(i + 1).address()) : Long.MAX_VALUE;
            add(loaded.get(i), start, Math.min(end, next));
        }
    }

    public List<DataRange> data() {
        return List.copyOf(data);
    }

    public List<CodeRange> code() {
        return List.copyOf(code);
    }

    private static long pageOf(long address) {
        return address & -PAGE;
    }

    private void add(ElfSegment segment, long start, long end) {
        if (segment.executable()) {
            code.add(new CodeRange(start, end, segment.protection()));
        } else if (!segment.writable()) {
            addData(start, end, ".rodata", segment.protection());
        } else {
            addWritable(segment, start, end);
        }
    }

    private void addWritable(ElfSegment segment, long start, long end) {
        long at = start;
        for (ElfSegment protectedPart : relro) {
            if (segment.contains(protectedPart.address()) && protectedPart.memorySize() > 0) {
                long from = protectedPart.address() == segment.address()
                        ? start
                        : protectedPart.address();
                addParts(segment, at, Math.min(from, end));
                at = Math.max(at, Math.min(protectedPart.end(), end));
                addData(from, at, ".relro", 1);
            }
        }
        addParts(segment, at, end);
    }

    private void addParts(ElfSegment segment, long start, long end) {
        long split = Math.min(end, Math.max(start, segment.address() + segment.fileSize()));
        addData(start, split, ".data", segment.protection());
        addData(split, end, ".bss", segment.protection());
    }

    private void addData(long start, long end, String part, int protection) {
        if (start < end) {
            data.add(new DataRange(start, end, part, protection));
        }
    }
}
