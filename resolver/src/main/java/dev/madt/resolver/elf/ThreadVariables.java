package dev.madt.resolver.elf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The thread-local variables of a module (Drepper, ELF Handling For Thread-Local Storage, 2.2): a
 * symbol of type STT_TLS has as its value the offset in each thread's copy of the module's storage.
 */
public final class ThreadVariables {
    private static final int THREAD_LOCAL = 6;
    private static final int STORAGE = 7;

    private ThreadVariables() {}

    /** Bytes of each thread's copy; 0 if the module has no thread-local storage. */
    public static long bytes(List<ElfSegment> segments) {
        return segments.stream()
                .filter(segment -> segment.type() == STORAGE)
                .mapToLong(ElfSegment::memorySize)
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns how far behind the thread pointer a program's storage begins, a number below zero:
     * it is the first one in front of that (the same, 3.4.2, variant II).
     */
    public static long distance(List<ElfSegment> segments) {
        return segments.stream()
                .filter(ElfSegment::threadLocal)
                .mapToLong(segment -> {
                    long align = Math.max(1, segment.alignment());
                    long first = -segment.address() & align - 1;
                    long size = segment.memorySize() - first + align - 1;
                    return -(size - Math.floorMod(size, align) + first);
                })
                .findFirst()
                .orElse(0);
    }

    /**
     * The variables, sorted by offset, one name for each offset.
     *
     * @param debug the module's debug file or null
     * @param bytes of each thread's copy
     */
    public static List<ElfSymbol> read(ElfImage module, ElfImage debug, long bytes)
            throws IOException {
        List<SymbolCandidate> all = new ArrayList<>();
        addTables(module, bytes, all);
        if (debug != null) {
            addTables(debug, bytes, all);
        }
        SymbolTables.distinguish(all);
        all.sort(SymbolCandidate.ORDER);
        List<ElfSymbol> chosen = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            SymbolCandidate one = all.get(i);
            if (i == 0 || all.get(i - 1).address() != one.address()) {
                chosen.add(new ElfSymbol(one.address(), one.size(), one.name()));
            }
        }
        return chosen;
    }

    private static void addTables(ElfImage image, long bytes, List<SymbolCandidate> all)
            throws IOException {
        for (ElfSection section : image.sections()) {
            if (section.type() == ElfSection.SYMBOLS
                    || section.type() == ElfSection.DYNAMIC_SYMBOLS) {
                addTable(new SymbolTable(image, section), bytes, all);
            }
        }
    }

    private static void addTable(SymbolTable table, long bytes, List<SymbolCandidate> all) {
        String file = null;
        for (int symbol = 0; symbol < table.count(); symbol++) {
            long offset = table.value(symbol);
            long size = table.size(symbol);
            if (table.type(symbol) == SymbolTables.FILE) {
                file = table.string(symbol);
            } else if (table.type(symbol) == THREAD_LOCAL
                    && table.section(symbol) != 0
                    && table.isNamed(symbol)
                    && offset >= 0
                    && offset < bytes
                    && size > 0) {
                int binding = SymbolTables.bindingOf(table.binding(symbol));
                all.add(new SymbolCandidate(
                        offset,
                        Math.min(size, bytes - offset),
                        bytes,
                        binding,
                        table.name(symbol),
                        binding == SymbolTables.LOCAL && file != null && !file.isEmpty()
                                ? file
                                : null));
            }
        }
    }
}
