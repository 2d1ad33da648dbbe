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
import dev.madt.resolver.elf.FileVersion;
import dev.madt.resolver.elf.GoFunctions;
import dev.madt.resolver.elf.GoTypes;
import dev.madt.resolver.elf.ModuleRanges;
import dev.madt.resolver.elf.NeededLibraries;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.resolver.elf.StaticProbes;
import dev.madt.resolver.elf.ThreadVariables;
import dev.madt.trace.code.CodeFunctions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Says what MadT needs to know of one ELF file: its symbols, with those of its separate debug file
 * if it is stripped, and the named ranges of its memory. All addresses are ELF virtual addresses.
 * Immutable once open.
 */
public final class ElfModule {
    private static final int FIXED = 2;
    private static final Pattern CLONE = Pattern.compile("\\.(constprop|isra|part)\\.");

    private final Path file;
    private final String version;
    private final byte[] buildId;
    private final int type;
    private final List<ElfSegment> segments;
    private final List<ElfSection> sections;
    private final boolean program;
    private final List<String> needed;
    private final ModuleRanges ranges;
    private final ModuleSymbols symbols;
    private final FunctionSource source;
    private final Path debugRoot;
    private final ByteBuffer unwind;
    private final long unwindAddress;
    private final List<StaticProbe> staticProbes;
    private final boolean ofGo;
    private GoTypes goTypes;
    /** Null until it is asked for. */
    private FrameRules frames;

    private ElfModule(ElfImage image, Path debugRoot, SymbolStore store, FunctionSource source)
            throws IOException {
        this.source = source;
        this.debugRoot = debugRoot;
        file = image.file();
        version = FileVersion.of(file);
        type = image.type();
        segments = image.segments();
        sections = image.sections();
        needed = NeededLibraries.of(image);
        program = NeededLibraries.isProgram(image);
        buildId = BuildId.of(image);
        ranges = new ModuleRanges(segments);
        ElfImage debug = debugFile(image);
        Path kept = store.symbols(
                file, tables(image, debug), out -> read(image, debug).write(out));
        symbols = kept == null ? read(image, debug) : ModuleSymbols.open(kept);
        ElfSection section = image.section(".eh_frame");
        unwind = section == null ? ByteBuffer.allocate(0) : image.data(section);
        unwindAddress = section == null ? 0 : section.address();
        staticProbes = StaticProbes.of(image);
        ofGo = GoFunctions.areIn(image);
    }

    /** The file with the symbols that the module itself lacks; null: it has them, or none is. */
    private ElfImage debugFile(ElfImage image) throws IOException {
        return image.section(".symtab") != null
                ? null
                : new DebugFile(image, buildId, debugRoot).find();
    }

    private ModuleSymbols read(ElfImage image, ElfImage debug) throws IOException {
        return ModuleSymbols.read(image, debug, source.functions(file, buildId));
    }

    /**
     * Reads a module, with the functions alone that its symbol tables list.
     *
     * @throws IOException if the file cannot be read, is not an x86-64 ELF file or is malformed;
     *     the message names file and cause
     */
    public static ElfModule open(Path file) throws IOException {
        return open(file, DebugFile.ROOT);
    }

    /**
     * The same with all functions of the module.
     *
     * @param store has what is known of its names, or keeps it
     * @param source says where its functions are
     */
    public static ElfModule open(Path file, SymbolStore store, FunctionSource source)
            throws IOException {
        return open(file, DebugFile.ROOT, store, source);
    }

    static ElfModule open(Path file, Path debugRoot) throws IOException {
        return open(file, debugRoot, SymbolStore.NONE, FunctionSource.NONE);
    }

    static ElfModule open(Path file, Path debugRoot, SymbolStore store, FunctionSource source)
            throws IOException {
        try {
            return new ElfModule(ElfImage.open(file), debugRoot, store, source);
        } catch (RuntimeException e) {
            throw ElfImage.malformed(file, e);
        }
    }

    /**
     * Returns which tables there are, as a word: a module may be stripped, and debug files come and
     * go. The store tells the bytes of modules apart.
     */
    private static String tables(ElfImage image, ElfImage debug) throws IOException {
        String own = Long.toHexString(Files.size(image.file()));
        return debug == null ? own : own + "-" + FileVersion.of(debug.file());
    }

    public Path file() {
        return file;
    }

    /** Returns the places that its source names for tools, in the order of their notes. */
    public List<StaticProbe> staticProbes() {
        return staticProbes;
    }

