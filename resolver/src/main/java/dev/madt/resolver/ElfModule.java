package dev.madt.resolver;

import dev.madt.resolver.debug.DebugFile;
import dev.madt.resolver.dwarf.FrameRules;
import dev.madt.resolver.elf.AllocatorCode;
import dev.madt.resolver.elf.BuildId;
import dev.madt.resolver.elf.CodeRange;
import dev.madt.resolver.elf.DataRange;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSection;
import dev.madt.resolver.elf.ElfSegment;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.ModuleRanges;
import dev.madt.resolver.elf.NeededLibraries;
import dev.madt.resolver.elf.PltStubs;
import dev.madt.resolver.elf.SymbolIndex;
import dev.madt.resolver.elf.SymbolTables;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * What MadT needs to know of one ELF file: its symbols, with those of its separate debug file if it
 * is stripped, and the named ranges of its memory. All addresses are ELF virtual addresses.
 * Immutable once open; the file is not read again.
 */
public final class ElfModule {
    private static final int FIXED = 2;

    private final Path file;
    private final byte[] buildId;
    private final int type;
    private final List<ElfSegment> segments;
    private final List<ElfSection> sections;
    private final List<String> needed;
    private final ModuleRanges ranges;
    private final SymbolIndex functions;
    private final SymbolIndex data;
    private final FrameRules frames;
    private final CodeRange allocator;

    private ElfModule(ElfImage image, Path debugRoot) throws IOException {
        file = image.file();
        type = image.type();
        segments = image.segments();
        sections = image.sections();
        needed = NeededLibraries.of(image);
        buildId = BuildId.of(image);
        ranges = new ModuleRanges(segments);
        SymbolTables tables = new SymbolTables(
                image,
                image.section(".symtab") != null
                        ? null
                        : new DebugFile(image, buildId, debugRoot).find());
        allocator = AllocatorCode.of(tables.functions(), 5);
        SymbolIndex own = new SymbolIndex(tables.functions());
        new PltStubs(image, address -> nameAt(own, address)).addTo(tables);
        new UnwindFunctions(image).addTo(tables, new SymbolIndex(tables.functions()));
        functions = new SymbolIndex(tables.functions());
        data = new SymbolIndex(tables.data());
        ElfSection unwind = image.section(".eh_frame");
        frames = new FrameRules(
                unwind == null ? ByteBuffer.allocate(0) : image.data(unwind),
                unwind == null ? 0 : unwind.address());
    }

    /**
     * Reads a module.
     *
     * @throws IOException if the file cannot be read, is not an x86-64 ELF file or is malformed;
     *     the message names file and cause
     */
    public static ElfModule open(Path file) throws IOException {
        return open(file, DebugFile.ROOT);
    }

    static ElfModule open(Path file, Path debugRoot) throws IOException {
        try {
            return new ElfModule(ElfImage.open(file), debugRoot);
        } catch (RuntimeException e) {
            throw new IOException(file + ": malformed ELF file: " + e, e);
        }
    }

    public Path file() {
        return file;
    }

    /** The GNU build-id; empty if the file has none. */
    public byte[] buildId() {
        return buildId.clone();
    }

    /** Where the frame begins before an instruction; null if that is not known. */
    public synchronized FrameRules.Rule frame(long code) {
        return frames.at(code);
    }

    /**
     * The code of the C library's allocator, all of which stands for no access of the program's;
     * null if the module has none.
     */
    public CodeRange allocator() {
        return allocator;
    }

    /** The type in the ELF header: ET_EXEC is 2, ET_DYN 3. */
    public int type() {
        return type;
    }

    /** Whether the module runs at its ELF virtual addresses (ET_EXEC). */
    public boolean fixedAddress() {
        return type == FIXED;
    }

    /**
     * The address of its lowest segment if it runs at its ELF virtual addresses, else the greatest
     * number.
     */
    public long lowestFixedAddress() {
        return segments.stream()
                .filter(segment -> fixedAddress() && segment.loaded())
                .mapToLong(ElfSegment::address)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Whether the file names a program interpreter: a dynamically linked program. */
    public boolean hasInterpreter() {
        for (ElfSegment segment : segments) {
            if (segment.type() == ElfSegment.INTERPRETER) {
                return true;
            }
        }
        return false;
    }

    public List<ElfSegment> segments() {
        return segments;
    }

    /** The sections; empty if their headers were stripped. */
    public List<ElfSection> sections() {
        return sections;
    }

    /** The names of the libraries that the module needs, in its order. */
    public List<String> needed() {
        return List.copyOf(needed);
    }

    /** The variables, sorted by address, one name for each address. */
    public List<ElfSymbol> dataSymbols() {
        return data.all();
    }

    /**
     * The functions, listed or known from the unwind table, and named PLT stubs, sorted by address,
     * one name for each address.
     */
    public List<ElfSymbol> functions() {
        return functions.all();
    }

    /** The function or PLT stub that covers the address, or null. */
    public ElfSymbol function(long virtual) {
        return functions.find(virtual);
    }

    /** All names of functions that start at the address, aliases included. */
    public List<String> functionNames(long virtual) {
        return functions.namesAt(virtual);
    }

    /**
     * {@code .data}, {@code .bss}, {@code .rodata} or {@code .relro}; null if the address is code
     * or no part of the module.
     */
    public String regionName(long virtual) {
        for (DataRange range : ranges.data()) {
            if (virtual >= range.start() && virtual < range.end()) {
                return range.part();
            }
        }
        return null;
    }

    /** All loaded memory but the executable one, in whole pages at the segments' ends. */
    public List<DataRange> dataRanges() {
        return ranges.data();
    }

    /** The executable memory, in whole pages. */
    public List<CodeRange> codeRanges() {
        return ranges.code();
    }

    private static String nameAt(SymbolIndex functions, long address) {
        ElfSymbol found = functions.find(address);
        return found != null && found.address() == address ? found.name() : null;
    }
}
