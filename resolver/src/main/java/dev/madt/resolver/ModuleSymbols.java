package dev.madt.resolver;

import dev.madt.resolver.elf.AllocatorCode;
import dev.madt.resolver.elf.CodeRange;
import dev.madt.resolver.elf.ElfImage;
import dev.madt.resolver.elf.ElfSymbol;
import dev.madt.resolver.elf.GoFunctions;
import dev.madt.resolver.elf.PltStubs;
import dev.madt.resolver.elf.SymbolIndex;
import dev.madt.resolver.elf.SymbolTables;
import dev.madt.trace.code.CodeFunctions;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Holds what the symbol tables of a module and of its debug file say of where the analyser found
 * functions, and of data. To read the tables of a large program takes longer than to run it, so
 * what they say can be kept in a file, which is mapped and read in place. Immutable.
 *
 * <pre>
 * 0   "MADTSYMS"               8   version u32, CRC32C of all bytes behind it u32
 * 16  file size u64            24  1 where it brings an allocator u64
 * 32  sizes of the functions, of the data and of the allocator's code, u64 each
 * 56  functions, data          ({@link SymbolIndex}, from multiples of 8)
 *     the allocator's code     (start, end of each range, from a multiple of 8)
 * </pre>
 */
public final class ModuleSymbols {
    /** To be raised with every change of what is kept, or of how names are chosen. */
    public static final int VERSION = 7;

    private static final long MAGIC = 0x534d5953_5444414dL;
    private static final int SIZE_AT = 16;
    private static final int SUM_AT = 12;
    private static final int SUMMED = 16;
    private static final int HEAD = 56;
    private static final int EXECUTABLE = 5;
    private static final int RANGE = 2 * Long.BYTES;

    private final SymbolIndex functions;
    private final SymbolIndex data;
    private final AllocatorCode allocator;
    private final boolean bringsAllocator;

    private ModuleSymbols(
            SymbolIndex functions,
            SymbolIndex data,
            AllocatorCode allocator,
            boolean bringsAllocator) {
        this.functions = functions;
        this.data = data;
        this.allocator = allocator;
        this.bringsAllocator = bringsAllocator;
    }

    /**
     * Reads the tables. A name stands for the analyser's range, where that knows one. Ranges of the
     * unwind table that begin in no listed function, and what else the loader enters, are called
     * {@code func@0x1234}, the number being the address in the file.
     *
     * @param debug the debug file, or null
     * @param ranges where the functions are
     */
    static ModuleSymbols read(ElfImage image, ElfImage debug, CodeFunctions ranges)
            throws IOException {
        SymbolTables tables = new SymbolTables(image, debug);
        AllocatorCode allocator = AllocatorCode.of(tables.functions(), image);
        SymbolIndex own = new SymbolIndex(tables.functions(), SymbolIndex.AS_LISTED);
        new PltStubs(image, address -> nameAt(own, address)).addTo(tables, ranges);
        addGo(tables, image, ranges);
        addUnlisted(tables, ranges);
        SymbolIndex functions = new SymbolIndex(tables.functions(), ranges::endOf);
        boolean brings = functions.all().stream()
                .anyMatch(function -> InterposedFunctions.isAllocator(function.name()));
        return new ModuleSymbols(
                functions,
                new SymbolIndex(tables.data(), SymbolIndex.AS_LISTED),
                allocator,
                brings);
    }

    private static void addGo(SymbolTables tables, ElfImage image, CodeFunctions ranges) {
        SymbolIndex listed = new SymbolIndex(tables.functions(), ranges::endOf);
        for (GoFunctions.Function function : GoFunctions.of(image)) {
            if (!listed.isSizedAt(function.start())) {
                tables.addFunction(function.start(), function.size(), function.name());
            }
        }
    }

