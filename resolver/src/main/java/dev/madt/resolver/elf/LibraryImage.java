package dev.madt.resolver.elf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shared library as a loader would put it into memory, from address 0 on (System V ABI, chapter
 * 5; AMD64 supplement, 4.4).
 *
 * @param bytes of the memory, whole pages
 * @param functions by their names, where they begin
 * @param constructors how many functions it wants to be called when it is loaded
 */
public record LibraryImage(
        byte[] bytes,
        List<Part> parts,
        List<Move> moves,
        Map<String, Long> functions,
        int constructors) {
    private static final int PAGE = 4096;
    private static final int MOST_BYTES = 16 << 20;
    private static final int SHARED_OBJECT = 3;
    private static final String DYNAMIC_SYMBOLS = ".dynsym";
    private static final String CONSTRUCTORS = ".init_array";
    private static final int RELOCATION_BYTES = 24;
    private static final int RELATIVE_RELOCATIONS = 19;
    private static final int FUNCTION = 2;
    private static final int WEAK = 2;
    private static final int ADDRESS = 1;
    private static final int GLOBAL_DATA = 6;
    private static final int JUMP_SLOT = 7;
    private static final int RELATIVE = 8;

    /**
     * A piece of it.
     *
     * @param protection as of mmap
     */
    public record Part(long start, long end, int protection) {}

    /**
     * A word that is an address.
     *
     * @param symbol of another library, behind which the address is; null: it is in this one
     * @param weak whether it may be missing, and is 0 then
     */
    public record Move(long at, String symbol, boolean weak, long addend) {}

    /**
     * Reads a library.
     *
     * @throws IOException if it is none, or needs what only a loader can do
     */
    public static LibraryImage of(ElfImage image) throws IOException {
        if (image.type() != SHARED_OBJECT || image.section(DYNAMIC_SYMBOLS) == null) {
            throw new IOException(image.file()
                    + " is no shared library with its section headers: gcc -shared -fPIC makes"
                    + " one");
        }
        long end = image.segments().stream()
                .filter(ElfSegment::loaded)
                .mapToLong(ElfSegment::end)
                .max()
                .orElse(0);
        if (end <= 0 || end > MOST_BYTES) {
            throw new IOException(image.file() + " takes " + end + " bytes of memory; up to "
                    + MOST_BYTES + " are possible");
        }
        byte[] bytes = new byte[(int) up(end)];
        List<Part> parts = new ArrayList<>();
        for (ElfSegment segment : image.segments()) {
            if (segment.threadLocal()) {
                throw new IOException(
                        image.file() + " has thread-local variables, which take a loader");
            }
            if (segment.loaded() && segment.memorySize() > 0) {
                ByteBuffer from = image.data(segment);
                from.get(0, bytes, (int) segment.address(), from.limit());
                parts.add(new Part(
                        segment.address() / PAGE * PAGE, up(segment.end()), segment.protection()));
            }
        }
        SymbolTable symbols = new SymbolTable(image, image.section(DYNAMIC_SYMBOLS));
        ElfSection constructors = image.section(CONSTRUCTORS);
        return new LibraryImage(
                bytes,
                parts,
                moves(image, symbols, bytes),
                functions(symbols),
                constructors == null ? 0 : (int) (constructors.size() / Long.BYTES));
    }

    private static long up(long address) {
        return (address + PAGE - 1) / PAGE * PAGE;
    }

    private static Map<String, Long> functions(SymbolTable symbols) {
        Map<String, Long> functions = new HashMap<>();
        for (int i = 1; i < symbols.count(); i++) {
            if (symbols.type(i) == FUNCTION && symbols.section(i) != 0) {
                functions.put(symbols.name(i), symbols.value(i));
            }
        }
        return functions;
    }

    private static List<Move> moves(ElfImage image, SymbolTable symbols, byte[] bytes)
            throws IOException {
        List<Move> moves = new ArrayList<>();
        for (ElfSection section : image.sections()) {
            if (!section.allocated()) {
                continue;
            }
            ByteBuffer table = image.data(section);
            if (section.type() == ElfSection.RELOCATIONS) {
                for (int at = 0; at < table.limit(); at += RELOCATION_BYTES) {
                    moves.add(move(image, symbols, table, at));
                }
            } else if (section.type() == RELATIVE_RELOCATIONS) {
                addPacked(table, ByteBuffer.wrap(bytes).order(table.order()), moves);
            }
        }
        return moves;
    }

    private static Move move(ElfImage image, SymbolTable symbols, ByteBuffer table, int at)
            throws IOException {
        long place = table.getLong(at);
        int type = table.getInt(at + 8);
        int symbol = table.getInt(at + 12);
        long addend = table.getLong(at + 16);
        switch (type) {
            case RELATIVE:
                return new Move(place, null, false, addend);
            case ADDRESS, GLOBAL_DATA, JUMP_SLOT:
                return symbols.section(symbol) != 0
                        ? new Move(place, null, false, symbols.value(symbol) + addend)
                        : new Move(
                                place,
                                symbols.name(symbol),
                                symbols.binding(symbol) == WEAK,
                                addend);
            default:
                throw new IOException(image.file() + " has a relocation of type " + type
                        + ", which takes a loader");
        }
    }

    /** Adds the words of SHT_RELR: an address, and bits for the words behind it. */
    private static void addPacked(ByteBuffer table, ByteBuffer bytes, List<Move> moves) {
        long next = 0;
        for (int at = 0; at < table.limit(); at += Long.BYTES) {
            long entry = table.getLong(at);
            if ((entry & 1) == 0) {
                addPacked(entry, bytes, moves);
                next = entry + Long.BYTES;
                continue;
            }
            for (int bit = 1; bit < Long.SIZE; bit++) {
                if ((entry >>> bit & 1) != 0) {
                    addPacked(next + (long) (bit - 1) * Long.BYTES, bytes, moves);
                }
            }
            next += (long) (Long.SIZE - 1) * Long.BYTES;
        }
    }

    private static void addPacked(long at, ByteBuffer bytes, List<Move> moves) {
        moves.add(new Move(at, null, false, bytes.getLong((int) at)));
    }
}