    /**
     * Returns the type that Go describes at an ELF virtual address; null if none can be read. Reads
     * the file again.
     */
    public synchronized GoTypes.GoType goType(long virtual) {
        try {
            goTypes = goTypes == null ? GoTypes.of(ElfImage.open(file)) : goTypes;
            return goTypes.at(virtual);
        } catch (IOException | RuntimeException e) {
            return null; // it has changed, and is named by its code alone
        }
    }

    /** Returns whether it is a Go program whose functions are known ({@link GoFunctions}). */
    public boolean isOfGo() {
        return ofGo;
    }

    /** Returns whether the file is still what was read. */
    public boolean isUnchanged() {
        try {
            return version.equals(FileVersion.of(file));
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether the code from one address to another has a system call, or may have one. */
    public boolean hasSystemCall(long start, long end) {
        ByteBuffer code = ByteBuffer.allocate((int) (end - start));
        try (FileChannel channel = FileChannel.open(file)) {
            for (ElfSegment segment : segments) {
                if (segment.executable()
                        && start >= segment.address()
                        && end <= segment.address() + segment.fileSize()) {
                    channel.read(code, start - segment.address() + segment.offset());
                }
            }
        } catch (IOException e) {
            return true; // it cannot be told
        }
        boolean found = code.hasRemaining();
        for (int i = 0; i + 1 < code.capacity(); i++) {
            found |= code.get(i) == 0x0f && code.get(i + 1) == 0x05;
        }
        return found;
    }

    /** The GNU build-id; empty if the file has none. */
    public byte[] buildId() {
        return buildId.clone();
    }

    /** Returns which build it is: {@link BuildId#word}. */
    public String build() throws IOException {
        return BuildId.word(buildId, file);
    }

    /** Returns where the frame begins before an instruction; null if that is not known. */
    public synchronized FrameRules.Rule frame(long code) {
        return frames().at(code);
    }

    /**
     * Returns whether a function is what a compiler has made of another one, which may take other
     * arguments.
     */
    public boolean isClone(long function) {
        return functionNames(function).stream()
                .anyMatch(name -> CLONE.matcher(name).find());
    }

    /** As {@link FrameRules#saved}. */
    public synchronized Map<Integer, Long> saved(long code) {
        return frames().saved(code);
    }

    /** As {@link FrameRules#savesPlainly}. */
    public synchronized boolean savesPlainly(long code) {
        return frames().savesPlainly(code);
    }

    private FrameRules frames() {
        if (frames == null) {
            frames = new FrameRules(unwind, unwindAddress, ranges());
        }
        return frames;
    }

    private CodeFunctions ranges() {
        try {
            return source.functions(file, buildId);
        } catch (IOException e) {
            return CodeFunctions.NONE;
        }
    }

    /**
     * The code of an allocator, all of which stands for no access of the program's; null if the
     * module has none.
     */
    public AllocatorCode allocator() {
        return symbols.allocator();
    }

    /** Returns whether it has a malloc of its own, or another function of an allocator. */
    public boolean bringsAllocator() {
        return symbols.bringsAllocator();
    }

    /** The type in the ELF header: ET_EXEC is 2, ET_DYN 3. */
    public int type() {
        return type;
    }

    /** Returns whether the module runs at its ELF virtual addresses (ET_EXEC). */
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

    /** Returns whether the file names a program interpreter: a dynamically linked program. */
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
        return symbols.data().all();
    }

    /**
     * Returns how far behind the thread pointer each thread's copy of its thread-local storage is;
     * null: it is no program, so that only the loader knows.
     */
    public Long threadDistance() {
        return program || fixedAddress() ? ThreadVariables.distance(segments) : null;
    }

    /** Bytes of each thread's copy of its thread-local storage; 0 if it has none. */
    public long threadStorage() {
        return ThreadVariables.bytes(segments);
    }

    /**
     * The thread-local variables, sorted by their offsets in that storage, which are their
     * addresses here. Reads the file again.
     */
    public List<ElfSymbol> threadVariables() throws IOException {
        ElfImage image = ElfImage.open(file);
        return ThreadVariables.read(image, debugFile(image), threadStorage());
    }

    /**
     * The functions, listed or known from the analyser, and named PLT stubs, sorted by address,
     * one name for each address.
     */
    public List<ElfSymbol> functions() {
        return symbols.functions().all();
    }

    /** The function or PLT stub that covers the address, or null. */
    public ElfSymbol function(long virtual) {
        return symbols.functions().find(virtual);
    }

    /** Returns where the function or PLT stub begins that covers the address; -1 if none does. */
    public long functionStart(long virtual) {
        return symbols.functions().startAround(virtual);
    }

    /** All names of functions that start at the address, aliases included. */
    public List<String> functionNames(long virtual) {
        return symbols.functions().namesAt(virtual);
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
}