    private static void addUnlisted(SymbolTables tables, CodeFunctions ranges) {
        SymbolIndex listed = new SymbolIndex(tables.functions(), ranges::endOf);
        for (int row = 0; row < ranges.count(); row++) {
            long start = ranges.start(row);
            boolean unwound = ranges.is(row, SharedLayout.FUNCTION_UNWIND);
            boolean entered = ranges.is(row, SharedLayout.FUNCTION_START);
            if (unwound && !listed.isSizedAt(start) || entered && listed.find(start) == null) {
                tables.addFunction(
                        start, ranges.end(row) - start, "func@0x" + Long.toHexString(start));
            }
        }
    }

    private static String nameAt(SymbolIndex functions, long address) {
        ElfSymbol found = functions.find(address);
        return found != null && found.address() == address ? found.name() : null;
    }

    /**
     * Maps a file that {@link #isSound} or {@link #write} has made sure of.
     *
     * @throws IOException if it cannot be read
     */
    static ModuleSymbols open(Path file) throws IOException {
        ByteBuffer bytes = map(file);
        int functions = Math.toIntExact(bytes.getLong(32));
        int data = Math.toIntExact(bytes.getLong(40));
        int allocator = Math.toIntExact(bytes.getLong(48));
        int from = HEAD + padded(functions);
        return new ModuleSymbols(
                new SymbolIndex(bytes.slice(HEAD, functions)),
                new SymbolIndex(bytes.slice(from, data)),
                allocator(bytes.slice(from + padded(data), allocator)),
                bytes.getLong(24) == 1);
    }

    private static AllocatorCode allocator(ByteBuffer bytes) {
        bytes.order(ByteOrder.LITTLE_ENDIAN);
        List<CodeRange> ranges = new ArrayList<>();
        while (bytes.hasRemaining()) {
            ranges.add(new CodeRange(bytes.getLong(), bytes.getLong(), EXECUTABLE));
        }
        return ranges.isEmpty() ? null : new AllocatorCode(ranges);
    }

    /** Returns whether a file is whole, and of this version. */
    public static boolean isSound(Path file) {
        try {
            ByteBuffer bytes = map(file);
            return bytes.getLong(0) == MAGIC
                    && bytes.getInt(8) == VERSION
                    && bytes.getLong(SIZE_AT) == bytes.limit()
                    && bytes.getInt(SUM_AT) == sum(bytes);
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes the file that {@link #open} opens. */
    void write(Path file) throws IOException {
        ByteBuffer functionBytes = functions.bytes();
        ByteBuffer dataBytes = data.bytes();
        int from = HEAD + padded(functionBytes.limit());
        List<CodeRange> ranges = allocator == null ? List.of() : allocator.ranges();
        int code = from + padded(dataBytes.limit());
        ByteBuffer bytes =
                ByteBuffer.allocate(code + RANGE * ranges.size()).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(MAGIC).putInt(VERSION).putInt(0);
        bytes.putLong(bytes.limit()).putLong(bringsAllocator ? 1 : 0);
        bytes.putLong(functionBytes.limit()).putLong(dataBytes.limit());
        bytes.putLong((long) RANGE * ranges.size());
        bytes.put(functionBytes).position(from).put(dataBytes).position(code);
        ranges.forEach(range -> bytes.putLong(range.start()).putLong(range.end()));
        bytes.flip();
        bytes.putInt(SUM_AT, sum(bytes));
        try (FileChannel channel = FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    private static ByteBuffer map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long size = channel.size();
            if (size < HEAD || size > Integer.MAX_VALUE) {
                throw new IOException(
                        file + ": " + size + " bytes are not the symbols of a module");
            }
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, size)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static int sum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.slice(SUMMED, bytes.limit() - SUMMED));
        return (int) sum.getValue();
    }

    private static int padded(int size) {
        return (size + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    /** Listed or known from the unwind table, and named stubs. */
    SymbolIndex functions() {
        return functions;
    }

    SymbolIndex data() {
        return data;
    }

    /** The code of an allocator; null if it has none. */
    AllocatorCode allocator() {
        return allocator;
    }

    /** Returns whether it has a malloc, or another function of an allocator. */
    boolean bringsAllocator() {
        return bringsAllocator;
    }
}
